/** The tests of methods: calls with samples, the requests to expect, and the results. */

import type { CallArguments, Sample } from "./samples.ts";

/** A test of a method: the arguments of the call, and what it must send and return. */
export interface MethodTest extends CallArguments {
  /** The URL without its query. */
  readonly url: string;
  /** The requests, one after the other. */
  readonly requests: readonly ExpectedRequest[];
  /** The reply, and the result of the call to expect. */
  readonly outcome: Outcome;
}

/** A request that a test expects. */
export interface ExpectedRequest {
  /** The query, decoded. */
  readonly query: readonly Pair[];
  /** Some of the headers. Null for one that must not be sent. */
  readonly headers: readonly (readonly [name: string, value: string | null])[];
  /** The body to expect. */
  readonly content: ExpectedBody;
}

/** The body that a test expects. */
export type ExpectedBody =
  | { readonly kind: "none" }
  | { readonly kind: "json"; readonly value: Sample }
  | { readonly kind: "text"; readonly text: string }
  /** The fields of a form, or the parts of multipart. */
  | { readonly kind: "form" | "multipart"; readonly fields: readonly Pair[] }
  /** XML that a model class reads. */
  | { readonly kind: "xml"; readonly model: string; readonly value: Sample };

/** The reply of the test, and the result of the call to expect. */
export type Outcome =
  /** XML has instances of model classes, or a list of them. */
  | {
    readonly kind: "json" | "xml";
    readonly status: number;
    readonly data: Sample;
    /** The body of the reply, if the result is a part of it. */
    readonly reply?: Sample | undefined;
  }
  | {
    readonly kind: "text" | "bytes";
    readonly status: number;
    readonly text: string;
    readonly contentType: string;
  }
  | { readonly kind: "void" | "response" | "redirect"; readonly status: number }
  | {
    readonly kind: "pages";
    readonly pages: readonly PageReply[];
    /** The items of all pages. */
    readonly items: readonly Sample[];
  }
  | {
    readonly kind: "stream";
    readonly text: string;
    readonly contentType: string;
    /** The items to expect: the lines, the data of events, or events with their types. */
    readonly items: Sample;
    /** The values that the stream yields: the items, or events of which they are the data. */
    readonly form: "items" | "data" | "events";
  }
  | {
    readonly kind: "error";
    readonly status: number;
    readonly className: string;
    readonly data: Sample;
    /** The property of the error that has the data. */
    readonly property: "data" | "error";
  };

/** A page that a test replies with. */
export interface PageReply {
  /** The body of the reply. */
  readonly body: Sample;
  /** The headers of the reply. */
  readonly headers: readonly Pair[];
}

/** A name with a value. */
export type Pair = readonly [name: string, value: string];

/** The base URL in tests of a client whose document names no server. */
export const TEST_BASE = "https://api.example.com";

/** The user, the password and the other credentials in tests. */
export const TEST_CREDENTIALS = { user: "ada", password: "countess", token: "t-123", key: "k-123" };
