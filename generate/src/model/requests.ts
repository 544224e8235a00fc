/** The requests of methods: parameters, bodies, and the arguments that become them. */

import type { Comment, Conversion, Type } from "./types.ts";

/** A parameter. */
export interface Parameter {
  /** The name in the output: of the argument or of the property. */
  readonly name: string;
  /** The name that is sent. */
  readonly wireName: string;
  /** The name of a path parameter in the object of parameters, if it is another one. */
  readonly property?: string | undefined;
  /**
   * `part` is a header of a part of a multipart body. `choice` is not sent: it selects the stream among
   * the results. `pathChoice` is one of the values for a path such as `/{users_or_teams}/{user_or_team_id}`.
   */
  readonly place: "path" | "query" | "header" | "cookie" | "part" | "choice" | "pathChoice";
  /** The segment of the path before the value, such as `users`, in the place `pathChoice`. */
  readonly segment?: string | undefined;
  /** The part of a path parameter in a choice, of which parameters in the place `pathChoice` decide. */
  readonly chosen?: "segment" | "value" | undefined;
  /** The field whose part has the header, in the place `part`. */
  readonly part?: string | undefined;
  /** The type. */
  readonly type: Type;
  /** The kind of its values. `text` are strings and numbers, `scalar` can also be a boolean. */
  readonly shape: "text" | "scalar" | "array" | "object";
  /** True if it cannot be left out. */
  readonly required: boolean;
  /** The option of the client whose value is sent if callers pass none. */
  readonly clientOption?: string | undefined;
  /** The style of OpenAPI in which it is sent. */
  readonly style: ParameterStyle;
  /** The flag `explode` of OpenAPI. */
  readonly explode: boolean;
  /** The flag `allowReserved` of OpenAPI. */
  readonly allowReserved: boolean;
  /** The conversion of dates, and in the style `json` of bigints. */
  readonly conversion?: Conversion | undefined;
  /** The doc comment. */
  readonly comment: Comment;
}

/** The styles of OpenAPI, `content` with the media type of JSON, and `{+name}` in a path. */
export type ParameterStyle =
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject"
  | "simple"
  | "label"
  | "matrix"
  | "cookie"
  | "json"
  | "reserved";

/** The body of a request. */
export interface RequestBody {
  /** The format of the body. */
  readonly kind: "json" | "form" | "multipart" | "text" | "xml" | "bytes";
  /** The `Content-Type` header, if the toolkit's own is not right. */
  readonly contentType?: string | undefined;
  /** The type of JSON and of forms. */
  readonly type: Type;
  /** The conversion of dates and bigints in JSON. */
  readonly conversion?: Conversion | undefined;
  /** The model class that writes a body of XML. Without it, the body is a string. */
  readonly model?: string | undefined;
  /** True if it cannot be left out. */
  readonly required: boolean;
  /** True if an empty object is sent when a caller passes nothing. */
  readonly isSentEmpty?: boolean | undefined;
  /** True for JSON with a property that each object inherits, such as `toString`. */
  readonly hasInherited?: boolean | undefined;
  /** The doc comment. */
  readonly comment: Comment;
  /** The fields of a form. */
  readonly fields: readonly FormField[];
  /** True for a form with values of any type, which only the toolkit can check when it sends them. */
  readonly isUnchecked?: boolean | undefined;
}

/** A field of a form or of a multipart body. */
export interface FormField extends
  Pick<
    Parameter,
    "name" | "shape" | "style" | "explode" | "allowReserved" | "conversion"
  > {
  /** The content type of its part, if the toolkit's own is not right. */
  readonly contentType?: string | undefined;
}

/** The object of parameters: everything that is not an argument of its own. */
export interface ParamsObject {
  /** The name of its type. */
  readonly type: string;
  /** True if the object cannot be left out. */
  readonly isRequired: boolean;
  /** The parameters among its properties, by their names there. */
  readonly fields: readonly {
    readonly property: string;
    readonly parameter: Parameter;
  }[];
  /**
   * The names of properties that options of a call have, too, if a caller can pass the options in place of
   * the object. Default: callers cannot
   */
  readonly alsoOptions?: readonly string[] | undefined;
  /** `rest`: all other properties are the body. An object: the property that is the body. undefined: none is. */
  readonly body?: "rest" | { readonly property: string } | undefined;
}
