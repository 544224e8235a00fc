import { arch, platform } from "node:os";
import process from "node:process";
import { assertEquals, assertStringIncludes, assertThrows, describe, it } from "#test";
import { userAgent } from "../../src/content/user_agent.ts";
import { detectRuntime } from "../../src/base/runtime.ts";
import { TOOLKIT_VERSION } from "../../src/base/version.ts";
import { APISession, type SessionOptions, UnexpectedValueError } from "../../mod.ts";
import { scripted } from "../support/scripted.ts";

type Session = new (options: SessionOptions) => APISession;

/** Returns the User-Agent that a session sends. */
async function sentBy(options: SessionOptions, Session: Session = APISession): Promise<string> {
  const adapter = scripted(200);
  await new Session({ url: "https://a.example", ...options, adapter }).get("x");
  return adapter.calls[0]?.init.headers["user-agent"] ?? "none";
}

describe("the User-Agent header", () => {
  // contract: agent-1
  it("has the format that the contract shows", () => {
    const parts = {
      vendor: "Analytical Engines",
      product: "Weaver",
      build: "1843",
      libName: "loom-sdk",
      libVersion: "2.1.0",
    };
    const runtime = { name: "Deno", version: "2.9.6", system: "linux", architecture: "x64" };
    assertEquals(
      userAgent(parts, runtime),
      "Integration/1.0 (Analytical Engines; Weaver; Build/1843) loom-sdk/2.1.0 " +
        `(restwright/${TOOLKIT_VERSION}; Deno/2.9.6; linux/x64)`,
    );
  });

  // contract: attr-13, attr-14, version-1
  it("has unknown as vendor, product and build by default, and the toolkit as the library", async () => {
    const { name, version, system, architecture } = detectRuntime();
    assertEquals(
      await sentBy({}),
      "Integration/1.0 (unknown; unknown; Build/unknown) " +
        `restwright/${TOOLKIT_VERSION} ` +
        `(restwright/${TOOLKIT_VERSION}; ${name}/${version}; ${system}/${architecture})`,
    );
  });

  it("has a part from the call, and the rest from the options as they were at construction", async () => {
    const adapter = scripted(200);
    const options = { url: "https://a.example", adapter, vendor: "Ada", product: "Weaver" };
    const session = new APISession(options);
    options.vendor = "Eve";
    await session.get("x", { build: "7" });
    assertStringIncludes(adapter.calls[0]!.init.headers["user-agent"]!, "(Ada; Weaver; Build/7)");
  });

  // contract: attr-10, attr-11, attr-12
  it("has the library from the class, and the integration from the options of the session", async () => {
    class Loom extends APISession {
      static override readonly url: string = "https://a.example";
      static override readonly vendor: string = "of the class";
      static override readonly build: string = "7";
      static override readonly libName: string = "loom-sdk";
      static override readonly libVersion: string = "2.1.0";
    }
    assertStringIncludes(
      await sentBy({ vendor: "Ada", product: "Weaver" }, Loom),
      "Integration/1.0 (Ada; Weaver; Build/7) loom-sdk/2.1.0 (restwright/",
    );
  });

  // contract: agent-2
  it("names the runtime under test, with major.minor.patch, the system and the architecture", async () => {
    // Deno and Bun report their own version, and the version of Node that they are compatible with.
    const { deno, bun, node } = process.versions;
    const name = deno !== undefined ? "Deno" : bun !== undefined ? "Bun" : "Node";
    const [version] = /^\d+\.\d+\.\d+/.exec(deno ?? bun ?? node)!;
    const agent = await sentBy({});
    assertEquals(agent.split("; ").slice(-2), [`${name}/${version}`, `${platform()}/${arch()})`]);
  });

  it("is replaced by a User-Agent header of the request", async () => {
    const adapter = scripted(200);
    const session = new APISession({ url: "https://a.example", adapter });
    await session.get("x", { headers: { "User-Agent": "mine/1" } });
    assertEquals(adapter.calls[0]?.init.headers["user-agent"], "mine/1");
  });

  const bad: readonly (readonly [string, unknown])[] = [
    ["a line break", "a\r\nX-Admin: 1"],
    ["text beyond Latin-1", "Zażółć"],
    ["a number", 7],
    ["null", null],
  ];
  for (const option of ["vendor", "product", "build"] as const) {
    for (const [what, value] of bad) {
      it(`cannot contain ${what} as ${option}`, () => {
        let thrown: unknown;
        try {
          new APISession({ url: "https://a.example", [option]: value } as SessionOptions);
        } catch (error) {
          thrown = error;
        }
        assertEquals(thrown instanceof UnexpectedValueError && thrown.option, option);
      });
    }
  }
  for (const name of ["libName", "libVersion"] as const) {
    for (const [what, value] of bad) {
      it(`cannot contain ${what} as ${name} of the class`, () => {
        const library = { libName: "loom-sdk", libVersion: "2.1.0", [name]: value as string };
        class Loom extends APISession {
          static override readonly libName: string = library.libName;
          static override readonly libVersion: string = library.libVersion;
        }
        const error = assertThrows(
          () => new Loom({ url: "https://a.example" }),
          UnexpectedValueError,
        );
        assertEquals(error.option, name);
      });
    }
  }
});
