import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { filesBelow } from "../../scripts/shared/source_files.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes, describe, it } from "#test";
import { generate } from "../mod.ts";
import { InternalError, OptionError } from "../src/base/errors.ts";

const DOCUMENT = `openapi: 3.1.0
info: {title: Pets, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /pets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer, format: int64}}]
    get: {operationId: getPet, responses: {200: {description: OK, content: {
      application/json: {schema: {$ref: "#/components/schemas/Pet"}},
      application/xml: {schema: {$ref: "#/components/schemas/Pet"}}}}}}
components:
  schemas:
    Pet:
      type: object
      xml: {name: pet}
      properties: {born: {type: string, format: date}, kind: {type: string, enum: [cat, dog]}}
`;

describe("generate", () => {
  it("has no import by which it could touch the disk, nor a call to the network", async () => {
    const source = fileURLToPath(new URL("../src", import.meta.url));
    const paths = (await filesBelow(source, ["."])).map((path) => path.replace(/^\.\//, ""));
    const ofCommand = ["trial/", "write/"];
    const library = paths.filter((path) => !ofCommand.some((room) => path.startsWith(room)));
    assert(library.length > 50 && library.length < paths.length, `${library.length} files`);
    for (const path of library) {
      const whole = await readFile(`${source}/${path}`, "utf8");
      // Only overlays and frozen SDKs need these packages, so they are loaded with the first one.
      const text = whole.replace(/import\("(?:json-p3|@babel\/parser)"\)/, "");
      const specifiers = [...text.matchAll(/^(?:import|export|\}).*\bfrom "([^"]+)"/gm)].map((
        [, specifier],
      ) => specifier!);
      const outside = specifiers.filter((specifier) => !/^\.{1,2}\//.test(specifier));
      // A context of node:vm ends patterns of the document that never end.
      const allowed = ["json-p3", "node:vm", "yaml"];
      assertEquals(outside.filter((name) => !allowed.includes(name)), [], path);
      const commands = specifiers.filter((from) =>
        ofCommand.some((room) => from.includes(`/${room}`))
      );
      assertEquals(commands, [], path);
      // Text in quotes is code of the output.
      const code = text.replace(/"[^"\n]*"|`[^`]*`/g, '""');
      assert(!/(?<![\w.])(?:fetch|import|require)\(|\b(?:Deno|process|Bun)\./.test(code), path);
    }
  });

  it("uses each option", async () => {
    const plain = await generate(DOCUMENT);
    const textOf = (files: ReadonlyMap<string, string>) => [...files.values()].join("\n");
    const cases = [
      [{ name: "Zoo" }, "class Zoo "],
      [{ toolkit: "npm:restwright@1" }, 'from "npm:restwright@1"'],
      [{ toolkit: "restwright" }, 'from "restwright"'],
      [{ models: "xml" }, "class Pet "],
      [{ dates: true }, "born?: Date"],
      [{ bigint: true }, "id: bigint"],
      [{ openEnums: true }, "(string & Record<never, never>)"],
      [{ names: '{"GET /pets/{}": "zoo.see"}' }, "  see("],
    ] as const;
    for (const [options, expected] of cases) {
      assertStringIncludes(textOf((await generate(DOCUMENT, options)).files), expected);
      assertEquals(textOf(plain.files).includes(expected), false, expected);
    }
  });

  it("refuses options that it does not have, and values of another type", async () => {
    for (const options of [{ nme: "A" }, { dates: 1 }, { models: "json" }, { name: "a b" }]) {
      await assertRejects(() => generate(DOCUMENT, options as object), OptionError);
    }
    await assertRejects(() => generate(DOCUMENT, { toolkit: '"; x' }), OptionError);
  });

  it("says where in the document an output met a bug", async () => {
    const cause = new RangeError("too deep");
    const files = (): never => {
      throw cause;
    };
    const error = await assertRejects(
      () => generate(DOCUMENT, { outputs: [{ name: "own", files }] }),
      InternalError,
      "too deep; this is a bug of the generator",
    );
    assert(error.message.startsWith("internal error at #/"), error.message);
    assertEquals(error.cause, cause);
  });
});
