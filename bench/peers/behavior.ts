/**
 * Compares what clients do by default when a server fails, and prints a table for docs/project/comparison.md.
 *
 * Run `npm ci` in this folder, then `node bench/peers/behavior.ts` in the root. It takes a minute,
 * because the clients wait between their attempts.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { inspect } from "node:util";
import axios from "axios";
import ky from "ky";
import { ofetch } from "ofetch";
import OpenAI from "openai";
import { APISession } from "../../mod.ts";
import { BearerAuth } from "../../src/auth/mod.ts";

const TOKEN = "t0ken-5e0a";
const KEY = "k3y-8c4d";
/** Seconds after which a silent body has to fail. */
const TIMEOUT = 0.3;

interface Call {
  readonly path: string;
  readonly method: "GET" | "POST";
  /** True if the call has the timeout, and no retries. */
  readonly isTimed: boolean;
}

/** A client, as a function that makes a call and returns the parsed body. */
type Client = (call: Call) => Promise<unknown>;

const headers = { authorization: `Bearer ${TOKEN}`, "x-api-key": KEY };

/** Returns the clients. Each has the token, the key and otherwise its defaults. */
function clientsOf(url: string): Readonly<Record<string, Client>> {
  const session = new APISession({
    url,
    logger: null,
    auth: new BearerAuth(TOKEN),
  });
  session.httpSession.headers.set("x-api-key", KEY);
  const kyClient = ky.create({ prefix: url, headers });
  const fetchClient = ofetch.create({ baseURL: url, headers });
  const axiosClient = axios.create({ baseURL: url, headers });
  const stainless = new OpenAI({
    apiKey: TOKEN,
    baseURL: url,
    defaultHeaders: headers,
  });
  const json = { title: "Emma" };
  return {
    async restwright({ path, method, isTimed }) {
      const limits = isTimed ? { timeout: TIMEOUT, retries: 0, finalWait: false } : {};
      const options = { convJson: true, ...limits } as const;
      return await (method === "GET"
        ? session.get(path, options)
        : session.post(path, { json, ...options }));
    },
    async ky({ path, method, isTimed }) {
      const limits = isTimed ? { timeout: TIMEOUT * 1000, retry: 0 } : {};
      return await kyClient(path, {
        method,
        ...method === "POST" ? { json } : {},
        ...limits,
      })
        .json();
    },
    async ofetch({ path, method, isTimed }) {
      const limits = isTimed ? { timeout: TIMEOUT * 1000, retry: 0 } : {};
      const body = method === "POST" ? { body: json } : {};
      return await fetchClient(`/${path}`, { method, ...body, ...limits });
    },
    async axios({ path, method, isTimed }) {
      const limits = isTimed ? { timeout: TIMEOUT * 1000 } : {};
      const data = method === "POST" ? { data: json } : {};
      return (await axiosClient.request({
        url: `/${path}`,
        method,
        ...data,
        ...limits,
      })).data;
    },
    async openai({ path, method, isTimed }) {
      const limits = isTimed ? { timeout: TIMEOUT * 1000, maxRetries: 0 } : {};
      const body = method === "POST" ? { body: json } : {};
      return await stainless.request({
        path: `/${path}`,
        method: method === "GET" ? "get" : "post",
        ...body,
        ...limits,
      });
    },
  };
}

let requests = 0;
let elsewhere = "";

/** Answers by path, in a way that a client has to cope with. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  requests++;
  request.resume();
  const send = (
    status: number,
    body: unknown,
    more: Record<string, string> = {},
  ) => {
    const type = { "content-type": "application/json" };
    response.writeHead(status, { ...type, ...more }).end(JSON.stringify(body));
  };
  switch (request.url?.slice(1)) {
    case "busy":
      return send(503, {});
    case "patient":
      return send(requests === 1 ? 503 : 200, {}, { "retry-after": "1" });
    case "broken":
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": "99",
      });
      response.write("{", () => request.socket.destroy());
      return;
    case "silent":
      response.writeHead(200, { "content-type": "application/json" }).write(
        "{",
      );
      return;
    case "html":
      return void response.writeHead(200, {
        "content-type": "application/json",
      }).end("<p>");
    case "redirect":
      return send(302, {}, { location: `${elsewhere}/echo` });
    case "missing":
      return send(404, { error: "no such book" });
    default:
      return send(200, request.headers, { "set-cookie": "visited=yes" });
  }
}

/** Makes a call, and returns its result or its error. It waits for at most 20 seconds. */
async function outcome(
  client: Client,
  path: string,
  method: Call["method"] = "GET",
  isTimed = false,
): Promise<unknown> {
  requests = 0;
  const late = new Promise((resolve) => setTimeout(resolve, 20_000, "still waiting").unref());
  const call = client({ path, method, isTimed }).catch((error: unknown) => error);
  return await Promise.race([call, late]);
}

const named = (value: unknown): string =>
  value instanceof Error ? value.constructor.name : inspect(value);
const sent = (value: unknown): string => value === undefined ? "removed" : "sent";

/** The rows of the table: a name, and what a client does. */
const rows: Readonly<Record<string, (client: Client) => Promise<string>>> = {
  "attempts of a GET, with 503": async (client) => {
    await outcome(client, "busy");
    return `${requests}`;
  },
  "attempts of a POST, with 503": async (client) => {
    await outcome(client, "busy", "POST");
    return `${requests}`;
  },
  "seconds before a retry, with Retry-After: 1": async (client) => {
    const began = performance.now();
    await outcome(client, "patient");
    return requests === 1 ? "no retry" : ((performance.now() - began) / 1000).toFixed(1);
  },
  "attempts, if the body breaks off": async (client) => {
    await outcome(client, "broken");
    return `${requests}`;
  },
  "a body that is silent, with a timeout": async (client) =>
    named(await outcome(client, "silent", "GET", true)),
  "a 200 with HTML that is labelled as JSON": async (client) =>
    named(await outcome(client, "html")),
  "a 404": async (client) => named(await outcome(client, "missing")),
  "the error of a 404, printed, shows the key": async (client) => {
    const text = inspect(await outcome(client, "missing"), { depth: 10 });
    return text.includes(KEY) || text.includes(TOKEN) ? "yes" : "no";
  },
  "Authorization, redirected to another origin": async (client) =>
    sent(Object(await outcome(client, "redirect")).authorization),
  "X-API-Key, redirected to another origin": async (client) =>
    sent(Object(await outcome(client, "redirect"))["x-api-key"]),
  "a cookie of the server": async (client) => {
    await outcome(client, "echo");
    return sent(Object(await outcome(client, "echo")).cookie).replace(
      "removed",
      "dropped",
    );
  },
};

/** Starts a server on a free port, and returns its port. */
async function start(): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return (server.address() as AddressInfo).port;
}

elsewhere = `http://localhost:${await start()}`;
const clients = clientsOf(`http://127.0.0.1:${await start()}`);
console.log(`|  | ${Object.keys(clients).join(" | ")} |`);
for (const [name, run] of Object.entries(rows)) {
  const cells: string[] = [];
  for (const client of Object.values(clients)) cells.push(await run(client));
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
process.exit();
