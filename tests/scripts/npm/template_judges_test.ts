import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { faultsOfPacked, withNpmImports } from "../../../scripts/npm/template_judges.ts";
import { sourceRoot } from "../../support/contract_page.ts";

const folder = new URL("examples/template/", sourceRoot());

function read(path: string, base: URL = folder): string {
  return readFileSync(new URL(path, base), "utf8");
}

describe("the judge of the template", () => {
  it("takes the package from npm, with the same versions", () => {
    const imports = { "@acme/kit": "jsr:@acme/kit@^0.1.0" };
    const text = JSON.stringify({ name: "@example/x", imports, nodeModulesDir: "none" });

    assertEquals(JSON.parse(withNpmImports(text, "@acme/kit")), {
      name: "@example/x",
      imports: { "@acme/kit": "npm:@acme/kit@^0.1.0" },
      nodeModulesDir: "manual",
    });
  });

  it("refuses a template that takes the package from elsewhere", () => {
    const text = JSON.stringify({ imports: { "@acme/kit": "npm:@acme/kit@^0.1.0" } });

    assertThrows(
      () => withNpmImports(text, "@acme/kit"),
      Error,
      '"@acme/kit" must begin with jsr:@acme/kit@',
    );
  });

  it("finds files that are not packed, and those that should not be", () => {
    const paths = ["LICENSE", "README.md", "dist/mod.d.ts", "dist/mod.js", "package.json"];

    assertEquals(faultsOfPacked([...paths, "dist/books.js"]), []);
    assertEquals(faultsOfPacked([...paths.slice(1), "src/mod.ts", "tests/a_test.ts"]), [
      "LICENSE is not packed",
      "src/mod.ts is packed",
      "tests/a_test.ts is packed",
    ]);
  });
});

describe("the template", () => {
  it("asks JSR and npm for the same versions of the toolkit, with this one among them", () => {
    const { version } = JSON.parse(read("deno.json", sourceRoot())) as { version: string };
    const [major, minor] = version.split(".");
    const range = major === "0" ? `^0.${minor}.0` : `^${major}.0.0`;
    const { imports } = JSON.parse(read("deno.json"));
    const { dependencies } = JSON.parse(read("package.json"));

    assertEquals(dependencies, { "@restwright/restwright": range });
    assertEquals(imports, { "@restwright/restwright": `jsr:@restwright/restwright@${range}` });
  });

  it("tests in one job, and publishes the packed result in another one", () => {
    const { permissions, jobs } = parse(read(".github/workflows/publish.yml"));
    const commands = (job: string) =>
      jobs[job].steps.map(({ uses, run }: { uses?: string; run?: string }) =>
        run ?? uses?.replace(/@.*/, "")
      );

    assertEquals([permissions, jobs.test.permissions], [{ contents: "read" }, undefined]);
    assertEquals(jobs.publish.permissions, { contents: "read", "id-token": "write" });
    assertEquals([Object.keys(jobs), jobs.publish.needs], [["test", "publish"], "test"]);
    assertEquals(commands("test").slice(-2), ["npm pack", "actions/upload-artifact"]);
    assertEquals(commands("publish"), [
      ...["actions/checkout", "denoland/setup-deno", "actions/setup-node"],
      ...["actions/download-artifact", "deno publish", "npm publish ./dist/*.tgz"],
    ]);
  });

  it("runs no command that fails after its first release", () => {
    const texts = [".github/workflows/test.yml", "README.md"].map((path) => read(path));
    texts.push(read("docs/publishing.md", sourceRoot()).replace(/is not `[^`]*`/, ""));
    for (const text of texts) assert(!text.includes("npm publish --dry-run"), "npm publish");
  });

  it("runs the same commands in its README as in its workflow", () => {
    const workflow = read(".github/workflows/test.yml");
    const readme = read("README.md");

    const commands = [...workflow.matchAll(/- run: (.*)$/gm)].map(([, command]) => command!);
    assert(commands.length >= 8);
    for (const command of commands.filter((each) => each !== "npm ci")) {
      const shown = command.replace(" --check", "");
      assert(readme.includes(shown), shown);
    }
  });
});
