// A program that decode_large_document.ts runs in its own process. It decodes a document of about
// 25 MB, and prints the growth of its memory in JSON, as a multiple of the document's size. The
// first argument selects the way of decoding.

import process from "node:process";
import { attr, element, elements, integer, model, string } from "../../src/models/mod.ts";

class Row extends model("row", {
  id: attr(integer),
  name: element(string),
  note: element(string),
}) {}
class Rows extends model("rows", { rows: elements(Row, { json: "rows" }) }) {}

const SIZE = 25e6;
const LINES = 175_000;

const note = "n".repeat(70);
const xmlOf = (id: number) =>
  `<row id="${id}"><name>Name of the row ${id}</name><note>${note} ${id}</note></row>\n`;
const jsonOf = (id: number) =>
  `{"id":${id},"name":"Name of the row ${id}","note":"${note} ${id}"},\n`;

/** Builds the document as bytes, with little garbage in memory. */
function documentOf(head: string, line: (id: number) => string, tail: string): Uint8Array {
  const bytes = new Uint8Array(SIZE * 1.1);
  const encoder = new TextEncoder();
  let length = 0;
  const add = (text: string) =>
    void (length += encoder.encodeInto(text, bytes.subarray(length)).written);
  add(head);
  for (let id = 1; id <= LINES; id += 100) {
    let lines = "";
    for (let each = id; each < id + 100; each++) lines += line(each);
    add(lines);
  }
  add(tail);
  return bytes.subarray(0, length);
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < bytes.length; index += 65536) {
    yield bytes.subarray(index, index + 65536);
  }
}

const way = process.argv[2];
const bytes = way === "json"
  ? documentOf('{"rows":[', jsonOf, '{"id":0,"name":"","note":""}]}')
  : documentOf("<rows>", xmlOf, "</rows>");
const before = process.memoryUsage().rss - bytes.length;
let peak = 0;
const look = () => void (peak = Math.max(peak, process.memoryUsage().rss));

let count = 0;
if (way === "stream") {
  for await (const row of Row.streamXml(chunksOf(bytes))) {
    count += row.id > 0 ? 1 : 0;
    if (count % 1000 === 0) look();
  }
} else {
  const read = way === "json" ? Rows.fromJson(bytes) : await Rows.fromXml(bytes);
  look();
  count = read.rows.filter(({ id }) => id > 0).length;
}
look();
const times = (peak - before) / bytes.length;
process.stdout.write(JSON.stringify({ count, times: Number(times.toFixed(2)) }));
