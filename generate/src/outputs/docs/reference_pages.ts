/** Prints the pages of a reference. */

import type { Guide } from "../../guide/mod.ts";
import { nameOf } from "../../algebra/groups.ts";
import type { Declaration, Method, MethodGroup, Parameter } from "../../model/mod.ts";
import { exampleCall } from "../../print/example_call.ts";
import { Imports } from "../../print/imports.ts";
import { code, codeBlock, documentText, firstLine } from "../../print/markdown.ts";
import { argumentsOf, signatureOf, signatureType, withoutFallbacks } from "../../print/methods.ts";
import { printDeclaration } from "../../print/types.ts";
import { withoutBraces } from "./errors_text.ts";
import { folderOf, relativePath } from "./paths.ts";
import {
  groupHeading,
  groupText,
  INDEX,
  isOfGroup,
  methodHeading,
  type Page,
  type Reference,
} from "./reference.ts";
import { linkTo, objectIn, tagOf, TypeText } from "./type_text.ts";

/** The page that is being printed. */
interface PagePlace {
  readonly reference: Reference;
  readonly page: Page;
  readonly guide: Guide;
  readonly text: TypeText;
  /** The link to the README. */
  readonly readme: string;
}

/**
 * Prints a reference.
 *
 * @param readme The path of the README from the folder of the reference
 * @returns The texts of the pages by their paths
 */
export function printReference(
  reference: Reference,
  { readme, guide }: { readonly readme: string; readonly guide: Guide },
): Map<string, string> {
  const pages = new Map(reference.pages.map((page) => {
    const { path } = page;
    const place: PagePlace = {
      ...{ reference, page, guide },
      text: new TypeText(reference, path),
      readme: folderOf(path) === "" ? readme : `../${readme}`,
    };
    return [path, printPage(place)];
  }));
  if (!pages.has(INDEX)) pages.set(INDEX, printIndex(reference, readme));
  return pages;
}

/** Prints the page that leads to all others. */
function printIndex({ model, pages, methods, groups }: Reference, readme: string): string {
  const parts = [`# Reference of ${model.client.className}`, introOf(readme)];
  for (const group of pages.flatMap((page) => page.groups)) {
    const place = groups.get(group.path.join("."))!;
    const about = firstLine(groupText(group));
    const lines = group.methods.map((method) => {
      const name = nameOf(group, method);
      const text = firstLine(method.comment.text);
      return `- [${code(`client.${name}`)}](${linkTo(methods.get(name)!, INDEX)})${
        text === "" ? "" : `: ${text}`
      }`;
    });
    parts.push(
      `## [${groupHeading(group)}](${linkTo(place, INDEX)})`,
      ...about === "" ? [] : [about],
      lines.join("\n"),
    );
  }
  const ofTypes = pages.filter((page) => page.groups.length === 0);
  if (ofTypes.length > 0) {
    const lines = ofTypes.map(({ path, title, types }) =>
      `- [${title}](${path}), from ${code(types[0]!.name)} to ${code(types.at(-1)!.name)}`
    );
    parts.push("## Types of several groups", lines.join("\n"));
  }
  return `${parts.join("\n\n")}\n`;
}

function introOf(readme: string): string {
  return `The methods of \`client\` and the types of the package. The [README](${readme}) shows how to ` +
    "make a client, and what all calls have in common.";
}

/** Prints a page with methods and types. */
function printPage(place: PagePlace): string {
  const { page: { path, title, groups, types }, readme } = place;
  const isWhole = path === INDEX;
  const index = relativePath(folderOf(path), INDEX);
  const parts = [
    `# ${title}`,
    isWhole ? introOf(readme) : `[All methods](${index}) · [README](${readme})`,
    contentsOf(place),
    ...groups.flatMap((group) => printGroup(group, place)),
    ...types.length > 0 && groups.length > 0 ? ["## Types"] : [],
    ...types.flatMap((each) => printType(each, place)),
  ];
  return `${parts.filter((each) => each !== "").join("\n\n")}\n`;
}

/** Returns the links to the methods of a page, a line for each group. */
function contentsOf({ page, reference: { methods } }: PagePlace): string {
  return page.groups.map((group) => {
    const list = group.methods.map((method) => {
      const name = nameOf(group, method);
      return `[${code(name)}](${linkTo(methods.get(name)!, page.path)})`;
    });
    return `- ${list.join(", ")}`;
  }).join("\n");
}

function printGroup(group: MethodGroup, place: PagePlace): string[] {
  return [
    isOfGroup(place.page) ? "" : `## ${groupHeading(group)}`,
    documentText(groupText(group)),
    ...group.methods.flatMap((method) => printMethod(group, method, place)),
  ];
}

function printMethod(group: MethodGroup, method: Method, place: PagePlace): string[] {
  const { comment, verb } = method;
  const { text } = place;
  const isDeprecated = comment.tags.some(([tag]) => tag === "deprecated");
  const reason = tagOf(comment, "deprecated");
  const path = method.path.map((part) => typeof part === "string" ? part : `{${part.argument}}`)
    .join("");
  const lists = [
    listOf("Parameters", parameterLines(method, text)),
    listOf("Errors", errorLines(method, place)),
  ];
  const program = exampleCall(nameOf(group, method), method);
  return [
    `### ${methodHeading(group, method)}`,
    codeBlock("ts", signaturesOf(group, method)),
    ...isDeprecated
      ? [`**Deprecated.** ${reason === undefined ? "" : documentText(reason)}`.trim()]
      : [],
    documentText(comment.text),
    ...lists.slice(0, 1),
    returnsLine(method, place),
    ...lists.slice(1),
    `Sends ${code(`${verb} ${path}`)}${securityText(method, place)}.`,
    ...program === undefined ? [] : [codeBlock("ts", program.code)],
  ].filter((each) => each !== "");
}

function listOf(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `**${title}**\n\n${lines.join("\n")}`;
}

/** Returns the signatures of a method: one, or one for its result and one for its stream. */
function signaturesOf(group: MethodGroup, method: Method): string {
  // The names are shown, not imported.
  const place = { toolkit: "toolkit", imports: new Imports("./") };
  const args = withoutFallbacks(argumentsOf(method, place));
  const { returns, streamed } = method.signature;
  const results = [returns, ...streamed === undefined ? [] : [streamed]];
  const name = methodHeading(group, method);
  const lines = results.map((each) =>
    signatureOf(name, args, signatureType(each, place)).replace(/^ {2}/gm, "")
  );
  const choice = method.stream?.choice?.name;
  return choice === undefined ? lines.join("\n") : lines.join(`\n// with ${choice}: true\n`);
}

/** Returns the lines of the parameters: those of the path, the body, and all others. */
function parameterLines(method: Method, text: TypeText): string[] {
  const { pathParameters, body, parameters, params, signature } = method;
  const names = new Map(
    params?.fields.map(({ property, parameter }) => [parameter.name, property]),
  );
  const hasOwnArgument = (name: string) =>
    signature.arguments.some((each) => each.role === "path" && each.name === name);
  const lineOf = (each: Parameter) => {
    const { name, type, required, comment, place } = each;
    const isOwn = place === "path" && hasOwnArgument(name);
    const shown = isOwn ? name : `${paramsName(method)}.${names.get(name) ?? name}`;
    const notes = [...required ? [] : ["optional"], ...place === "header" ? ["header"] : []];
    return text.item({ name: shown, type, notes, comment });
  };
  const bodyLines = body === undefined ? [] : bodyOf(method, text);
  return [
    ...pathParameters.flatMap(lineOf),
    ...bodyLines,
    ...parameters.flatMap(lineOf),
  ];
}

/** Returns the name of the argument with the object of parameters. */
function paramsName({ signature }: Method): string {
  return signature.arguments.find(({ role }) => role === "params")?.name ?? "params";
}

function bodyOf(method: Method, text: TypeText): string[] {
  const { body, params, signature } = method;
  const { type, required, comment } = body!;
  const notes = required ? [] : ["optional"];
  const own = signature.arguments.find(({ role }) => role === "body");
  if (own !== undefined) return text.item({ name: own.name, type, notes, comment });
  const name = paramsName(method);
  if (typeof params?.body === "object") {
    return text.item({ name: `${name}.${params.body.property}`, type, notes, comment });
  }
  // The properties of the body are those of the object of parameters.
  const object = objectIn(type);
  return object === undefined
    ? text.item({ name, type, notes, comment })
    : object.properties.flatMap((each) => text.property({ ...each, name: `${name}.${each.name}` }));
}

/** Returns what a method returns. */
function returnsLine(
  { result, pages, stream }: Method,
  { reference, text, readme, guide }: PagePlace,
): string {
  const section = (title: string, shown: string) =>
    guide.sections.some((each) => each.title === title)
      ? `[${shown}](${readme}#${title.toLowerCase()})`
      : shown;
  // The stream of a client with resources has the data alone.
  const hasEvents = stream?.format === "events" && reference.model.form === "classes";
  const streamed = stream === undefined
    ? ""
    : `a ${section("Streams", "stream")} of ${hasEvents ? "events, whose `data` is " : ""}` +
      text.type(stream.item);
  const chosen = stream?.choice === undefined || streamed === ""
    ? ""
    : `; with \`${stream.choice.name}: true\`, ${streamed}`;
  if (pages !== undefined) {
    return `**Returns** ${section("Pages", "pages")} of ${text.type(pages.item)}${chosen}.`;
  }
  switch (result.kind) {
    case "json":
      return `**Returns** ${text.type(result.type)}${chosen}.`;
    case "text":
      return `**Returns** a string${chosen}.`;
    case "bytes":
      return `**Returns** ${
        section("Downloads", "the response")
      }, whose body is not read yet${chosen}.`;
    case "stream":
      return `**Returns** ${streamed}.`;
    case "void":
      return "";
    default:
      return `**Returns** the response${chosen}.`;
  }
}

/** Returns the lines of the errors that an operation states. */
function errorLines({ comment, errors }: Method, { reference, text }: PagePlace): string[] {
  const stated = comment.tags.flatMap(([tag, content]) =>
    tag === "throws" ? [withoutBraces(content)] : []
  );
  const all = stated.length > 0
    ? stated
    : errors.map(({ status, className }) => ({ className, text: String(status) }));
  const { client, errors: classes } = reference.model;
  return all.map(({ className, text: when }) => {
    const isOther = className === "APIError" && when.startsWith("Otherwise");
    // The classes of all other statuses have the same data.
    const shown = isOther
      ? [...errors, ...client.errors].find(({ status }) =>
        !all.some((each) => each.text.startsWith(String(status)))
      )?.className
      : className;
    const data = classes.find((each) => each.className === shown)?.data;
    const typed = data === undefined ? "" : ` with ${text.type(data)} as \`data\``;
    const [, status = "", reason = ""] = /^(Otherwise|\w{3})(?:: ([^]*))?$/.exec(when) ?? [];
    const start = status === "Otherwise" ? "any other status" : status;
    return `- ${start}: ${code(className)}${typed}${reason === "" ? "" : `. ${firstLine(reason)}`}`;
  });
}

function securityText(
  { security }: Method,
  { reference: { model: { client } }, guide, readme }: PagePlace,
): string {
  const required = security ?? client.security ?? [];
  if (required.length === 0 || client.schemes.length === 0) return "";
  const texts = required.map((names) => names.map((each) => code(each)).join(" and "));
  const shown = texts.map((each) => each === "" ? "none" : each).join(" or ");
  const isShown = guide.sections.some(({ title }) => title === "Authentication");
  const link = isShown ? `[credentials](${readme}#authentication)` : "credentials";
  return `, with the ${link} ${shown}`;
}

/** Prints a type with its fields. */
function printType(declaration: Declaration, { text }: PagePlace): string[] {
  const { name, type, comment, model } = declaration;
  const about = documentText(comment.text);
  const deprecated = comment.tags.some(([tag]) => tag === "deprecated") ? "**Deprecated.**" : "";
  const head = [`### ${name}`, deprecated, about];
  if (model !== undefined) {
    return [...head, model.fields.flatMap((each) => text.field(each)).join("\n")];
  }
  const object = type.kind === "object" ? type : undefined;
  if (object !== undefined && (object.properties.length > 0 || object.extends !== undefined)) {
    const bases = (object.extends ?? []).map((base) =>
      text.type({ kind: "reference", name: base })
    );
    return [
      ...head,
      bases.length === 0 ? "" : `It has the fields of ${bases.join(" and ")}, too.`,
      text.properties(object).join("\n"),
    ];
  }
  const plain = printDeclaration({ name, type, comment: { text: "", tags: [] } });
  const links = text.links(type);
  return [
    ...head,
    codeBlock("ts", plain.replace(/^export /, "")),
    links === "" ? "" : `See ${links}.`,
  ];
}
