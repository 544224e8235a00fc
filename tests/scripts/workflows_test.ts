import { existsSync, readdirSync, readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { readReleaseOptions } from "../../scripts/release_options.ts";
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
    for (const text of texts) assert(text.includes(`- run: ${AUDIT}\n`));
    const publish = texts[workflows.indexOf("publish.yml")]!;
    assert(publish.indexOf(AUDIT) < publish.indexOf("release --publish"));
  });

  it("run only tasks of this repository", () => {
    assertEquals(workflows, ["publish.yml", "test.yml"]);
    const commands = texts.flatMap((text) => [...text.matchAll(/^ +- run: *(.*)$/gm)])
      .map(([, command]) => command!);
    assert(commands.length >= 4);
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

  it("use only the actions checkout and setup-node", () => {
    const used = texts.flatMap((text) => [...text.matchAll(/uses: (.*)@/g)]).map(([, name]) =>
      name
    );
    assertEquals([...new Set(used)].sort(), ["actions/checkout", "actions/setup-node"]);
  });
});
