import { assert, assertEquals, assertStringIncludes, describe, it } from "#test";
import {
  lastCommand,
  type ReleaseState,
  releaseSteps,
  releaseTroubles,
  stepLine,
} from "../../../scripts/release/plan.ts";

const ready: ReleaseState = {
  version: "0.2.0",
  generatorVersion: "0.2.0",
  versionModule: 'export const TOOLKIT_VERSION = "0.2.0";\n',
  changelog: "# Changelog\n\n## 0.2.0, 2026-03-01\n\n- One.\n",
  today: "2026-03-01",
  changes: "",
  branch: "main",
  tags: ["v0.1.0"],
  tagsHere: [],
  namesRepository: true,
  builtVersions: {},
  edition: "jsr",
};

const TARBALLS = [".build/restwright.tgz", ".build/restwright-generate.tgz"] as const;
const built = (version: string | undefined) =>
  Object.fromEntries(TARBALLS.map((path) => [path, version]));

describe("a release", () => {
  it("is tagged if it has no problem", () => {
    assertEquals(releaseTroubles("tag", ready), []);
  });

  it("is published from its tag, even on another day and without a branch", () => {
    const tags = ["v0.1.0", "v0.2.0"];
    const tagged = {
      ...ready,
      ...{
        tags,
        tagsHere: ["v0.2.0"],
        branch: "",
        today: "2026-03-02",
        builtVersions: built("0.2.0"),
      },
    };
    assertEquals(releaseTroubles("publish", tagged), []);
  });

  const cases: readonly (readonly [string, Partial<ReleaseState>, string])[] = [
    ["the tree is dirty", { changes: " M deno.json\n?? new.ts\n" }, "?? new.ts"],
    ["the tag of its version exists", { tags: ["v0.2.0"] }, "the tag v0.2.0 exists already"],
    [
      "its changes are not described",
      { changelog: "## 0.2.0, 2026-03-01\n" },
      "does not describe the changes",
    ],
    ["it has no date", { changelog: "## 0.2.0, not released yet\n\n- One.\n" }, "is not a date"],
    [
      "the versions differ",
      { versionModule: 'TOOLKIT_VERSION = "0.1.0"' },
      "has the version 0.1.0",
    ],
    [
      "the generator has another version",
      { generatorVersion: "0.1.0" },
      "generate/deno.json has the version 0.1.0, but deno.json has 0.2.0",
    ],
    ["a version is missing", { versionModule: "" }, "src/base/version.ts has the version (none)"],
    ["another branch is checked out", { branch: "fix" }, "the branch is fix, not main"],
    ["no branch is checked out", { branch: "" }, "the branch is none, not main"],
    ["npm could not record its repository", { namesRepository: false }, "provenance"],
    ["JSR would get the npm edition", { edition: "npm" }, "JSR must get the JSR edition"],
  ];
  for (const [reason, changed, expected] of cases) {
    it(`is rejected if ${reason}`, () => {
      const troubles = releaseTroubles("tag", { ...ready, ...changed });
      assertEquals(troubles.length, 1);
      assertStringIncludes(troubles[0]!, expected);
    });
  }

  it("is rejected if its version is invalid", () => {
    const versionModule = 'TOOLKIT_VERSION = "next"';
    const changelog = "## next, 2026-03-01\n- One.";
    const troubles = releaseTroubles("tag", {
      ...ready,
      ...{ version: "next", generatorVersion: "next", versionModule, changelog },
    });
    assertEquals(troubles, ["deno.json: next is not a version such as 1.2.3"]);
  });

  it("reports all problems together", () => {
    const worst = { ...ready, changes: "?? a", branch: "b", tags: ["v0.2.0"], changelog: "" };
    assertEquals(releaseTroubles("tag", worst).length, 4);
  });

  it("is not published without its tag", () => {
    const tested = { ...ready, builtVersions: built("0.2.0") };
    const troubles = releaseTroubles("publish", { ...tested, tagsHere: ["v0.1.0"] });
    assertEquals(troubles, ["this commit does not have the tag v0.2.0"]);
  });

  for (const [other, expected] of [[undefined, "is missing"], ["0.1.0", "has version 0.1.0"]]) {
    for (const tarball of TARBALLS) {
      it(`is not published if ${tarball} ${expected}`, () => {
        const builtVersions = { ...built("0.2.0"), [tarball]: other };
        const tagged = { ...ready, tagsHere: ["v0.2.0"], builtVersions };
        const [trouble, ...others] = releaseTroubles("publish", tagged);
        assertStringIncludes(trouble!, `${tarball} ${expected}`);
        assertEquals(others, []);
      });
    }
  }
});

describe("the steps of a release", () => {
  const commands = (stage: "tag" | "publish", version: string) =>
    releaseSteps(stage, version).map(({ command }) => command.join(" "));

  it("check and build before they tag", () => {
    assertEquals(commands("tag", "0.2.0"), [
      "bash .ci/run --release",
      "git tag --annotate v0.2.0 --message v0.2.0",
    ]);
    assertEquals(lastCommand("0.2.0"), "git push origin main v0.2.0");
  });

  it("only publish to both registries, in the job that can", () => {
    assertEquals(commands("publish", "0.2.0"), [
      "deno publish",
      "deno publish",
      "npm publish .build/restwright.tgz --provenance --access public",
      "npm publish .build/restwright-generate.tgz --provenance --access public",
    ]);
    const folders = releaseSteps("publish", "0.2.0").map(({ folder }) => folder);
    assertEquals(folders, [undefined, "generate", undefined, undefined]);
  });

  it("keep a preview from becoming npm's latest", () => {
    assert(
      commands("publish", "1.0.0-beta.1").slice(2).every((each) => each.endsWith(" --tag next")),
    );
  });

  it("are shown as commands that can be typed", () => {
    const [, generator, npm] = releaseSteps("publish", "0.2.0");
    assertEquals(
      stepLine(npm!, 3).replace(/ +/g, " "),
      " 3. npm npm publish .build/restwright.tgz --provenance --access public",
    );
    assertEquals(
      stepLine(generator!, 2).replace(/ +/g, " "),
      " 2. JSR, the generator deno publish (in generate/)",
    );
  });
});
