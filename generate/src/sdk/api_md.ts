/**
 * Reads `api.md`, the list of methods in the repository of an SDK that Stainless made: in TypeScript, or
 * in Python. It has the names of resources, methods, arguments and types.
 */
import { ShapeError } from "../base/errors.ts";
import type { MethodShape, ResourceShape, SdkShape } from "./shape.ts";
import { MAX_FILES } from "../read/limits.ts";
import { Casing } from "./casing.ts";
import type { IgnoredSetting } from "../read/settings.ts";

/** A list of methods that was read. */
export interface ApiList {
  readonly shape: SdkShape;
  /** The methods that call no operation, because they were written by hand, and lists in other files. */
  readonly ignored: readonly IgnoredSetting[];
}

/** The most characters of a line. Those of real lists have about 500. */
const MAX_LINE = 4_000;

/** A line with a method. Its title is missing if it calls no operation. */
const METHOD =
  /^[-*] <code(?: title="(\w+) (\/[^"\s\p{C}]*)")?>client\.((?:\w+\.)*)<a [^>]*>(\w+)<\/a>\((.*)\) -> (.*)<\/code>$/u;

/** A line with a type, in a list of TypeScript. */
const TYPE = /^[-*] <code><a [^>]*>(\w+)<\/a><\/code>$/;

/** A heading, which may be a link to another file. */
const HEADING = /^(#{1,6}) (?:\[(\w[\w ]*)\]\(([^()\s]+)\)|(\w[\w ]*))$/;

/** The results that are not types of the API. */
const PLAIN: ReadonlySet<string> = new Set(
  ("void unknown any string number boolean object Response Blob Buffer Uploadable null undefined " +
    "None str int float bool bytes HttpxBinaryResponseContent BinaryAPIResponse").split(" "),
);

/** The results that are the response itself. */
const RAW: ReadonlySet<string> = new Set([
  "Response",
  "HttpxBinaryResponseContent",
  "BinaryAPIResponse",
]);

/** A line with a method, in parts. */
interface Line {
  readonly line: number;
  readonly operation: string | undefined;
  /** The names on the way to the method: `chat`, `completions`. */
  readonly path: readonly string[];
  readonly name: string;
  readonly args: string;
  readonly result: string;
}

/** A heading with the types below it. */
interface Section {
  readonly titles: readonly string[];
  readonly types: string[];
}

/** The lines of a list, sorted by what they are. */
interface Lines {
  readonly methods: readonly Line[];
  readonly sections: readonly Section[];
  readonly links: readonly Link[];
}

/** A heading whose list is in another file. */
interface Link {
  readonly title: string;
  readonly path: string;
  readonly line: number;
}

/**
 * Reads a list of methods.
 *
 * @param text Its text. Lists that it links to can be appended to it
 * @param file Its name in messages
 * @throws {ShapeError} If it has no methods, or those of a language with other names
 */
export function readApiMd(text: string, file: string = "api.md"): ApiList {
  const { methods, sections, links } = linesOf(text);
  const called = methods.filter(({ operation }) => operation !== undefined);
  if (called.length === 0) {
    const message = /<code title="[^"\n]*">client\.[A-Z]/.test(text)
      ? "lists the methods of a language whose names differ; take the api.md of the SDK in TypeScript " +
        "or Python"
      : 'must have lines such as - <code title="get /pets">client.pets.<a href="…">list</a>() -> ' +
        "PetListResponse</code>, but has none";
    throw new ShapeError(file, message);
  }
  const isPython = called.some(({ args, path, name }) =>
    args.includes("*") || [...path, name].some((each) => each.includes("_"))
  );
  const types = new Set(sections.flatMap((each) => each.types));
  const titles = new Set(sections.map((each) => each.titles[0]));
  const missing = links.filter(({ title }) => !titles.has(title));
  const list: List = { isPython, types, isComplete: missing.length === 0, casing: new Casing() };
  return {
    shape: {
      resources: resourcesOf(called, sections, list),
      pages: new Map(),
      options: [],
      environments: new Map(),
      unwrap: [],
      headers: new Map(),
    },
    ignored: [
      ...methods.filter(({ operation }) => operation === undefined).map(
        ({ path, name, line }): IgnoredSetting => ({
          key: `client.${[...path, name].join(".")} (calls no operation)`,
          ...{ count: 1, line, lost: "client" },
        }),
      ),
      ...missing.map(({ path, line }): IgnoredSetting => ({
        key: `${path} (another file)`,
        ...{ count: 1, line, lost: "client" },
      })),
    ],
  };
}

/** Returns the relative paths of the lists that a list links to, at most 2,000. */
export function linkedLists(text: string): string[] {
  const paths = linesOf(text).links.map(({ path }) => path);
  return [...new Set(paths)].filter((path) =>
    /^(?:\.\/)?[\w-][\w.-]*(?:\/[\w-][\w.-]*)*\.md$/.test(path)
  ).slice(0, MAX_FILES);
}

function linesOf(text: string): Lines {
  const methods: Line[] = [];
  const sections: Section[] = [];
  const links: Link[] = [];
  let section: Section = { titles: [], types: [] };
  let isCode = false;
  text.replace(/^\ufeff/, "").split(/\r?\n/).forEach((content, index) => {
    const line = index + 1;
    if (content.length > MAX_LINE) return;
    if (content.startsWith("```")) isCode = !isCode;
    else if (isCode) section.types.push(...importedTypes(content));
    else {
      const type = TYPE.exec(content)?.[1];
      if (type !== undefined) section.types.push(type);
      const heading = HEADING.exec(content);
      if (heading !== null) {
        const [, level, linked, path, plain] = heading;
        if (path !== undefined) links.push({ title: linked!, path, line });
        else {
          section = { titles: [...section.titles.slice(0, level!.length - 1), plain!], types: [] };
          sections.push(section);
        }
      }
      const method = METHOD.exec(content);
      if (method !== null) methods.push(lineOf(method, line));
    }
  });
  return { methods, sections, links };
}

function lineOf(found: RegExpExecArray, line: number): Line {
  const [, verb, path, access, name, args, result] = found;
  return {
    ...{ line, name: name!, path: access!.split(".").filter((each) => each !== "") },
    operation: path === undefined ? undefined : `${verb!.toUpperCase()} ${path}`,
    ...{ args: plainText(args!), result: plainText(result!) },
  };
}

/** Returns the text of HTML without its tags, and of Markdown without its escapes. */
function plainText(html: string): string {
  const text = html.replace(/<[^<>]*>/g, "").replaceAll("\\", "");
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&").trim();
}

/** Returns the types of a line of Python: `from api.types import Pet, Owner`, or one of several lines. */
function importedTypes(line: string): string[] {
  const names = /^(?:from [\w.]+ import )?\(?([\w, ]*)\)?$/.exec(line.trim())?.[1];
  return names?.split(",").map((each) => each.trim()).filter((each) => /^\w+$/.test(each)) ?? [];
}

/** The parts of a list that all methods depend on. */
interface List {
  readonly isPython: boolean;
  /** All types that the list names. */
  readonly types: ReadonlySet<string>;
  /** False if some lists are in other files, whose types are not known. */
  readonly isComplete: boolean;
  readonly casing: Casing;
}

/** A resource that is being collected. */
interface Collected {
  readonly name: string;
  readonly methods: MethodShape[];
  readonly models: Map<string, undefined>;
  readonly children: Map<string, Collected>;
}

function resourcesOf(
  methods: readonly Line[],
  sections: readonly Section[],
  list: List,
): ResourceShape[] {
  const root: Collected = { name: "", methods: [], models: new Map(), children: new Map() };
  for (const method of methods) {
    const path = method.path.length === 0 ? ["$client"] : method.path;
    const names = path.map((each) =>
      list.isPython && each !== "$client" ? list.casing.camel(each) : each
    );
    resourceAt(root, names).methods.push(methodOf(method, list));
  }
  for (const { titles, types } of sections) {
    if (types.length === 0) continue;
    const { models } = resourceAt(root, namesOf(root, titles));
    for (const type of types) models.set(type, undefined);
  }
  return [...root.children.values()].map(shapeOf);
}

function resourceAt(root: Collected, names: readonly string[]): Collected {
  let at = root;
  for (const name of names) {
    const next = at.children.get(name) ??
      { name, methods: [], models: new Map(), children: new Map() };
    at.children.set(name, next);
    at = next;
  }
  return at;
}

/** Returns the names of resources whose headings are known: `FineTuning` is `fineTuning`. */
function namesOf(root: Collected, titles: readonly string[]): string[] {
  let at: Collected | undefined = root;
  return titles.map((title, index) => {
    if (index === 0 && /^Shared(?: (?:Params |Response )?Types)?$/.test(title)) return "$shared";
    const wanted = title.replaceAll(" ", "").toLowerCase();
    const child: Collected | undefined = [...at?.children.values() ?? []].find(({ name }) =>
      name.toLowerCase() === wanted
    );
    at = child;
    if (child !== undefined) return child.name;
    // `IPLists` is `ipLists`, and `Chat` is `chat`.
    const start = /^(?:[A-Z]+(?=[A-Z][a-z])|[A-Z]+)/;
    return title.replaceAll(" ", "").replace(start, (capitals) => capitals.toLowerCase());
  });
}

function shapeOf({ name, methods, models, children }: Collected): ResourceShape {
  return { name, methods, models, resources: [...children.values()].map(shapeOf) };
}

function methodOf({ operation, name, args, result }: Line, list: List): MethodShape {
  const type = /^(\w+)(?: \| null)?$/.exec(result)?.[1];
  const generic = /^(?:Sync|Async)(\w+)\[/.exec(result)?.[1];
  const isPage = generic !== undefined || (type !== undefined && isPageType(type, list));
  const { positional, body } = argumentsOf(args, operation!);
  return {
    name: list.isPython ? list.casing.camel(name) : name,
    operation: operation!,
    positional,
    page: isPage ? generic ?? "auto" : undefined,
    bodyParameter: body,
    // An API can have a type of such a name, too.
    isResponse: type !== undefined && RAW.has(type) && !list.types.has(type) || undefined,
    resultType: type === undefined || PLAIN.has(type) && !list.types.has(type) ? undefined : type,
  };
}

/** Reports if a result is a page: the types of pages are not listed. */
function isPageType(type: string, { types, isComplete }: List): boolean {
  if (types.has(type) || PLAIN.has(type)) return false;
  if (/(?:Page|Pagination|Cursor)(?![a-z])/.test(type)) return true;
  // Other classes of pages follow the name of their items. A list can also lack a type by mistake.
  return isComplete && !type.endsWith("Response") &&
    [...types].some((each) => type.length > each.length && type.startsWith(each));
}

/** Returns the path parameters that are arguments of their own, and the parameter with the whole body. */
function argumentsOf(
  args: string,
  operation: string,
): { readonly positional: readonly string[]; readonly body: string | undefined } {
  const parameters = [...operation.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
  const [, start, rest] = /^((?:\w+\??(?:, |$))*)(.*)$/.exec(args)!;
  const names = start!.split(", ").filter((each) => each !== "").map((each) =>
    each.replace("?", "")
  );
  const found = names.map((name) => parameters.find((each) => lettersOf(each) === lettersOf(name)));
  const isRenamed = found.includes(undefined) && names.length === parameters.length;
  return {
    positional: isRenamed ? parameters : found.filter((each) => each !== undefined),
    body: /^\[ ?\.\.\.(\w+) ?\]/.exec(rest!)?.[1],
  };
}

/** Returns the letters and digits of a name, by which `fileID` and `file_id` are the same. */
function lettersOf(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}
