/** The sections with which a user begins: how the package is installed, and a first call. */

import { variableOf } from "../print/example_call.ts";
import { type GuideContext, makeClient, type Section, type SectionOf } from "./context.ts";
import { callLayout, type Example, modelsOf, shownOf } from "./examples.ts";
import { type Program, ProgramWriter } from "./program.ts";
import { replyAs } from "./replies.ts";

/**
 * How the package is installed.
 *
 * @param importsToolkit True if programs of the guide import the toolkit
 */
export function install(
  { npm, jsr, toolkit, model: { client } }: GuideContext,
  importsToolkit: boolean,
): Section {
  const commands = [
    ["npm install", npm, "Node"],
    ["bun add", npm, "Bun"],
    ["deno add", jsr === undefined ? `npm:${npm}` : `jsr:${jsr}`, "Deno"],
  ].map(([command, name, runtime]) => [`${command} ${name}`, runtime] as const);
  const width = Math.max(...commands.map(([command]) => command.length));
  const lines = commands.map(([command, runtime]) => `${command.padEnd(width)}   # ${runtime}\n`);
  const secret = client.credentials.length === 0
    ? ""
    : " Do not put a secret into a page, because everybody can read it there: let your server make " +
      "the calls that need it.";
  return {
    title: "Install",
    blocks: [
      `\`\`\`sh\n${lines.join("")}\`\`\``,
      "The package has ES modules with types. For browsers, bundle it with Vite, esbuild or any " +
      `other bundler. The API has to allow the origin of your page (CORS).${secret}`,
      ...importsToolkit ? toolkitText(toolkit, jsr === undefined ? "npm" : "jsr") : [],
    ],
  };
}

/** Returns how the toolkit is installed that the package extends; nothing if it has no name in a registry. */
function toolkitText(toolkit: string, registry: "npm" | "jsr"): string[] {
  if (!/^(?:@[\w.-]+\/)?[\w.-]+$/.test(toolkit)) return [];
  return [
    `Some programs below import from \`${toolkit}\`, which comes with the package. Deno and pnpm ` +
    "want it by its name, too:",
    `\`\`\`sh\ndeno add ${registry}:${toolkit}\npnpm add ${toolkit}\n\`\`\``,
  ];
}

/** The first call. */
export const firstCall: SectionOf = (context) => {
  const { first } = context;
  if (first === undefined) return undefined;
  const program = firstProgram(context, first);
  const reads = program.environment.size > 0;
  return {
    title: "First call",
    blocks: [
      program,
      reads
        ? "The credentials come from environment variables, so that they are not in your code. On " +
          "Deno, run the program with `--allow-net --allow-env`."
        : "On Deno, run the program with `--allow-net`.",
    ],
  };
};

function firstProgram(context: GuideContext, first: Example): Program {
  const writer = new ProgramWriter();
  makeClient(context, writer);
  writer.add("");
  writeCall(context, writer, first);
  return writer.program("makes the first call", { needsClient: false });
}

/** Adds a call of a method, and shows its result. */
export function writeCall(context: GuideContext, writer: ProgramWriter, example: Example): void {
  const { model } = context;
  const { method, test } = example;
  for (const name of modelsOf([...test.path, test.body, test.params])) writer.use("sdk", name);
  const layout = callLayout(example);
  replyAs(writer, example);
  switch (test.outcome.kind) {
    case "pages": {
      const { item } = method.pages!;
      const variable = variableOf(item, "item");
      writer.statement(`for await (const ${variable} of `, layout, ") {");
      writer.add(`  console.log(${shownOf(model, item, variable)});`, "}");
      return;
    }
    case "json":
    case "xml": {
      const { type } = method.result;
      const variable = variableOf(type, "result");
      writer.statement(`const ${variable} = await `, layout);
      writer.add(`console.log(${shownOf(model, type, variable)});`);
      return;
    }
    case "text":
      writer.statement("console.log(await ", layout, ");");
      return;
    default:
      writer.statement("await ", layout);
  }
}
