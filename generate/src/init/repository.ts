/** The files of a repository for an SDK: the template of the toolkit, filled from a document. */

import { hasMarkedPart } from "../base/marked_part.ts";
import type { SdkModel } from "../model/mod.ts";
import { prose, table } from "../print/markdown.ts";
import { SINCE_RELEASE, SINCE_RELEASE_TEXT } from "./since_release.ts";
import { TEMPLATE_FILES } from "./template_files.ts";

/** The names and the files of a repository. */
export interface RepositoryPlan {
  readonly plan: SdkModel;
  /** The generated files in `src/api/`. */
  readonly sdk: ReadonlyMap<string, string>;
  /** The other outputs by their names, with their folders. */
  readonly outputs: readonly {
    readonly name: string;
    readonly folder: string;
    readonly files: ReadonlyMap<string, string>;
  }[];
  /** The text of the names file. */
  readonly names: string;
  /** The document and the files that it refers to, by their paths in `openapi/`. */
  readonly documents: ReadonlyMap<string, string>;
  /** The path of the document in `openapi/`. */
  readonly document: string;
  /** The text of the file of overrides, if there is one. */
  readonly overrides: string | undefined;
  /** The overlays, whose names are paths in `openapi/`. */
  readonly overlays: readonly { readonly name: string; readonly text: string }[];
  /** The files that state the resources and methods. */
  readonly shapes: readonly ShapeFile[];
  /** The module with the scheme of webhooks, by its path in the repository, if there is one. */
  readonly scheme: { readonly path: string; readonly text: string } | undefined;
  /** The other options with which the SDK is generated, such as `dates`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The name of the package on JSR, with its scope, and that on npm. */
  readonly jsrName: string;
  readonly npmName: string;
  /** The paths of the packed toolkit and generator in the repository, if they are not from a registry. */
  readonly tarballs: Tarballs | undefined;
}

/** The paths of packages that `npm pack` made. */
export interface Tarballs {
  readonly toolkit: string;
  readonly generator: string;
}

/** The file that states the call sites: its name in the repository, and its text. */
export interface ShapeFile {
  readonly name: "stainless.yml" | "sdk.json" | "api.md";
  readonly text: string;
}

/** The options that have these files. */
const SHAPE_OPTIONS: Readonly<Record<ShapeFile["name"], string>> = {
  ...{ "stainless.yml": "stainless", "sdk.json": "sdk", "api.md": "apiMd" },
};

/** The places of generated files. */
const [DOCUMENTS, NAMES, OVERRIDES] = ["openapi", "names.json", "overrides.json"] as const;

/** The place of the configuration in the repository, and that of its JSON Schema. */
const [CONFIGURATION, SCHEMA] = [
  "restwright.json",
  "./node_modules/@restwright/generate/restwright.schema.json",
] as const;

/** The name of the generator's package. */
const GENERATOR = "@restwright/generate";

/** The folder of the SDK. */
export const SDK = "src/api";

/** The class of the template's client. */
const TEMPLATE_CLASS = "Bookshop";

/** Returns the texts of all files by their paths. */
export function repositoryFiles(repository: RepositoryPlan): Map<string, string> {
  const { plan, sdk, outputs, names, documents, overrides, overlays, shapes, scheme } = repository;
  const { className } = plan.client;
  const version = (readJson("deno.json") as { readonly version: string }).version;
  const files = new Map<string, string>();
  for (const path of ["tsconfig.json", "LICENSE", ".gitignore"]) files.set(path, template(path));
  files.set(CONFIGURATION, json(configurationOf(repository)));
  files.set("deno.json", denoJson(repository));
  files.set("package.json", packageJson(repository));
  files.set("CHANGELOG.md", changelog(plan));
  files.set(SINCE_RELEASE, SINCE_RELEASE_TEXT);
  files.set(".github/workflows/publish.yml", publishWorkflow());
  files.set(".github/workflows/test.yml", testWorkflow());
  if (shapes.length === 0) {
    files.set(
      "tests/version_test.ts",
      template("tests/version_test.ts").replaceAll(TEMPLATE_CLASS, className),
    );
    files.set("src/mod.ts", modText(className));
    files.set("src/client.ts", clientText(className, version));
    files.set(NAMES, names);
  } else {
    // A class that extends the client would not have the types in its namespace.
    files.set("tests/version_test.ts", versionTest());
    files.set("src/mod.ts", resourceModText(className));
    for (const { name, text } of shapes) files.set(name, text);
  }
  if (overrides !== undefined) files.set(OVERRIDES, overrides);
  if (scheme !== undefined) files.set(scheme.path, scheme.text);
  for (const [path, text] of sdk) files.set(`${SDK}/${path}`, text);
  for (const { folder, files: own } of outputs) {
    for (const [path, text] of own) {
      files.set(joined(folder, path), hasMarkedPart(text) ? readme(text, shapes) : text);
    }
  }
  for (const [path, text] of documents) files.set(`${DOCUMENTS}/${path}`, text);
  for (const { name, text } of overlays) files.set(`${DOCUMENTS}/${name}`, text);
  return files;
}

/** Returns the content of `restwright.json`. */
function configurationOf(
  { document, outputs, overrides, overlays, shapes, options }: RepositoryPlan,
): unknown {
  return {
    ...{ $schema: SCHEMA, document: `${DOCUMENTS}/${document}`, out: SDK },
    ...Object.fromEntries(outputs.map(({ name, folder }) => [name, folder])),
    ...shapes.length === 0
      ? { names: NAMES }
      : Object.fromEntries(shapes.map(({ name }) => [SHAPE_OPTIONS[name], name])),
    ...overrides === undefined ? {} : { overrides: OVERRIDES },
    ...overlays.length === 0
      ? {}
      : { overlays: overlays.map(({ name }) => `${DOCUMENTS}/${name}`) },
    ...options,
  };
}

function denoJson(repository: RepositoryPlan): string {
  const { name: _, imports, fmt, ...others } = readJson("deno.json") as {
    readonly name: string;
    readonly imports: Readonly<Record<string, string>>;
    readonly fmt: { readonly exclude: readonly string[] };
  };
  const [toolkit] = Object.values(imports);
  const range = toolkit!.slice(toolkit!.lastIndexOf("@") + 1);
  const { version, license, exports, ...settings } = others as Readonly<Record<string, unknown>>;
  const isPacked = repository.tarballs !== undefined;
  const command = isPacked
    ? `deno run -A node_modules/${GENERATOR}/node/cli.js`
    : `deno run -A jsr:${GENERATOR}@${range}/cli`;
  const installed = Object.keys(imports).map((name) => [name, `npm:${name}@${range}`]);
  return json({
    ...{ name: repository.jsrName, version, license, exports },
    imports: isPacked ? Object.fromEntries(installed) : imports,
    tasks: { generate: command },
    ...settings,
    // Packages that are in no registry come from the folder into which npm installs them.
    ...isPacked ? { nodeModulesDir: "manual" } : {},
    // These files stay as their owners wrote them, and the generator writes the names.
    fmt: {
      ...fmt,
      exclude: [...fmt.exclude, `${DOCUMENTS}/`, ...shapeNames(repository)],
    },
  });
}

function packageJson(repository: RepositoryPlan): string {
  const { exports, scripts, dependencies, devDependencies, ...others } = readJson(
    "package.json",
  ) as {
    readonly exports: Readonly<Record<string, unknown>>;
    readonly scripts: Readonly<Record<string, string>>;
    readonly dependencies: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const { tarballs } = repository;
  const [[toolkit, range] = ["", ""]] = Object.entries(dependencies);
  // Programs import parts of an SDK that this one takes the place of.
  const parts = `./dist/${SDK.replace("src/", "")}/*`;
  const deep = { "./*": { types: `${parts}.d.ts`, default: `${parts}.js` } };
  return json({
    ...others,
    exports: repository.plan.modules === undefined ? exports : { ...exports, ...deep },
    name: repository.npmName,
    description: `A client of the ${repository.plan.client.className} API`,
    scripts: {
      ...scripts,
      changelog: `sh ${SINCE_RELEASE} --changelog`,
      generate: "restwright-generate",
      test: 'node --test "tests/**/*_test.ts"',
    },
    dependencies: tarballs === undefined
      ? dependencies
      : { ...dependencies, [toolkit]: `file:${tarballs.toolkit}` },
    devDependencies: {
      [GENERATOR]: tarballs === undefined ? range : `file:${tarballs.generator}`,
      // Deno does not load the types of node:test and node:assert if npm fills the folder.
      ...tarballs === undefined ? {} : { "@types/node": "*" },
      ...devDependencies,
    },
  });
}

/** The step of a workflow that installs the packages. */
const INSTALL = "      - run: npm ci\n";

/** The step of a workflow that gets the repository, with the tags of releases. */
const CHECKOUT = `      - uses: actions/checkout@v5
        with:
          fetch-depth: 0
`;

/** The step that fails if a release breaks callers although its version does not say so. */
const COMPARE = `      - run: sh ${SINCE_RELEASE}\n`;

/**
 * Returns the workflow with a step that compares the SDK with its document, and a job that compares it with
 * the last release.
 */
function testWorkflow(): string {
  const text = template(".github/workflows/test.yml").replace(
    INSTALL,
    `${INSTALL}      # The SDK is that of the document.\n      - run: npm run generate -- --check\n`,
  );
  return `${text}  # A version that must not break callers does not.
  release:
    runs-on: ubuntu-latest
    steps:
${CHECKOUT}      - uses: actions/setup-node@v5
        with:
          node-version: 24
${INSTALL}${COMPARE}`;
}

/** Returns the workflow that publishes a tag, unless it breaks callers and its version does not say so. */
function publishWorkflow(): string {
  return template(".github/workflows/publish.yml")
    .replace("      - uses: actions/checkout@v5\n", CHECKOUT)
    .replace(INSTALL, INSTALL + COMPARE);
}

/** Returns the first changelog. */
function changelog({ client, groups }: SdkModel): string {
  const count = groups.reduce((sum, { methods }) => sum + methods.length, 0);
  const methods = `${count.toLocaleString("en")} method${count === 1 ? "" : "s"}`;
  // The formatter of Deno breaks no line in the text of a link.
  const about = `The changes that users notice, in the form of
[Keep a Changelog](https://keepachangelog.com/en/1.1.0/). The versions follow
[Semantic Versioning](https://semver.org/spec/v2.0.0.html).`;
  const first = `- A client of the ${client.className} API with ${methods}.`;
  const parts = ["# Changelog", about, "## [Unreleased]", "### Added", prose(first)];
  return `${parts.join("\n\n")}\n`;
}

/** Returns the names of the files that keep the names of methods. */
function shapeNames({ shapes }: Pick<RepositoryPlan, "shapes">): string[] {
  return shapes.length === 0 ? [NAMES] : shapes.map(({ name }) => name);
}

/** Returns the README: that of the pages, and what those need who work on the SDK. */
function readme(pages: string, shapes: readonly ShapeFile[]): string {
  const text = template("README.md");
  const rows = text.slice(text.indexOf("## Working on it")).split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  const [head, , ...commands] = rows;
  const own = [
    ["`deno task generate`, `npm run generate`", "writes all that is generated anew"],
    ["`npm run changelog`", "prints what has changed since the last tag, for `CHANGELOG.md`"],
  ];
  return [
    pages.trimEnd(),
    "## Working on it",
    prose(
      "`src/api/`, `tests/api/`, `docs/` and the part of this page between the two comments are " +
        "generated from the document in `openapi/`. Do not edit " +
        (shapes.length === 0
          ? "them. `restwright.json` has the options. " +
            "To change the client, extend its classes: `src/client.ts` is the place to begin. " +
            "`names.json` keeps the names of methods when the document changes."
          : `them. \`restwright.json\` has the options, and ${
            shapes.map(({ name }) => `\`${name}\``).join(" and ")
          } ${
            shapes.length === 1 ? "states" : "state"
          } the resources and methods. \`src/mod.ts\` is the place ` +
            "for exports of your own."),
    ),
    table(head!, [...commands, ...own]),
    prose(
      (shapes.length === 0
        ? "The version is in `deno.json`, `package.json` and `src/client.ts`; a test compares them. "
        : "The version is in `deno.json` and `package.json`; a test compares them. ") +
        "A tag such as `v0.1.0` publishes it.",
    ),
    "",
  ].join("\n\n").replace(/(?<!\n)\n+$/, "\n");
}

function modText(className: string): string {
  return `/**
 * A client of the ${className} API.
 *
 * @module
 */

export * from "./api/mod.ts";
export { ${className} } from "./client.ts";
`;
}

function resourceModText(className: string): string {
  return modText(className).replace(
    `export { ${className} } from "./client.ts";`,
    'export { default } from "./api/mod.ts";',
  );
}

/** Returns the test of the version without that of the client, which is the version of the API. */
function versionTest(): string {
  return template("tests/version_test.ts").split("\n")
    .filter((line) => !line.includes(TEMPLATE_CLASS)).join("\n")
    .replace("JSR, npm and the User-Agent", "JSR and npm");
}

function clientText(className: string, version: string): string {
  const base = `Generated${className}`;
  return `import { ${className} as ${base} } from "./api/mod.ts";

/** A client of the ${className} API. */
export class ${className} extends ${base} {
  static override readonly libVersion: string = "${version}";
}
`;
}

/** Returns the path of a file in the repository, whose path in a folder may begin with `../`. */
function joined(folder: string, path: string): string {
  const parts = folder.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}

function template(path: string): string {
  const text = TEMPLATE_FILES.get(path);
  if (text === undefined) throw new Error(`the template has no ${path}`);
  return text;
}

function readJson(path: string): unknown {
  return JSON.parse(template(path));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
