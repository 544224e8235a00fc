import { existsSync, readdirSync, readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { readReleaseOptions } from "../../scripts/release_options.ts";
import { SITE_OUTPUT } from "../../scripts/site/folders.ts";
import { sourceRoot } from "../support/contract_page.ts";

const root = sourceRoot();
const folder = new URL(".github/workflows/", root);
const workflows = readdirSync(folder).sort();
const texts = workflows.map((name) => readFileSync(new URL(name, folder), "utf8"));
const { tasks } = JSON.parse(readFileSync(new URL("deno.json", root), "utf8"));

/** Fails if a package that users install has a known vulnerability. */
const AUDIT = "npm audit --omit=dev";

describe("the workflows", () => {
  it("audit the dependencies on each push and before a release", () => {
    for (const name of ["publish.yml", "test.yml"]) {
      assert(texts[workflows.indexOf(name)]!.includes(`- run: ${AUDIT}\n`), name);
    }
    const publish = texts[workflows.indexOf("publish.yml")]!;
    assert(publish.indexOf(AUDIT) < publish.indexOf("release --publish"));
  });

  it("run only tasks of this repository", () => {
    assertEquals(workflows, ["pages.yml", "publish.yml", "test.yml"]);
    const commands = texts.flatMap((text) => [...text.matchAll(/^ +- run: *(.*)$/gm)])
      .map(([, command]) => command!);
    assert(commands.length >= 5);
    for (const command of commands) {
      const [, task] = /^npx -y deno task (\w+)(?: --publish)?$/.exec(command) ?? [];
      const isOurs = task === undefined
        ? command === AUDIT || command === ".ci/run" && existsSync(new URL(".ci/run", root))
        : task in tasks;
      assert(isOurs, command);
    }
    assert(typeof readReleaseOptions(["--publish"]) !== "string");
  });

  it("contain no host and no path of a machine", () => {
    const hosts = texts.flatMap((text) => [...text.matchAll(/https?:\/\/[^\s/"]+/g)])
      .map(([host]) => host);
    assertEquals(hosts, []);
    for (const text of texts) {
      assertEquals(/(?<![\w.:/])\/(?:work|home|opt|tmp|usr)\b/.test(text), false);
    }
  });

  it("use only the actions checkout and setup-node, and the three of GitHub Pages", () => {
    const used = texts.flatMap((text) => [...text.matchAll(/uses: (.*)@/g)]).map(([, name]) =>
      name
    );
    assertEquals([...new Set(used)].sort(), [
      "actions/checkout",
      "actions/configure-pages",
      "actions/deploy-pages",
      "actions/setup-node",
      "actions/upload-pages-artifact",
    ]);
  });

  it("publish the folder in which the site is built", () => {
    const pages = texts[workflows.indexOf("pages.yml")]!;
    assertEquals(/^ +path: (.*)$/m.exec(pages)?.[1], SITE_OUTPUT);
  });
});
