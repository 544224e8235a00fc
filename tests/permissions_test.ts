import type { IncomingMessage, ServerResponse } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { after, assert, assertEquals, assertStringIncludes, before, describe, it } from "#test";
import { runChild, succeeded } from "../scripts/shared/child.ts";
import { detectRuntime } from "../src/base/runtime.ts";
import { sourceRoot } from "./support/contract_page.ts";
import { startServer, type TestServer } from "./support/server.ts";
import {
  startTlsPeers,
  tlsMissing,
  type TlsPeers,
  withoutProxyVariables,
} from "./support/tls_peers.ts";

const root = fileURLToPath(sourceRoot());
const runtime = detectRuntime().name;

/** Permissions as Deno names them, such as `net=127.0.0.1:80`. */
type Permissions = readonly string[];

/**
 * Returns the arguments that run a program with these permissions alone. Node has no permissions
 * for variables and system information, and before version 25 none for the network. Bun has none.
 */
function flagsFor(permissions: Permissions): string[] {
  const allowed = (name: string) => permissions.filter((each) => each.startsWith(name));
  if (runtime === "Deno") {
    const flags = permissions.map((each) => `--allow-${each}`);
    return ["run", "--quiet", "--no-check", "--no-prompt", ...flags];
  }
  if (runtime !== "Node") return [];
  const paths = (name: string) =>
    allowed(`${name}=`).flatMap((each) => each.slice(name.length + 1).split(","));
  const knowsNet = process.allowedNodeEnvironmentFlags.has("--allow-net");
  return [
    "--permission",
    ...[root, ...paths("read")].map((path) => `--allow-fs-read=${path}`),
    ...paths("write").map((path) => `--allow-fs-write=${path}`),
    ...(knowsNet && allowed("net").length > 0 ? ["--allow-net"] : []),
  ];
}

/** Runs a program with these permissions alone, and returns its output. */
async function run(permissions: Permissions, program: string, ...args: string[]): Promise<string> {
  const command = [...flagsFor(permissions), `${root}${program}`, ...args];
  const child = await runChild(process.execPath, command, { cwd: root });
  assert(succeeded(child), child.output);
  return child.stdout;
}

/** Uses features with these permissions alone, and returns the results. */
async function use(
  permissions: Permissions,
  features: readonly string[],
  options: object,
): Promise<string[]> {
  const args = [features.join(), JSON.stringify(options)];
  const output = await run(permissions, "tests/support/permitted_client.ts", ...args);
  return JSON.parse(output);
}

/** Checks that Deno refuses a request without its permissions, with an error that begins so. */
async function assertRefused(
  permissions: Permissions,
  options: object,
  beginning: string,
  feature: string = "request",
): Promise<void> {
  // The other runtimes do not have these permissions.
  if (runtime !== "Deno") return;
  const [result = ""] = await use(permissions, [feature], options);
  assertEquals(result.slice(0, beginning.length), beginning);
}

/** The features that need no other permission than that for the API, and their results. */
const results: Readonly<Record<string, string>> = {
  request: "ok",
  cookies: "a=b",
  redirect: "ok",
  retry: "ok",
  timeouts: "ok",
  json: "item",
  xml: "sent",
  events: "one,two",
  ndjson: "item",
  array: "one,two",
  records: "item",
  form: "ok",
  download: "2",
  digest: "ok",
  oauth: "Bearer token",
};

/** Returns the same server by another name. */
function elsewhere(host: string = ""): string {
  return host.replace("127.0.0.1", "localhost");
}

/** The API that permitted_client.ts uses. */
function answer(): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  let calls = 0;
  const json = "application/json";
  return async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { headers, method, url } = request;
    const send = (
      body: string,
      type = "text/plain",
      more: Record<string, string> = {},
      status = 200,
    ) => void response.writeHead(status, { "content-type": type, ...more }).end(body);
    switch (url?.replace(/^http:..[^/]+/, "").slice(1)) {
      case "cookie":
        return send(headers.cookie ?? "none", "text/plain", { "set-cookie": "a=b" });
      case "redirect":
        return send("", "text/plain", { location: "/ok" }, 302);
      case "elsewhere":
        return send("", "text/plain", { location: `http://${elsewhere(headers.host)}/ok` }, 302);
      case "busy":
        return send("ok", "text/plain", { "retry-after": "0" }, calls++ === 0 ? 503 : 200);
      case "json":
        return send('{"name":"item"}\n', json);
      case "array":
        return send('[{"name":"one"},{"name":"two"}]', json);
      case "xml":
        return send(
          method === "POST"
            ? new TextDecoder().decode(chunks[0])
            : "<item><name>item</name></item>",
          "application/xml",
        );
      case "events":
        return send('data:{"name":"one"}\n\ndata:{"name":"two"}\n\n', "text/event-stream");
      case "digest":
        if (headers.authorization !== undefined) return send("ok");
        return send(
          "",
          json,
          { "www-authenticate": 'Digest realm="r", nonce="n", qop="auth"' },
          401,
        );
      case "token":
        return send('{"access_token":"token","token_type":"bearer","expires_in":60}', json);
      case "bearer":
        return send(headers.authorization ?? "none");
      default:
        return send("ok");
    }
  };
}

describe("the permissions that a program needs", () => {
  const missing = tlsMissing();
  let server: TestServer;
  let host: string;
  let peers: TlsPeers | undefined;
  let restore: () => void;
  before(async () => {
    restore = withoutProxyVariables();
    server = await startServer(answer());
    host = new URL(server.url).host;
    if (missing === undefined) peers = await startTlsPeers();
  });
  after(async () => {
    restore();
    await server.stop();
    await peers?.stop();
  });

  it("are only that for the API, for each of its features", async () => {
    const features = Object.keys(results);
    const found = await use([`net=${host}`], features, { url: server.url });
    assertEquals(Object.fromEntries(features.map((name, index) => [name, found[index]])), results);
  });

  it("are those for an environment variable, which is not read without them", async () => {
    const options = { url: server.url };

    assertEquals(await use(["env=PATH"], ["environment"], options), ["read"]);
    const without = runtime === "Deno" ? "none" : "read";
    assertEquals(await use(["env=HOME"], ["environment"], options), [without]);
  });

  it("include that for the network on Node 25 and later, and a call without it is not retried", async () => {
    if (runtime !== "Node" || !process.allowedNodeEnvironmentFlags.has("--allow-net")) return;
    // An error that is retried would be a TransportError.
    const results = await use([], ["request"], { url: server.url, retries: 1 });

    assertEquals(results, ["TypeError: fetch failed"]);
  });

  it("are those for all hosts to which the API redirects", async () => {
    const options = { url: server.url };

    assertEquals(await use([`net=${host},${elsewhere(host)}`], ["elsewhere"], options), ["ok"]);
    await assertRefused([`net=${host}`], options, "NotCapable: ", "elsewhere");
  });

  it("are those for the API and the proxy, if there is a proxy", async () => {
    const api = "api.example.com";
    const options = { url: `http://${api}`, proxies: { http: server.url } };

    assertEquals(await use([`net=${host},${api}`], ["request"], options), ["ok"]);
    for (const one of [host, api]) await assertRefused([`net=${one}`], options, "NotCapable: ");
  });

  const test = (name: string, body: () => Promise<void>) => it(name, body, { ignore: missing });

  test("include that to read the files of certificates", async () => {
    const { demanding: url, certificates: { authority, client } } = peers!;
    const net = `net=${new URL(url).host}`;
    const paths = { url, ca: authority.certificate, cert: [client.certificate, client.key] };
    const files = [authority.certificate, client.certificate, client.key];

    const [answer] = await use([net, `read=${files.join()}`], ["request"], paths);
    assertStringIncludes(answer!, '"client":"CN=ada"');
    const refusal = 'UnexpectedValueError: "cert[0]" must be PEM that begins with -----BEGIN, ' +
      "or the path of a file that can be read (NotCapable), ";
    await assertRefused([net], paths, refusal);
  });

  test("do not include that if the certificates are given as PEM", async () => {
    const { demanding: url, certificates: { authority, client } } = peers!;
    const options = { url, ca: authority.pem[0], cert: client.pem };

    const [answer] = await use([`net=${new URL(url).host}`], ["request"], options);
    assertStringIncludes(answer!, '"client":"CN=ada"');
  });

  test("include those for the system's certificates, if TLS is not verified", async () => {
    const url = peers!.wrongHost;
    const options = { url, sslVerify: false };
    const net = `net=${new URL(url).host}`;
    const [sys, env] = ["sys", "env=NODE_USE_SYSTEM_CA"];

    const [answer] = await use([net, sys, env], ["request"], options);
    assertStringIncludes(answer!, '"client":""');
    for (const one of [sys, env]) await assertRefused([net, one], options, "NotCapable: ");
  });

  it("include those to read and write the folder of a cassette that is recorded", async () => {
    const folder = await mkdtemp(join(tmpdir(), "restwright-cassette-"));
    try {
      const options = { url: server.url, cassette: join(folder, "a.json") };
      const [net, read, write] = [`net=${host}`, `read=${folder}`, `write=${folder}`];

      assertEquals(await use([net, read, write], ["cassette"], options), ["ok"]);
      for (const one of [read, write]) {
        await assertRefused([net, one], options, "NotCapable: ", "cassette");
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("are that for its host, for the demo, which shows its own code if it can read it", async () => {
    const without = await run(["net=127.0.0.1"], "examples/demo.ts");
    const [code, end] = ["const library = await Library.open(", "The API is stopped."];
    assertStringIncludes(without, end);
    // Only Deno restricts what a program reads here.
    assertEquals(without.includes(code), runtime !== "Deno");

    const output = await run(["net=127.0.0.1", `read=${root}examples`], "examples/demo.ts");
    assertStringIncludes(output, end);
    assertStringIncludes(output, code);
  });
});
