/** Writes the tables of options in docs/options.md, from the table of options in the sources. */
import { readFileSync } from "node:fs";
import ts from "typescript";
import { APISession, type RequestOptions, UnexpectedValueError } from "../../mod.ts";
import {
  type Definition,
  definitions,
  type OptionName,
  optionNames,
} from "../../src/options/definitions.ts";

/** The page, relative to the root. */
export const OPTIONS_PAGE = "docs/options.md";

/** The modules with the interfaces of the options. The first doc comment of a name counts. */
const modules = [
  "src/options/client_options.ts",
  "src/options/shared_options.ts",
  "src/options/request_options.ts",
  "src/content/body.ts",
  "src/http/transport/port.ts",
];

/** The sections of the documentation that say more about an option. */
const sections: Partial<Record<OptionName, string>> = {
  retries: "retries.md",
  backoff: "retries.md#backoff-and-jitter",
  maxBackoff: "retries.md#backoff-and-jitter",
  jitter: "retries.md#backoff-and-jitter",
  retryMethods: "retries.md#post-is-retried-too",
  idempotencyHeader: "retries.md#idempotency-keys",
  runtimeRetries: "retries.md#what-the-runtime-repeats",
  retryBudget: "retries.md#a-budget",
  maxRetryAfter: "retries.md#retry-after",
  finalWait: "retries.md#the-last-attempt",
  timeout: "time.md",
  deadline: "time.md",
  signal: "time.md",
  middleware: "middleware.md",
  callMiddleware: "middleware.md#around-a-whole-call",
  context: "middleware.md#values-for-one-call",
  followRedirects: "redirects.md",
  errorMap: "errors.md#classes-of-your-own",
  errorFrom: "errors.md#a-code-in-the-body",
  errorsInSuccess: "errors.md#an-error-in-a-success",
  errorFunc: "errors.md#your-own-messages",
  okStatuses: "errors.md#accept-an-error-status",
  redactFields: "logging.md",
  logger: "logging.md",
  params: "#query-parameters",
  paramsStyle: "#query-parameters",
  headers: "#headers",
  json: "#json",
  xml: "schemas.md#send-and-receive-a-model",
  files: "#files",
  content: "#streams",
  responseModel: "schemas.md",
  format: "endpoints.md#text-bytes-and-formats-of-your-own",
  box: "box.md",
  boxAttrs: "box.md#attributes",
  auth: "authentication.md",
  cookies: "cookies.md",
  adapters: "#who-sends-a-request",
  session: "#the-http-session",
  trustedOrigins: "redirects.md",
  proxies: "transports.md",
  cert: "transports.md",
  ca: "transports.md",
  sslVerify: "transports.md",
};

/** The merging of options, by the name of the function that merges them. */
const merges: Readonly<Record<string, string>> = {
  appendList: "Added to those of the level below",
  mergeMappings: "By key",
  mergeLookups: "Those of the request are tried first",
  askFirst: "That of the request is asked first",
  mergeCookies: "By name; a storage replaces the storage; null removes all",
};

/** The merging of the options that are merged when a request is built. */
const mergedByRequests: Partial<Record<OptionName, string>> = {
  params: "By key; null removes one",
  headers: "By name; null removes one",
  signal: "Each of them aborts the call",
};

/** The documentation of an option: the first sentence of its doc comment, and its default. */
interface Documented {
  readonly meaning: string;
  readonly default: string;
}

/**
 * Returns the page with its tables of options as the sources have them. A comment in the table of
 * options with the text of one of the page's headings begins the table below that heading.
 *
 * The value of an option is the text of the error for a wrong one.
 *
 * @param root The root
 * @param page The text of the page
 * @throws {Error} If an option has no doc comment, no default, or an unknown merging
 */
export async function withOptionTables(root: URL, page: string): Promise<string> {
  const documented = documentedOptions(root);
  let changed = page;
  for (const [heading, names] of namesByHeading(root, page)) {
    const rows = await Promise.all(names.map((name) => rowOf(name, documented)));
    const table = markdownTable([columns, ...rows]);
    const place = new RegExp(`(?<=^### ${heading}\n\n)(?:\\|.*\n)*`, "m");
    changed = changed.replace(place, () => table);
  }
  return changed;
}

const levels = ["class", "client", "call"] as const;
const columns = [
  "name",
  "static",
  "option",
  "request option",
  "value",
  "default",
  "meaning",
  "merging",
];

/** Returns the cells of an option. */
async function rowOf(
  name: OptionName,
  documented: ReadonlyMap<string, Documented>,
): Promise<string[]> {
  const { levels: own, merge }: Definition = definitions[name];
  const { meaning, default: usual } = found(documented.get(name), `${name}: no doc comment`);
  const section = sections[name];
  const merging = merge === undefined
    ? mergedByRequests[name] ?? ""
    : found(merges[merge.name], `${name}: "merges" has no text for ${merge.name}`);
  return [
    `\`${name}\``,
    ...levels.map((level) => own.includes(level) ? "yes" : ""),
    asCode((await expectedValue(name)).replace(/ \([^)]*\)|: only .*/g, "")),
    found(usual, `${name}: the doc comment has no default`),
    asCode(meaning) + (section === undefined ? "" : ` ([more](${section}))`),
    merging,
  ].map((cell) => cell.replaceAll("|", "\\|"));
}

/** Returns the description of a valid value in the error for a wrong one. */
async function expectedValue(name: OptionName): Promise<string> {
  // Each option refuses at least one of these.
  for (const wrong of [Symbol("wrong"), NaN]) {
    try {
      const url = "https://api.example.com";
      if (optionNames("client").includes(name)) {
        void new APISession({ url, [name]: wrong }).httpSession;
      } else {
        const session = new APISession({ url, fetch: () => Promise.resolve(new Response()) });
        await session.post("/", { [name]: wrong } as RequestOptions);
      }
    } catch (error) {
      if (error instanceof UnexpectedValueError && error.option === name) return error.expected;
    }
  }
  throw new Error(`${name}: no error describes its value`);
}

/** Returns the names of the table of options, by the heading of the page that they stand below. */
function namesByHeading(root: URL, page: string): Map<string, OptionName[]> {
  const source = parsed(root, "src/options/definitions.ts");
  const table = found(
    declarationsIn(source).find(({ name }) => name.getText() === "definitions"),
    "no table of options",
  );
  const byHeading = new Map<string, OptionName[]>();
  let names: OptionName[] = [];
  for (const row of (table.initializer as ts.ObjectLiteralExpression).properties) {
    const name = found(row.name, "a row without a name").getText() as OptionName;
    if ((definitions[name] as Definition).isForFetch) continue;
    for (const { pos, end } of ts.getLeadingCommentRanges(source.text, row.pos) ?? []) {
      const comment = source.text.slice(pos, end).replace(/^\/\/ /, "");
      if (page.includes(`\n### ${comment}\n`)) byHeading.set(comment, names = []);
    }
    names.push(name);
  }
  return byHeading;
}

function declarationsIn(source: ts.SourceFile): ts.VariableDeclaration[] {
  return source.statements.filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations]);
}

/** Reads the doc comments of the options. */
function documentedOptions(root: URL): Map<string, Documented> {
  const documented = new Map<string, Documented>();
  for (const path of modules) {
    for (const { members } of parsed(root, path).statements.filter(ts.isInterfaceDeclaration)) {
      for (const member of members) {
        const name = member.name?.getText();
        if (name === undefined || documented.has(name)) continue;
        documented.set(name, documentedBy(member));
      }
    }
  }
  return documented;
}

/** Reads a doc comment. A default is the tag `@default`, or the text after `Default:`. */
function documentedBy(member: ts.Node): Documented {
  const [comment] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
  const text = (ts.getTextOfJSDocComment(comment?.comment) ?? "")
    .replace(/\{@linkcode (\w+)\}/g, "`$1`")
    .replace(/\s+/g, " ");
  const [description = "", inText] = text.split(/ ?Default: /);
  const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === "default");
  const inTag = ts.getTextOfJSDocComment(tag?.comment)?.replace(/^\{(.*)\}/, "`$1`");
  const [sentence = ""] = /^.*?(?=\.( |$)|$)/.exec(description) ?? [];
  return { meaning: sentence, default: (inTag ?? inText ?? "").replace(/\.$/, "") };
}

function parsed(root: URL, path: string): ts.SourceFile {
  const text = readFileSync(new URL(path, root), "utf8");
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/** Puts the strings, lists and mappings of a text into backticks. */
function asCode(text: string): string {
  return text.replace(/`[^`]*`|"[^"]*"|\{[^}]*\}|\[[^\]]*\]/g, (code) => `\`${code}\``)
    .replaceAll("``", "`");
}

/** Returns a table in the format of `deno fmt`. A last column without any text is left out. */
function markdownTable([heads, ...rows]: readonly (readonly string[])[]): string {
  const isLastUsed = rows.some((row) => row.at(-1) !== "");
  const used = [heads!, ...rows].map((row) => isLastUsed ? row : row.slice(0, -1));
  const widths = used[0]!.map((_, index) => Math.max(...used.map((row) => row[index]!.length)));
  const lines = used.map((row) => row.map((cell, index) => cell.padEnd(widths[index]!)));
  const rule = widths.map((width) => "-".repeat(width));
  return [lines[0]!, rule, ...lines.slice(1)].map((line) => `| ${line.join(" | ")} |\n`).join("");
}

/** Returns a value that must be there. */
function found<T>(value: T | undefined | "", message: string): T {
  if (value === undefined || value === "") throw new Error(`The page on options: ${message}`);
  return value;
}
