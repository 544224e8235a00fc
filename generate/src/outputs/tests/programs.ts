/** Prints the tests of the programs in the README: each runs with a mock transport in place of fetch. */

import type { Guide, Program } from "../../guide/mod.ts";
import { Imports } from "../../print/imports.ts";
import { object, render } from "../../print/layout.ts";
import { quoted } from "../../print/literals.ts";
import { member } from "../../print/samples.ts";
import type { TestModules } from "./tests.ts";

/** Prints the file with a test for each program; undefined if there are none. */
export function printPrograms(guide: Guide, { toolkit, sdk }: TestModules): string | undefined {
  const programs = guide.sections.flatMap(({ blocks }) =>
    blocks.filter((each) => typeof each !== "string")
  );
  if (programs.length === 0) return undefined;
  const all = [guide.client, ...programs];
  const imports = new Imports();
  imports.value(`${toolkit}/testing`, "mockTransport");
  const used = all.flatMap((each) => [
    ...each.imports,
    ...[...each.replies.values()].flatMap((reply) => reply.imports),
  ]);
  for (const { from, name, isType } of used) {
    const module = from === "sdk" ? sdk : from.replace("toolkit", toolkit);
    if (isType === true) imports.type(module, name);
    else imports.value(module, name);
  }
  const environment = new Map(all.flatMap((each) => [...each.environment]));
  const readsEnvironment = environment.size > 0;
  const values = object(
    Array.from(environment, ([name, value]) => member(name, quoted(value))),
  );
  return [
    all.some(({ check }) => check !== undefined)
      ? 'import assert from "node:assert/strict";\n'
      : "",
    `import { test } from "node:test";\n${imports.print()}`,
    // Programs on Deno may not have the permission to read the environment.
    readsEnvironment
      ? `/** The environment of the programs. */\nconst process = { env: ${
        render(values, 0, 30)
      } };\n\n`
      : "",
    `${RUN}\n`,
    programs.map((each) => printTest(each, guide.client)).join("\n"),
  ].join("");
}

/** The function that runs a program. */
const RUN =
  `/** Runs a program: a mock transport replies in place of fetch, and nothing is printed. */
async function run(routes: Parameters<typeof mockTransport>[0], program: () => Promise<void>) {
  const mock = mockTransport(routes);
  const { fetch } = globalThis;
  const { debug, log } = console;
  globalThis.fetch = mock as unknown as typeof fetch;
  console.debug = console.log = () => {};
  try {
    await program();
    for (const route of Object.keys(routes)) mock.assertCalled(route);
  } finally {
    globalThis.fetch = fetch;
    Object.assign(console, { debug, log });
  }
}
`;

function printTest({ name, code, needsClient, replies, check = "" }: Program, client: Program) {
  const routes = object(
    Array.from(replies, ([route, { expression }]) => member(route, expression)),
  );
  const body = `${needsClient ? `${client.code}\n` : ""}${code}${check}`;
  const inner = body.split("\n").map((line) => line === "" ? "" : `    ${line}`).join("\n");
  return `test(${quoted(`the README ${name}`)}, async () => {\n` +
    `  await run(${render(routes, 2, 30)}, async () => {\n${inner}  });\n});\n`;
}
