/** The schemas with a name of their own: components, and targets of other references. */

import { type Node, placeOf, type Source } from "../../read/source.ts";
import { pascalCase, type TypeNames } from "../../names/type_names.ts";
import type { Direction } from "../../model/mod.ts";

/** A schema with a name of its own. */
export interface NamedSchema {
  readonly node: Node;
  /** The key in the components of the document; undefined for other targets of references. */
  readonly key: string | undefined;
  /** The name of the type, which is that of responses if there are several. */
  readonly name: string;
  /** The name of the type in requests, if a property is `readOnly` or `writeOnly`. */
  readonly requestName: string | undefined;
  /** The name of the type in multipart bodies, if a property is binary. */
  readonly multipartName: string | undefined;
}

/** A type of a named schema. */
export interface Variant {
  readonly name: string;
  readonly direction: Direction;
}

/** The references of a named schema, and its parts. */
interface Links {
  /** All that it refers to. */
  readonly all: Set<NamedSchema>;
  /** The parts of its type by `$ref` and `allOf`. */
  readonly parents: Set<NamedSchema>;
  /** The parts of its type by `oneOf` and `anyOf`. */
  readonly members: Set<NamedSchema>;
  isSplit: boolean;
  hasBinary: boolean;
}

/** Numbers of schemas that are in a circle together. */
interface Circles {
  /** By all references outside of properties and items. */
  readonly ofLinks: ReadonlyMap<NamedSchema, number>;
  /** By what their types consist of. */
  readonly ofTypes: ReadonlyMap<NamedSchema, number>;
}

interface MutableNamed extends NamedSchema {
  name: string;
  requestName: string | undefined;
  multipartName: string | undefined;
}

/** How deep a schema is followed. Deeper parts are taken as unknown. */
export const MAX_DEPTH = 100;

/** Keywords whose values are schemas by any name. */
const mapsOfSchemas: readonly string[] = ["properties", "patternProperties"];

/** Keywords whose values are schemas, or lists of schemas, that are part of the type. */
const innerSchemas: readonly string[] = [
  "items",
  "prefixItems",
  "additionalProperties",
  "unevaluatedProperties",
];

/** The names that a configuration gives to schemas, by their places. */
export type StatedNames = ReadonlyMap<
  string,
  {
    readonly node: Node;
    readonly name: string;
    /** The name, if another schema has that one. */
    readonly longName: string;
  }
>;

/** Finds the schemas with names of a document, names them, and knows how they depend on each other. */
export class SchemaIndex {
  /** The schemas of the document's components, in their order. */
  readonly components: readonly NamedSchema[];
  /** The schemas that a configuration names. */
  readonly stated: ReadonlySet<NamedSchema>;
  /** The schemas that are model classes. */
  readonly models: ReadonlySet<NamedSchema> = new Set();
  readonly #source: Source;
  readonly #names: TypeNames;
  readonly #byPlace = new Map<string, MutableNamed>();
  readonly #targets = new Map<string, Node | null>();
  readonly #links = new Map<NamedSchema, Links>();
  #circles: Circles | undefined;

  /**
   * @param isXml True to find the schemas of XML, which become models
   * @param stated The names that a configuration gives to schemas
   */
  constructor(source: Source, names: TypeNames, isXml: boolean, stated: StatedNames) {
    this.#source = source;
    this.#names = names;
    this.stated = new Set(
      Array.from(stated.values(), ({ node, name, longName }) => {
        const isComponent = /^#\/components\/schemas\/[^/]+$/.test(node.pointer);
        const key = isComponent ? unescape(node.pointer.split("/").at(-1)!) : undefined;
        return this.#add(node, key, names.has(name) ? longName : name);
      }),
    );
    this.components = this.#addComponents();
    for (const { node, wanted } of this.#otherTargets()) this.#add(node, undefined, wanted);
    // Names depend on the document's keys, not on their order.
    const all = [...this.#byPlace.values()].sort((a, b) => compare(a.name, b.name));
    for (const schema of new Set(all)) this.#link(schema);
    if (isXml) this.#findModels();
    this.#spread("isSplit");
    this.#spread("hasBinary");
    for (const schema of new Set(all)) this.#nameVariants(schema);
  }

  /** Returns the schema that a reference names; undefined if there is none. Reports nothing. */
  target(from: Node, reference: string): NamedSchema | undefined {
    const node = this.#node(from, reference);
    if (node === undefined) return undefined;
    const known = this.#byPlace.get(placeOf(node));
    if (known !== undefined) return known;
    // A mapping of a discriminator can name a schema that nothing refers to.
    const added = this.#add(node, undefined, wantedName(reference));
    const links = this.#link(added);
    for (const each of links.all) {
      links.isSplit ||= this.#links.get(each)?.isSplit === true;
      links.hasBinary ||= this.#links.get(each)?.hasBinary === true;
    }
    this.#nameVariants(added);
    return added;
  }

  /** Returns the schema at a place that a configuration names. */
  statedAt(place: string): NamedSchema | undefined {
    const found = this.#byPlace.get(place);
    return found !== undefined && this.stated.has(found) ? found : undefined;
  }

  /** Returns the type of a schema for a direction. */
  variant(schema: NamedSchema, direction: Direction): Variant {
    const { name, requestName = name, multipartName } = schema;
    if (direction === "multipart" && multipartName !== undefined) {
      return { name: multipartName, direction };
    }
    return direction === "response" || requestName === name
      ? { name, direction: "response" }
      : { name: requestName, direction: "request" };
  }

  /** Reports if the type of `from`, which consists of `to`, would contain itself. */
  isCircular(from: NamedSchema, to: NamedSchema): boolean {
    const { ofTypes } = this.#circlesNow();
    return from === to || ofTypes.get(from) === ofTypes.get(to);
  }

  /** Returns the schemas whose types would contain each other, with the given one. */
  circleOf(schema: NamedSchema): NamedSchema[] {
    const { ofTypes } = this.#circlesNow();
    return [...ofTypes].filter(([, circle]) => circle === ofTypes.get(schema)).map(([each]) =>
      each
    );
  }

  /**
   * Reports if `parent` is a union of schemas that extend it, and `child` is one of them. What the
   * child extends is then the parent without its union.
   */
  isMemberOf(child: NamedSchema, parent: NamedSchema): boolean {
    const { ofLinks } = this.#circlesNow();
    const circle = ofLinks.get(child);
    return [...this.#linksOf(parent).members].some((member) => ofLinks.get(member) === circle);
  }

  /** Reports if a schema directly extends another by `allOf`. */
  isChildOf(child: NamedSchema, parent: NamedSchema): boolean {
    return this.#linksOf(child).parents.has(parent);
  }

  /** Reports if a property is left out of a direction: `readOnly` of requests, and so on. */
  isLeftOut(property: Node, direction: Direction): boolean {
    const flag = direction === "response" ? "writeOnly" : "readOnly";
    return this.#hasFlag(property, flag, 0);
  }

  #linksOf(schema: NamedSchema): Links {
    return this.#links.get(schema)!;
  }

  /** Returns the circles of schemas, which change with each schema that is added. */
  #circlesNow(): Circles {
    if (this.#circles !== undefined) return this.#circles;
    const schemas = [...this.#links.keys()];
    const ofLinks = circlesOf(schemas, (each) => {
      const { parents, members } = this.#linksOf(each);
      return [...parents, ...members];
    });
    const isMember = (child: NamedSchema, parent: NamedSchema) =>
      [...this.#linksOf(parent).members].some((each) => ofLinks.get(each) === ofLinks.get(child));
    const ofTypes = circlesOf(schemas, (each) => {
      const { parents, members } = this.#linksOf(each);
      const bases = [...parents].flatMap((parent) =>
        isMember(each, parent) ? [...this.#linksOf(parent).parents] : [parent]
      );
      return [...members, ...bases];
    });
    return this.#circles = { ofLinks, ofTypes };
  }

  #addComponents(): NamedSchema[] {
    const { root } = this.#source;
    const components = this.#source.child(root, "components");
    const schemas = components && this.#source.child(components, "schemas");
    const nodes = schemas === undefined || !isRecord(schemas.value)
      ? []
      : [...this.#source.children(schemas)];
    const byKey = new Map<string, MutableNamed>();
    // A key that is a name already keeps it.
    const order = (key: string) => `${pascalCase(key) === key ? 0 : 1}${key}`;
    for (const [key, node] of nodes.toSorted(([a], [b]) => compare(order(a), order(b)))) {
      byKey.set(key, this.#add(node, key, key));
    }
    // A component that only refers to another file gives its name to the schema there.
    for (const [key, schema] of [...byKey]) {
      const { value } = schema.node;
      const reference = referenceOf(value);
      if (reference === undefined) continue;
      const isAlone = Object.keys(value as object).length === 1;
      const target = isAlone && this.#node(schema.node, reference);
      if (!target || this.#byPlace.has(placeOf(target))) continue;
      const moved: MutableNamed = { ...schema, node: target };
      this.#byPlace.set(placeOf(target), moved);
      this.#byPlace.set(placeOf(schema.node), moved);
      byKey.set(key, moved);
    }
    return nodes.map(([key]) => byKey.get(key)!);
  }

  /**
   * Finds the objects in bodies of XML, if there are hints for XML in them. Requests take plain
   * objects for a model, so that its type is another one there.
   */
  #findModels(): void {
    const found = new Set<NamedSchema>();
    const seen = new Set<unknown>();
    const stack: (readonly [value: unknown, file: number])[] = [[
      this.#source.root.value,
      this.#source.root.file,
    ]];
    const addSchema = (schema: unknown, file: number): void => {
      if (!isRecord(schema)) return;
      const reference = referenceOf(schema) ?? referenceOf(schema.items);
      const node = reference === undefined
        ? undefined
        : this.#node({ value: schema, file, pointer: "#" }, reference);
      const named = node && this.#byPlace.get(placeOf(node));
      if (named !== undefined) found.add(named);
    };
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const [value, file] = top;
      if (typeof value !== "object" || value === null || seen.has(value)) continue;
      seen.add(value);
      const { content } = value as { readonly content?: unknown };
      if (isRecord(content)) {
        for (const [type, media] of Object.entries(content)) {
          if (/[/+]xml\b/i.test(type) && isRecord(media)) addSchema(media.schema, file);
        }
      }
      for (const each of Object.values(value)) stack.push([each, file]);
    }
    for (const schema of found) for (const each of this.#linksOf(schema).all) found.add(each);
    if (![...found].some(({ node }) => hasXmlHints(node.value))) return;
    for (const schema of found) {
      if (!isPlainObject(schema.node.value)) continue;
      (this.models as Set<NamedSchema>).add(schema);
      this.#linksOf(schema).isSplit = true;
    }
  }

  #add(node: Node, key: string | undefined, wanted: string): MutableNamed {
    const place = placeOf(node);
    const known = this.#byPlace.get(place);
    if (known !== undefined) return known;
    const name = this.#names.take(wanted);
    const added = { node, key, name, requestName: undefined, multipartName: undefined };
    this.#byPlace.set(place, added);
    return added;
  }

  /** Returns the targets of references that name something else than components, in the order of their names. */
  #otherTargets(): Iterable<{ readonly node: Node; readonly wanted: string }> {
    const { root } = this.#source;
    const found = new Map<string, { node: Node; wanted: string; order: string }>();
    const seen = new Set<unknown>();
    const stack: (readonly [value: unknown, file: number])[] = [[root.value, root.file]];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const [value, file] = top;
      if (typeof value !== "object" || value === null || seen.has(value)) continue;
      seen.add(value);
      if (Array.isArray(value)) {
        for (const each of value) if (typeof each === "object") stack.push([each, file]);
        continue;
      }
      const record = value as Readonly<Record<string, unknown>>;
      for (const reference of referencesOf(record)) {
        if (isPlainComponent(reference, file === root.file)) continue;
        const node = this.#node({ value, file, pointer: "#" }, reference);
        if (node !== undefined) {
          const wanted = wantedName(reference);
          const order = `${wanted} ${reference}`;
          const place = placeOf(node);
          const known = found.get(place);
          if (known === undefined || order < known.order) found.set(place, { node, wanted, order });
          stack.push([node.value, node.file]);
        }
      }
      for (const key in record) {
        // Examples are much of a document, and have no schemas.
        if (key === "example" || key === "examples") continue;
        if (typeof record[key] === "object") stack.push([record[key], file]);
      }
    }
    return [...found.values()].sort((a, b) => compare(a.order, b.order));
  }

  #node(from: Node, reference: string): Node | undefined {
    const key = `${from.file} ${reference}`;
    let node = this.#targets.get(key);
    if (node === undefined) {
      node = this.#source.target(from, reference) ?? null;
      this.#targets.set(key, node);
    }
    return node ?? undefined;
  }

  /** Finds out what a schema refers to. */
  #link(schema: NamedSchema): Links {
    const links: Links = {
      all: new Set(),
      parents: new Set(),
      members: new Set(),
      isSplit: false,
      hasBinary: false,
    };
    this.#links.set(schema, links);
    this.#circles = undefined;
    const { file } = schema.node;
    // An object of YAML can stand in several places.
    const seen = { parent: new Set(), member: new Set(), inner: new Set() };
    const visit = (value: unknown, place: "parent" | "member" | "inner", depth: number): void => {
      if (!isRecord(value) || depth > MAX_DEPTH || seen[place].has(value)) return;
      seen[place].add(value);
      const reference = referenceOf(value);
      if (reference !== undefined) {
        const node = this.#node({ value, file, pointer: "#" }, reference);
        const to = node && this.#byPlace.get(placeOf(node));
        if (to !== undefined) {
          links.all.add(to);
          if (place !== "inner") links[place === "parent" ? "parents" : "members"].add(to);
        }
      }
      if (isBinary(value)) links.hasBinary = true;
      for (const each of asList(value.allOf)) visit(each, place, depth + 1);
      const inUnion = place === "parent" ? "member" : place;
      for (const each of asList(value.oneOf)) visit(each, inUnion, depth + 1);
      for (const each of asList(value.anyOf)) visit(each, inUnion, depth + 1);
      for (const keyword of mapsOfSchemas) {
        const schemas = value[keyword];
        if (!isRecord(schemas)) continue;
        for (const name in schemas) {
          const property = { value: schemas[name], file, pointer: "#" };
          links.isSplit ||= this.#hasFlag(property, "readOnly", 0) ||
            this.#hasFlag(property, "writeOnly", 0);
          visit(schemas[name], "inner", depth + 1);
        }
      }
      for (const keyword of innerSchemas) {
        for (const each of asList(value[keyword])) visit(each, "inner", depth + 1);
      }
    };
    visit(schema.node.value, "parent", 0);
    return links;
  }

  /** Gives a mark to all schemas that refer to one with the mark. */
  #spread(mark: "isSplit" | "hasBinary"): void {
    const users = new Map<NamedSchema, NamedSchema[]>();
    const queue: NamedSchema[] = [];
    for (const [schema, links] of this.#links) {
      if (links[mark]) queue.push(schema);
      for (const each of links.all) {
        const list = users.get(each);
        if (list === undefined) users.set(each, [schema]);
        else list.push(schema);
      }
    }
    for (const schema of queue) {
      for (const user of users.get(schema) ?? []) {
        const links = this.#linksOf(user);
        if (!links[mark]) queue.push(user);
        links[mark] = true;
      }
    }
  }

  #nameVariants(schema: NamedSchema): void {
    const { isSplit, hasBinary } = this.#linksOf(schema);
    const named = schema as MutableNamed;
    if (isSplit) named.requestName = this.#names.take(`${schema.name}Input`);
    if (hasBinary) named.multipartName = this.#names.take(`${schema.name}Form`);
  }

  /** Reports if a schema, or what it refers to, is `readOnly` or `writeOnly`. */
  #hasFlag(node: Node, flag: "readOnly" | "writeOnly", depth: number): boolean {
    const { value, file } = node;
    if (!isRecord(value) || depth > 5) return false;
    if (value[flag] === true) return true;
    const parts = asList(value.allOf).map((each) => ({ value: each, file, pointer: "#" }));
    const reference = referenceOf(value);
    const target = reference === undefined ? undefined : this.#node(node, reference);
    if (target !== undefined) parts.push(target);
    return parts.some((part) => this.#hasFlag(part, flag, depth + 1));
  }
}

/** Reports if a string schema holds bytes, which have no form of their own in JSON. */
export function isBinary(schema: Readonly<Record<string, unknown>>): boolean {
  const { format, type, contentMediaType, contentEncoding } = schema;
  if (type === "file") return true;
  const isString = type === undefined || type === "string" ||
    Array.isArray(type) && type.includes("string");
  return isString && (format === "binary" ||
    typeof contentMediaType === "string" && contentEncoding === undefined &&
      !/^(?:text\/|application\/(?:[^;]*\+)?(?:json|xml))/i.test(contentMediaType));
}

/** Returns the reference of a schema, if it has one. */
export function referenceOf(schema: unknown): string | undefined {
  if (!isRecord(schema)) return undefined;
  const { $ref, $dynamicRef } = schema;
  return typeof $ref === "string"
    ? $ref
    : typeof $dynamicRef === "string"
    ? $dynamicRef
    : undefined;
}

/** Returns the references of an object: its own, and those of a discriminator's mapping. */
function referencesOf(value: Readonly<Record<string, unknown>>): string[] {
  const reference = referenceOf(value);
  const references = reference === undefined ? [] : [reference];
  if (typeof value.propertyName === "string" && isRecord(value.mapping)) {
    for (const each of Object.values(value.mapping)) {
      if (typeof each === "string" && /[#./]/.test(each)) references.push(each);
    }
  }
  return references;
}

/** Reports if a value is an object of a document. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reports if a schema is an object with properties, and nothing else. */
function isPlainObject(schema: unknown): boolean {
  if (!isRecord(schema) || "oneOf" in schema || "anyOf" in schema || "enum" in schema) return false;
  return isRecord(schema.properties) || Array.isArray(schema.allOf) && schema.type !== "array";
}

/** Reports if a schema or a part of it has `xml`. */
function hasXmlHints(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return false;
  if (isRecord(value) && isRecord(value.xml)) return true;
  return Object.values(value).some((each) => hasXmlHints(each, depth + 1));
}

/** Returns a list as it is, nothing as an empty list, and anything else as a list of it. */
function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value];
}

/** Reports if a reference names a component: either a schema, which has its name, or no schema. */
function isPlainComponent(reference: string, isRoot: boolean): boolean {
  if (/^[^#]*#\/components\/(?!schemas\/)\w+\/[^/]+$/.test(reference)) return true;
  return isRoot && /^#\/(?:components\/schemas|paths)\/[^/]+$/.test(reference);
}

/** Returns a name for the target of a reference, from the end of its pointer or its file. */
function wantedName(reference: string): string {
  const [file = "", fragment = ""] = reference.split("#", 2);
  const parts = fragment.split("/").map(unescape).filter((part) =>
    part !== "" && !structural.has(part)
  );
  if (parts.some((part) => pascalCase(part) !== "")) return parts.slice(-4).join(" ");
  const name = file.split(/[/\\]/).at(-1) ?? "";
  return unescape(name.replace(/\.\w+$/, ""));
}

/** Parts of pointers that say nothing about the schema. */
const structural: ReadonlySet<string> = new Set(
  ("paths components schemas definitions $defs properties items content schema responses " +
    "requestBody allOf oneOf anyOf additionalProperties application/json").split(" "),
);

function unescape(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // A percent sign that begins no escape is just one.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

/**
 * Returns a number for each schema, which is the same for schemas that consist of each other
 * (Tarjan's strongly connected components, without recursion).
 */
function circlesOf(
  schemas: readonly NamedSchema[],
  parts: (schema: NamedSchema) => readonly NamedSchema[],
): ReadonlyMap<NamedSchema, number> {
  const circles = new Map<NamedSchema, number>();
  const orders = new Map<NamedSchema, number>();
  const lowest = new Map<NamedSchema, number>();
  const open: NamedSchema[] = [];
  for (const start of schemas) {
    if (orders.has(start)) continue;
    const walk: { schema: NamedSchema; next: Iterator<NamedSchema> }[] = [];
    const enter = (schema: NamedSchema): void => {
      orders.set(schema, orders.size);
      lowest.set(schema, orders.get(schema)!);
      open.push(schema);
      walk.push({ schema, next: parts(schema).values() });
    };
    enter(start);
    for (let top = walk.at(-1); top !== undefined; top = walk.at(-1)) {
      const { schema, next } = top;
      const { value: part, done } = next.next();
      const lower = (other: number) => lowest.set(schema, Math.min(lowest.get(schema)!, other));
      if (!done) {
        if (!orders.has(part)) enter(part);
        else if (!circles.has(part)) lower(orders.get(part)!);
        continue;
      }
      walk.pop();
      const above = walk.at(-1)?.schema;
      if (above !== undefined) {
        lowest.set(above, Math.min(lowest.get(above)!, lowest.get(schema)!));
      }
      if (lowest.get(schema) !== orders.get(schema)) continue;
      for (let each = open.pop()!;; each = open.pop()!) {
        circles.set(each, orders.get(schema)!);
        if (each === schema) break;
      }
    }
  }
  return circles;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
