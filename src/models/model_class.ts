/**
 * The format of a body.
 *
 * @category Models
 */
export type BodyFormat = "json" | "xml";

/** Makes instances of a body; a list of them where `isList` says so. */
export type BodyDecoder = (
  model: ModelClass<object>,
  isList: boolean,
  body: string | Uint8Array,
  contentType: string,
  format?: BodyFormat,
) => Promise<object>;

/** Writes an instance as a body of XML; a promise where what writes it has to be loaded first. */
export type BodyEncoder = (instance: object) => string | Promise<string>;

/** What makes instances of bodies, and bodies of instances. */
export interface ModelBodies {
  /** Reads the bodies of responses. */
  readonly decode: BodyDecoder;
  /** Writes the bodies of requests in XML. */
  readonly encode: BodyEncoder;
}

/**
 * Under this name every copy of the toolkit knows the model classes of the others, and finds what
 * reads and writes them: whoever sends requests needs no XML before somebody declares a model.
 */
export const modelBrand: unique symbol = Symbol.for("restwright.model");

/** What becomes of names in a document that a model does not have. */
export type UnknownPolicy = "ignore" | "refuse" | "keep";

/**
 * A model class, as types and functions take it: derive one from `Model` or `model(…)`.
 *
 * @typeParam T What its instances are
 */
export interface ModelClass<out T> {
  /** Makes an instance. */
  new (values: never): T;
  /** The class's own name, for messages. */
  readonly name: string;
  /** The name of its element in XML. */
  readonly tag: string;
  /** The namespace of its element, and of its fields' elements where they have none of their own. */
  readonly namespace: string;
  /** Its fields. */
  readonly fields: object;
  /** What becomes of names that it does not have. */
  readonly unknown: UnknownPolicy;
  /** Whether the children of its element may come in any order. */
  readonly order: "any" | "strict";
  /** Whether a document type declaration is refused, or passed over. */
  readonly doctype: "refuse" | "skip";
  /** The prefixes that namespaces are written with. */
  readonly prefixes: Readonly<Record<string, string>>;
  /** Marks it as a model class, and reads and writes bodies. */
  readonly [modelBrand]: ModelBodies;
}

/** Whether a value is a model class, of this copy of the toolkit or of another. */
export function isModelClass(value: unknown): value is ModelClass<object> {
  return typeof value === "function" && modelBrand in value;
}
