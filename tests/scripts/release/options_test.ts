import { assert, assertEquals, assertStringIncludes, describe, it } from "#test";
import { readReleaseOptions } from "../../../scripts/release/options.ts";

describe("the options of a release", () => {
  it("default to tagging, and accept --publish, --set and --dry-run", () => {
    assertEquals(readReleaseOptions([]), { set: undefined, stage: "tag", isDry: false });
    assertEquals(readReleaseOptions(["--dry-run"]), { set: undefined, stage: "tag", isDry: true });
    assertEquals(readReleaseOptions(["--publish", "--dry-run"]), {
      ...{ set: undefined, stage: "publish", isDry: true },
    });
    assertEquals(readReleaseOptions(["--set", "1.2.3"]), {
      ...{ set: "1.2.3", stage: "tag", isDry: false },
    });
  });

  it("are rejected if one is unknown, so that a typing error releases nothing", () => {
    for (const args of [["--dryrun"], ["0.2.0"], ["--set"], ["--dry-run=no"]]) {
      assert(typeof readReleaseOptions(args) === "string", args.join(" "));
    }
    assertStringIncludes(String(readReleaseOptions(["--set", "1.2.3", "--dry-run"])), "--set");
  });
});
