import { assertEquals, assertRejects, assertStringIncludes, describe, it } from "#test";
import { diff, DocumentError, FileError, generate, OptionError, OverlayError } from "../../mod.ts";
import { readOverlays } from "../../src/overlay/overlay.ts";
import { readSource } from "../../src/read/read.ts";

type Json = Readonly<Record<string, unknown>>;

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Harbour", version: "1" },
  tags: ["boats"],
  paths: {
    "/boats": {
      get: {
        operationId: "listBoats",
        tags: ["boats", "old"],
        parameters: [
          { name: "limit", in: "query", schema: { type: "integer" } },
          { name: "old", in: "query", schema: { type: "string" } },
        ],
        responses: { 204: { description: "None" } },
      },
    },
    "/piers": { delete: { responses: { 204: { description: "Gone" } } } },
  },
};

/** Returns an overlay with actions. */
function overlayOf(actions: readonly Json[], { version = "1.1.0", ...others }: Json = {}): string {
  return JSON.stringify({
    overlay: version,
    info: { title: "Fixes", version: "1" },
    actions,
    ...others,
  });
}

/** Reads a document with overlays, and returns its value and the problems of the overlays. */
async function readWith(
  document: unknown,
  texts: readonly string[],
): Promise<{ readonly value: unknown; readonly problems: readonly string[] }> {
  const overlays = await readOverlays(texts.map((text) => ({ text })), "api.json");
  const source = await readSource(JSON.stringify(document), {
    file: "api.json",
    overlays: overlays.changes,
  });
  return {
    value: JSON.parse(JSON.stringify(source.root.value)),
    problems: overlays.problems().map(({ pointer, message }) => `${pointer} ${message}`),
  };
}

/** Returns a document after the actions of an overlay. */
async function after(document: unknown, ...actions: readonly Json[]): Promise<unknown> {
  const { value, problems } = await readWith(document, [overlayOf(actions)]);
  assertEquals(problems, []);
  return value;
}

/** Returns the message of the error that actions lead to. */
async function errorOf(document: unknown, ...actions: readonly Json[]): Promise<string> {
  const error = await assertRejects(
    () => readWith(document, [overlayOf(actions)]),
    OverlayError,
  );
  return error.message;
}

/** Returns a document with one more property. */
function withExtra(extra: unknown): Json {
  return { openapi: "3.1.0", "x-at": extra };
}

describe("the actions of an overlay", () => {
  it("merge an object into each target, with the objects and lists inside of it", async () => {
    const target = { a: 1, list: [1], inner: { b: 1, kept: true }, kept: "yes" };
    const update = { a: 2, list: [2, 3], inner: { b: { c: 1 }, d: [{}] }, added: { e: null } };
    const before = withExtra([{ ...target, inner: { kept: true } }, { inner: { b: null } }]);
    assertEquals(
      await after(before, { target: "$['x-at'].*", update }),
      withExtra([
        {
          ...{ a: 2, list: [1, 2, 3], inner: { kept: true, b: { c: 1 }, d: [{}] }, kept: "yes" },
          added: { e: null },
        },
        { inner: { b: { c: 1 }, d: [{}] }, a: 2, list: [2, 3], added: { e: null } },
      ]),
    );
  });

  it("append a value or the items of a list to a list", async () => {
    const append = (update: unknown) => after(withExtra([1]), { target: "$['x-at']", update });
    assertEquals(await append({ a: 1 }), withExtra([1, { a: 1 }]));
    assertEquals(await append("text"), withExtra([1, "text"]));
    assertEquals(await append(null), withExtra([1, null]));
    assertEquals(await append([2, [3]]), withExtra([1, 2, [3]]));
  });

  it("replace a string, number, boolean or null", async () => {
    for (const update of ["text", 5, false, null]) {
      const value = await after(withExtra("old"), { target: "$['x-at']", update });
      assertEquals(value, withExtra(update));
    }
  });

  it("leave an object or list as it is if the update has null there, as an empty line of YAML", async () => {
    const text = `
overlay: 1.0.0
info: { title: Structured, version: 1.0.0 }
actions:
  - target: $
    update:
      x-at:
        list:
        object:
        value:
        added:
`;
    const before = withExtra({ list: [1], object: { a: 1 }, value: "text" });
    const { value, problems } = await readWith(before, [text]);
    assertEquals(problems, []);
    assertEquals(value, withExtra({ list: [1], object: { a: 1 }, value: null, added: null }));
  });

  it("remove values from objects and lists, whatever the order of the matches", async () => {
    const before = withExtra({ list: [0, 1, 2, 3], a: { b: 1 }, c: 2 });
    assertEquals(
      await after(
        before,
        { target: "$['x-at'].list[2,0,-1,0]", remove: true },
        { target: "$['x-at']['a','c']", remove: true, update: { ignored: true } },
      ),
      withExtra({ list: [1] }),
    );
    const nested = withExtra({ gone: { gone: [1] }, list: [{ gone: 1 }, "gone"] });
    assertEquals(
      await after(nested, { target: "$..gone", remove: true }),
      withExtra({ list: [{}, "gone"] }),
    );
  });

  it("copy a value of the document, as it was before the action", async () => {
    const before = withExtra({ from: { a: [1], b: { c: 1 } }, to: { a: [2] }, text: "old" });
    assertEquals(
      await after(
        before,
        { target: "$['x-at'].to", copy: "$['x-at'].from" },
        { target: "$['x-at'].from.b", copy: "$['x-at'].from" },
        { target: "$['x-at'].text", copy: "$.openapi" },
      ),
      withExtra({
        from: { a: [1], b: { c: 1, a: [1], b: { c: 1 } } },
        to: { a: [2, 1], b: { c: 1 } },
        text: "3.1.0",
      }),
    );
  });

  it("move a path by three actions, in their order", async () => {
    const { value } = await readWith(DOCUMENT, [overlayOf([
      { target: "$.paths", update: { "/ships": {} } },
      { target: "$.paths['/ships']", copy: "$.paths['/boats']" },
      { target: "$.paths['/boats']", remove: true },
    ])]);
    const { paths: { "/boats": moved, ...others } } = DOCUMENT;
    assertEquals(value, { ...DOCUMENT, paths: { ...others, "/ships": moved } });
  });

  it("of several overlays see what those before have changed", async () => {
    const first = overlayOf([{ target: "$.info", update: { "x-step": 1 } }]);
    const second = overlayOf([{ target: "$.info['x-step']", update: 2 }]);
    const { value } = await readWith(DOCUMENT, [first, second]);
    assertEquals((value as { info: Json }).info, { ...DOCUMENT.info, "x-step": 2 });
  });

  it("are reported if they lead to nothing or do nothing", async () => {
    const { value, problems } = await readWith(DOCUMENT, [overlayOf([
      { target: "$.paths.*.put", remove: true },
      { target: "$.info", copy: "$.nothing" },
      { target: "$.info", remove: false },
      { target: "$.paths['/boats'].get.parameters[?@.name == 'old']", remove: true },
    ])]);
    assertEquals(problems, [
      "#/actions/2 the action has no update, copy or remove",
      '#/actions/0/target "$.paths.*.put" leads to nothing',
      '#/actions/1/copy "$.nothing" leads to nothing',
    ]);
    const [limit] = DOCUMENT.paths["/boats"].get.parameters;
    assertEquals((value as typeof DOCUMENT).paths["/boats"].get.parameters, [limit]);
  });

  it("that do not fit the document are errors with their places", async () => {
    const at = { target: "$['x-at']" };
    assertEquals(
      await errorOf(withExtra({ a: [] }), { ...at, update: { a: { b: 1 } } }),
      'overlay:1:92: actions.0.update has an object as "a", which is a list in the document: ' +
        "remove it by an action before",
    );
    for (
      const [value, action, message] of [
        [{}, { ...at, update: [1] }, "actions.0.update must be an object, as its targets are"],
        [
          "text",
          { ...at, update: {} },
          "actions.0.update must be a string, number, boolean or null",
        ],
        [{}, { ...at, update: null }, "actions.0 must be an object, as its targets are"],
        [[1, {}], { target: "$['x-at'].*", update: 1 }, "must have targets of one kind"],
        [[1, 2], { ...at, copy: "$['x-at'].*" }, "actions.0.copy must lead to one value, not to 2"],
        [1, { target: "$", remove: true }, "actions.0 cannot remove the whole document"],
      ] as const
    ) assertStringIncludes(await errorOf(withExtra(value), action), message);
  });

  it("whose paths lead too deep are errors, and no faults of the generator", async () => {
    const deep = JSON.parse(`${"[".repeat(300)}${"]".repeat(300)}`);
    assertStringIncludes(
      await errorOf(withExtra(deep), { target: "$..*", remove: true }),
      'actions.0.target cannot be followed in the document, "$..*": recursion limit reached',
    );
  });

  it("that would make the document endless are ended by a limit", async () => {
    const double = { target: "$['x-at']", copy: "$['x-at']" };
    const error = await errorOf(withExtra([{}]), ...Array.from({ length: 25 }, () => double));
    assertStringIncludes(error, "would copy more than 300000 values");

    const repeated = (times: number) =>
      Array.from({ length: times }, (_, index) => {
        const items = index === 0 ? "[]" : `[*a${index - 1}, *a${index - 1}]`;
        return `x-a${index}: &a${index} ${items}\n`;
      }).join("");
    const action = "actions: [{ target: $, remove: false }]";
    const head = 'overlay: 1.0.0\ninfo: { title: T, version: "1" }\n';
    for (
      const [document, overlay, message, kind] of [
        [
          repeated(25),
          `${head}${action}`,
          "api.yaml: cannot be changed: its aliases",
          "DocumentError",
        ],
        ["openapi: 3.1.0", `${head}${repeated(25)}${action}`, "actions would copy", "OverlayError"],
      ] as const
    ) {
      const overlays = [{ text: overlay }];
      const error = await assertRejects(
        () => generate(document, { file: "api.yaml", overlays }),
        FileError,
      );
      assertEquals(error.name, kind);
      assertStringIncludes(error.message, message);
    }
  });
});

describe("an overlay", () => {
  it("is YAML or JSON with a version, a title and actions, or an error with its place", async () => {
    const action = { target: "$", update: {} };
    const info = { title: "Fixes", version: "1" };
    for (
      const [text, message] of [
        ["- 1", "fixes.yaml:1:1: fixes.yaml must be an object"],
        ["overlay: {", "fixes.yaml:1:11: is not JSON or YAML"],
        [JSON.stringify({ info, actions: [action] }), "fixes.yaml must have `overlay`"],
        [
          overlayOf([action], { version: "1.2.0" }),
          'a version such as 1.0.0 or 1.1.0, not "1.2.0"',
        ],
        ["overlay: 1.1\n", "overlay must be a version such as 1.0.0 or 1.1.0, not 1.1"],
        [overlayOf([action], { info: {} }), "info must have `title`"],
        [overlayOf([]), "actions must be a list with at least one action"],
        [overlayOf([], { actions: {} }), "actions must be a list"],
        [overlayOf([{ update: {} }]), "actions.0 must have `target`"],
        [overlayOf([action], { action: 1 }), 'must have no "action", but overlay, info'],
        [overlayOf([{ ...action, updates: {} }]), 'actions.0 must have no "updates", but target'],
        [overlayOf([{ ...action, remove: 1 }]), "actions.0.remove must be true or false"],
        [overlayOf([{ ...action, copy: "$" }]), "actions.0 must have update or copy, not both"],
        [
          overlayOf([{ target: "$", copy: "$.info" }], { version: "1.0.0" }),
          "actions.0.copy needs version 1.1.0",
        ],
        [
          overlayOf([{ target: "$.paths./pets", update: {} }]),
          'actions.0.target must be a JSONPath of RFC 9535, not "$.paths./pets": ',
        ],
      ] as const
    ) {
      const overlays = [{ text, file: "fixes.yaml" }];
      const error = await assertRejects(() => readOverlays(overlays, "api.yaml"), OverlayError);
      assertStringIncludes(error.message, message);
    }
    const extended = overlayOf([{ ...action, "x-why": 1 }], { "x-owner": "docs" });
    assertEquals((await readWith(DOCUMENT, [extended])).problems, []);
  });

  it("has the line of the fault in its error", async () => {
    const text = `overlay: 1.0.0
info: { title: Fixes, version: 1 }
actions:
  - target: $.info
    update: { title: Pier }
  - target: $.info[
    remove: true
`;
    const overlays = [{ text, file: "specs/fixes.yaml" }];
    const error = await assertRejects(() => readOverlays(overlays, "api.yaml"), OverlayError);
    assertEquals([error.file, error.line, error.column], ["specs/fixes.yaml", 6, 5]);
    assertStringIncludes(error.message, "specs/fixes.yaml:6:5: actions.1.target must be");
  });

  it("gives its place to problems in what it wrote, and leaves their places to all others", async () => {
    const document = `openapi: 3.1.0
info: { title: Pets, version: "1" }
servers: [{ url: https://api.example.com }]
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - { name: old, in: query, schema: { type: string } }
        - { name: limit, in: query, schema: { $ref: "#/first" } }
      responses: { 204: { description: OK } }
`;
    const fixes = `overlay: 1.0.0
info: { title: Fixes, version: 1.0.0 }
actions:
  - target: $.paths.*.get.parameters[0]
    remove: true
  - target: $.paths.*.get.parameters
    update:
      name: size
      in: query
      schema:
        $ref: "#/second"
  - target: $.paths['/pets'].get
    update:
      description: Lists pets.
      parameters:
        - { $ref: "#/third" }
  - target: $.paths['/pets'].get.parameters[0].schema
    update:
      $ref: "#/fourth"
`;
    const { report: { problems } } = await generate(document, {
      file: "api.yaml",
      overlays: [{ text: fixes, file: "fixes.yaml" }],
    });
    assertEquals(
      problems.map(({ file, line, message }) => `${file}:${line} ${message}`).sort(),
      [
        'fixes.yaml:10 "#/second" does not exist',
        'fixes.yaml:16 "#/third" does not exist',
        'fixes.yaml:19 "#/fourth" does not exist',
      ],
    );
    const untouched = document.replace("{ type: string }", '{ $ref: "#/kept" }');
    const only = fixes.slice(0, fixes.indexOf("  - target: $.paths.*.get.parameters\n"))
      .replace("parameters[0]", "parameters[1]");
    const { report } = await generate(untouched, {
      file: "api.yaml",
      overlays: [{ text: only, file: "fixes.yaml" }],
    });
    assertEquals(
      report.problems.map(({ file, line }) => `${file}:${line}`),
      ["api.yaml:9"],
    );
  });

  it("changes Swagger 2.0 as it was written, and has its places there, too", async () => {
    const document = {
      swagger: "2.0",
      info: { title: "T", version: "1" },
      paths: { "/a": { get: { responses: { 200: { description: "OK" } } } } },
    };
    const text = overlayOf([{
      target: "$.paths['/a'].get.responses['200']",
      update: { schema: { $ref: "#/definitions/None" } },
    }], { version: "1.0.0" });
    const { report } = await generate(JSON.stringify(document), {
      overlays: [{ text, file: "fixes.json" }],
    });
    assertEquals(
      report.problems.filter(({ kind }) => kind === "reference").map(({ file }) => file),
      ["fixes.json"],
    );
  });

  it("comes before the transforms of stainless.yml and the names", async () => {
    const stainless = JSON.stringify({
      organization: { name: "harbour" },
      resources: { boats: { methods: { all: "get /boats" } } },
      openapi: {
        transforms: [{ command: "remove", args: { target: "$.paths['/boats'].get.renamed" } }],
      },
    });
    const text = overlayOf([
      { target: "$.paths['/boats'].get", update: { renamed: true, deprecated: true } },
    ]);
    const { report, files } = await generate(JSON.stringify(DOCUMENT), {
      stainless,
      overlays: [{ text }],
    });
    assertEquals(report.problems, []);
    assertStringIncludes([...files.values()].join("\n"), "@deprecated");
  });

  it("that is not an overlay in a list is an OptionError", async () => {
    for (const overlays of ["fixes.yaml", ["fixes.yaml"], [{ file: "fixes.yaml" }]]) {
      const options = { overlays: overlays as never };
      await assertRejects(() => generate(JSON.stringify(DOCUMENT), options), OptionError);
    }
  });

  it("can make a document of what was none, and a version that is not supported is an error", async () => {
    const overlays = [{ text: overlayOf([{ target: "$", update: { openapi: "4.0.0" } }]) }];
    const error = await assertRejects(
      () => generate(JSON.stringify(DOCUMENT), { overlays }),
      DocumentError,
    );
    assertStringIncludes(error.message, '"4.0.0"');
    const empty = JSON.stringify({ info: DOCUMENT.info, paths: {} });
    const added = [{ text: overlayOf([{ target: "$", update: { openapi: "3.1.0" } }]) }];
    assertEquals((await generate(empty, { overlays: added })).report.version, "3.1.0");
  });
});

describe("the document of an overlay", () => {
  const files = new Map([
    ["schemas/pet.json", JSON.stringify({ type: "object", properties: { id: { $ref: "#/no" } } })],
  ]);
  const document = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: {
      "/pet": {
        get: {
          operationId: "getPet",
          responses: {
            200: {
              description: "OK",
              content: { "application/json": { schema: { $ref: "schemas/pet.json" } } },
            },
          },
        },
      },
    },
  });

  const run = (overlay: string, stated: string | undefined, target: string, file?: string) =>
    generate(document, {
      file: file ?? "specs/api.json",
      read: (path) => files.get(path),
      overlays: [{
        file: overlay,
        text: overlayOf([{ target, update: { title: "Changed" } }], { extends: stated }),
      }],
    });

  it("is the one that was named, if extends is missing, the same file or a URL", async () => {
    const stated = [undefined, "./api.json", "../specs/api.json", "https://example.com/api.json"];
    for (const each of stated) {
      const { files } = await run("specs/fixes.json", each, "$.info");
      assertStringIncludes(files.get("client.ts")!, "class Changed ");
    }
    for (const file of ["-", "/home/ada/specs/api.json"]) {
      const { files } = await run("fixes.json", "api.json", "$.info", file);
      assertStringIncludes(files.get("client.ts")!, "class Changed ");
    }
  });

  it("is a file to which the document refers, if extends names it", async () => {
    const stated = "./schemas/pet.json";
    const { report } = await run("specs/fixes.json", stated, "$.properties.none");
    assertEquals(
      report.problems.map(({ file, message }) => `${file}: ${message}`).sort(),
      [
        'schemas/pet.json: "#/no" does not exist',
        'specs/fixes.json: "$.properties.none" leads to nothing',
      ],
    );
    const text = overlayOf(
      [{ target: "$.properties.id['$ref']", remove: true }, {
        target: "$.properties.id",
        update: { type: "integer" },
      }],
      { extends: "schemas/pet.json" },
    );
    const result = await generate(document, {
      ...{ file: "api.json", read: (path) => files.get(path) },
      overlays: [{ text }],
    });
    assertEquals(result.report.problems, []);
    assertStringIncludes([...result.files.values()].join("\n"), "id?: number");
  });

  it("must be one of both, or the overlay is an error", async () => {
    const error = await assertRejects(
      () => run("specs/fixes.json", "./other.json", "$.info"),
      OverlayError,
    );
    assertStringIncludes(error.message, "specs/fixes.json:1:");
    assertStringIncludes(
      error.message,
      'extends must be the document or a file that it refers to, not "./other.json"',
    );
  });
});

describe("the comparison of two documents with overlays", () => {
  it("changes both by them, and the old one by its own", async () => {
    const text = JSON.stringify(DOCUMENT);
    const renamed = overlayOf([{ target: "$.paths.*.get.operationId", update: "allBoats" }]);
    const overlays = [{ text: renamed }];
    assertEquals((await diff(text, text, { overlays })).changes, []);
    const { changes } = await diff(text, text, { overlays, oldOverlays: [] });
    assertEquals(changes.length > 0, true);
  });

  it("takes a relative extends of both as the new document, and of its own as the old one", async () => {
    const text = JSON.stringify(DOCUMENT);
    const action = { target: "$.paths.*.get.operationId", update: "allBoats" };
    const of = (stated: string) => [{
      text: overlayOf([action], { extends: stated }),
      file: "specs/fixes.yaml",
    }];
    const files = { new: { file: "specs/api.json" }, old: { file: "published/old.json" } };
    const both = await diff(text, text, { ...files, overlays: of("./api.json") });
    assertEquals(both.changes, []);
    const oldOverlays = of("../published/old.json");
    const own = await diff(text, text, { ...files, overlays: of("./api.json"), oldOverlays });
    assertEquals(own.changes, []);
    const wrong = { ...files, overlays: of("./api.json"), oldOverlays: of("./api.json") };
    await assertRejects(
      () => diff(text, text, wrong),
      OverlayError,
      "extends must be the document",
    );
  });
});
