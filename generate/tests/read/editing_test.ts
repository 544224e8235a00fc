import { assert, assertEquals, describe, it } from "#test";
import fc from "fast-check";
import { holds } from "../../../tests/support/property.ts";
import { Editing, type Holder } from "../../src/read/editing.ts";
import { childPointer } from "../../src/read/pointers.ts";
import { parseFile } from "../../src/read/source_files.ts";

/** A document whose texts are all different, with the names of files in them. */
const { value } = fc.letrec<{ value: unknown; holder: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, depthSize: "small" }, fc.constant("text"), tie("holder")),
  holder: fc.oneof(
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b/c", "d~e", "f"), tie("value"), { maxKeys: 4 }),
  ),
}));
const documents = fc.dictionary(fc.constantFrom("x", "y", "z"), value, { minKeys: 1 });

/** A change: its kind, and numbers that choose the values. */
const changes = fc.array(
  fc.record({ isRemoval: fc.boolean(), holder: fc.nat(50), key: fc.nat(5), from: fc.nat(50) }),
  { maxLength: 8 },
);

/** Returns the text of a document, in which each line has one text at most. */
function textOf(document: unknown, file: string): string {
  let count = 0;
  const numbered = (each: unknown) => each === "text" ? `<${file} ${count++}>` : each;
  return JSON.stringify(document, (_, each) => numbered(each), 1);
}

/** Lists the objects and lists inside of a value, and the value. */
function holdersIn(value: unknown): Holder[] {
  if (typeof value !== "object" || value === null) return [];
  return [value as Holder, ...Object.values(value).flatMap(holdersIn)];
}

/** Lists the texts inside of a value, with their pointers. */
function textsIn(value: unknown, pointer = "#"): [pointer: string, text: string][] {
  if (typeof value === "string") return [[pointer, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    textsIn(child, childPointer(pointer, key))
  );
}

/** Makes a change in a document, with values of the other one. */
function change(
  editing: Editing,
  other: unknown,
  { isRemoval, holder: place, key: number, from: source }: {
    readonly isRemoval: boolean;
    readonly holder: number;
    readonly key: number;
    readonly from: number;
  },
): void {
  const holders = holdersIn(editing.root);
  const holder = holders[place % holders.length]!;
  const keys = Object.keys(holder);
  const key = keys[number % Math.max(keys.length, 1)];
  if (isRemoval) {
    if (key !== undefined) editing.remove(holder, new Set([key]));
    return;
  }
  const sources = [...holders, ...holdersIn(other)];
  const from = sources[source % sources.length]!;
  const [fromKey] = Object.keys(from);
  if (fromKey === undefined) return;
  const target = Array.isArray(holder) && number % 2 === 0 ? holder.length : key ?? "added";
  if (Array.isArray(holder) && typeof target === "string" && key === undefined) return;
  editing.put(holder, target, from, fromKey);
}

describe("a document that is changed", () => {
  it("keeps the place that each value had in its own file", async () => {
    await holds(
      fc.property(documents, documents, changes, (document, other, made) => {
        const texts = new Map([["main", textOf(document, "main")], [
          "other",
          textOf(other, "other"),
        ]]);
        const [main, second] = [...texts].map(([name, text]) => parseFile(name, name, text));
        const editing = new Editing(main!);
        editing.adopt(second!);
        for (const each of made) change(editing, second!.value, each);

        const { places } = editing.result();
        const found = textsIn(editing.root);
        const placed = places(found.map(([pointer]) => pointer));
        for (const [pointer, text] of found) {
          const { file = "main", line } = placed.get(pointer)!;
          const source = texts.get(file)!.split("\n")[line - 1]!;
          assert(source.includes(text), `${pointer} ${text} is at ${file}:${line} ${source}`);
        }
      }),
      500,
    );
  });

  it("gives an object the place of what another file wrote into it, unless that is a comment", () => {
    const main = parseFile("main", "main", '{\n"a": {},\n"b": {}\n}');
    const other = parseFile("other", "other", '{\n"type": 1,\n"description": 2\n}');
    const editing = new Editing(main);
    editing.adopt(other);
    const { a, b } = editing.root as Record<string, Holder>;
    const from = other.value as Holder;
    for (const key of ["type", "description"]) editing.put(a!, key, from, key);
    editing.put(b!, "description", from, "description");

    const places = editing.result().places(["#/a", "#/b", "#/b/description"]);
    assertEquals([...places], [
      ["#/a", { file: "other", line: 2, column: 1 }],
      ["#/b", { line: 3, column: 1 }],
      ["#/b/description", { file: "other", line: 3, column: 1 }],
    ]);
  });
});
