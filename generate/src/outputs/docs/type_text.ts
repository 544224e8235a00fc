/** Types in Markdown: as code with links, and the fields of objects as lists. */

import { addReferences } from "../../algebra/references.ts";
import type { Comment, ModelField, ObjectType, Property, Type } from "../../model/mod.ts";
import { code, documentText } from "../../print/markdown.ts";
import { flatType } from "../../print/types.ts";
import { folderOf, relativePath } from "./paths.ts";
import type { Place, Reference } from "./reference.ts";

/** The most characters of a type in a line. */
const MAX_LENGTH = 160;

/** The most links behind a type in a line. */
const MAX_LINKS = 8;

/** The most objects inside of each other whose fields are listed. */
const MAX_DEPTH = 5;

/** Returns the link to a place from a page. */
export function linkTo({ path, anchor }: Place, page: string): string {
  return path === page ? `#${anchor}` : `${relativePath(folderOf(page), path)}#${anchor}`;
}

/** Prints types on a page. */
export class TypeText {
  readonly #reference: Reference;
  readonly #page: string;

  constructor(reference: Reference, page: string) {
    this.#reference = reference;
    this.#page = page;
  }

  /** Returns a type as code. If it names one other type, it is a link; if several, links follow it. */
  type(type: Type): string {
    const text = shortText(type);
    const links = objectIn(type) === undefined ? this.#links(type) : [];
    const [first] = links;
    if (first === undefined || links.length > MAX_LINKS) return code(text);
    return links.length === 1 ? `[${code(text)}](${first[1]})` : `${code(text)} (${shown(links)})`;
  }

  /** Returns links to the types that a type names; empty if there are none. */
  links(type: Type): string {
    return shown(this.#links(type));
  }

  #links(type: Type): (readonly [name: string, link: string])[] {
    const names = new Set<string>();
    addReferences(type, (name) => names.add(name));
    return [...names].flatMap((name) => {
      const place = this.#reference.types.get(name);
      return place === undefined ? [] : [[name, linkTo(place, this.#page)] as const];
    });
  }

  /** Returns the lines of the properties of an object, with those of objects in them. */
  properties({ properties, additional }: ObjectType, indent = "", depth = 0): string[] {
    return [
      ...properties.flatMap((each) => this.property(each, indent, depth)),
      ...additional === undefined
        ? []
        : [`${indent}- any other property: ${this.type(additional)}`],
    ];
  }

  /** Returns the lines of a property. */
  property(
    { name, type, optional, readonly, comment }: Property,
    indent = "",
    depth = 0,
  ): string[] {
    const notes = [
      ...optional ? ["optional"] : [],
      ...readonly === true ? ["only in responses"] : [],
    ];
    return this.item({ name, type, notes, comment }, indent, depth);
  }

  /** Returns the lines of a field of a model class. */
  field({ property, type, optional, comment }: ModelField): string[] {
    return this.item({ name: property, type, notes: optional ? ["optional"] : [], comment });
  }

  /** Returns the lines of an item: its name, its type, what else there is to know, and its fields. */
  item(
    { name, type, notes, comment }: {
      readonly name: string;
      readonly type: Type;
      readonly notes: readonly string[];
      readonly comment: Comment;
    },
    indent = "",
    depth = 0,
  ): string[] {
    const fallback = tagOf(comment, "default");
    const isDeprecated = comment.tags.some(([tag]) => tag === "deprecated");
    const all = [
      this.type(type),
      ...notes,
      ...fallback === undefined ? [] : [`default ${code(fallback)}`],
      ...isDeprecated ? ["deprecated"] : [],
    ];
    const text = documentText(comment.text);
    const [first = "", ...others] = text.split("\n");
    const start = `${indent}- ${code(name)} (${all.join(", ")})`;
    const inner = `${indent}  `;
    const object = depth < MAX_DEPTH ? objectIn(type) : undefined;
    return [
      first === "" ? start : `${start}: ${first}`,
      ...others.map((line) => line === "" ? "" : inner + line),
      ...object === undefined ? [] : this.properties(object, inner, depth + 1),
    ];
  }
}

function shown(links: readonly (readonly [name: string, link: string])[]): string {
  return links.map(([name, link]) => `[${code(name)}](${link})`).join(", ");
}

/** Returns the text of a tag, without the braces in which some have it. */
export function tagOf({ tags }: Comment, name: string): string | undefined {
  const text = tags.find(([tag]) => tag === name)?.[1];
  return text === undefined || text === "" ? undefined : text.replace(/^\{(.*)\}$/, "$1");
}

/** Returns the object without a name that a type is, or of which it is a list. */
export function objectIn(type: Type): ObjectType | undefined {
  if (type.kind === "object") return type.properties.length === 0 ? undefined : type;
  if (type.kind === "array") return objectIn(type.items);
  if (type.kind !== "union") return undefined;
  const others = type.members.filter(({ kind }) => kind !== "null" && kind !== "undefined");
  return others.length === 1 ? objectIn(others[0]!) : undefined;
}

/** Returns a type on one line, with `object` for one whose fields are listed. */
function shortText(type: Type): string {
  if (objectIn(type) !== undefined) {
    if (type.kind === "array") return `${shortText(type.items)}[]`;
    if (type.kind === "object") return "object";
    const members = type.kind === "union" ? type.members : [];
    return members.map((each) => objectIn(each) === undefined ? flatType(each) : shortText(each))
      .join(" | ");
  }
  const text = flatType(type);
  if (text.length <= MAX_LENGTH) return text;
  if (type.kind === "union") {
    const members = type.members.map(flatType);
    let shown = 0;
    for (let length = 0; shown < members.length; shown++) {
      length += members[shown]!.length + " | ".length;
      if (length > MAX_LENGTH) break;
    }
    if (shown > 0) return `${members.slice(0, shown).join(" | ")} | … (${members.length})`;
  }
  return `${text.slice(0, MAX_LENGTH)}…`;
}
