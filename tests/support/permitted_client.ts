/**
 * Uses features of the toolkit, and prints their results as JSON. A test runs this program with few
 * permissions: `permitted_client.ts FEATURES OPTIONS`.
 *
 * FEATURES are names of the functions below, with commas between them. OPTIONS are the options of a
 * session as JSON. A result is a string; for an error, it is its name and message.
 */
import process from "node:process";
import { APISession, readEnv, type SessionOptions } from "../../mod.ts";
import { DigestAuth } from "../../src/auth/digest/mod.ts";
import { ClientCredentialsAuth } from "../../src/auth/oauth/mod.ts";
import { saveTo } from "../../src/files/mod.ts";
import { element, model, string } from "../../src/models/mod.ts";
import { jsonArray, ndjson, sse, xmlRecords } from "../../src/streams/mod.ts";
import { openCassette } from "../../src/testing/mod.ts";

class Item extends model("item", { name: element(string) }) {}

const SHA256_OF_OK = "2689367b205c16ce32ed4200942b8b8b1e262dfc70d9bc9fbc77c49699a4f1df";

interface Options extends SessionOptions {
  readonly url: string;
  /** The path of a cassette, for the feature of that name. */
  readonly cassette?: string;
}

const [names = "", json = "{}"] = process.argv.slice(2);
const { cassette = "", ...options } = JSON.parse(json) as Options;

/** Creates the session. This fails if an option is refused. */
function newSession(): APISession {
  return new APISession({ retries: 0, ...options });
}

const join = async (items: AsyncIterable<{ readonly name: string }>) => {
  const found: string[] = [];
  for await (const { name } of items) found.push(name);
  return found.join();
};

const features: Readonly<Record<string, (session: APISession) => Promise<string>>> = {
  request: async (session) => await (await session.get("ok")).text(),
  cookies: async (session) => {
    await session.get("cookie");
    return await (await session.get("cookie")).text();
  },
  redirect: async (session) => await (await session.get("redirect")).text(),
  elsewhere: async (session) => await (await session.get("elsewhere")).text(),
  retry: async (session) => await (await session.get("busy", { retries: 1 })).text(),
  timeouts: async (session) =>
    await (await session.get("ok", { timeout: 60, deadline: 60 })).text(),
  json: async (session) => (await session.get("json", { responseModel: Item })).name,
  xml: async (session) => {
    const response = await session.post("xml", { xml: Item.of({ name: "sent" }) });
    return (await Item.fromXml(await response.text())).name;
  },
  events: async (session) => {
    const events = await session.get("events", { format: sse(Item) });
    const items: Item[] = [];
    for await (const { data } of events) items.push(data);
    return items.map(({ name }) => name).join();
  },
  ndjson: async (session) => await join(await session.get("json", { format: ndjson(Item) })),
  array: async (session) => await join(await session.get("array", { format: jsonArray("", Item) })),
  records: async (session) => {
    return await join(await session.get("xml", { format: xmlRecords(Item, { at: "item" }) }));
  },
  form: async (session) => {
    const response = await session.post("ok", { files: { file: new Blob(["content"]) } });
    return await response.text();
  },
  download: async (session) => {
    const format = saveTo(() => new WritableStream<Uint8Array>(), {
      digest: { sha256: SHA256_OF_OK },
    });
    return `${(await session.get("ok", { format })).transferred}`;
  },
  digest: async (session) => {
    return await (await session.get("digest", { auth: new DigestAuth("a", "b") })).text();
  },
  environment: () => Promise.resolve(readEnv("PATH") === undefined ? "none" : "read"),
  cassette: async () => {
    const recording = await openCassette(cassette, { mode: "record" });
    const response = await new APISession({ ...options, fetch: recording }).get("ok");
    const text = await response.text();
    await recording.save();
    return text;
  },
  oauth: async (session) => {
    const client = { clientId: "id", clientSecret: "secret" };
    const auth = new ClientCredentialsAuth(session, {
      tokenUrl: `${options.url}/token`,
      ...client,
    });
    return await (await session.get("bearer", { auth })).text();
  },
};

const results: string[] = [];
for (const name of names.split(",")) {
  try {
    const session = newSession();
    results.push(await features[name]!(session));
    await session.close();
  } catch (error) {
    results.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }
}
process.stdout.write(JSON.stringify(results));
