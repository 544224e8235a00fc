/** Plans the JSON Schemas of parameters, bodies and responses, with references resolved. */

import type {
  JsonSchema,
  MethodSchemas,
  ParameterSchema,
  ResponseSchema,
  ValueSchema,
} from "../../model/mod.ts";
import { itemsAt, objectAt, textAt, valueAt } from "../../read/fields.ts";
import { mediaOf } from "../../read/media.ts";
import type { Operation, ParameterNode } from "../../read/operations.ts";
import { type Node, placeOf, type Source } from "../../read/source.ts";
import { responsesOf } from "../results/mod.ts";

/** The keywords whose value is a schema. */
const SCHEMA = new Set(
  ("additionalProperties contains contentSchema else if items not propertyNames then " +
    "unevaluatedItems unevaluatedProperties").split(" "),
);

/** The keywords whose value is a list of schemas. */
const LIST = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);

/** The keywords whose value is an object of schemas. Definitions are those of the model. */
const MAP = new Set(["dependentSchemas", "patternProperties", "properties"]);

/** Writes the schemas of a document. */
export class SchemaWriter {
  readonly #source: Source;
  /** The names of definitions by the places of their schemas. */
  readonly #names = new Map<string, string>();
  readonly #definitions = new Map<string, JsonSchema>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** Returns the schemas to which those so far refer, by their names in `#/$defs/`. */
  definitions(): ReadonlyMap<string, JsonSchema> {
    return this.#definitions;
  }

  /** Returns the schemas of an operation. */
  schemasOf({ node, parameters }: Operation): MethodSchemas {
    return {
      parameters: parameters.map((each) => this.#parameter(each)),
      bodies: this.bodiesOf(node),
      responses: responsesOf(this.#source, node).flatMap(([status, response]) =>
        this.#media(response).map((each): ResponseSchema => ({
          ...{ status, description: textAt(response, "description")?.trim() ?? "" },
          ...each,
        }))
      ),
    };
  }

  /** Returns the schemas of the body of an operation or a webhook. */
  bodiesOf(operation: Node): ValueSchema[] {
    const child = this.#source.child(operation, "requestBody");
    const body = child && this.#source.resolve(child);
    return body === undefined ? [] : this.#media(body);
  }

  #media(parent: Node): ValueSchema[] {
    return mediaOf(this.#source, parent).map(({ sent, node, schema }) => ({
      mediaType: sent,
      schema: schema === undefined ? true : this.#schema(schema),
      examples: this.#examples(node, schema),
    }));
  }

  #parameter({ node, name, place }: ParameterNode): ParameterSchema {
    const required = place === "path" || valueAt(node, "required") === true;
    const [media] = node === undefined ? [] : this.#media(node);
    if (media !== undefined) return { ...{ name, place, required }, ...media };
    const schema = node && this.#source.child(node, "schema");
    return {
      ...{ name, place, required },
      schema: schema === undefined ? { type: "string" } : this.#schema(schema),
      examples: this.#examples(node, schema),
    };
  }

  /** Lists the examples of a parameter or media type, or else those of its schema. */
  #examples(node: Node | undefined, schema: Node | undefined): unknown[] {
    const own = valueAt(node, "example");
    if (own !== undefined) return [own];
    const named = objectAt(this.#source, node, "examples");
    const values = named === undefined ? [] : [...this.#source.children(named)]
      .map(([, child]) => valueAt(this.#source.resolve(child), "value"))
      .filter((value) => value !== undefined);
    if (values.length > 0) return values;
    const target = schema && this.#source.resolve(schema);
    const example = valueAt(target, "example");
    return example === undefined
      ? itemsAt(this.#source, target, "examples").map(({ value }) => value)
      : [example];
  }

  #schema(node: Node): JsonSchema {
    const { value } = node;
    if (typeof value === "boolean") return value;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return true;
    const written: [string, unknown][] = [];
    if (textAt(node, "$ref") !== undefined) {
      const target = this.#source.resolve(node);
      if (target !== undefined) written.push(["$ref", `#/$defs/${this.#nameOf(target)}`]);
    }
    for (const [key, child] of this.#source.children(node)) {
      if (key !== "$ref" && key !== "$defs" && key !== "definitions") {
        written.push(...this.#keyword(key, child));
      }
    }
    return Object.fromEntries(written);
  }

  /** Returns a keyword in the form of JSON Schema 2020-12. */
  #keyword(key: string, child: Node): [string, unknown][] {
    const { value } = child;
    if (SCHEMA.has(key)) return [[key, this.#schema(child)]];
    if (LIST.has(key)) {
      return [[key, [...this.#source.children(child)].map(([, each]) => this.#schema(each))]];
    }
    if (MAP.has(key)) {
      const entries = [...this.#source.children(child)].map(([name, each]) =>
        [name, this.#schema(each)] as const
      );
      return [[key, Object.fromEntries(entries)]];
    }
    if (key === "example") return [["examples", [value]]];
    // The keywords of OpenAPI itself say nothing about JSON.
    return /^(?:discriminator|externalDocs|xml|x-.*)$/.test(key) ? [] : [[key, value]];
  }

  /** Returns the name of a definition, and writes it if it is new. */
  #nameOf(target: Node): string {
    const place = placeOf(target);
    const known = this.#names.get(place);
    if (known !== undefined) return known;
    const last = target.pointer.split("/").at(-1)!;
    const wanted = decodeURIComponent(last).replace(/[^\w.-]+/g, "_") || "Root";
    let name = wanted;
    for (let number = 2; this.#definitions.has(name); number++) name = `${wanted}_${number}`;
    this.#names.set(place, name);
    // A schema that refers to itself finds its name.
    this.#definitions.set(name, true);
    this.#definitions.set(name, this.#schema(target));
    return name;
  }
}
