/** The generators that `deno task bench --generate` compares, and how to run each and use its output. */

/** A generator. */
export interface Contender {
  /** Its name in the table. */
  readonly name: string;
  /** The package that has its version. */
  readonly package: string;
  /** Its program in node_modules/. */
  readonly program: string;
  /** Returns its arguments. */
  readonly args: (document: string, out: string) => readonly string[];
  /** The modules of its output that a compiler checks, relative to its folder. */
  readonly modules: readonly string[];
  /** Matches each operation in the output once. */
  readonly operation: RegExp;
  /** The output as a program uses it; undefined if it has only types. */
  readonly use?: {
    /** The module that programs import. */
    readonly module: string;
    /** Modules that are the generator's runtime and no generated code; undefined if it is inlined. */
    readonly runtime?: readonly string[];
    /** Returns the code of a call without its arguments, and the names that it imports. */
    readonly call: (operationId: string) => readonly [code: string, ...imports: string[]];
    /** Code after the imports. */
    readonly before?: string;
  };
}

/** Returns an operationId of GitHub's document, such as `issues/list-for-repo`, in camelCase. */
function camelCase(operationId: string): string {
  return operationId.replace(/[-_/]+(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** A call of an exported function that is named after the operation. */
function callOfFunction(operationId: string): readonly [string, string] {
  const name = camelCase(operationId);
  return [`${name}()`, name];
}

/** This repository's generator, and the one that others are compared with. */
export const OWN = "Restwright";

/** The generators in the order of the table. */
export const contenders: readonly Contender[] = [
  {
    name: OWN,
    package: "@restwright/generate",
    program: "@restwright/generate/esm/cli.js",
    args: (document, out) => [document, "--out", out, "--name", "GitHub", "--quiet"],
    modules: ["mod.ts"],
    operation: /\breturn this\._(?:delete|get|head|options|pages|patch|post|put|req)\b/g,
    use: {
      module: "./mod.ts",
      runtime: ["@restwright/restwright", "@restwright/restwright/*"],
      before: "const client = new GitHub();\n",
      call(operationId) {
        const [tag, name] = operationId.split("/") as [string, string];
        return [`client.${camelCase(tag)}.${camelCase(name)}()`, "GitHub"];
      },
    },
  },
  {
    name: "redocly",
    package: "@redocly/cli",
    program: "@redocly/cli/bin/cli.js",
    args: (document, out) => ["generate-client", document, "--output", `${out}/client.ts`],
    modules: ["client.ts"],
    operation: /\{ id: "[^"]+", method: "[A-Z]+", path: "/g,
    use: {
      module: "./client.ts",
      call(operationId) {
        const name = operationId.replace(/[-/]/g, "_");
        return [`${name}()`, name];
      },
    },
  },
  {
    name: "hey-api",
    package: "@hey-api/openapi-ts",
    program: "@hey-api/openapi-ts/bin/run.js",
    args: (document, out) => [
      ...["--input", document, "--output", out, "--client", "@hey-api/client-fetch"],
      "--no-log-file",
    ],
    modules: ["index.ts", "sdk.gen.ts", "client.gen.ts"],
    operation: /^export const \w+ = <ThrowOnError/gm,
    use: {
      module: "./sdk.gen.ts",
      runtime: ["./client", "./client/*", "./core/*"],
      call: callOfFunction,
    },
  },
  {
    name: "openapi-typescript",
    package: "openapi-typescript",
    program: "openapi-typescript/bin/cli.js",
    args: (document, out) => [document, "--output", `${out}/schema.ts`],
    modules: ["schema.ts"],
    operation: /^ {8}(?:delete|get|head|options|patch|post|put|trace): operations\[/gm,
  },
  {
    name: "orval",
    package: "orval",
    program: "orval/dist/bin/orval.mjs",
    args: (
      document,
      out,
    ) => ["--input", document, "--output", `${out}/api.ts`, "--client", "fetch"],
    modules: ["api.ts"],
    operation: /^export const \w+ = async \(/gm,
    use: { module: "./api.ts", runtime: [], call: callOfFunction },
  },
  {
    name: "oazapfts",
    package: "oazapfts",
    program: "oazapfts/dist/cli.js",
    // Otherwise, the output has each operation twice, under its old name, too.
    args: (document, out) => ["--futureStripLegacyMethods", document, `${out}/api.ts`],
    modules: ["api.ts"],
    operation: /^export function \w+\(/gm,
    use: {
      module: "./api.ts",
      runtime: ["@oazapfts/runtime", "@oazapfts/runtime/*"],
      call: callOfFunction,
    },
  },
];

/** The operations of a small program. */
export const TEN: readonly string[] = [
  "issues/create",
  "issues/create-comment",
  "issues/get",
  "issues/list-for-repo",
  "pulls/create",
  "pulls/list",
  "repos/get",
  "repos/list-commits",
  "repos/list-for-authenticated-user",
  "users/get-authenticated",
];

/** Returns a program that makes ten calls. It is JavaScript, so that bundlers refuse missing exports. */
export function tenCalls({ module, call, before = "" }: NonNullable<Contender["use"]>): string {
  const calls = TEN.map(call);
  const names = new Set(calls.flatMap(([, ...imports]) => imports));
  const lines = calls.map(([code]) => `  () => ${code},\n`).join("");
  return `import { ${[...names].join(", ")} } from "${module}";\n${before}` +
    `globalThis.calls = [\n${lines}];\n`;
}

/** Returns a program that may call everything. */
export function allCalls({ module }: NonNullable<Contender["use"]>): string {
  return `import * as all from "${module}";\nglobalThis.all = all;\n`;
}

/**
 * Returns a program that makes the ten calls with only those classes of endpoints that it needs, on a
 * client of its own.
 */
export function tenCallsOfParts(): string {
  const tags = [...new Set(TEN.map((operationId) => operationId.split("/")[0]!))];
  const className = (tag: string) => `${tag[0]!.toUpperCase()}${tag.slice(1)}`;
  const imports = tags.map((tag) => `import { ${className(tag)} } from "./endpoints/${tag}.ts";\n`);
  const fields = tags.map((tag) => `  ${tag} = new ${className(tag)}(this);\n`);
  const calls = TEN.map((operationId) => {
    const [tag, name] = operationId.split("/") as [string, string];
    return `  () => client.${tag}.${camelCase(name)}(),\n`;
  });
  return `import { APIClient } from "@restwright/restwright";\n${imports.join("")}` +
    'class Client extends APIClient {\n  static baseUrl = "https://api.github.com";\n' +
    `${fields.join("")}}\nconst client = new Client();\n` +
    `globalThis.calls = [\n${calls.join("")}];\n`;
}
