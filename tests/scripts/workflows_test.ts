import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { parse } from "yaml";
import { assert, assertEquals, describe, it } from "#test";
import { GENERATOR_TARBALL } from "../../scripts/shared/package/generator_package.ts";
import { TARBALL } from "../../scripts/shared/package/package_description.ts";
import { readReleaseOptions } from "../../scripts/release/options.ts";
import { SITE_OUTPUT } from "../../scripts/shared/pages/folders.ts";
import { sourceRoot } from "../support/contract_page.ts";

/** A job of a workflow. */
interface Job {
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const root = sourceRoot();
const folder = new URL(".github/workflows/", root);
const workflows = readdirSync(folder).sort();
const texts = workflows.map((name) => readFileSync(new URL(name, folder), "utf8"));
const { tasks } = JSON.parse(readFileSync(new URL("deno.json", root), "utf8"));

/** Deno, in the version that every workflow uses. */
const DENO = "npx -y deno@2.9.6";

/** Returns the jobs of a workflow that can publish, by name, and its other permissions. */
function jobsThatCanPublish(text: string): [name: string, job: Job][] {
  const { permissions, jobs } = parse(text) as {
    readonly permissions: Job["permissions"];
    readonly jobs: Readonly<Record<string, Job>>;
  };
  assertEquals(permissions, { contents: "read" });
  return Object.entries(jobs).filter(([, job]) => job.permissions?.["id-token"] === "write");
}

/** Returns what the steps of a job run: actions without their versions, and commands. */
function stepsOf({ steps }: Job): string[] {
  return steps.map(({ uses, run }) => uses?.replace(/@.*/, "") ?? run ?? "");
}

/** Fails if a package that users install has a known vulnerability. */
const AUDIT = "npm audit --omit=dev";

/** The script of each commit. With `--release`, it runs more. */
const CI = ".ci/run";

describe("the workflows", () => {
  it("run what each commit needs, and all tests and documents every week", () => {
    assert(existsSync(new URL(CI, root)));
    const runs = (name: string) => texts[workflows.indexOf(name)]!.match(/\.ci\/run.*/g);
    assertEquals([runs("test.yml"), runs("weekly.yml")], [[CI], [`${CI} --release`]]);
  });

  it("audit the dependencies on each push and before a release", () => {
    for (const name of ["publish.yml", "test.yml"]) {
      assert(texts[workflows.indexOf(name)]!.includes(`- run: ${AUDIT}\n`), name);
    }
    const publish = texts[workflows.indexOf("publish.yml")]!;
    assert(publish.indexOf(AUDIT) < publish.indexOf("release --publish"));
  });

  it("run tests in one job and publish in another one, which has the permission", () => {
    const [publish, ...others] = jobsThatCanPublish(texts[workflows.indexOf("publish.yml")]!);
    assertEquals(others, []);
    const [name, job] = publish!;
    assertEquals([name, job.needs], ["publish", "test"]);
    assertEquals(stepsOf(job), [
      ...["actions/checkout", "actions/setup-node", "actions/download-artifact"],
      `${DENO} task release --publish`,
    ]);

    const [pages, ...more] = jobsThatCanPublish(texts[workflows.indexOf("pages.yml")]!);
    assertEquals(more, []);
    assertEquals(stepsOf(pages![1]), ["actions/deploy-pages"]);
    assertEquals(jobsThatCanPublish(texts[workflows.indexOf("test.yml")]!), []);
  });

  it("publish the npm package that was tested", () => {
    const text = texts[workflows.indexOf("publish.yml")]!;
    const { jobs } = parse(text) as { readonly jobs: Readonly<Record<string, Job>> };
    const handOver = [...jobs["test"]!.steps, ...jobs["publish"]!.steps]
      .filter(({ uses }) => uses?.includes("-artifact@")) as { readonly with?: object }[];
    assertEquals(handOver.map((step) => step.with), [
      {
        name: "npm",
        path: `${TARBALL}\n${GENERATOR_TARBALL}\n`,
        "include-hidden-files": true,
        "if-no-files-found": "error",
      },
      { name: "npm", path: dirname(TARBALL) },
    ]);
    assertEquals(stepsOf(jobs["test"]!).slice(-2), [`${CI} --release`, "actions/upload-artifact"]);
  });

  it("use one version of Deno", () => {
    const used = texts.flatMap((text) => [...text.matchAll(/npx -y \S+/g)]).map(([deno]) => deno);
    assertEquals([...new Set(used)], [DENO]);
  });

  it("run only tasks of this repository", () => {
    assertEquals(workflows, ["pages.yml", "publish.yml", "test.yml", "weekly.yml"]);
    const commands = texts.flatMap((text) => [...text.matchAll(/^ +- run: *(.*)$/gm)])
      .map(([, command]) => command!);
    assert(commands.length >= 5);
    for (const command of commands) {
      const [, task] = /^npx -y deno@[\d.]+ task (\w+)(?: --publish)?$/.exec(command) ?? [];
      const isOurs = task === undefined
        ? [AUDIT, CI, `${CI} --release`].includes(command)
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

  it("use only GitHub's own actions", () => {
    const used = texts.flatMap((text) => [...text.matchAll(/uses: (.*)@/g)]).map(([, name]) =>
      name
    );
    assertEquals([...new Set(used)].sort(), [
      "actions/checkout",
      "actions/configure-pages",
      "actions/deploy-pages",
      "actions/download-artifact",
      "actions/setup-node",
      "actions/upload-artifact",
      "actions/upload-pages-artifact",
    ]);
  });

  it("publish the folder in which the site is built", () => {
    const pages = texts[workflows.indexOf("pages.yml")]!;
    assertEquals(/^ +path: (.*)$/m.exec(pages)?.[1], SITE_OUTPUT);
  });
});
