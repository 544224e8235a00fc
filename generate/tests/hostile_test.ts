import { existsSync } from "node:fs";
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, assert, assertEquals, before, describe, it } from "#test";
import { generate, type GenerateResult } from "../mod.ts";
import { planSdk } from "../src/plan/mod.ts";
import type { SdkShape } from "../src/sdk/shape.ts";
import { printSdk } from "../src/outputs/sdk.ts";
import { readSource } from "../src/read/read.ts";
import { isSafePath } from "../src/names/file_names.ts";
import { compareFolder, writeFolder } from "../src/write/folder.ts";
import { problemLine } from "../src/write/terminal.ts";
import { writeWithSources } from "./support/written.ts";
import { hostileDocument, MARKER, POISON } from "./support/hostile_document.ts";

const marker = (): unknown => (globalThis as Readonly<Record<string, unknown>>)[MARKER];

describe("a hostile document", () => {
  let base: string;
  let result: GenerateResult;
  before(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), "restwright-hostile-")));
    result = await generate(hostileDocument());
  });
  after(() => rm(base, { recursive: true, force: true }));

  it("is not refused, and no operation is lost but those of TRACE", () => {
    assert(result.report.operations > 100, `${result.report.operations} operations`);
    assert(result.report.problems.length > 0);
  });

  it("gives no path that leads out of the folder, or that differs in case alone", () => {
    const paths = [...result.files.keys()];
    assertEquals(paths.filter((path) => !isSafePath(path)), []);
    assertEquals(new Set(paths.map((path) => path.toLowerCase())).size, paths.length);
    assertEquals(paths.filter((path) => !/^(?:endpoints\/)?[\w.-]+\.ts$/.test(path)), []);
  });

  it("gives no character that controls a terminal or changes the direction of text", () => {
    for (const [path, text] of result.files) {
      const found = /[\p{Cc}\p{Cs}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u
        .exec(text.replaceAll("\n", ""));
      assertEquals(found?.[0].codePointAt(0)?.toString(16), undefined, path);
    }
    for (const problem of result.report.problems) {
      assertEquals(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(problemLine(problem)), false);
    }
  });

  it("runs no code when its modules are imported, and when its methods are called", async () => {
    const folder = join(base, "out");
    await writeFolder(await compareFolder(folder, result.files), result.files);
    assertEquals((await compareFolder(folder, result.files)).unchanged.length, result.files.size);
    assertEquals(await readdir(base), ["out"]);
    assertEquals((await readdir(folder)).sort(), [
      ...["client.ts", "endpoints", "errors.ts", "mod.ts", "models.ts"],
    ]);

    await writeWithSources(folder, result.files);
    const module: Record<string, unknown> = await import(
      pathToFileURL(join(folder, "mod.ts")).href
    );
    assertEquals(marker(), undefined);
    const calls = await callAll(module);
    assert(calls > 100, `${calls} calls`);
    assertEquals(marker(), undefined);
    assertEquals(existsSync(join(base, "escaped")), false);
  });

  it("gives the same bytes again", async () => {
    const again = await generate(hostileDocument());
    assertEquals([...again.files], [...result.files]);
    assertEquals(again.names, result.names);
    const pinned = await generate(hostileDocument(), { names: result.names });
    assertEquals([...pinned.files], [...result.files]);
    assertEquals(pinned.names, result.names);
  });

  it("has problems without its code as a part of them", () => {
    for (const { message, action } of result.report.problems) {
      assertEquals(action.includes(MARKER), false);
      assert(message.length < 2 * POISON.length + 400, `${message.length} characters`);
    }
  });
});

describe("a hostile document with the shape of an SDK", () => {
  it("runs no code when its modules are imported, and when its methods are called", async () => {
    const base = await realpath(await mkdtemp(join(tmpdir(), "restwright-hostile-")));
    try {
      const source = await readSource(hostileDocument(), {});
      const { groups } = planSdk(source, { pins: new Map() });
      const operations = groups.flatMap(({ methods }) => methods.map((each) => each.operation));
      const methods = operations.map((operation, index) => ({
        name: `call${index}`,
        operation,
        page: "auto",
        resultType: `Result${index}`,
      }));
      const shape: SdkShape = {
        resources: [{ name: "all", methods, resources: [], models: new Map() }],
        pages: new Map(),
        options: [],
        environments: new Map(),
        unwrap: [],
        headers: new Map(),
      };
      const files = printSdk(planSdk(source, { pins: new Map(), shape }), {});
      for (const [path, text] of files) {
        assert(isSafePath(path), path);
        const found = /[\p{Cc}\p{Cs}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u
          .exec(text.replaceAll("\n", ""));
        assertEquals(found?.[0].codePointAt(0)?.toString(16), undefined, path);
      }
      await writeWithSources(base, files);
      const module: Record<string, unknown> = await import(
        pathToFileURL(join(base, "mod.ts")).href
      );
      const calls = await callAll(module);
      assert(calls > 100, `${calls} calls`);
      assertEquals(marker(), undefined);
    } finally {
      await rm(base, { recursive: true, force: true });
    }
  });
});

/** Calls every method of every endpoint of every client that a module exports. */
async function callAll(module: Readonly<Record<string, unknown>>): Promise<number> {
  let calls = 0;
  for (const Exported of Object.values(module)) {
    const isClass = typeof Exported === "function" && "prototype" in Exported;
    if (!isClass || Exported.prototype instanceof Error) continue;
    let client: object;
    try {
      client = Reflect.construct(Exported as new (options: object) => object, [{
        baseUrl: "http://127.0.0.1:9",
        retries: 0,
        fetch: () => Promise.resolve(new Response("{}", { status: calls % 2 === 0 ? 200 : 404 })),
      }]);
    } catch {
      continue;
    }
    for (const endpoint of Object.values(client)) {
      if (typeof endpoint !== "object" || endpoint === null) continue;
      const names = Object.getOwnPropertyNames(Object.getPrototypeOf(endpoint));
      for (const name of names.filter((each) => each !== "constructor")) {
        const method = (endpoint as Readonly<Record<string, unknown>>)[name];
        if (typeof method !== "function") continue;
        calls++;
        // Any outcome is right but that the code of the document runs.
        await Promise.resolve().then(() => method.call(endpoint, "a", "b", {})).catch(() => {});
      }
    }
  }
  return calls;
}
