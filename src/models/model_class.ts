/** The interface between models and calls: recognises a model, and has its decoder and encoder. */

/**
 * The format of a body.
 *
 * @category Models
 */
export type BodyFormat = "json" | "xml";

/**
 * Decodes a body to an instance, or to an array of instances if `isList` is true. In the format "json",
 * the body may be parsed already, if it is an array.
 *
 * @internal
 */
export type BodyDecoder = (
  model: BodyModel<unknown>,
  isList: boolean,
  body: string | Uint8Array | readonly unknown[],
  contentType: string,
  format?: BodyFormat,
) => Promise<unknown>;

/**
 * Decodes the text of a JSON body like a {@linkcode BodyDecoder}, but at once.
 *
 * @internal
 */
export type JsonDecoder = (model: BodyModel<unknown>, isList: boolean, body: string) => unknown;

/**
 * Reads instances from the chunks of an XML document as their elements end, those of a chunk together.
 * The options are those of `Model.streamXml`.
 *
 * @internal
 */
export type XmlBatchReader = <T>(
  model: ModelClass<T>,
  chunks: AsyncIterable<Uint8Array>,
  options: object,
) => AsyncGenerator<readonly T[], void, undefined>;

/**
 * Encodes an instance as XML. Returns a promise if the encoder has to be loaded first.
 *
 * @internal
 */
export type BodyEncoder = (instance: object) => string | Promise<string>;

/**
 * The functions that convert between bodies and instances.
 *
 * @internal
 */
export interface ModelBodies {
  /** Decodes bodies of responses. */
  readonly decode: BodyDecoder;
  /** Decodes JSON at once. Models of earlier versions do not have it. */
  readonly decodeJson?: JsonDecoder;
  /** Reads the instances of a large XML document. Only model classes have it. */
  readonly streamXml?: XmlBatchReader;
  /** Encodes instances as XML bodies. */
  readonly encode: BodyEncoder;
}

/**
 * The key of the property that marks a model, and that holds its decoder and encoder. It is the same
 * for all copies of the toolkit. The code that sends requests needs no models: a model brings its
 * own code.
 *
 * @internal
 */
export const modelBrand: unique symbol = Symbol.for("restwright.model");

/**
 * The treatment of names in a document that a model does not declare.
 *
 * @category Models
 */
export type UnknownPolicy = "ignore" | "refuse" | "keep";

/**
 * A model class or a `document(…)`: it can decode a whole body.
 *
 * @internal
 */
export interface BodyModel<out T> {
  /** The name, for messages. */
  readonly name: string;
  /** The type of the decoded value, for the compiler only. */
  readonly "~value"?: () => T;
  /** The functions that convert bodies. */
  readonly [modelBrand]: ModelBodies;
}

/**
 * A model class. Derive one from `Model` or from `model(…)`.
 *
 * @typeParam T The type of the instances
 *
 * @category Models
 */
export interface ModelClass<out T> {
  /** Creates an instance. */
  new (values: never): T;
  /** The name of the class, for messages. */
  readonly name: string;
  /** The name of the element in XML. */
  readonly tag: string;
  /** The namespace of the element, and of the elements of fields without a namespace. */
  readonly namespace: string;
  /** Reads documents without any namespace as if they were in the model's. */
  readonly assumeNamespace: boolean;
  /** The fields. */
  readonly fields: object;
  /** The rule that derives names in documents from names of properties. */
  readonly rename: RenameRule | undefined;
  /** The treatment of names that the model does not declare. */
  readonly unknown: UnknownPolicy;
  /** The order of the child elements: any, or that of the fields. */
  readonly order: "any" | "strict";
  /** The treatment of a document type declaration. */
  readonly doctype: "refuse" | "skip";
  /** The maximum depth of nested elements or JSON values; null for no limit. */
  readonly maxDepth: number | null;
  /** The prefixes for namespaces in XML. */
  readonly prefixes: Readonly<Record<string, string>>;
  /** Checks an instance. Returns the error message, or undefined if the instance is valid. */
  readonly check?: ((instance: never) => string | undefined) | undefined;
  /** The mark of a model, and the functions that convert bodies. */
  readonly [modelBrand]: ModelBodies;
}

/**
 * A rule that derives the name in a document from the name of a property.
 *
 * @category Models
 */
export type RenameRule =
  | "camelCase"
  | "PascalCase"
  | "snake_case"
  | "SCREAMING_SNAKE_CASE"
  | "kebab-case"
  | ((property: string) => string);

/** Reports if a value is a model class, of this copy of the toolkit or of another. */
export function isModelClass(value: unknown): value is ModelClass<object> {
  return typeof value === "function" && modelBrand in value;
}

/** Reports if a value is a model class or a document. */
export function isBodyModel(value: unknown): value is BodyModel<unknown> {
  return isModelClass(value) || typeof value === "object" && value !== null && modelBrand in value;
}

/**
 * An instance of a model, of this copy of the toolkit or of another.
 *
 * @internal
 */
export interface ModelInstance {
  /** Converts the instance to JSON text. */
  toJsonString(): string;
  /** Returns the value that `JSON.stringify` writes. */
  toJSON(): Record<string, unknown>;
}

/** Reports if a value is an instance of a model. */
export function isModelInstance(value: unknown): value is ModelInstance {
  return typeof value === "object" && value !== null && isModelClass(value.constructor);
}

/** A body and its content type. */
export interface EncodedBody {
  readonly content: string;
  readonly type: string;
}

/**
 * Encodes an instance as an XML body.
 *
 * @throws {ModelError} With all issues, if a value does not match its field
 */
export async function encodeInstance(instance: ModelInstance): Promise<EncodedBody> {
  const { encode } = (instance.constructor as ModelClass<object>)[modelBrand];
  return { content: await encode(instance), type: "application/xml" };
}
