// Measures reading the elements of a JSON array from chunks of 64 KiB: the splitter of the toolkit with
// JSON.parse, and the parser of tokens @streamparser/json. They run in turn, so that changes in the
// machine's speed affect both equally. Prints one JSON object per line: the median in megabytes per
// second, and the ratio of the two.

import { JSONParser } from "@streamparser/json";
import { ArraySplitter } from "../src/streams/array_splitter.ts";
import { StreamSource } from "../src/streams/item_stream.ts";
import { Utf8Decoder } from "../src/streams/utf8_decoder.ts";
import type { StreamCall } from "../src/content/stream_format.ts";

const ROUNDS = 7;
const WARM_UP = 5;
const CHUNK = 2 ** 16;

/** Documents with about 2 MB: short elements, and long ones. */
const documents: Readonly<Record<string, unknown>> = {
  short: Array.from({ length: 20_000 }, (_, id) => ({
    id,
    name: `Name of the row ${id}`,
    price: id / 100,
    tags: ["one", "two \u20ac"],
    maker: { name: "Ada", isOpen: id % 2 === 0, note: null },
  })),
  long: Array.from({ length: 200 }, (_, id) => ({ id, text: 'A line of "text".\n'.repeat(500) })),
};

/** Returns the number of elements, read by the toolkit. */
function bySplitter(chunks: readonly Uint8Array[]): number {
  const source = new StreamSource(new Response(), {} as StreamCall);
  const splitter = new ArraySplitter(source, ["rows"], Infinity);
  const utf8 = new Utf8Decoder();
  let count = 0;
  for (const chunk of chunks) {
    splitter.push(utf8.decode(chunk));
    for (let item; (item = splitter.next()) !== undefined;) {
      count += "id" in JSON.parse(item) ? 1 : 0;
    }
  }
  return count;
}

/** Returns the number of elements, read by the parser of tokens. */
function byTokens(chunks: readonly Uint8Array[]): number {
  const parser = new JSONParser({ paths: ["$.rows.*"], keepStack: false });
  let count = 0;
  parser.onValue = ({ value }) => void (count += "id" in Object(value) ? 1 : 0);
  for (const chunk of chunks) parser.write(chunk);
  return count;
}

const ways = { toolkit: bySplitter, streamparser: byTokens };
for (const [name, rows] of Object.entries(documents)) {
  const bytes = new TextEncoder().encode(JSON.stringify({ total: 1, rows }));
  const chunks: Uint8Array[] = [];
  for (let index = 0; index < bytes.length; index += CHUNK) {
    chunks.push(bytes.subarray(index, index + CHUNK));
  }
  const times: Record<keyof typeof ways, number[]> = { toolkit: [], streamparser: [] };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const way of ["toolkit", "streamparser"] as const) {
      const began = performance.now();
      if (ways[way](chunks) !== (rows as unknown[]).length) throw new Error(`${way} lost elements`);
      if (round >= 0) times[way].push(performance.now() - began);
    }
  }
  const median = (all: number[]) => all.sort((a, b) => a - b)[ROUNDS >> 1]!;
  const [ours, theirs] = [median(times.toolkit), median(times.streamparser)];
  const speed = (time: number) => Math.round(bytes.length / 1000 / time);
  console.log(JSON.stringify({
    name,
    toolkit: speed(ours),
    streamparser: speed(theirs),
    times: Number((theirs / ours).toFixed(1)),
  }));
}
