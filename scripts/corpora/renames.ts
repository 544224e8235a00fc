/**
 * Counts the methods of a document that get another name if one of its operations goes, each in turn.
 * Rules that look at the neighbours of an operation make better names, and can change them: a names file
 * keeps them. A run plans the document once for each operation, so no usual run counts them.
 */
import { parse } from "yaml";
import { generate } from "../../generate/mod.ts";
import type { CorpusDocument } from "./documents.ts";

/** The names of a document that change. */
export interface Renames {
  readonly name: string;
  readonly operations: number;
  /** The operations whose removal renames others. */
  readonly causes: number;
  /** The methods that are renamed, over all removals. */
  readonly renamed: number;
}

/** Counts the methods of a document that are renamed. */
export async function renamesOf({ name, text, read }: CorpusDocument): Promise<Renames> {
  const document = parse(text, { maxAliasCount: -1 }) as {
    readonly paths?: Readonly<Record<string, Record<string, unknown>>>;
  };
  const namesOf = async (): Promise<ReadonlyMap<string, string>> => {
    const { names } = await generate(JSON.stringify(document), { file: `${name}.json`, read });
    return new Map(Object.entries(JSON.parse(names) as Readonly<Record<string, string>>));
  };
  const all = await namesOf();
  let [causes, renamed] = [0, 0];
  for (const item of Object.values(document.paths ?? {})) {
    for (const verb of Object.keys(item).filter((each) => verbs.has(each))) {
      const operation = item[verb];
      delete item[verb];
      const others = await namesOf();
      item[verb] = operation;
      const changed = [...others].filter(([key, method]) => all.get(key) !== method).length;
      causes += changed > 0 ? 1 : 0;
      renamed += changed;
    }
  }
  return { name, operations: all.size, causes, renamed };
}

const verbs: ReadonlySet<string> = new Set(
  ["get", "put", "post", "delete", "options", "head", "patch"],
);

/** Returns the counts as a table of Markdown. */
export function renamesTable(all: readonly Renames[]): string {
  const total = (count: (each: Renames) => number) =>
    all.reduce((sum, each) => sum + count(each), 0);
  const rows = [...all, {
    name: "all",
    operations: total(({ operations }) => operations),
    causes: total(({ causes }) => causes),
    renamed: total(({ renamed }) => renamed),
  }];
  return [
    "| document | operations | of which one renames others if it goes | methods that are renamed |",
    "| --- | --- | --- | --- |",
    ...rows.map(({ name, operations, causes, renamed }) =>
      `| ${name} | ${operations} | ${causes} | ${renamed} |`
    ),
  ].join("\n");
}
