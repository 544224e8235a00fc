import { readFileSync } from "node:fs";
import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { JsonPathFault, loadJsonPaths } from "../../src/overlay/json_path.ts";

/** A case of the JSONPath Compliance Test Suite, `../support/jsonpath/cts.json`. */
interface Case {
  readonly name: string;
  readonly selector: string;
  readonly document?: unknown;
  /** The normalized paths of the values, or the lists that are allowed. */
  readonly result_paths?: readonly string[];
  readonly results_paths?: readonly (readonly string[])[];
  readonly invalid_selector?: boolean;
}

const suite = new URL("../support/jsonpath/cts.json", import.meta.url);
const { tests: cases } = JSON.parse(readFileSync(suite, "utf8")) as { readonly tests: Case[] };
const readPath = await loadJsonPaths();
const ignore = () => {};

/** Returns the JSON pointer of a normalized path, such as `$['a'][0]`. */
function pointerOf(path: string): string {
  const steps = path.matchAll(/\[(?:'((?:[^'\\]|\\.)*)'|(\d+))\]/g);
  return Array.from(steps, ([, name, index]) => {
    if (name === undefined) return `/${index}`;
    const text = name.replaceAll('"', '\\"').replaceAll("\\'", "'");
    return `/${(JSON.parse(`"${text}"`) as string).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }).reduce((pointer, step) => pointer + step, "#");
}

/** Returns the names of the cases that a path is read or followed in another way. */
function failures(): string[] {
  return cases.filter(({ selector, document, invalid_selector, result_paths, results_paths }) => {
    let found: string[] | undefined;
    try {
      found = readPath(selector)(document, ignore).map(({ pointer }) => pointer);
    } catch (error) {
      assert(error instanceof JsonPathFault, `${selector}: ${error}`);
    }
    if (invalid_selector === true || found === undefined) {
      return (found === undefined) !== (invalid_selector ?? false);
    }
    // A value that is found twice is listed once, because it can be changed only once.
    const allowed = (results_paths ?? [result_paths!])
      .map((paths) => [...new Set(paths.map(pointerOf))].join("\n"));
    return !allowed.includes(found.join("\n"));
  }).map(({ name }) => name);
}

describe("the paths of overlays", () => {
  it("are those of RFC 9535, by all cases of its compliance suite", () => {
    assertEquals(cases.length, 703);
    assertEquals(failures(), []);
  });

  it("have the object or list of each value, and its key there", () => {
    const document = { paths: { "/a": { get: { tags: ["x", "y"] } } } };
    const [first] = readPath("$.paths['/a'].get.tags[?@ == 'y']")(document, ignore);
    assertEquals(first, {
      ...{ value: "y", pointer: "#/paths/~1a/get/tags/1" },
      place: { holder: document.paths["/a"].get.tags, key: 1 },
    });
    const [root] = readPath("$")(document, ignore);
    assertEquals(root, { value: document, pointer: "#", place: undefined });
  });

  it("find the keys of an object without a prototype, and nothing that only prototypes have", () => {
    const document = Object.assign(Object.create(null), { a: Object.create(null) });
    document.a["__proto__"] = 1;
    const found = (path: string) => readPath(path)(document, ignore).map(({ value }) => value);
    assertEquals(found("$.a['__proto__']"), [1]);
    assertEquals(found("$.a.toString"), []);
    assertEquals(found("$..constructor"), []);
  });

  it("are not read if they have the dialect of another package", () => {
    for (
      const path of ["$.paths./pets.get", "$.a^", "$.a~", "paths", "$.$ref", "$[(@.length-1)]"]
    ) {
      assertThrows(() => readPath(path), JsonPathFault);
    }
  });

  it("count the values that they look at and find, so that a limit can end them", () => {
    const document = { a: { b: {} }, c: [{}, {}] };
    const found: number[] = [];
    let looks = 0;
    readPath("$..*")(document, (count) => {
      if (count === undefined) looks++;
      else found.push(count);
    });
    assertEquals(found, [1, 2, 3, 4, 5]);
    assert(looks >= 5, `${looks}`);
    const limit = new TypeError("enough");
    const stop = () => {
      throw limit;
    };
    assertEquals(assertThrows(() => readPath("$..*")(document, stop)), limit);
  });

  it("refuse a document that is nested too deeply, with an error of their own", () => {
    let document: unknown = {};
    for (let depth = 0; depth < 20_000; depth++) document = { a: document };
    assertThrows(() => readPath("$..a")(document, ignore), JsonPathFault);
  });
});
