// Measures decoding. JSON: models, zod, valibot and arktype. XML: models, the bare parser, and
// fast-xml-parser plus zod. Code generation is switched off, as on Workers and under a content
// security policy; with it, zod and arktype are faster. They run in turn, so that changes in the
// machine's speed affect all of them equally. The same documents at eight times the size show that the time is linear. Prints one
// JSON object per line: the median in nanoseconds per document, and the ratio to the first of its
// group.

import process from "node:process";
import { xmlRecords } from "#xml";
import "./without_code_generation.ts";
import { type } from "arktype";
import { XMLParser } from "fast-xml-parser";
import * as v from "valibot";
import { z } from "zod";
import {
  attr,
  boolean,
  date,
  element,
  elements,
  integer,
  list,
  model,
  nullable,
  number,
  string,
  toXml,
} from "../src/models/mod.ts";

const ROUNDS = 15;
const WARM_UP = 5;

class Maker extends model("maker", { name: attr(string), country: attr(string) }) {}
class Part extends model("part", {
  id: attr(integer),
  isStocked: attr(boolean, { tag: "stocked", json: "stocked" }),
  name: element(string),
  price: element(number),
  made: element(date),
  note: element(nullable(string)),
  tags: element(list(string)),
  maker: element(Maker),
}) {}
class Parts extends model("parts", { parts: elements(Part) }) {}

const text = z.string();
const zodParts = z.object({
  parts: z.array(z.object({
    id: z.number().int(),
    stocked: z.boolean(),
    name: text,
    price: z.number(),
    made: z.iso.datetime().transform((each) => new Date(each)),
    note: text.nullable(),
    tags: z.array(text),
    maker: z.object({ name: text, country: text }),
  })),
});
const valibotParts = v.object({
  parts: v.array(v.object({
    id: v.pipe(v.number(), v.integer()),
    stocked: v.boolean(),
    name: v.string(),
    price: v.number(),
    made: v.pipe(v.string(), v.isoTimestamp(), v.transform((each) => new Date(each))),
    note: v.nullable(v.string()),
    tags: v.array(v.string()),
    maker: v.object({ name: v.string(), country: v.string() }),
  })),
});
const arkParts = type({
  parts: type({
    id: "number.integer",
    stocked: "boolean",
    name: "string",
    price: "number",
    made: type("string.date.iso").pipe((each) => new Date(each)),
    note: "string | null",
    tags: "string[]",
    maker: { name: "string", country: "string" },
  }).array(),
});
const zodXmlPart = z.object({
  "@id": z.coerce.number().int(),
  "@stocked": z.stringbool(),
  name: text,
  price: z.coerce.number(),
  made: z.iso.datetime().transform((each) => new Date(each)),
  note: z.union([text, z.object({ "@xsi:nil": text })]),
  tags: text.transform((each) => each.split(" ")),
  maker: z.object({ "@name": text, "@country": text }),
});
const zodXmlParts = z.object({ parts: z.looseObject({ part: z.array(zodXmlPart) }) });
const fastXml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  isArray: (name) => name === "part",
});

function partsOf(count: number): Parts {
  const parts = Array.from({ length: count }, (_, index) =>
    Part.of({
      id: index,
      isStocked: index % 2 === 0,
      name: `Part & number ${index}`,
      price: index / 4,
      made: new Date(1.7e12 + index * 1000),
      note: index % 3 === 0 ? null : `A note with some text about part ${index}`,
      tags: ["one", "two", "three"],
      maker: Maker.of({ name: "Ada", country: "GB" }),
    }));
  return Parts.of({ parts });
}

/** Parses XML with the edition's parser, and ignores its events. */
async function bareParser(xml: string): Promise<void> {
  async function* whole(): AsyncGenerator<string> {
    yield xml;
  }
  const handler = { open: () => {}, text: () => {}, close: () => {} };
  for await (const _ of xmlRecords(whole(), () => handler));
}

/** One way to decode or encode the documents. */
interface Benchmark {
  readonly name: string;
  readonly run: () => unknown;
}

for (const count of [100, 800]) {
  const parts = partsOf(count);
  const json = parts.toJsonString();
  const xml = toXml(parts);
  const groups: readonly (readonly Benchmark[])[] = [
    [
      { name: `JSON, ${count} records: JSON.parse`, run: () => JSON.parse(json) },
      { name: `JSON, ${count} records: models`, run: () => Parts.fromJson(json) },
      { name: `JSON, ${count} records: zod`, run: () => zodParts.parse(JSON.parse(json)) },
      {
        name: `JSON, ${count} records: valibot`,
        run: () => v.parse(valibotParts, JSON.parse(json)),
      },
      {
        name: `JSON, ${count} records: arktype`,
        run: () => arkParts.assert(JSON.parse(json)),
      },
      { name: `JSON, ${count} records: models, written`, run: () => parts.toJsonString() },
    ],
    [
      { name: `XML, ${count} records: the bare parser`, run: () => bareParser(xml) },
      { name: `XML, ${count} records: models`, run: () => Parts.fromXml(xml) },
      {
        name: `XML, ${count} records: fast-xml-parser, zod`,
        run: () => zodXmlParts.parse(fastXml.parse(xml)),
      },
      { name: `XML, ${count} records: models, written`, run: () => toXml(parts) },
    ],
  ];
  for (const group of groups) await measure(group, Math.ceil(1600 / count));
}

async function measure(benchmarks: readonly Benchmark[], batch: number): Promise<void> {
  const times = benchmarks.map((): number[] => []);
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    for (const [index, { run }] of benchmarks.entries()) {
      const start = performance.now();
      for (let each = 0; each < batch; each++) await run();
      const spent = (performance.now() - start) * 1e6 / batch;
      if (round >= WARM_UP) times[index]!.push(spent);
    }
  }
  const medians = times.map((each) => each.sort((one, other) => one - other)[ROUNDS >> 1]!);
  for (const [index, { name }] of benchmarks.entries()) {
    const ns = Math.round(medians[index]!);
    const ratio = Number((medians[index]! / medians[0]!).toFixed(2));
    process.stdout.write(`${JSON.stringify({ name, ns, ratio })}\n`);
  }
}
