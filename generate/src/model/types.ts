/** Types as plain data: made from schemas by the plan, and printed as TypeScript. */

/**
 * The direction in which a value goes. Schemas with `readOnly` or `writeOnly` have a type for each.
 * `multipart` is a request whose binary strings are files.
 */
export type Direction = "request" | "response" | "multipart";

/** A type of the output. */
export type Type =
  | { readonly kind: Keyword }
  /** A literal of an enum, `const` or discriminator. */
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "array"; readonly items: Type }
  | { readonly kind: "tuple"; readonly items: readonly Type[]; readonly rest?: Type | undefined }
  | ObjectType
  | { readonly kind: "union"; readonly members: readonly Type[] }
  | { readonly kind: "intersection"; readonly members: readonly Type[] }
  /** A declaration of `models.ts`, by its name in the output. */
  | { readonly kind: "reference"; readonly name: string };

/** Named properties and, if there is `additional`, any others of that type. */
export interface ObjectType {
  /** The kind among the types. */
  readonly kind: "object";
  /** The named properties. */
  readonly properties: readonly Property[];
  /** The type of all other properties, if there can be any. */
  readonly additional?: Type | undefined;
  /** True if it allows no other property. The printed type does not say so. */
  readonly isClosed?: boolean | undefined;
  /** The interfaces that it extends, by their names in the output. Only in a declaration. */
  readonly extends?: readonly string[] | undefined;
}

/** Types without parts. `file` is what multipart takes: a Blob or File. */
export type Keyword =
  | "unknown"
  | "never"
  | "null"
  | "undefined"
  | "string"
  | "number"
  | "bigint"
  | "boolean"
  /** A point in time: a `Date`. */
  | "date"
  /** A day: a `Date` at midnight UTC. */
  | "dateOnly"
  | "bytes"
  | "file"
  /** A file that a client with resources uploads, of all that can stand for one. */
  | "upload"
  /** `string & {}`, which keeps an editor's suggestions for the literals of an open enum. */
  | "openString"
  /** `number & {}`, in the same way. */
  | "openNumber";

/** A property of an object, under its wire name. */
export interface Property {
  /** The name that is sent. */
  readonly name: string;
  /** The type. */
  readonly type: Type;
  /** True if it can be left out. */
  readonly optional: boolean;
  /** True if only the API sets it. */
  readonly readonly?: boolean | undefined;
  /** The doc comment. */
  readonly comment: Comment;
}

/** The parts of a doc comment. Texts are as in the document; the printer makes them harmless. */
export interface Comment {
  /** Summary and description, in Markdown. */
  readonly text: string;
  /**
   * Tags in their order, such as `["deprecated", ""]`, `["default", "10"]`, `["see", "…"]`. A link names a
   * type that the file of the comment has.
   */
  readonly tags: readonly (readonly [tag: string, text: string, link?: string | undefined])[];
  /** Code that is shown as an example. */
  readonly example?: string | undefined;
}

/** A declaration of `models.ts`: an interface if the type is one object, otherwise an alias. */
export interface Declaration {
  /** The name. */
  readonly name: string;
  /** The type. */
  readonly type: Type;
  /** The doc comment. */
  readonly comment: Comment;
  /** The conversion of its dates and bigints. It is exported under the name of the type. */
  readonly conversion?: Conversion | undefined;
  /** The model class that it is, instead of a type. */
  readonly model?: ModelClass | undefined;
}

/** A model class of the toolkit, for XML and JSON. */
export interface ModelClass {
  /** The name of its element, if it is the root. */
  readonly tag: string;
  /** The namespace of its element. */
  readonly namespace?: string | undefined;
  /** The prefixes that are written, with their namespaces. */
  readonly prefixes: readonly (readonly [prefix: string, namespace: string])[];
  /** The fields of the class. */
  readonly fields: readonly ModelField[];
}

/** A field of a model. */
export interface ModelField {
  /** The name of the property. */
  readonly property: string;
  /** The name in JSON. */
  readonly json: string;
  /** The type. */
  readonly type: Type;
  /** The doc comment. */
  readonly comment: Comment;
  /** The part of the element that has the value. */
  readonly place: "attr" | "element" | "elements" | "text";
  /** The type of the value in the toolkit. */
  readonly value: ModelValue;
  /** True if it can be left out. */
  readonly optional: boolean;
  /** The name of the element or of the attribute. */
  readonly tag: string;
  /** The namespace of the element or of the attribute. */
  readonly namespace?: string | undefined;
  /** The element around those of an array. */
  readonly within?: { readonly name: string; readonly namespace?: string | undefined } | undefined;
}

/** The type of a field: a value type of the toolkit. */
export type ModelValue =
  | { readonly kind: Exclude<ConversionKeyword, "json"> }
  | { readonly kind: "literals"; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: "openEnum"; readonly values: readonly string[] }
  | { readonly kind: "model"; readonly name: string }
  | { readonly kind: "list" | "nullable" | "record"; readonly of: ModelValue }
  | { readonly kind: "object"; readonly fields: readonly ModelField[] };

/** A conversion between JSON and values with dates and bigints: a type of the toolkit's models. */
export type Conversion =
  | { readonly kind: ConversionKeyword }
  | { readonly kind: "literals"; readonly values: readonly (string | number | boolean)[] }
  /** The conversion of a declaration. */
  | { readonly kind: "reference"; readonly name: string }
  | { readonly kind: "nullable"; readonly of: Conversion }
  | { readonly kind: "list"; readonly of: Conversion }
  | TupleConversion
  | { readonly kind: "anyOf"; readonly types: readonly Conversion[] }
  | ObjectConversion;

/** Conversions without parts, under their names in the toolkit. */
export type ConversionKeyword =
  | "bigint"
  | "boolean"
  | "date"
  | "dateOnly"
  | "json"
  | "number"
  | "string";

/** A conversion of an array with a conversion for each place. */
export interface TupleConversion {
  /** The kind among the conversions. */
  readonly kind: "tuple";
  /** The type of the array. */
  readonly type: Type;
  /** The conversions of its places. */
  readonly items: readonly Conversion[];
  /** The conversion of all further places. */
  readonly rest?: Conversion | undefined;
}

/** A conversion of some members of an object. */
export interface ObjectConversion {
  /** The kind among the conversions. */
  readonly kind: "object";
  /** The type of the object, if it does not follow from the place of the conversion. */
  readonly type?: Type | undefined;
  /** The conversions of members, by their names. */
  readonly members: readonly (readonly [name: string, conversion: Conversion])[];
  /** The conversion of all other members. */
  readonly others?: Conversion | undefined;
  /** The names of members that tell the object from the others of a union. */
  readonly required?: readonly string[] | undefined;
}
