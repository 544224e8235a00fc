/**
 * Converts a document of Swagger 2.0 into the form of OpenAPI 3. Schemas are moved, not copied, so
 * that each place in the result leads to the place in the document that it comes from.
 */
import { childPointer, pointerKeys } from "./pointers.ts";
import type { Node } from "./source.ts";

type Values = Record<string, unknown>;

/** Access to the document before it is converted. */
export interface SwaggerDocument {
  readonly root: Node;
  /** Follows the references of a node; undefined if one leads nowhere. */
  resolve(node: Node): Node | undefined;
  /** Returns a child; undefined if there is none. */
  child(node: Node, key: string): Node | undefined;
  /** Returns the path of a file for references in the document. */
  pathOf(file: number): string;
  /** Notes something that has no counterpart. */
  problem(node: Node, message: string, action: string): void;
}

/** The places in the document that the parts of a converted one come from. */
export class Origins {
  readonly #made = new WeakMap<object, { readonly node: Node; readonly isMade: boolean }>();

  /** Notes an object that the conversion made from a node. */
  made<T extends object>(object: T, node: Node): T {
    this.#made.set(object, { node, isMade: true });
    return object;
  }

  /** Notes a value that is the same as in the document, but at another place. */
  moved(node: Node): unknown {
    if (typeof node.value === "object" && node.value !== null) {
      this.#made.set(node.value, { node, isMade: false });
    }
    return node.value;
  }

  /** Returns the pointer in the converted document that a reference of the document means. */
  converted(pointer: string): string {
    return pointer.replace(
      /^#\/(definitions|responses)(?=\/|$)/,
      (_, name: string) => `#/components/${name === "definitions" ? "schemas" : name}`,
    );
  }

  /** Returns the place in the document that a pointer in the converted one means. */
  original(root: unknown, pointer: string): { readonly file: number; readonly pointer: string } {
    let place = { file: 0, pointer: "#" };
    let isMade = false;
    let value: unknown = root;
    for (const key of pointerKeys(pointer)) {
      if (typeof value !== "object" || value === null) break;
      value = (value as Values)[key];
      const origin = typeof value === "object" && value !== null
        ? this.#made.get(value)
        : undefined;
      if (origin !== undefined) {
        place = { file: origin.node.file, pointer: origin.node.pointer };
        isMade = origin.isMade;
      } else if (!isMade) place = { ...place, pointer: childPointer(place.pointer, key) };
    }
    return place;
  }
}

/** The keys of a schema that parameters and headers of Swagger 2.0 have themselves. */
const SCHEMA_KEYS: readonly string[] = [
  ...["type", "format", "items", "default", "enum", "pattern", "multipleOf", "uniqueItems"],
  ...["maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength"],
  ...["maxItems", "minItems", "x-nullable"],
];

/** The form of OpenAPI 3 for each collection format. */
const STYLES: Readonly<Record<string, { readonly style: string; readonly explode: boolean }>> = {
  multi: { style: "form", explode: true },
  csv: { style: "form", explode: false },
  ssv: { style: "spaceDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
};

const METHODS: readonly string[] = ["get", "put", "post", "delete", "options", "head", "patch"];
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const JSON_TYPE = "application/json";

/** Converts a document of Swagger 2.0. */
export function convertSwagger(document: SwaggerDocument): {
  readonly value: Values;
  readonly origins: Origins;
} {
  const conversion = new Conversion(document);
  return { value: conversion.convert(), origins: conversion.origins };
}

class Conversion {
  readonly origins: Origins = new Origins();
  readonly #document: SwaggerDocument;
  readonly #root: Values;

  constructor(document: SwaggerDocument) {
    this.#document = document;
    this.#root = valuesOf(document.root);
  }

  convert(): Values {
    const { root } = this.#document;
    const { swagger: _version, paths, definitions, responses, securityDefinitions, ...others } =
      this.#root;
    for (const key of ["host", "basePath", "schemes", "consumes", "produces", "parameters"]) {
      delete others[key];
    }
    const servers = this.#servers(this.#root["schemes"]);
    return record({
      openapi: "3.1.0",
      ...others,
      servers,
      paths: this.#mapped(root, "paths", paths, (node) => this.#pathItem(node)),
      components: record({
        schemas: this.#mapped(root, "definitions", definitions, (node) => this.origins.moved(node)),
        responses: this.#mapped(root, "responses", responses, (node) => {
          return this.#response(node, this.#types(undefined, "produces"));
        }),
        securitySchemes: this.#mapped(
          root,
          "securityDefinitions",
          securityDefinitions,
          (node) => this.origins.made(this.#securityScheme(node), node),
        ),
      }),
    });
  }

  /** Converts each value of an object that the document has under a key. */
  #mapped(parent: Node, key: string, value: unknown, convert: (node: Node) => unknown): unknown {
    if (!isValues(value)) return value;
    const map = this.#document.child(parent, key)!;
    const entries = Object.keys(value).map((name) =>
      [name, convert(this.#document.child(map, name)!)] as const
    );
    return this.origins.made(fromEntries(entries), map);
  }

  /** Returns the servers of a list of schemes, the encrypted ones first. */
  #servers(schemes: unknown): unknown[] | undefined {
    const host = this.#document.child(this.#document.root, "host");
    const base = this.#document.child(this.#document.root, "basePath");
    const path = typeof base?.value === "string" ? base.value : "";
    if (host === undefined || typeof host.value !== "string" || host.value === "") {
      if (base === undefined || path === "") return undefined;
      return this.origins.made([record({ url: path })], base);
    }
    const names = texts(schemes).filter((name) => /^https?$/i.test(name));
    if (names.length === 0) names.push("https");
    names.sort((left, right) => right.length - left.length);
    const urls = names.map((name) => `${name.toLowerCase()}://${host.value}${path}`);
    return this.origins.made(urls.map((url) => record({ url })), host);
  }

  #pathItem(node: Node): unknown {
    const item = this.#document.resolve(node);
    if (item === undefined || !isValues(item.value)) return this.origins.moved(node);
    const shared = this.#parameters(item);
    const { parameters: _parameters, ...others } = item.value;
    const converted = Object.keys(others).map((key) => {
      const child = this.#document.child(item, key)!;
      // An operation may be in another file, too.
      const operation = METHODS.includes(key) ? this.#document.resolve(child) : undefined;
      return [
        key,
        operation !== undefined && isValues(operation.value)
          ? this.#operation(operation, shared)
          : this.origins.moved(child),
      ] as const;
    });
    return this.origins.made(fromEntries(converted.filter(([key]) => key !== "$ref")), item);
  }

  #operation(node: Node, shared: readonly Node[]): Values {
    const { consumes: _consumes, produces, schemes, parameters: _parameters, ...others } = valuesOf(
      node,
    );
    const own = this.#parameters(node);
    const key = (parameter: Node): string => {
      const { in: place, name } = valuesOf(parameter);
      return place === "body" ? "body" : JSON.stringify([place, name]);
    };
    const replaced = new Set(own.map(key));
    const all = [...shared.filter((each) => !replaced.has(key(each))), ...own];
    const placeOf = (parameter: Node) => valuesOf(parameter)["in"];
    const body = all.find((each) => placeOf(each) === "body");
    const fields = this.#named(all.filter((each) => placeOf(each) === "formData"));
    const types = this.#types(node, "consumes");
    const plain = all.filter((each) => placeOf(each) !== "body" && placeOf(each) !== "formData");
    const requestBody = body !== undefined
      ? this.#body(body, types)
      : fields.length > 0
      ? this.#form(fields, types)
      : undefined;
    if (body !== undefined && fields.length > 0) {
      this.#document.problem(
        fields[0]!,
        "a body and fields of a form exclude each other",
        "left out",
      );
    }
    const responses = this.#document.child(node, "responses");
    return this.origins.made(
      record({
        ...others,
        ...(all.length === 0 ? {} : { parameters: plain.map((each) => this.#parameter(each)) }),
        requestBody,
        ...(schemes === undefined ? {} : { servers: this.#servers(schemes) }),
        ...(responses === undefined ? {} : {
          responses: this.#mapped(node, "responses", responses.value, (each) => {
            return this.#response(
              each,
              produces === undefined ? this.#types(undefined, "produces") : texts(produces),
            );
          }),
        }),
      }),
      node,
    );
  }

  /** Returns the parameters of a path item or operation. References are followed. */
  #parameters(parent: Node): Node[] {
    const list = this.#document.child(parent, "parameters");
    if (!Array.isArray(list?.value)) return [];
    return list.value.flatMap((_, index) => {
      const node = this.#document.resolve(this.#document.child(list, String(index))!);
      return node !== undefined && isValues(node.value) ? [node] : [];
    });
  }

  /** Returns the fields of a form that have a name. */
  #named(fields: readonly Node[]): Node[] {
    return fields.filter((each) => {
      if (typeof valuesOf(each)["name"] === "string") return true;
      this.#document.problem(each, "a field of a form must have a name", "left out");
      return false;
    });
  }

  /** Returns the media types of an operation, or those of the document. */
  #types(operation: Node | undefined, key: "consumes" | "produces"): string[] {
    const own = operation === undefined ? undefined : valuesOf(operation)[key];
    return texts(own ?? this.#root[key]);
  }

  #parameter(node: Node): Values {
    const { collectionFormat: _format, ...values } = valuesOf(node);
    const others = Object.fromEntries(
      Object.entries(values).filter(([key]) => !SCHEMA_KEYS.includes(key)),
    );
    const isList = values["type"] === "array";
    return this.origins.made(
      record({
        ...others,
        schema: this.#schemaIn(node),
        ...(isList ? this.#style(node, values["in"] === "query") : {}),
      }),
      node,
    );
  }

  /** Returns the schema that a parameter, a field or a header is itself. */
  #schemaIn(node: Node, ...others: readonly string[]): Values {
    const values = valuesOf(node);
    const entries = [...SCHEMA_KEYS, ...others].filter((key) => values[key] !== undefined)
      .map((key) => [key, this.#placed(this.#document.child(node, key))] as const);
    return this.origins.made(fromEntries(entries), node);
  }

  #style(node: Node, isQuery: boolean): { readonly style?: string; readonly explode?: boolean } {
    const { collectionFormat = "csv" } = valuesOf(node);
    const style = typeof collectionFormat === "string" && Object.hasOwn(STYLES, collectionFormat)
      ? STYLES[collectionFormat]
      : undefined;
    if (style !== undefined && isQuery) return style;
    if (collectionFormat !== "csv") {
      const format = JSON.stringify(collectionFormat);
      this.#document.problem(
        node,
        `the collection format ${format} is not supported here`,
        "sent with commas",
      );
    }
    return isQuery ? STYLES["csv"]! : { style: "simple", explode: false };
  }

  #body(node: Node, types: readonly string[]): Values {
    const { required, description } = valuesOf(node);
    const schema = this.#document.child(node, "schema");
    const media = types.length === 0 ? [JSON_TYPE] : types;
    const entries = media.map((type) => [type, record({ schema: this.#placed(schema) })] as const);
    return this.origins.made(
      record({
        description,
        required,
        content: fromEntries(entries),
      }),
      node,
    );
  }

  #form(fields: readonly Node[], types: readonly string[]): Values {
    const hasFile = fields.some((each) => valuesOf(each)["format"] === "binary");
    const listed = types.filter((type) => type === MULTIPART || type === FORM);
    const media = hasFile ? [MULTIPART] : listed.length > 0 ? listed : [FORM];
    const required = fields.filter((each) => valuesOf(each)["required"] === true)
      .map((each) => valuesOf(each)["name"]);
    const properties = fields.map((each) =>
      [String(valuesOf(each)["name"]), this.#schemaIn(each, "description")] as const
    );
    const encodings = fields.filter((each) => valuesOf(each)["type"] === "array").map((each) =>
      [String(valuesOf(each)["name"]), record(this.#style(each, true))] as const
    );
    const schema = record({ type: "object", properties: fromEntries(properties), required });
    const content = media.map((type) =>
      [type, record({ schema, encoding: fromEntries(encodings) })] as const
    );
    return this.origins.made(
      record({ required: required.length > 0, content: fromEntries(content) }),
      fields[0]!,
    );
  }

  /** Returns the media types of a response. A file has those that are not JSON, or else any. */
  #typesOf(response: Node, produces: readonly string[]): readonly string[] {
    const schema = this.#document.child(response, "schema");
    const target = schema && this.#document.resolve(schema);
    // `type: file` was read as a binary string.
    if (target === undefined || valuesOf(target).format !== "binary") {
      return produces.length === 0 ? [JSON_TYPE] : produces;
    }
    const others = produces.filter((type) => !/[/+]json\s*(?:;|$)/i.test(type));
    return others.length > 0 ? others : produces.length > 0 ? produces : ["*/*"];
  }

  #response(node: Node, produces: readonly string[]): unknown {
    const { $ref } = valuesOf(node);
    if (typeof $ref === "string" && $ref.startsWith("#") && node.file === 0) {
      return this.origins.moved(node);
    }
    const response = this.#document.resolve(node);
    if (response === undefined || !isValues(response.value)) return this.origins.moved(node);
    const { schema, examples, headers, ...others } = response.value;
    const content = this.#typesOf(response, produces).map((type) => {
      const example = isValues(examples) ? examples[type] : undefined;
      return [
        type,
        record({
          schema: this.#placed(this.#document.child(response, "schema")),
          example,
        }),
      ] as const;
    });
    return this.origins.made(
      record({
        ...others,
        ...(headers === undefined ? {} : {
          headers: this.#mapped(response, "headers", headers, (header) => {
            const { description } = valuesOf(header);
            return this.origins.made(
              record({ description, schema: this.#schemaIn(header) }),
              header,
            );
          }),
        }),
        ...(schema === undefined ? {} : { content: fromEntries(content) }),
      }),
      response,
    );
  }

  /** Returns a schema of the document itself, or a reference to that of another file. */
  #placed(schema: Node | undefined): unknown {
    if (schema === undefined) return undefined;
    // A type is named after the schema that a reference of another file leads to.
    const node = schema.file === 0 ? schema : this.#document.resolve(schema) ?? schema;
    if (node.file === 0 || !isValues(node.value)) return this.origins.moved(node);
    const path = encodeURI(this.#document.pathOf(node.file)).replaceAll("#", "%23");
    return this.origins.made(
      record({ $ref: `${path}#${encodeURI(node.pointer.slice(1))}` }),
      node,
    );
  }

  #securityScheme(node: Node): Values {
    const { type, flow, authorizationUrl, tokenUrl, scopes, ...others } = valuesOf(node);
    if (type === "basic") return record({ ...others, type: "http", scheme: "basic" });
    if (type !== "oauth2") return record({ type, ...others });
    const name = typeof flow === "string" ? FLOWS.get(flow) ?? flow : "unknown";
    const urls = record({
      authorizationUrl,
      tokenUrl,
      scopes: scopes ?? record({}),
    });
    return record({ ...others, type: "oauth2", flows: fromEntries([[name, urls]]) });
  }
}

const FLOWS: ReadonlyMap<string, string> = new Map([
  ["application", "clientCredentials"],
  ["accessCode", "authorizationCode"],
]);

function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function valuesOf({ value }: Node): Values {
  return isValues(value) ? value : {};
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Returns an object without a prototype, and without the keys that are undefined. */
function record(values: Readonly<Values>): Values {
  return fromEntries(Object.entries(values));
}

function fromEntries(entries: Iterable<readonly [string, unknown]>): Values {
  const object: Values = Object.create(null);
  for (const [key, value] of entries) {
    if (value !== undefined) object[key] = value;
  }
  return object;
}
