/** Prints the tests of an SDK, which need no server: a mock transport replies. */

import {
  type ExpectedRequest,
  type Method,
  type MethodGroup,
  type MethodTest,
  type Outcome,
  type Pair,
  type Sample,
  type SdkClient,
  type SdkModel,
  TEST_BASE,
  TEST_CREDENTIALS,
  type Type,
  type WebhookReader,
} from "../../model/mod.ts";
import { emptyArgument, isBodyArgument, passedArguments } from "../../algebra/arguments.ts";
import { nameOf } from "../../algebra/groups.ts";
import { defaultUrl } from "../../algebra/servers.ts";
import { isPlainSample, wireOf } from "../../algebra/samples.ts";
import { type SampledEvent, sampledEvents } from "../../algebra/webhooks.ts";
import { camelCase, freeName, wordsOf } from "../../names/words.ts";
import { Imports } from "../../print/imports.ts";
import { call, type Layout, object, property, render } from "../../print/layout.ts";
import { quoted } from "../../print/literals.ts";
import { addReferences } from "../../algebra/references.ts";
import { jsonReply, replyWith } from "../../print/replies.ts";
import { before, jsonLayout, list, member, sampleLayout } from "../../print/samples.ts";
import { printAfter } from "../../print/types.ts";

/** The modules that tests import. */
export interface TestModules {
  readonly toolkit: string;
  /** The SDK. */
  readonly sdk: string;
}

/** An outcome of some kinds. */
type OutcomeOf<Kind extends Outcome["kind"]> = Outcome & { readonly kind: Kind };

/** A test that is being printed: its method, the call of it, and the statements so far. */
interface CalledTest {
  readonly method: Method;
  readonly called: Layout;
  readonly lines: Lines;
}

/** Names in the tests, which no constant may hide. */
const testNames: readonly string[] =
  ("assert test mockTransport replies silentLogger toXml clientWith partsOf client mock route " +
    "result items expected data error sent call form name value undefined first second " +
    "createHmac signed body event WebhookSignatureError").split(
      " ",
    );

/** Prints the file with the tests of a group; undefined if there are none. */
export function printTests(
  group: MethodGroup,
  plan: SdkModel,
  { toolkit, sdk }: TestModules,
): string | undefined {
  const file = new TestFile(plan, { toolkit, sdk });
  const tests = group.methods.flatMap((method) =>
    (method.tests ?? []).map((test) => file.test(nameOf(group, method), method, test))
  );
  return tests.length === 0 ? undefined : file.print(tests);
}

/** Prints the file with the tests of the object that reads webhooks. */
export function printWebhookTests(
  reader: WebhookReader,
  plan: SdkModel,
  { toolkit, sdk }: TestModules,
): string {
  const file = new TestFile(plan, { toolkit, sdk });
  const tests = sampledEvents(reader).map((event) => file.eventTest(reader.field, event));
  const [{ method } = { method: "unwrap" }] = reader.events;
  return file.print([...tests, file.refusalTest(reader, method)]);
}

/** A file with tests. */
class TestFile {
  readonly #plan: SdkModel;
  readonly #modules: TestModules;
  readonly #imports = new Imports();
  readonly #taken = new Set(testNames);
  /** The constants with samples of named types: their names by type and sample, and their code. */
  readonly #constants = new Map<string, { readonly name: string; readonly code: string }>();
  #hasParts = false;
  /** True if a test signs webhooks. */
  #isSigning = false;

  constructor(plan: SdkModel, modules: TestModules) {
    this.#plan = plan;
    this.#modules = modules;
    this.#imports.value(modules.sdk, plan.client.className);
    for (const name of ["mockTransport", "silentLogger"]) this.#fromTesting(name);
  }

  /** Returns the text of the file. */
  print(tests: readonly string[]): string {
    const constants = [...this.#constants.values()].map(({ code }) => code);
    return [
      'import assert from "node:assert/strict";\n' +
      (this.#isSigning ? 'import { createHmac } from "node:crypto";\n' : "") +
      'import { test } from "node:test";\n' +
      this.#imports.print(),
      ...constants.length === 0 ? [] : [`${constants.join("\n")}\n`],
      `${this.#clientFunction()}\n`,
      ...this.#hasParts ? [`${PARTS}\n`] : [],
      ...this.#isSigning ? [`${SIGNED}\n`] : [],
      tests.join("\n"),
    ].join("");
  }

  /** Prints a test. */
  test(name: string, method: Method, test: MethodTest): string {
    const { outcome, url } = test;
    const lines = new Lines();
    lines.add("const route = ", quoted(`${method.verb} ${url}`));
    const body = this.#bodyOf(method, test, lines);
    const called = this.#callOf(name, method, test, body);
    const title = `${name} ${this.#outcome(outcome, { method, called, lines })}`;
    if (outcome.kind !== "error") {
      for (const [index, request] of test.requests.entries()) {
        this.#request(request, body, index, lines);
      }
    }
    return `test(${quoted(title)}, async () => {\n${lines.text()}});\n`;
  }

  /** Prints the test of an event of a webhook, which it signs. */
  eventTest(field: string, { name, method, data, conversion, sample }: SampledEvent): string {
    const lines = new Lines();
    this.#isSigning = true;
    const isPlain = isPlainSample(sample);
    const isTyped = isPlain || conversion !== undefined;
    const expected = isTyped ? this.#expected(data, sample, lines) : "expected";
    if (!isTyped) lines.add("const expected = ", jsonLayout(wireOf(sample)));
    const sent = isPlain || !isTyped ? expected : jsonLayout(wireOf(sample));
    lines.add("const body = ", call("JSON.stringify", [sent]));
    lines.addLine("  const { client } = clientWith({});");
    lines.blank();
    lines.add("const event = await ", call(`client.${field}.${method}`, ["body", "signed(body)"]));
    lines.blank();
    lines.add("assert.deepEqual(event, ", expected, ")");
    const title = quoted(`${field}.${method} reads ${name}`);
    return `test(${title}, async () => {\n${lines.text()}});\n`;
  }

  /** Prints the test that a webhook with a wrong signature is refused, or one without any. */
  refusalTest({ field, scheme }: WebhookReader, method: string): string {
    const lines = new Lines();
    lines.addLine("  const { client } = clientWith({});");
    lines.blank();
    const called = (body: string, options: Layout) =>
      before("async () => await ", call(`client.${field}.${method}`, [body, options]));
    if (scheme !== "standard") {
      const options = object(["headers: {}", 'secret: "secret"']);
      lines.add("", call("await assert.rejects", [called('"{}"', options)]));
      const title = quoted(`${field}.${method} refuses a webhook without a signature`);
      return `test(${title}, async () => {\n${lines.text()}});\n`;
    }
    this.#isSigning = true;
    const error = this.#imports.value(`${this.#modules.toolkit}/webhooks`, "WebhookSignatureError");
    lines.add("", call("await assert.rejects", [called('"{} "', 'signed("{}")'), error]));
    const title = quoted(`${field}.${method} refuses a body that was changed`);
    return `test(${title}, async () => {\n${lines.text()}});\n`;
  }

  #fromTesting(name: string): string {
    return this.#imports.value(`${this.#modules.toolkit}/testing`, name);
  }

  /** Returns an expression for a sample. That of a named type is a constant of the file. */
  #constant(type: Type, sample: Sample): string | undefined {
    const isObject = typeof sample === "object" && sample !== null;
    if (type.kind !== "reference" || !isObject) return undefined;
    const key = `${type.name} ${JSON.stringify(sample)}`;
    const known = this.#constants.get(key);
    if (known !== undefined) return known.name;
    const wanted = camelCase(wordsOf(type.name)) || "sample";
    let name = freeName(wanted, this.#taken);
    for (let number = 2; name.endsWith("_"); number++) {
      name = freeName(`${wanted}${number}`, this.#taken);
    }
    this.#taken.add(name);
    const code = `${this.#declaration(name, type, sample, 0)}\n`;
    this.#constants.set(key, { name, code });
    return name;
  }

  /** Returns a constant with the type that the SDK has for it. */
  #declaration(name: string, type: Type, sample: Sample, indent: number): string {
    const pad = " ".repeat(indent);
    this.#addSample(sample);
    let start = `${pad}const ${name}`;
    if (type.kind !== "unknown") {
      addReferences(type, (each) => this.#imports.type(this.#modules.sdk, each));
      start += `:${printAfter(type, { indent, used: start.length + " = {".length })}`;
    } else if (isEmptyList(sample)) {
      // The compiler finds no type by itself.
      start += ": unknown[]";
    }
    start += " = ";
    const used = start.length - start.lastIndexOf("\n") - 1;
    return `${start}${render(sampleLayout(sample), indent, used + 1)};`;
  }

  /** Adds the model classes of a sample to the imports. */
  #addSample(sample: Sample): void {
    if (typeof sample !== "object" || sample === null) return;
    if (sample.kind === "model") this.#imports.value(this.#modules.sdk, sample.name);
    if (sample.kind === "list") sample.items.forEach((each) => this.#addSample(each));
    if (sample.kind === "object") sample.members.forEach(([, each]) => this.#addSample(each));
  }

  /** Returns the argument with the body; undefined if there is none. */
  #bodyOf(method: Method, test: MethodTest, lines: Lines): string | undefined {
    const { body, stream } = method;
    if (body === undefined || test.body === undefined) return undefined;
    // It may be a part of the object of parameters.
    if (!isBodyArgument(method)) return undefined;
    // Overloads choose by a literal, which a constant with a type does not have.
    const isChoice = stream?.choice?.place === "body";
    if (body.kind === "bytes") {
      lines.add("const body = ", `new TextEncoder().encode(${quoted(String(test.body))})`);
      return "body";
    }
    const constant = isChoice ? undefined : this.#constant(body.type, test.body);
    if (constant !== undefined) return constant;
    this.#addSample(test.body);
    const layout = sampleLayout(test.body);
    if (isChoice) return render(layout, 2);
    lines.addLine(this.#declaration("body", body.type, test.body, 2));
    return "body";
  }

  #callOf(name: string, method: Method, test: MethodTest, body: string | undefined): Layout {
    const args = passedArguments(method, test).map(({ argument, value }): Layout => {
      if (value === undefined) return emptyArgument(argument);
      if (argument.role === "body") return body!;
      this.#addSample(value);
      return sampleLayout(value);
    });
    return call(`client.${name}`, args);
  }

  /** Adds the reply, the call, and the checks of its result. Returns the end of the test's name. */
  #outcome(outcome: Outcome, test: CalledTest): string {
    switch (outcome.kind) {
      case "json":
      case "xml":
        return this.#dataOutcome(outcome, test);
      case "text":
      case "bytes":
        return textOutcome(outcome, test);
      case "void":
      case "response":
        return statusOutcome(outcome, test);
      case "redirect":
        return this.#redirectOutcome(outcome.status, test);
      case "pages":
        return this.#pagesOutcome(outcome, test);
      case "stream":
        return this.#streamOutcome(outcome, test);
      case "error":
        return this.#errorOutcome(outcome, test);
    }
  }

  #dataOutcome(outcome: OutcomeOf<"json" | "xml">, { method, called, lines }: CalledTest): string {
    const { data, status, reply = data } = outcome;
    const { result } = method;
    const isRange = result.accept?.includes("*");
    const expected = this.#expected(result.type, data, lines);
    const isSame = reply === data && isPlainSample(data);
    addClient(
      lines,
      outcome.kind === "xml"
        ? this.#xmlReply(expected, outcome, !isRange && result.accept || "application/xml")
        : jsonReply(isSame ? expected : jsonLayout(wireOf(reply)), status),
    );
    lines.add("const result = await ", called);
    lines.blank();
    lines.add("assert.deepEqual(result, ", expected, ")");
    return "sends its request and reads the response";
  }

  #redirectOutcome(status: number, { called, lines }: CalledTest): string {
    const target = this.#target();
    const others = [member(`GET ${target}`, "200")];
    addClient(lines, replyWith("null", status, [["location", target]]), { others });
    lines.add("const result = await ", called);
    lines.blank();
    lines.add("assert.equal(result.status, ", "200", ")");
    return "follows the redirect";
  }

  #pagesOutcome(
    { pages, items }: OutcomeOf<"pages">,
    { method, called, lines }: CalledTest,
  ): string {
    const texts = pages.map(({ body, headers }) => {
      const constant = isPlainSample(body) ? this.#constant(method.result.type, body) : undefined;
      return jsonReply(constant ?? jsonLayout(wireOf(body)), 200, headers);
    });
    this.#fromTesting("replies");
    addClient(lines, call("replies", texts));
    const { item, className } = method.pages!;
    if (className === undefined) {
      lines.add("const items = await ", before("", called, ".collect()"));
    } else {
      lines.addLine("  const items: unknown[] = [];");
      const loop = before("for await (const item of ", called, ") {");
      lines.addLine(`  ${render(loop, 2)}\n    items.push(item);\n  }`);
    }
    lines.blank();
    const expected = items.map((each) => {
      const constant = this.#constant(item, each);
      if (constant === undefined) this.#addSample(each);
      return constant ?? sampleLayout(each);
    });
    lines.add("assert.deepEqual(items, ", list(expected), ")");
    return pages.length > 1 ? "reads two pages" : "reads its page";
  }

  #streamOutcome(
    { text, contentType, items, form }: OutcomeOf<"stream">,
    { called, lines }: CalledTest,
  ): string {
    addClient(lines, replyWith(quoted(text), 200, [["content-type", contentType]]));
    lines.add("const stream = await ", called);
    lines.addLine("  const items: unknown[] = [];");
    const item = { items: "item", data: "data", events: "{ event, data }" }[form];
    const variable = form === "items" ? "item" : form === "data" ? "{ data }" : item;
    lines.addLine(`  for await (const ${variable} of stream) items.push(${item});`);
    lines.blank();
    this.#addSample(items);
    lines.add("assert.deepEqual(items, ", sampleLayout(items), ")");
    return "reads a stream";
  }

  #errorOutcome(
    { className, status, data, property }: OutcomeOf<"error">,
    { called, lines }: CalledTest,
  ): string {
    const { data: type, conversion } =
      this.#plan.errors.find((each) => each.className === className) ??
        { data: { kind: "unknown" } as const };
    this.#imports.value(this.#modules.sdk, className);
    const isPlain = isPlainSample(data);
    // Without a conversion, the error has what the server sent.
    const isTyped = isPlain || conversion !== undefined;
    const expected = isTyped ? this.#expected(type, data, lines, "data") : "data";
    if (!isTyped) lines.add("const data = ", jsonLayout(wireOf(data)));
    const reply = isPlain || !isTyped ? expected : jsonLayout(wireOf(data));
    addClient(lines, jsonReply(reply, status), { variables: "client" });
    const rejects = before("await assert.rejects(async () => await ", called, ", (error) => {");
    lines.addLine(`  ${render(rejects, 2)}`);
    lines.addLine(`    assert.ok(error instanceof ${className});`);
    lines.addLine(`    assert.deepEqual(error.${property}, ${expected});`);
    lines.addLine("    return true;");
    lines.addLine("  });");
    return `throws ${className}`;
  }

  /** Returns the value to expect: a constant of the file, or else one of the test. */
  #expected(type: Type, sample: Sample, lines: Lines, name = "expected"): string {
    const constant = this.#constant(type, sample);
    if (constant !== undefined) return constant;
    lines.addLine(this.#declaration(name, type, sample, 2));
    return name;
  }

  #xmlReply(
    expected: string,
    { data, status }: OutcomeOf<"json" | "xml">,
    type: string,
  ): Layout {
    this.#imports.value(`${this.#modules.toolkit}/models`, "toXml");
    const isList = typeof data === "object" && data?.kind === "list";
    const xml = `toXml(${expected}${isList ? ', { root: "list" }' : ""})`;
    return replyWith(xml, status, [["content-type", type]]);
  }

  /** The address to which a test redirects. */
  #target(): string {
    return `${new URL(defaultUrl(this.#plan.client) ?? TEST_BASE).origin}/redirected`;
  }

  /** Adds the checks of a request. */
  #request(
    { query, headers, content }: ExpectedRequest,
    body: string | undefined,
    index: number,
    lines: Lines,
  ): void {
    const parts: Layout[] = [before("params: ", paramsLayout(query))];
    if (headers.length > 0) {
      const entries = headers.map(([name, value]) =>
        member(name, value === null ? "null" : quoted(value))
      );
      parts.push(before("headers: ", object(entries)));
    }
    if (content.kind === "json") {
      // A constant is what is sent, unless it has dates or a property that the rule of pages sets.
      const isSame = index === 0 && body !== undefined && /^\w+$/.test(body) &&
        isPlainSample(content.value);
      parts.push(
        isSame ? property("json", body) : before("json: ", jsonLayout(wireOf(content.value))),
      );
    }
    if (content.kind === "text") parts.push(`text: ${quoted(content.text)}`);
    parts.push("times: 1");
    lines.add("", call("mock.assertCalled", ["route", object(parts)]));
    const sent = `mock.calls[${index}]`;
    switch (content.kind) {
      case "form":
        lines.add(
          "",
          call("assert.deepEqual", [
            `[...new URLSearchParams(${sent}?.text)]`,
            pairsLayout(content.fields),
          ]),
        );
        break;
      case "multipart":
        this.#hasParts = true;
        lines.add(
          "",
          call("assert.deepEqual", [`await partsOf(${sent})`, pairsLayout(content.fields)]),
        );
        break;
      case "xml": {
        const { model, value } = content;
        this.#imports.value(this.#modules.sdk, model);
        lines.add(
          "",
          call("assert.deepEqual", [
            `await ${model}.fromXml(${sent}?.text ?? "")`,
            before(`${model}.fromJson(`, jsonLayout(wireOf(value)), ")"),
          ]),
        );
      }
    }
  }

  #clientFunction(): string {
    const { form, client } = this.#plan;
    const options: Layout[] = ["fetch: mock", "logger: silentLogger"];
    if (form === "classes") {
      options.push("retries: 0");
      if (client.servers.length === 0) {
        const urls = client.ownServers.map(({ name, url }) => member(name, quoted(url)));
        if (urls.length > 0) options.unshift(object(urls, "servers: "));
        options.unshift(`baseUrl: ${quoted(TEST_BASE)}`);
      }
    } else {
      // An environment variable must not change the address.
      options.unshift(`baseURL: ${quoted(defaultUrl(client) ?? TEST_BASE)}`);
      options.push("maxRetries: 0");
    }
    options.push(...credentialsOf(client));
    const created = render(
      call(`new ${client.className}`, [object(options)]),
      2,
      "  const client = ;".length,
    );
    return "/** Returns a client whose requests get these replies, and the transport with the requests. */\n" +
      "function clientWith(routes: Parameters<typeof mockTransport>[0]) {\n" +
      `  const mock = mockTransport(routes);\n  const client = ${created};\n` +
      "  return { client, mock };\n}\n";
  }
}

/** The function that reads the parts of a form. */
const PARTS = `/** Returns the names and texts of the parts of a form that was sent. */
async function partsOf(
  sent: { readonly text: string; readonly headers: Readonly<Record<string, string>> } | undefined,
) {
  const form = await new Response(sent?.text, { headers: { ...sent?.headers } }).formData();
  return await Promise.all(
    [...form].map(async ([name, value]) =>
      [name, typeof value === "string" ? value : await value.text()]
    ),
  );
}
`;

/** The function that signs webhooks. */
const SIGNED =
  `/** Returns the options that read a webhook, which is signed as Standard Webhooks says. */
function signed(body: string) {
  const key = "a key for the tests of webhooks";
  const id = "msg_1";
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest("base64");
  return {
    headers: {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": \`v1,\${signature}\`,
    },
    secret: \`whsec_\${btoa(key)}\`,
  };
}
`;

/** The statements of a test. */
class Lines {
  readonly #lines: string[] = [];

  add(start: string, layout: Layout, end = ""): void {
    const used = 2 + start.length + end.length + 1;
    this.#lines.push(`  ${start}${render(layout, 2, used)}${end};`);
  }

  addLine(line: string): void {
    this.#lines.push(line);
  }

  blank(): void {
    this.#lines.push("");
  }

  text(): string {
    return `${this.#lines.join("\n")}\n`;
  }
}

/** Adds the client, whose request gets the reply. */
function addClient(
  lines: Lines,
  reply: Layout,
  { variables = "client, mock", others = [] }: {
    readonly variables?: string;
    /** The replies to other requests. */
    readonly others?: readonly Layout[];
  } = {},
): void {
  const routes = object([before("[route]: ", reply), ...others]);
  lines.add(`const { ${variables} } = `, call("clientWith", [routes]));
  lines.blank();
}

function isEmptyList(sample: Sample): boolean {
  return typeof sample === "object" && sample?.kind === "list" && sample.items.length === 0;
}

function textOutcome(
  { kind, text, status, contentType }: OutcomeOf<"text" | "bytes">,
  { called, lines }: CalledTest,
): string {
  addClient(lines, replyWith(quoted(text), status, [["content-type", contentType]]));
  lines.add("const result = await ", called);
  lines.blank();
  const read = kind === "text" ? "result" : "await result.text()";
  lines.add(`assert.equal(${read}, `, quoted(text), ")");
  return "sends its request and reads the response";
}

function statusOutcome(
  { kind, status }: OutcomeOf<"void" | "response" | "redirect">,
  { called, lines }: CalledTest,
): string {
  addClient(lines, String(status));
  lines.add("const result = await ", called);
  lines.blank();
  const compared = kind === "void" ? "result, undefined" : `result.status, ${status}`;
  lines.add("assert.equal(", compared, ")");
  return "sends its request";
}

/** Returns the options of a client that have its credentials. */
function credentialsOf({ credentials, options, schemes }: SdkClient): string[] {
  const { user, password, token, key } = TEST_CREDENTIALS;
  return credentials.flatMap(({ scheme, options: names }) => {
    const { kind } = schemes.find(({ option }) => option === scheme)!.scheme;
    if (names.length === 2) {
      return [user, password].map((each, index) => `${names[index]}: ${quoted(each)}`);
    }
    return names.map((name) => {
      const types = options.find((each) => each.name === name)!.types.map((type) => type.kind);
      const value = types.includes("pair")
        ? `[${quoted(user)}, ${quoted(password)}]`
        : !types.includes("string")
        ? "{ authenticate: (_request, send) => send() }"
        : quoted(kind === "apiKey" ? key : token);
      return `${name}: ${value}`;
    });
  });
}

/** Returns the parameters of a query. Those with several values have a list. */
function paramsLayout(query: readonly Pair[]): Layout {
  const byName = new Map<string, string[]>();
  for (const [name, value] of query) byName.set(name, [...byName.get(name) ?? [], value]);
  return object([...byName].map(([name, values]) => {
    const texts = values.map(quoted);
    return member(name, texts.length === 1 ? texts[0]! : list(texts));
  }));
}

function pairsLayout(pairs: readonly Pair[]): Layout {
  return list(pairs.map((pair) => list(pair.map(quoted))));
}
