/** Under this name an instance has what it kept. */
const keptName: unique symbol = Symbol.for("restwright.kept");

/** An element that no field knows, with all that is in it. */
export interface XmlElement {
  /** Its name, without a prefix. */
  readonly tag: string;
  /** Its namespace; empty where there is none. */
  readonly namespace: string;
  /** Its attributes. */
  readonly attributes: readonly XmlAttribute[];
  /** Its texts and elements. */
  readonly children: readonly (string | XmlElement)[];
}

/** An attribute that no field knows. */
export interface XmlAttribute {
  /** Its name, without a prefix. */
  readonly name: string;
  /** Its namespace; empty where there is none. */
  readonly namespace: string;
  /** Its value. */
  readonly value: string;
}

/** What an instance was given that its model has no field for, where that is kept. */
export interface UnknownContent {
  /** Members of the JSON object. */
  readonly json: ReadonlyMap<string, unknown>;
  /** Attributes of the element. */
  readonly attributes: readonly XmlAttribute[];
  /** Children of the element. */
  readonly elements: readonly XmlElement[];
}

/** The same, while it is filled. */
export interface UnknownParts {
  json: Map<string, unknown>;
  attributes: XmlAttribute[];
  elements: XmlElement[];
}

/**
 * What an instance keeps of a document that its model has no field for; empty where its model does
 * not say `unknown: "keep"`. It is written back in the format that it came in.
 *
 * @example
 * ```ts
 * import { element, unknownContentOf, model, string } from "@restwright/restwright/models";
 *
 * class User extends model("user", { name: element(string) }, { unknown: "keep" }) {}
 * const user = User.fromJson('{"name":"Ada","born":1815}');
 * console.log(unknownContentOf(user).json.get("born")); // 1815
 * console.log(user.toJson()); // {"name":"Ada","born":1815}
 * ```
 */
export function unknownContentOf(instance: object): UnknownContent {
  return (instance as { [keptName]?: UnknownContent })[keptName] ?? nothing;
}

const empty = (): UnknownParts => ({ json: new Map(), attributes: [], elements: [] });

const nothing: UnknownContent = empty();

/** What an instance keeps, to be filled. */
export function unknownPartsOf(instance: object): UnknownParts {
  const holder = instance as { [keptName]?: UnknownParts };
  if (holder[keptName] === undefined) {
    Object.defineProperty(instance, keptName, { value: empty(), configurable: true });
  }
  return holder[keptName]!;
}
