import { assert, assertEquals, assertMatch, describe, it } from "#test";
import { builtinModule, detectRuntime, type Runtime } from "../../src/base/runtime.ts";

type Globals = NonNullable<Parameters<typeof detectRuntime>[0]>;

const node = {
  platform: "linux",
  arch: "x64",
  version: "v26.3.0",
  versions: { node: "26.3.0" },
};

const cases: readonly (readonly [string, Globals, Runtime])[] = [
  ["Node", { process: node }, of("Node", "26.3.0")],
  [
    "Deno, which has Node's process too",
    { Deno: { version: { deno: "2.9.6" } }, process: node },
    of("Deno", "2.9.6"),
  ],
  [
    "Bun, which has Node's process too",
    { Bun: { version: "1.4.5" }, process: node },
    of("Bun", "1.4.5"),
  ],
  [
    "a canary build",
    { Bun: { version: "1.4.5-canary.7+a1b2c3" }, process: node },
    of("Bun", "1.4.5"),
  ],
  [
    "a release candidate",
    { Deno: { version: { deno: "3.0.0-rc.1" } }, process: node },
    of("Deno", "3.0.0"),
  ],
  ["an invalid version", { Bun: { version: "next" }, process: node }, of("Bun", "0.0.0")],
  [
    "Node with a navigator",
    { process: node, navigator: { userAgent: "Node.js/26" } },
    of("Node", "26.3.0"),
  ],
  ["another system", { process: { ...node, platform: "win32", arch: "arm64" } }, {
    ...of("Node", "26.3.0"),
    system: "win32",
    architecture: "arm64",
  }],
  [
    "a browser",
    { navigator: { userAgent: "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101" } },
    bare("Browser"),
  ],
  ["a browser with a stub of process", {
    process: {},
    navigator: { userAgent: "Mozilla/5.0 (X11)" },
  }, bare("Browser")],
  ["a browser with a global named Deno", {
    Deno: {},
    navigator: { userAgent: "Mozilla/5.0 (X11)" },
  }, bare("Browser")],
  [
    "a worker runtime",
    { navigator: { userAgent: "Cloudflare-Workers" } },
    bare("Cloudflare-Workers"),
  ],
  [
    "a worker runtime that has Node's process too",
    { process: node, navigator: { userAgent: "Cloudflare-Workers" } },
    of("Cloudflare-Workers", "0.0.0"),
  ],
  [
    "Node with the navigator of a simulated browser",
    { process: node, navigator: { userAgent: "Mozilla/5.0 (linux) jsdom/27.0" } },
    of("Node", "26.3.0"),
  ],
  ["a worker runtime with a version", { navigator: { userAgent: "edge-worker/1.2.3-beta" } }, {
    ...bare("edge-worker"),
    version: "1.2.3",
  }],
  [
    "an agent with a line break",
    { navigator: { userAgent: "a/1.0.0\r\nX-Admin: 1" } },
    bare("Browser"),
  ],
  ["an empty agent", { navigator: { userAgent: "" } }, bare("Browser")],
  ["no globals", {}, bare("Browser")],
];

function of(name: string, version: string): Runtime {
  return { name, version, system: "linux", architecture: "x64" };
}

function bare(name: string): Runtime {
  return { name, version: "0.0.0", system: "unknown", architecture: "unknown" };
}

describe("detecting the runtime", () => {
  for (const [what, globals, runtime] of cases) {
    it(`by its globals: ${what}`, () => assertEquals(detectRuntime(globals), runtime));
  }

  it("returns the runtime of the test", () => {
    const globals = globalThis as { Deno?: unknown; Bun?: unknown };
    const { name, version, system, architecture } = detectRuntime();
    const expected = globals.Deno !== undefined
      ? "Deno"
      : globals.Bun !== undefined
      ? "Bun"
      : "Node";
    assertEquals(name, expected);
    assertMatch(version, /^[1-9]\d*\.\d+\.\d+$/);
    assertMatch(`${system}/${architecture}`, /^[a-z0-9]+\/[a-z0-9]+$/);
    assert(system !== "unknown" && architecture !== "unknown");
  });
});

describe("a built-in module of the runtime", () => {
  it("is the module that an import loads", async () => {
    const imported = await import("node:path");
    const path = builtinModule<{ join(...parts: string[]): string }>("node:path");
    assertEquals(path?.join("a", "b"), imported.join("a", "b"));
  });

  it("is undefined if no module has the name", () => {
    assertEquals(builtinModule("node:no_such_module"), undefined);
  });
});
