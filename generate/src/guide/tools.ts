/** The sections on logs, responses, calls that have no method, tests, and runtimes. */

import { wireOf } from "../algebra/samples.ts";
import { defaultUrl } from "../algebra/servers.ts";
import { TEST_BASE } from "../model/mod.ts";
import { call, flat, type Layout, object, render } from "../print/layout.ts";
import { quoted } from "../print/literals.ts";
import { table } from "../print/markdown.ts";
import { jsonLayout, member } from "../print/samples.ts";
import { makeClient, needsClient, pick, schemesIn, type SectionOf } from "./context.ts";
import { callLayout, type Example } from "./examples.ts";
import { type Program, ProgramWriter } from "./program.ts";
import { replyAs, replyTo } from "./replies.ts";
import { shortCall } from "./short_call.ts";

/** Logs, and what they never have. */
export const logging: SectionOf = (context) => {
  const { model, toolkit } = context;
  const isClasses = model.form === "classes";
  const writer = new ProgramWriter();
  const example = shortCall(context);
  if (example === undefined) return undefined;
  if (isClasses) writer.use("toolkit", "consoleLogger");
  makeClient(context, writer, {
    ...{ name: "verbose", schemes: schemesIn(context, example) },
    options: [isClasses ? 'logger: consoleLogger({ level: "debug" })' : 'logLevel: "debug"'],
  });
  writer.statement("await ", callLayout(example, { client: "verbose" }));
  replyAs(writer, example);
  return {
    title: "Logging",
    blocks: [
      "The client logs retries and lost connections as warnings and errors. The level `debug` adds a " +
      "line for each attempt:",
      writer.program("logs its calls", { needsClient: false }),
      "Pass the logger of your program as `logger`: any object with `debug`, `info`, `warn` and `error`. " +
      "Null logs nothing. Credentials, headers, cookies and responses are never logged. URLs are, and at the level `debug` " +
      "the JSON of requests: name the fields with personal data in `redactFields`, such as " +
      `\`redactFields: [...commonSecretFields, "email"]\` with the list of \`${toolkit}\`.`,
    ],
  };
};

/** The response of a call. */
export const response: SectionOf = (context) => {
  const example = shortCall(context) ?? pick(context, () => true);
  if (example === undefined) return undefined;
  const writer = new ProgramWriter();
  const isReady = needsClient(context, writer, example);
  const layout = callLayout(example);
  const whole = `const { data, response } = await ${flat(layout)}.withResponse();`;
  writer.add(
    whole.length <= 100
      ? whole
      : `const { data, response } = await ${render(layout, 0, 34)}\n  .withResponse();`,
    'console.log(data, response.status, response.headers.get("content-type"));',
  );
  replyAs(writer, example);
  return {
    title: "Responses",
    blocks: [
      "`withResponse()` returns the result with its response, for example for its headers:",
      writer.program("reads the response", { needsClient: isReady }),
      "`asResponse()` returns the response alone, as soon as its headers are there. Its body is not read: " +
      "use it for what the client would not parse as you wish.",
    ],
  };
};

/** Calls and parameters that the document does not have. */
export const otherCalls: SectionOf = (context) => {
  const { model: { client, form } } = context;
  const base = defaultUrl(client) ?? TEST_BASE;
  const example = shortCall(context);
  const writer = new ProgramWriter();
  let isReady = true;
  const path = "/not/documented";
  if (form === "resources") {
    writer.add(`console.log(await client.get("${path}", { query: { limit: 1 } }));`);
  } else {
    writer.use("sdk", client.className);
    writer.useType("toolkit", "APIPromise");
    const own = `Own${client.className}`;
    writer.add(
      `class ${own} extends ${client.className} {`,
      "  notDocumented(limit: number): APIPromise<unknown> {",
      `    return this._get("${path}", { params: { limit }, convJson: true });`,
      "  }",
      "}",
      "",
    );
    makeClient(context, writer, { name: "own", className: own });
    writer.add("console.log(await own.notDocumented(1));");
    isReady = false;
  }
  writer.reply(`GET ${base}${path}`, call("Response.json", ["{}"]));
  const blocks: (string | Program)[] = [
    form === "resources"
      ? "`client.get`, `post`, `put`, `patch` and `delete` call what the package has no method for, with " +
        "the credentials and the retries of the client:"
      : "Extend the client for an operation that the package has no method for. The call has the " +
        "credentials and the retries of the client:",
    writer.program("calls what the document lacks", { needsClient: isReady }),
  ];
  if (example !== undefined) {
    const extra = new ProgramWriter();
    const isReadyForExtra = needsClient(context, extra, example);
    const params = form === "classes" ? "params" : "query";
    const options = object([`${params}: { preview: true }`, 'headers: { "X-Trace": "t-1" }']);
    extra.statement("await ", callLayout(example, { options }));
    replyAs(extra, example);
    blocks.push(
      "The options of a call add parameters and headers:",
      extra.program("adds parameters and headers", { needsClient: isReadyForExtra }),
    );
  }
  return { title: "Calls that have no method", blocks };
};

/** Tests of programs that use the SDK. */
export const tests: SectionOf = (context) => {
  const { toolkit } = context;
  const example = shortCall(context);
  if (example === undefined) return undefined;
  const writer = new ProgramWriter();
  writer.use("toolkit/testing", "mockTransport");
  const route = `${example.method.verb} ${new URL(example.test.url).pathname}`;
  writer.statement(
    "const mock = ",
    call("mockTransport", [object([member(route, replyLayout(example, writer))])]),
  );
  makeClient(context, writer, {
    ...{ name: "tested", options: ["fetch: mock"] },
    schemes: schemesIn(context, example),
  });
  writer.statement("await ", callLayout(example, { client: "tested" }));
  writer.add(`mock.assertCalled(${quoted(route)}, { times: 1 });`);
  return {
    title: "Tests",
    blocks: [
      `A mock transport replies in place of the network. It is in \`${toolkit}/testing\`.`,
      writer.program("is tested without a network", { needsClient: false }),
    ],
  };
};

/** Returns the reply to a call as a user would write it: JSON as it is. */
function replyLayout({ method, test }: Example, writer: ProgramWriter): Layout {
  const { outcome } = test;
  if (outcome.kind === "json" && outcome.status === 200) {
    return jsonLayout(wireOf(outcome.reply ?? outcome.data));
  }
  const { expression, imports } = replyTo(method, outcome);
  for (const { from, name } of imports) writer.use(from, name);
  return expression;
}

/** The runtimes. */
export const runtimes: SectionOf = () => ({
  title: "Runtimes",
  blocks: [
    table(["runtime", "versions"], [
      ["Node", "22.18 or later"],
      ["Deno", "2"],
      ["Bun", "1"],
      ["browsers", "of 2024 or later, in pages and workers"],
      ["Cloudflare Workers", "the current runtime"],
    ]),
    "The package uses `fetch` and other standards of the web. Its types need TypeScript 5.9 or later.",
  ],
});
