/** Model classes for schemas of XML: their fields, with the names and namespaces of `xml`. */

import type { Node, Source } from "../../read/source.ts";
import { isRecord, MAX_DEPTH } from "./schema_index.ts";
import { unionOf } from "../../algebra/types.ts";
import type {
  ModelClass,
  ModelField,
  ModelValue,
  ObjectType,
  Property,
  Type,
} from "../../model/mod.ts";

/** The knowledge of the planner of types about a schema. */
export interface SchemaFacts {
  /** Returns the property of a schema, also of one that it extends. */
  propertyNode(schema: Node, name: string): Node | undefined;
  /** Returns the schema that another refers to, or the schema itself. */
  follow(schema: Node): Node;
  /** Returns the type that a reference names; other types as they are. */
  resolve(type: Type): Type;
  /** Reports if a declaration is a model class. */
  isModel(name: string): boolean;
  /** The properties of an object, also of those that it extends. */
  propertiesOf(type: Type): readonly Property[];
}

/** The `xml` of a schema. */
interface XmlHints {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly prefix?: string | undefined;
  readonly place: "attribute" | "element" | "text";
  readonly wrapped: boolean;
}

/** Members that a model class has itself. */
const members: ReadonlySet<string> = new Set(["constructor", "toJSON", "toJsonString"]);

/** Plans model classes. */
export class XmlModels {
  readonly #source: Source;
  readonly #facts: SchemaFacts;

  constructor(source: Source, facts: SchemaFacts) {
    this.#source = source;
    this.#facts = facts;
  }

  /**
   * Plans the model class of a schema.
   *
   * @param schema The schema
   * @param type Its type in responses
   * @param fallback The name of its element if `xml` has none: the key of the component
   */
  modelOf(schema: Node, type: Type, fallback: string): ModelClass {
    const { name, namespace, prefix } = this.#hintsOf(schema);
    const prefixes = new Map<string, string>();
    if (prefix !== undefined && namespace !== undefined) prefixes.set(prefix, namespace);
    const fields = this.#fieldsOf(schema, this.#facts.propertiesOf(type), prefixes, 0);
    return {
      tag: name ?? (isXmlName(fallback) ? fallback : "root"),
      namespace,
      prefixes: [...prefixes],
      fields,
    };
  }

  /** Returns the `xml` of a schema. A prefix that stands for no namespace is a problem of the document. */
  #hintsOf(schema: Node): XmlHints {
    const hints = hintsOf(schema.value);
    if (hints.prefix === undefined || hints.namespace !== undefined) return hints;
    const xml = this.#source.child(schema, "xml")!;
    this.#source.problem(
      this.#source.child(xml, "prefix")!,
      "schema",
      `the prefix ${JSON.stringify(hints.prefix)} has no namespace`,
      "written without the prefix",
    );
    return { ...hints, prefix: undefined };
  }

  #fieldsOf(
    schema: Node,
    properties: readonly Property[],
    prefixes: Map<string, string>,
    depth: number,
  ): ModelField[] {
    const fields: ModelField[] = [];
    for (const property of properties) {
      const node = this.#facts.propertyNode(schema, property.name);
      const field = node && this.#field(node, property, prefixes, depth);
      if (field !== undefined) fields.push(field);
      else {
        this.#source.problem(
          node ?? schema,
          "unsupported",
          `the values of ${JSON.stringify(property.name)} have no form in a model of XML`,
          "left out of the model",
        );
      }
    }
    return fields;
  }

  #field(
    node: Node,
    property: Property,
    prefixes: Map<string, string>,
    depth: number,
  ): ModelField | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const own = this.#hintsOf(node);
    const name = own.name ?? property.name;
    const { types, isNullable } = withoutEmpty(this.#facts.resolve(property.type), property.type);
    const add = ({ prefix, namespace }: XmlHints) => {
      if (prefix === undefined || namespace === undefined) return;
      const before = prefixes.get(prefix) ?? namespace;
      prefixes.set(prefix, before);
      if (before === namespace) return;
      this.#source.problem(
        node,
        "schema",
        `the prefix ${JSON.stringify(prefix)} stands for two namespaces in one element`,
        `used for ${JSON.stringify(before)}; the other one is written with a prefix of its own`,
      );
    };
    add(own);
    const array = types.kind === "array" ? types : undefined;
    const inner = array === undefined
      ? node
      : this.#source.child(this.#facts.follow(node), "items");
    if (inner === undefined) return undefined;
    const value = this.#valueOf(inner, array?.items ?? types, prefixes, depth);
    if (value === undefined) return undefined;
    const base = {
      property: members.has(property.name) ? `${property.name}_` : property.name,
      json: property.name,
      type: array === undefined
        ? property.type
        : unionOf([array, ...isNullable ? [{ kind: "null" } as const] : []]),
      comment: property.comment,
    };
    if (array === undefined || isNullable) {
      const one: ModelValue = array === undefined ? value : { kind: "list", of: value };
      return {
        ...base,
        place: placeOf(own, one),
        value: isNullable ? { kind: "nullable", of: one } : one,
        optional: property.optional,
        tag: name,
        namespace: own.namespace,
      };
    }
    const items = this.#hintsOf(inner);
    add(items);
    return { ...base, ...elementsOf(name, own, items), value, optional: false };
  }

  /** Returns the value type of a field; undefined if a model cannot have it in XML. */
  #valueOf(
    node: Node,
    type: Type,
    prefixes: Map<string, string>,
    depth: number,
  ): ModelValue | undefined {
    switch (type.kind) {
      case "string":
      case "number":
      case "boolean":
      case "bigint":
      case "date":
      case "dateOnly":
        return { kind: type.kind };
      case "openString":
        return { kind: "string" };
      case "openNumber":
        return { kind: "number" };
      case "literal":
        return type.value === null ? undefined : { kind: "literals", values: [type.value] };
      case "reference": {
        if (this.#facts.isModel(type.name)) return { kind: "model", name: type.name };
        const resolved = this.#facts.resolve(type);
        if (resolved.kind === "reference") return undefined;
        return this.#valueOf(this.#facts.follow(node), resolved, prefixes, depth + 1);
      }
      case "object":
        return this.#objectOf(this.#facts.follow(node), type, prefixes, depth);
      case "union":
        return enumOf(type.members.map((each) => this.#valueOf(node, each, prefixes, depth + 1)));
      default:
        return undefined;
    }
  }

  /** Returns the value of an object: fields, or members of any names. */
  #objectOf(
    schema: Node,
    type: ObjectType,
    prefixes: Map<string, string>,
    depth: number,
  ): ModelValue | undefined {
    if (type.additional === undefined) {
      const properties = this.#facts.propertiesOf(type);
      return { kind: "object", fields: this.#fieldsOf(schema, properties, prefixes, depth + 1) };
    }
    if (type.properties.length > 0) return undefined;
    const values = this.#source.child(schema, "additionalProperties") ?? schema;
    const of = this.#valueOf(values, type.additional, prefixes, depth + 1);
    return of && { kind: "record", of };
  }
}

/** Returns the value of a union of literals, and perhaps of any text; undefined for other unions. */
function enumOf(values: readonly (ModelValue | undefined)[]): ModelValue | undefined {
  const literals = values.flatMap((each) => each?.kind === "literals" ? each.values : []);
  const others = values.filter((each) => each?.kind !== "literals");
  if (others.length === 0) return { kind: "literals", values: literals };
  const isOpen = others.length === 1 && others[0]?.kind === "string" &&
    literals.every((each) => typeof each === "string");
  return isOpen ? { kind: "openEnum", values: literals as string[] } : undefined;
}

/** Returns the place of a field. What has elements in XML is neither an attribute nor a text. */
function placeOf({ place }: XmlHints, value: ModelValue): "attr" | "text" | "element" {
  if (value.kind === "list" || hasElements(value)) return "element";
  return place === "attribute" ? "attr" : place === "text" ? "text" : "element";
}

/** Returns the tags of a list. Without a name for the items, both tags have that of the array. */
function elementsOf(
  name: string,
  own: XmlHints,
  items: XmlHints,
): Pick<ModelField, "namespace" | "place" | "tag" | "within"> {
  const tag = items.name ?? name;
  return own.wrapped
    ? {
      ...{ place: "elements", tag, namespace: items.namespace },
      within: { name, namespace: own.namespace },
    }
    : { place: "elements", tag, namespace: items.namespace ?? own.namespace };
}

function hintsOf(value: unknown): XmlHints {
  const xml = isRecord(value) && isRecord(value.xml) ? value.xml : {};
  const { name, namespace, prefix, attribute, wrapped, nodeType } = xml;
  return {
    name: isXmlName(name) ? name : undefined,
    namespace: typeof namespace === "string" ? namespace : undefined,
    prefix: isXmlName(prefix) ? prefix : undefined,
    place: attribute === true || nodeType === "attribute"
      ? "attribute"
      : nodeType === "text" || nodeType === "cdata"
      ? "text"
      : "element",
    // Since 3.2, an array with an element of its own says so by its type of node.
    wrapped: wrapped === true || nodeType === "element",
  };
}

/** Reports if a text is a name of XML without a prefix. */
function isXmlName(text: unknown): text is string {
  return typeof text === "string" && /^[\p{L}_][\p{L}\p{N}\p{M}_.·-]*$/u.test(text);
}

/** Returns a type without null and undefined. A reference stays one if there is nothing to remove. */
function withoutEmpty(resolved: Type, type: Type): { types: Type; isNullable: boolean } {
  if (resolved.kind === "array") return { types: resolved, isNullable: false };
  if (resolved.kind !== "union") return { types: type, isNullable: false };
  const isNullable = resolved.members.some(({ kind }) => kind === "null");
  const members = resolved.members.filter(({ kind }) => kind !== "null" && kind !== "undefined");
  return { types: unionOf(members), isNullable };
}

/** Reports if a value has elements in XML, so that it is neither an attribute nor a text. */
function hasElements({ kind }: ModelValue): boolean {
  return kind === "model" || kind === "object" || kind === "record";
}
