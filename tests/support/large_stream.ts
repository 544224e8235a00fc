// A program that tests/streams/item_stream_test.ts runs in its own process. It reads a generated
// stream, and prints the growth of its memory in JSON, in megabytes. The first argument is the format,
// the second the size of the stream in megabytes.

import process from "node:process";
import { APISession } from "../../mod.ts";
import { attr, element, integer, model, string } from "../../src/models/mod.ts";
import { jsonArray, ndjson, sse, xmlRecords } from "../../src/streams/mod.ts";

class Item extends model("item", { id: attr(integer), text: element(string) }) {}

const text = "t".repeat(4000);
const formats = {
  sse: { format: sse(), head: "", item: `data: ${text}\n\n` },
  ndjson: { format: ndjson(), head: "", item: `{"id":1,"text":"${text}"}\n` },
  jsonArray: { format: jsonArray("/a"), head: '{"a":[', item: `{"id":1,"text":"${text}"},` },
  xmlRecords: {
    format: xmlRecords(Item),
    head: "<a>",
    item: `<item id="1"><text>${text}</text></item>`,
  },
};

const name = process.argv[2] as keyof typeof formats;
const megabytes = Number(process.argv[3] ?? 100);
const { format, head, item } = formats[name];
const encoder = new TextEncoder();
const chunk = encoder.encode(item.repeat(16));
const count = Math.ceil(megabytes * 1e6 / chunk.length);
let pulls = 0;
const body = new ReadableStream<Uint8Array>({
  pull(controller) {
    if (pulls++ === 0) controller.enqueue(encoder.encode(head));
    else if (pulls <= count) controller.enqueue(chunk.slice());
    else controller.error(new TypeError("terminated"));
  },
}, { highWaterMark: 0 });
const headers = { "content-type": "text/event-stream" };
const session = new APISession({
  url: "https://api.example.com",
  fetch: () => Promise.resolve(new Response(body, { headers })),
});

/** Returns the memory of the process in megabytes. */
const memory = () => process.memoryUsage().rss / 1e6;
let items = 0;
let before = 0;
let peak = 0;
try {
  const stream = await session.get("x", { format });
  for await (const _ of stream as AsyncIterable<unknown>) {
    // A tenth of the stream is the warm-up.
    if (++items % 100 !== 0) continue;
    if (pulls < count / 10) before = Math.max(before, memory());
    else peak = Math.max(peak, memory());
  }
} catch (error) {
  if ((error as Error).name !== "TransportError") throw error;
}
if (items < (count - 2) * 16) throw new Error(`${items} items are too few`);
process.stdout.write(JSON.stringify({ megabytes, growth: Math.round(peak - before) }));
