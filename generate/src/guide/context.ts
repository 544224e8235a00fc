/** The material of the sections of a guide: the model, the calls to show, and the client that makes them. */

import { baseUrlOption, defaultUrl } from "../algebra/servers.ts";
import {
  type ClientOption,
  type Method,
  type SdkModel,
  TEST_BASE,
  TEST_CREDENTIALS,
} from "../model/mod.ts";
import { snakeCase, wordsOf } from "../names/words.ts";
import { call, flat, type Layout, object, property } from "../print/layout.ts";
import { quoted } from "../print/literals.ts";
import { member } from "../print/samples.ts";
import { OptionError } from "../base/errors.ts";
import { callLayout, type Example, examplesOf, isDeprecated, operationKey } from "./examples.ts";
import type { Program, ProgramWriter } from "./program.ts";

/** The choices of the owner of an SDK for its guide. */
export interface GuideOptions {
  /** The name of the package on npm. Default: `@example/` with the name of the client */
  readonly npm?: string | undefined;
  /** The name of the package on JSR. Default: none, or that on npm if this is a default, too */
  readonly jsr?: string | undefined;
  /** The operation of the first call, such as `GET /pets`. Default: a list of the largest group */
  readonly firstCall?: string | undefined;
}

/** A section of a guide. */
export interface Section {
  /** The heading. */
  readonly title: string;
  /** Texts in Markdown, and programs, in their order. */
  readonly blocks: readonly (string | Program)[];
}

/** The material of the sections of a guide. */
export interface GuideContext {
  readonly model: SdkModel;
  /** The specifier of the toolkit. */
  readonly toolkit: string;
  readonly npm: string;
  readonly jsr: string | undefined;
  /** The calls to show, the best ones first. */
  readonly examples: readonly Example[];
  /** The first call; undefined if no method can be called with a sample. */
  readonly first: Example | undefined;
  /** The schemes of which the client of the programs has the credentials. */
  readonly schemes: ReadonlySet<string>;
}

/** A section of a guide, if the SDK has something for it. */
export type SectionOf = (context: GuideContext) => Section | undefined;

/** Returns the name of the package of an SDK until its owner chooses one. */
export function packageName({ client }: SdkModel): string {
  return `@example/${client.libName.replace(/[^a-z\d]+/g, "-").slice(0, 58)}`;
}

/**
 * Returns the material of the sections.
 *
 * @throws {OptionError} If no program can make the first call that the owner chooses
 */
export function guideContext(
  model: SdkModel,
  toolkit: string,
  { npm: ownNpm, jsr: ownJsr, firstCall }: GuideOptions,
): GuideContext {
  const npm = ownNpm ?? packageName(model);
  const jsr = ownNpm === undefined ? ownJsr ?? npm : ownJsr;
  const examples = examplesOf(model).filter(({ method }) =>
    schemesFor(model, method) !== undefined
  );
  const first = firstCall === undefined
    ? firstExample(examples)
    : chosenExample(examples, firstCall);
  const schemes = new Set(first === undefined ? [] : schemesFor(model, first.method));
  return { ...{ model, toolkit, npm, jsr, examples, first, schemes } };
}

/** Returns the example of an operation. */
function chosenExample(examples: readonly Example[], operation: string): Example {
  const key = operationKey(operation);
  const found = examples.find(({ method }) => operationKey(method.operation) === key);
  if (found !== undefined) return found;
  const [best] = examples;
  const such = best === undefined ? "" : `, such as "${best.method.operation}"`;
  throw new OptionError(
    `firstCall must be an operation of the document that a program can call${such}, not "${operation}"`,
  );
}

/** Returns the example of the first call: a list of the first group that has something to read. */
function firstExample(examples: readonly Example[]): Example | undefined {
  const [best] = examples;
  if (best?.method.isFirstCall === true) return best;
  const readable = examples.filter(({ method, test: { outcome } }) =>
    method.verb === "GET" && !isDeprecated(method) &&
    (outcome.kind === "pages" || outcome.kind === "json")
  );
  const [{ group: { path: [root = ""] } } = { group: { path: [] } }] = readable;
  const ofGroup = readable.filter(({ group }) => (group.path[0] ?? "") === root);
  const rank = (example: Example) =>
    (example.test.outcome.kind === "pages" ? 0 : isList(example) ? 1 : 2) +
    flat(callLayout(example)).length / 1000;
  return ofGroup.toSorted((a, b) => rank(a) - rank(b))[0] ?? best;
}

/** Reports if the result of a call is an array. */
export function isList({ method: { result } }: Example): boolean {
  return result.type.kind === "array";
}

/** Returns the first call that meets a condition, those that the client has credentials for first. */
export function pick(
  context: GuideContext,
  meets: (example: Example) => boolean,
): Example | undefined {
  const found = context.examples.filter(meets);
  return found.find(({ method }) => isReady(context, method)) ?? found[0];
}

/** Returns the schemes of a call: none, or the first alternative whose values are texts. */
export function schemesFor(
  { client }: SdkModel,
  { security = client.security ?? [] }: Method,
): readonly string[] | undefined {
  if (security.length === 0 || security.some((names) => names.length === 0)) return [];
  return security.find((names) =>
    names.every((name) => {
      const credential = client.credentials.find(({ scheme }) => scheme === name);
      const options = credential?.options.map((each) => optionOf(client.options, each)) ?? [];
      return options.length > 0 &&
        options.every((option) => option !== undefined && isText(option));
    })
  );
}

function optionOf(options: readonly ClientOption[], name: string): ClientOption | undefined {
  return options.find((each) => each.name === name);
}

function isText({ types }: ClientOption): boolean {
  return types.some(({ kind }) => kind === "string" || kind === "pair");
}

/** Reports if the client of the programs has the credentials for a call. */
function isReady({ model, schemes }: GuideContext, method: Method): boolean {
  const { security = model.client.security ?? [] } = method;
  return security.length === 0 ||
    security.some((names) => names.every((each) => schemes.has(each)));
}

/** Returns the schemes of a client that makes a call: those of the other programs, if they are enough. */
export function schemesIn(context: GuideContext, { method }: Example): readonly string[] {
  return isReady(context, method) ? [...context.schemes] : schemesFor(context.model, method) ?? [];
}

/** Adds the client to a program that calls a method, if the client of the other programs cannot. */
export function needsClient(
  context: GuideContext,
  writer: ProgramWriter,
  example: Example,
): boolean {
  if (isReady(context, example.method)) return true;
  makeClient(context, writer, { schemes: schemesIn(context, example) });
  return false;
}

/** Adds a client with its credentials from the environment. */
export function makeClient(
  context: GuideContext,
  writer: ProgramWriter,
  { schemes = [...context.schemes], options = [], name = "client", className }: {
    readonly schemes?: readonly string[] | undefined;
    readonly options?: readonly Layout[];
    /** The variable. Default: `client` */
    readonly name?: string;
    /** The name of a class that the program has. Default: that of the SDK */
    readonly className?: string;
  } = {},
): void {
  const { client } = context.model;
  const created = className ?? writer.use("sdk", client.className);
  const all = [
    ...baseOptions(context.model, options),
    ...schemes.flatMap((each) => credentialOptions(context.model, writer, each)),
    ...options,
  ];
  const args = all.length === 0 ? [] : [object(all)];
  writer.statement(`const ${name} = `, call(`new ${created}`, args));
}

/** Returns the options with addresses that the document does not have. */
function baseOptions({ client, form }: SdkModel, options: readonly Layout[]): Layout[] {
  const name = baseUrlOption(form);
  const isStated = options.some((each) => flat(each).startsWith(`${name}:`));
  if (isStated || defaultUrl(client) !== undefined) return [];
  const urls = client.ownServers.map((each) => member(each.name, quoted(each.url)));
  return [
    property(name, quoted(TEST_BASE)),
    ...form === "classes" && urls.length > 0 ? [object(urls, "servers: ")] : [],
  ];
}

/** Returns the options with the value of a scheme, from the environment. */
export function credentialOptions(
  { client }: SdkModel,
  writer: ProgramWriter,
  scheme: string,
): Layout[] {
  const { user, password, token, key } = TEST_CREDENTIALS;
  const names = client.credentials.find((each) => each.scheme === scheme)?.options ?? [];
  const { kind } = client.schemes.find(({ option }) => option === scheme)!.scheme;
  return names.flatMap((name, index): Layout[] => {
    const option = optionOf(client.options, name)!;
    const secret = kind === "apiKey" ? key : token;
    const value = names.length < 2 ? secret : index === 0 ? user : password;
    if (!option.types.some((type) => type.kind === "pair")) {
      const isClear = /(?:token|key|secret|password|user|username)$/i.test(name);
      const end = isClear || names.length > 1 ? "" : kind === "apiKey" ? " key" : " token";
      const variable = option.env ?? environmentName(client.className, name + end);
      return [property(name, writer.env(variable, value))];
    }
    const pair = ([["username", user], ["password", password]] as const).map(([part, each]) =>
      `${writer.env(environmentName(client.className, part), each)} ?? ""`
    );
    return [property(name, `[${pair.join(", ")}]`)];
  });
}

/** Returns the name of the environment variable of an option, such as `LIBRARY_API_KEY`. */
export function environmentName(className: string, option: string): string {
  return `${snakeCase(wordsOf(className))}_${snakeCase(wordsOf(option))}`.toUpperCase();
}
