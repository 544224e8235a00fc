/** The results of methods: values, streams and errors. */

import type { Comment, Conversion, Type } from "./types.ts";

/**
 * The result of a method. `bytes` is the response, whose body is a stream of bytes; `redirect` the one
 * to which a redirect leads. `stream` has nothing beside its stream.
 */
export interface MethodResult {
  /** The kind of the result. */
  readonly kind: "json" | "text" | "bytes" | "void" | "response" | "redirect" | "stream";
  /** The type of JSON. */
  readonly type: Type;
  /** The field of the JSON that is the result, in place of the object around it. */
  readonly unwrap?: string | undefined;
  /** The conversion of dates and bigints in JSON. */
  readonly conversion?: Conversion | undefined;
  /**
   * How bodies are read by their status, if they are not all JSON, or not all text. The content type
   * decides for others. `type` is the type of all of them.
   */
  readonly kinds?: Readonly<Record<number, "json" | "text" | "bytes">> | undefined;
  /** The `Accept` header, if the toolkit's own is not right. */
  readonly accept?: string | undefined;
}

/** A response that is read while it arrives. */
export interface MethodStream {
  /** The format of the stream: server-sent events, or lines of JSON. */
  readonly format: "events" | "lines";
  /** The data of an event, or the value of a line. */
  readonly item: Type;
  /** True if the data of events is text. */
  readonly isText: boolean;
  /** The conversion of dates and bigints in an item. */
  readonly conversion?: Conversion | undefined;
  /** The events by type, if the document lists them. */
  readonly events?: readonly StreamEvent[] | undefined;
  /** The name of the declaration with the data of each event. */
  readonly eventsType?: string | undefined;
  /** The type of the event that reports an error. */
  readonly errorEvent?: string | undefined;
  /** The `Accept` header, if the toolkit's own is not right. */
  readonly accept?: string | undefined;
  /** How a caller chooses the stream instead of the result; undefined if there is no other result. */
  readonly choice?: StreamChoice | undefined;
}

/** An event of a stream, by its type. */
export interface StreamEvent {
  /** The type of the event. */
  readonly name: string;
  /** The type of its data. */
  readonly data: Type;
  /** The conversion of dates and bigints. */
  readonly conversion?: Conversion | undefined;
}

/** The property by which a caller chooses the stream: of the body, or of the object of parameters. */
export interface StreamChoice {
  /** The object that has the property. */
  readonly place: "body" | "params";
  /** The name of the property. */
  readonly name: string;
}

/** A class of errors: an `APIError` with typed data. */
export interface ErrorClass {
  /** The name of the class. */
  readonly className: string;
  /** The class that it extends: one of the toolkit, such as `NotFoundError`, or one before it. */
  readonly base: string;
  /** The type of the data. */
  readonly data: Type;
  /** The conversion of dates and bigints in `data`. */
  readonly conversion?: Conversion | undefined;
  /** The doc comment. */
  readonly comment: Comment;
}

/** The class of the errors with a status. */
export interface StatusError {
  /** The status code. */
  readonly status: number;
  /** The name of the class of errors. */
  readonly className: string;
}
