/** An SDK that is generated for a test, and a server that shows the requests of its calls. */
import { Buffer } from "node:buffer";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startServer, type TestServer } from "../../../tests/support/server.ts";
import { generate, type GenerateOptions } from "../../mod.ts";
import { writeWithSources } from "./written.ts";

/** A method of a generated client, of which a test knows the types. */
export type Method = (...values: readonly unknown[]) => Promise<unknown>;

/** A generated client: its endpoints with their methods. */
export type LiveClient =
  & Readonly<Record<string, Readonly<Record<string, Method>>>>
  & { withOptions(changes: object): LiveClient };

/** A request as the server received it. */
export interface Received {
  readonly method: string;
  /** The path and the query, as they were sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** The body as text. */
  readonly text: string;
}

/** A generated SDK, with a server that it calls. */
export interface LiveSdk {
  /** The exports of the SDK. */
  readonly module: Readonly<Record<string, unknown>>;
  /** The URL of the server. */
  readonly url: string;
  /** The requests so far. */
  readonly requests: Received[];
  /** Returns a client whose base URL is that of the server. */
  client(options?: object): LiveClient;
  /** Stops the server and deletes the SDK. */
  stop(): Promise<void>;
}

/** A document, whose title is `Live`. */
export type LiveDocument = string | Readonly<Record<string, unknown>>;

/** The answer to a request. By default, it is `{}` as JSON. */
export type Answer = (request: Received, response: ServerResponse) => void;

/**
 * Generates an SDK, and starts a server. The caller has to stop it.
 *
 * @throws If the generator notes a problem
 */
export async function startLiveSdk(
  document: LiveDocument,
  options: GenerateOptions = {},
  answer: Answer = (_, response) => json(response, 200, {}),
): Promise<LiveSdk> {
  const text = typeof document === "string" ? document : JSON.stringify({
    openapi: "3.2.0",
    info: { title: "Live", version: "1.0.0" },
    servers: [{ url: "https://live.example.com" }],
    ...document,
  });
  const { files, report } = await generate(text, options);
  if (report.problems.length > 0) throw new Error(JSON.stringify(report.problems, undefined, 2));
  const folder = await realpath(await mkdtemp(join(tmpdir(), "restwright-live-")));
  await writeWithSources(folder, files);
  const module = await import(pathToFileURL(join(folder, "mod.ts")).href);
  const requests: Received[] = [];
  const server: TestServer = await startServer((request, response) => {
    received(request).then((each) => {
      requests.push(each);
      answer(each, response);
    }).catch(() => response.destroy());
  });
  const Client = module.Live as new (options: object) => LiveClient;
  return {
    module,
    url: server.url,
    requests,
    client: (options = {}) => new Client({ baseUrl: server.url, ...options }),
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Sends an answer with JSON. */
export function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

async function received(request: IncomingMessage): Promise<Received> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { method = "", url = "", headers } = request;
  return {
    method,
    url,
    headers: headers as Received["headers"],
    body,
    text: body.toString("utf8"),
  };
}
