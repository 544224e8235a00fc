// Transfers one large body over loopback, and prints a JSON object: the milliseconds, and the most
// memory that the process had, in bytes. Each transfer has a process of its own, so that the memory is
// that of one. Arguments: the row, the contender, the origin of the server, and a file to upload.

import { createReadStream, existsSync, openAsBlob, readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import process from "node:process";
import { createParser } from "eventsource-parser";
import { APISession } from "../../mod.ts";
import { detectRuntime } from "../../src/base/runtime.ts";
import { multipart, saveTo } from "../../src/files/mod.ts";
import { ndjson, sse } from "../../src/streams/mod.ts";

const NO_SERVER = "http://127.0.0.1";
const [row = "", contender = "", origin = NO_SERVER, file = ""] = process.argv.slice(2);
const session = new APISession({ url: origin, logger: null, timeout: 30 });

/** Transfers a body, and returns the number of its bytes, items or events. */
type Transfer = () => Promise<number>;

/** Returns the chunks of a response as text. */
async function* texts(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) yield decoder.decode(chunk, { stream: true });
}

/** Returns a Blob of the file, which is read when it is sent where the runtime can do so. */
async function blobOf(path: string): Promise<Blob> {
  return detectRuntime().name === "Deno" ? new Blob([await readFile(path)]) : openAsBlob(path);
}

/** Returns a target that counts bytes. */
function counter(): { readonly target: WritableStream<Uint8Array>; bytes(): number } {
  let bytes = 0;
  const target = new WritableStream<Uint8Array>({
    write: (chunk) => void (bytes += chunk.length),
  });
  return { target, bytes: () => bytes };
}

/** Returns the whole megabytes that the server received: the lines around a file differ in length. */
const megabytes = (bytes: string): number => Math.floor(Number(bytes) / 2 ** 20);

const ROWS: Readonly<Record<string, Readonly<Record<string, Transfer>>>> = {
  "JSON of 45 MB": {
    async "fetch by hand"() {
      return (await (await fetch(`${origin}/json`)).json()).length;
    },
    async restwright() {
      return (await session.get("json", { convJson: true }) as unknown[]).length;
    },
  },
  "NDJSON of 60 MB": {
    async "fetch by hand"() {
      let [count, rest] = [0, ""];
      for await (const text of texts(await fetch(`${origin}/ndjson`))) {
        const lines = (rest + text).split("\n");
        rest = lines.pop()!;
        for (const line of lines) count += "id" in JSON.parse(line) ? 1 : 0;
      }
      return count;
    },
    async restwright() {
      let count = 0;
      for await (const item of await session.get("ndjson", { format: ndjson() })) {
        count += "id" in Object(item) ? 1 : 0;
      }
      return count;
    },
  },
  "server-sent events of 60 MB": {
    async "fetch by hand"() {
      let count = 0;
      const parser = createParser({
        onEvent: ({ data }) => void (count += "id" in JSON.parse(data) ? 1 : 0),
      });
      for await (const text of texts(await fetch(`${origin}/events`))) parser.feed(text);
      return count;
    },
    async restwright() {
      let count = 0;
      for await (const { data } of await session.get("events", { format: sse() })) {
        count += "id" in JSON.parse(data) ? 1 : 0;
      }
      return count;
    },
  },
  "download of 1 GB": {
    async "fetch by hand"() {
      const { target, bytes } = counter();
      await (await fetch(`${origin}/download`)).body!.pipeTo(target);
      return bytes();
    },
    async restwright() {
      const { target, bytes } = counter();
      await session.get("download", { format: saveTo(target) });
      return bytes();
    },
  },
  "form with a file of 500 MB": {
    async "fetch by hand"() {
      const body = new FormData();
      body.append("file", await blobOf(file), "a.bin");
      return megabytes(await (await fetch(`${origin}/upload`, { method: "POST", body })).text());
    },
    async restwright() {
      const { size } = await stat(file);
      const content = multipart([["file", {
        name: "a.bin",
        size,
        stream: () => createReadStream(file),
      }]]);
      return megabytes(await (await session.post("upload", { content })).text());
    },
  },
};

/** Returns the most memory that the process had. */
function peakMemory(): number {
  const status = "/proc/self/status";
  if (!existsSync(status)) return process.resourceUsage().maxRSS * 1024;
  return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(status, "utf8"))?.[1]) * 1024;
}

if (row === "") {
  console.log(JSON.stringify(Object.keys(ROWS)));
} else {
  const transfer = ROWS[row]?.[contender];
  if (transfer === undefined) throw new Error(`no transfer ${row} by ${contender}`);
  const start = performance.now();
  const count = await transfer();
  const time = performance.now() - start;
  console.log(JSON.stringify({ count, time, peak: peakMemory() }));
}
process.exit(0);
