/** Writes the types of the documents in `generate/tests/plan/schemas/` anew. */

import { readFileSync, writeFileSync } from "node:fs";
import { TypePlanner } from "../../src/plan/types/mod.ts";
import { TypeNames } from "../../src/names/type_names.ts";
import { printModels } from "../../src/print/models.ts";
import { readSource } from "../../src/read/read.ts";

/** The documents, and the options of their types. */
export const cornerCases: readonly (readonly [name: string, options: {
  readonly dates?: boolean;
  readonly bigint?: boolean;
  readonly openEnums?: boolean;
  readonly models?: "xml";
}])[] = [
  ["corner_cases_3_0", {}],
  ["corner_cases_3_1", {}],
  ["corner_cases_3_2", {}],
  ["xml_models", { models: "xml", dates: true }],
  ["conversions", { dates: true, bigint: true, openEnums: true }],
];

/** Returns the text of a file beside the documents. */
export function textOf(file: string): string {
  return readFileSync(new URL(`../plan/schemas/${file}`, import.meta.url), "utf8");
}

/** Returns the types of a document, and its problems as lines. */
export async function typesOf(
  [name, options]: typeof cornerCases[number],
): Promise<{ readonly types: string; readonly problems: readonly string[] }> {
  const source = await readSource(textOf(`${name}.yaml`));
  const { root } = source;
  const planner = new TypePlanner(source, new TypeNames(), options);
  const [request, form] = ["application/json", "multipart/form-data"].map((type) =>
    ["paths", "/pets", "post", "requestBody", "content", type, "schema"].reduce(
      (node: typeof root | undefined, key) => node && source.child(node, key),
      root,
    )
  );
  if (request !== undefined) planner.typeOf(request, "request");
  if (form !== undefined) planner.typeOf(form, "multipart");
  const text = printModels(planner.declarations(), "../../../../src")
    .replace('src/models"', 'src/models/mod.ts"');
  const problems = source.problems().map((each) =>
    `${each.line} ${each.pointer}: ${each.message} (${each.action})`
  );
  const header = "/** Types of the document beside this file, as the generator prints them. */\n" +
    "// deno-fmt-ignore-file\n";
  return { types: `${header}\n${text}`, problems };
}

if (import.meta.main) {
  for (const each of cornerCases) {
    const { types } = await typesOf(each);
    writeFileSync(new URL(`../plan/schemas/${each[0]}.ts`, import.meta.url), types);
  }
}
