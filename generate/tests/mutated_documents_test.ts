import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { assert, assertEquals, describe, it } from "#test";
import { generate, type GenerateOptions, type GenerateResult } from "../mod.ts";
import { FileError } from "../src/base/errors.ts";
import { apiMdOf } from "./support/api_md.ts";
import { mutated } from "./support/mutations.ts";
import { zooDocument } from "./support/zoo.ts";

/** The number of mutated documents of each kind. `deno task corpora` compiles more of them. */
const COUNT = 15;

const documentAt = async (path: string): Promise<unknown> =>
  parse(await readFile(new URL(path, import.meta.url), "utf8"));

const documents: readonly (readonly [name: string, document: unknown])[] = [
  ["shop", await documentAt("support/shop.yaml")],
  ["feed", await documentAt("support/feed.yaml")],
  ["zoo", zooDocument],
  ["schemas", await documentAt("plan/schemas/corner_cases_3_1.yaml")],
];

function textOf({ files, names, report }: GenerateResult): string {
  return JSON.stringify([[...files], names, report]);
}

/** Returns the fault of a document; undefined if it has output, the same again, or is refused. */
async function faultOf(text: string, options: GenerateOptions): Promise<string | undefined> {
  try {
    const result = await generate(text, options);
    if (textOf(await generate(text, options)) !== textOf(result)) return "a second run differs";
    const named = await generate(text, { ...options, names: result.names });
    return textOf(named) === textOf(result) ? undefined : "a run with its names file differs";
  } catch (error) {
    return error instanceof FileError ? undefined : String(error);
  }
}

describe("a document with random faults", () => {
  for (const [name, document] of documents) {
    it(`has output, and the same again, or is refused: ${name}`, async () => {
      const before = JSON.stringify(document);
      const faults: string[] = [];
      for (let seed = 1; seed <= COUNT; seed++) {
        const text = mutated(document, seed);
        assertEquals(mutated(document, seed), text);
        const apiMd = await apiMdOf(text, {});
        const all: GenerateOptions[] = [{ models: "xml", dates: true, bigint: true }, { apiMd }];
        for (const options of apiMd === "" ? all.slice(0, 1) : all) {
          const fault = await faultOf(text, options);
          if (fault !== undefined) faults.push(`seed ${seed}: ${fault}`);
        }
      }
      assertEquals(faults, []);
      assert(JSON.stringify(document) === before);
    });
  }
});
