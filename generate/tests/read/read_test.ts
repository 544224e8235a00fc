import { assert, assertEquals, assertRejects, assertStringIncludes, describe, it } from "#test";
import { DocumentError } from "../../src/base/errors.ts";
import { MAX_DEPTH } from "../../src/read/limits.ts";
import { type ReadOptions, readSource } from "../../src/read/read.ts";
import type { LoadedSource } from "../../src/read/loaded_source.ts";
import type { Node } from "../../src/read/source.ts";

/** Returns the node of a list of keys. References are not followed. */
function at(source: LoadedSource, ...keys: readonly string[]): Node {
  return keys.reduce<Node>((node, key) => source.child(node, key)!, source.root);
}

/** Returns the value of a node as plain JSON. */
function plain(node: Node | undefined): unknown {
  return node === undefined ? undefined : JSON.parse(JSON.stringify(node.value));
}

/** Returns options with files in memory. */
function filesOf(files: Readonly<Record<string, string>>, file = "api.yaml"): ReadOptions {
  return { file, read: (path) => Object.hasOwn(files, path) ? files[path] : undefined };
}

const lines = (source: LoadedSource): string[] =>
  source.problems().map(({ file, line, column, pointer, message, action }) =>
    `${file}:${line}:${column} ${pointer} ${message} (${action})`
  );

describe("a document", () => {
  it("is read as JSON and as YAML, with a byte order mark and CRLF", async () => {
    const texts = [
      '{"openapi": "3.1.0", "info": {"title": "T"}}',
      '\ufeff{\r\n  "openapi": "3.1.0",\r\n  "info": {"title": "T"}\r\n}\r\n',
      "openapi: 3.1.0\ninfo:\n  title: T\n",
      "\ufeffopenapi: 3.1.0\r\ninfo:\r\n  title: T\r\n",
      '# JSON with a comment\n{"openapi": "3.1.0", "info": {"title": "T",},}',
    ];
    for (const text of texts) {
      const source = await readSource(text);
      assertEquals(source.version, "3.1.0");
      assertEquals(plain(at(source, "info")), { title: "T" });
    }
  });

  it("states its version as a string or as a number of YAML", async () => {
    const versions = ["3.0.3", "3.1", "'3.1.1'", "3.2.0", '"3.0"'];
    for (const version of versions) {
      const source = await readSource(`openapi: ${version}`);
      assertEquals(source.version, version.replace(/['"]/g, ""));
    }
    assertEquals((await readSource("swagger: 2.0")).version, "2.0");
  });

  it("is refused with its place if it is not OpenAPI", async () => {
    const cases: readonly (readonly [text: string, message: string])[] = [
      ['{"openapi": "3.1.0",\n  "info" {}}', "a.json:2:"],
      ["a: b: c", "a.json:1:"],
      ["", "must state its version"],
      ["[]", "must state its version"],
      ["just words", "must state its version"],
      ["title: T", "must state its version"],
      ["swagger: '1.2'", 'has the version "1.2"'],
      ["openapi: 4.0.0", 'has the version "4.0.0"'],
      ["openapi: {a: 1}", 'has the version {"a":1}'],
      [`{"openapi": ${"[".repeat(100_000)}`, "a.json"],
    ];
    for (const [text, message] of cases) {
      const error = await assertRejects(() => readSource(text, { file: "a.json" }), DocumentError);
      assertStringIncludes(error.message, message);
      assertEquals(error.file, "a.json");
    }
  });

  it("keeps keys that objects of JavaScript have", async () => {
    for (
      const text of [
        '{"openapi": "3.1.0", "__proto__": {"a": 1}, "x": {"constructor": 1}}',
        "openapi: 3.1.0\n__proto__: {a: 1}\nx: {constructor: 1}",
      ]
    ) {
      const source = await readSource(text);
      assertEquals(at(source, "__proto__").value, Object.assign(Object.create(null), { a: 1 }));
      assertEquals([...source.children(source.root)].map(([key]) => key), [
        ...["openapi", "__proto__", "x"],
      ]);
      assertEquals(at(source, "x", "constructor").value, 1);
      assertEquals(source.child(at(source, "x"), "toString"), undefined);
      assertEquals(source.child(source.root, "a"), undefined);
    }
  });

  it("has children of lists by their index alone", async () => {
    const source = await readSource("openapi: 3.1.0\nx: [a, b]");
    assertEquals(source.child(at(source, "x"), 1)?.pointer, "#/x/1");
    for (const key of ["length", "-1", "01", "2"]) {
      assertEquals(source.child(at(source, "x"), key), undefined);
    }
  });
});

describe("YAML", () => {
  it("merges keys, and those of the object itself win", async () => {
    const source = await readSource(`
openapi: 3.1.0
a: &a {x: 1, y: 1}
b: &b {y: 2, z: 2}
one: {<<: *a, y: 3}
two: {<<: [*a, *b]}
"quoted": {"<<": 4}
`);
    assertEquals(plain(at(source, "one")), { y: 3, x: 1 });
    assertEquals(plain(at(source, "two")), { x: 1, y: 1, z: 2 });
    assertEquals(plain(at(source, "quoted")), { "<<": 4 });
    source.problem(at(source, "two", "z"), "schema", "m", "a");
    assertEquals(lines(source), ["document:4:14 #/two/z m (a)"]);
  });

  it("reads keys as they are written, and no dates or words as other types", async () => {
    const source = await readSource(
      "%YAML 1.1\n---\nopenapi: 3.1.0\nx: {200: a, 1.10: b, on: no, null: 2020-01-01}",
    );
    assertEquals(plain(at(source, "x")), { 200: "a", "1.10": "b", on: "no", null: "2020-01-01" });
  });

  it("reports duplicate keys, aliases inside of themselves and keys that are lists", async () => {
    const source = await readSource(
      "openapi: 3.1.0\nx:\n  a: 1\n  a: 2\ny: &y [*y]\nz: *none\n? [k]\n: 1\nw:\n  <<: 3\n",
    );
    assertEquals(plain(at(source, "x")), { a: 2 });
    assertEquals(
      lines(source).map((line) => line.replace(/ #.*? /, " ")),
      [
        'document:4:3 the key "a" occurs twice (the last one is used)',
        ...[
          'document:5:8 the alias "y" repeats a value inside of itself (taken as null)',
          'document:6:1 the alias "none" has no anchor (taken as null)',
        ],
        "document:9:1 a merge key `<<` has no object (left out)",
        "document:1:1 a key is a list or an object (left out)",
      ].sort((left, right) => Number(left.split(":")[1]) - Number(right.split(":")[1])),
    );
  });

  it("reads quoted strings whose lines are not indented more than their key, as others do", async () => {
    const source = await readSource(
      `openapi: 3.1.0\na:\n  b: "one: two\n  and three: four"\n  c: 'five\n six\n\n  seven'\n  d: 1\n`,
    );
    assertEquals(plain(at(source, "a")), {
      ...{ b: "one: two and three: four", c: "five six\nseven", d: 1 },
    });
    const problem = "a quoted string goes on in a line that is not indented more than its key " +
      "(read nevertheless)";
    assertEquals(lines(source), [`document:3:3 #/a/b ${problem}`, `document:5:3 #/a/c ${problem}`]);
  });

  for (const text of ['a: "one\nb: 2\n', 'a:\n- "one\n- two"\n', 'a: "one\n\n']) {
    it(`refuses a quote without its end: ${JSON.stringify(text).replaceAll('"', "'")}`, async () => {
      await assertRejects(() => readSource(`openapi: 3.1.0\n${text}`), DocumentError);
    });
  }

  it("does not follow aliases that repeat millions of values", async () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(10)}]`,
    );
    const source = await readSource(`openapi: 3.1.0\nl0: &l0 {a: 1}\n${levels.join("\n")}\n`);
    const [first] = source.problems();
    assertEquals([first?.kind, first?.action], ["limit", "taken as unknown"]);
    let count = 0;
    const visit = (node: Node): void => {
      count++;
      for (const [, child] of source.children(node)) visit(child);
    };
    visit(source.root);
    assert(count < 3_000_000, `${count} values`);
  });
});

describe("the limits", () => {
  it("cut a value that is nested too deeply, with its pointer", async () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    const source = await readSource(`{"openapi": "3.1.0", "x": ${deep(MAX_DEPTH + 50)}}`);
    const [problem, ...others] = source.problems();
    assertEquals(others, []);
    assertEquals(problem?.kind, "limit");
    assertEquals(problem?.pointer, `#/x${"/a".repeat(MAX_DEPTH)}`);
    assertEquals((await readSource(`{"openapi": "3.1.0", "x": ${deep(150)}}`)).problems(), []);
  });

  it("hold for a hundred thousand levels", async () => {
    const text = `{"openapi": "3.1.0", "x": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const result = await readSource(text).then(
      (source) => source.problems().map(({ kind }) => kind),
      (error) => error instanceof DocumentError ? ["limit"] : [String(error)],
    );
    assertEquals(result, ["limit"]);
  });
});

describe("a reference", () => {
  it("is followed to a pointer, an anchor and a schema with an id", async () => {
    const source = await readSource(`
openapi: 3.1.0
a: {$ref: '#/components/schemas/A~1B%20C'}
b: {$ref: '#here'}
c: {$ref: 'https://example.com/d#/properties/e'}
d: {$dynamicRef: '#there'}
components:
  schemas:
    A/B C: {title: one}
    H: {$anchor: here, title: two}
    D: {$id: 'https://example.com/d', properties: {e: {title: three}}}
    T: {$dynamicAnchor: there, title: four}
`);
    const titles = ["a", "b", "c", "d"].map((key) => {
      return plain(source.child(source.resolve(at(source, key))!, "title"));
    });
    assertEquals(titles, ["one", "two", "three", "four"]);
    assertEquals(source.resolve(at(source, "a"))?.pointer, "#/components/schemas/A~1B C");
    assertEquals(source.problems(), []);
  });

  it("is followed into files beside the document, whose own references mean themselves", async () => {
    const source = await readSource(
      "openapi: 3.1.0\npaths:\n  /pets: {$ref: 'paths/pets.yaml'}\n  /cats: {$ref: 'paths/pets.yaml#/x-cats'}\n",
      filesOf({
        "paths/pets.yaml":
          "get: {$ref: '#/x-own'}\nx-own: {tags: [own]}\nx-cats: {$ref: ../common/cats.json#/cats}\n",
        "common/cats.json": '{"cats": {"$ref": "./../api.yaml#/x-root"}}',
      }),
    );
    const pets = source.resolve(at(source, "paths", "/pets"))!;
    assertEquals(plain(source.resolve(source.child(pets, "get")!)), { tags: ["own"] });
    assertEquals(source.resolve(at(source, "paths", "/cats")), undefined);
    assertEquals(lines(source), [
      'common/cats.json:1:2 #/cats "./../api.yaml#/x-root" does not exist (taken as unknown)',
    ]);
  });

  it("that leads nowhere is a problem with its place and reason", async () => {
    const asked: string[] = [];
    const source = await readSource(
      `openapi: 3.1.0
a: {$ref: '#/nowhere'}
b: {$ref: 'no.yaml#/x'}
c: {$ref: 'https://example.com/x.yaml'}
d: {$ref: '#/d'}
e: {$ref: 'bad.json'}
f: {$ref: /etc/passwd}
g: {$ref: 'file:///etc/passwd'}
h: {$ref: '//example.com/x'}
`,
      {
        file: "specs/api.yaml",
        read(path) {
          asked.push(path);
          return path === "bad.json" ? "{" : undefined;
        },
      },
    );
    for (const key of "abcdefgh") {
      assertEquals(source.resolve(at(source, key), "left out"), undefined);
    }
    const found = lines(source);
    assertEquals(found.slice(0, 4), [
      'specs/api.yaml:2:1 #/a "#/nowhere" does not exist (left out)',
      'specs/api.yaml:3:1 #/b "no.yaml#/x" cannot be read: the file does not exist (left out)',
      'specs/api.yaml:4:1 #/c "https://example.com/x.yaml" cannot be read: ' +
      "it is a URL; --allow-net allows the generator to fetch it (left out)",
      'specs/api.yaml:5:1 #/d "#/d" leads back to itself (left out)',
    ]);
    assertStringIncludes(found[4]!, "cannot be read: bad.json:1:2: is not JSON");
    assertStringIncludes(found[5]!, "the path must be relative to the document");
    assertStringIncludes(found[6]!, "only http: and https: URLs can be read");
    assertStringIncludes(found[7]!, "only http: and https: URLs can be read");
    assertEquals(asked, ["no.yaml", "bad.json"]);
  });

  it("to a URL is followed if the caller allows it, and so are those relative to it", async () => {
    const texts: Record<string, string> = {
      "https://example.com/specs/a.yaml": "{$ref: 'b.yaml#/x'}",
      "https://example.com/specs/b.yaml": "{x: {title: far}}",
    };
    const source = await readSource(
      "openapi: 3.1.0\na: {$ref: 'https://example.com/specs/a.yaml'}",
      { allowNet: true, read: (path) => Promise.resolve(texts[path]) },
    );
    assertEquals(plain(source.resolve(at(source, "a"))), { title: "far" });
  });

  it("to a file that only an example has is not reported", async () => {
    const source = await readSource("openapi: 3.1.0\nexample: {$ref: gone.yaml}", filesOf({}));
    assertEquals(source.problems(), []);
  });
});

describe("a place", () => {
  it("is the key of a property and the value of an item, in JSON and YAML", async () => {
    const json = `{
  "openapi": "3.1.0",
  "a\\u0062": [ 1, -2.5e3, "\\"]\\\\", {"c": true} ], "paths": { "/x": {"get" : null}}
}`;
    const yaml =
      "openapi: 3.1.0\nab: [ 1, -2.5e3, 'x',  {c: true} ]\npaths:\n  /x:\n    get: null\n";
    const places: [string, string[]][] = [[json, [
      ...["document:3:3 #/ab", "document:3:27 #/ab/2", "document:3:37 #/ab/3/c"],
      "document:3:69 #/paths/~1x/get",
    ]], [yaml, [
      ...["document:2:1 #/ab", "document:2:18 #/ab/2", "document:2:25 #/ab/3/c"],
      "document:5:5 #/paths/~1x/get",
    ]]];
    for (const [text, expected] of places) {
      const source = await readSource(text);
      for (const keys of [["ab"], ["ab", "2"], ["ab", "3", "c"], ["paths", "/x", "get"]]) {
        source.problem(at(source, ...keys), "schema", "m", "a");
      }
      assertEquals(lines(source), expected.map((place) => `${place} m (a)`));
    }
  });
});

describe("nullable", () => {
  it("of OpenAPI 3.0 becomes the type null", async () => {
    const source = await readSource(`
openapi: 3.0.3
a: {type: string, nullable: true}
b: {type: string, nullable: true, enum: [x]}
c: {nullable: true, $ref: '#/a', description: d}
d: {nullable: true, allOf: [{$ref: '#/a'}]}
e: {nullable: true}
f: {type: string, nullable: false}
g: {properties: {nullable: {type: string}}}
`);
    assertEquals("abcdefg".split("").map((key) => plain(at(source, key))), [
      { type: ["string", "null"] },
      { type: ["string", "null"], enum: ["x", null] },
      { description: "d", anyOf: [{ $ref: "#/a" }, { type: "null" }] },
      { anyOf: [{ allOf: [{ $ref: "#/a" }] }, { type: "null" }] },
      { nullable: true },
      { type: "string", nullable: false },
      { properties: { nullable: { type: "string" } } },
    ]);
  });
});

describe("a $dynamicRef that several schemas bind", () => {
  it("leads to none of them, which is a problem", async () => {
    const source = await readSource(`openapi: 3.1.0
a: {$dynamicRef: '#item'}
b: {$dynamicAnchor: item}
c: {$dynamicAnchor: item}
`);
    assertEquals(source.resolve(source.child(source.root, "a")!), undefined);
    assertEquals(source.problems().map(({ message }) => message), [
      '"#item" means another schema for each use, because several have this $dynamicAnchor',
    ]);
  });
});
