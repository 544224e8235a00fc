// The routes of the library's API, their requests and their answers.

import type { Model } from "../../src/models/mod.ts";
import type { FieldProblem } from "./rules.ts";

/** A request to a route. */
export interface Question {
  readonly query: URLSearchParams;
  /** The number in the path, if the route has one. */
  readonly id: number;
  /** The header X-Session-Token; empty if it is missing. */
  readonly token: string;
  /** The body as it is in JSON, even if it was sent as XML; undefined if there is none. */
  readonly body: unknown;
}

/** An answer of a route. Its body is sent as JSON or XML. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** The model that writes the body as XML if a client asks for that. Default: none, only JSON */
  readonly model?: typeof Model;
  /** The body as finished XML. */
  readonly xml?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A path, and a handler for each of its methods. */
export interface Route {
  readonly path: RegExp;
  /** The model that reads an XML body. Default: none, the body must be JSON */
  readonly model?: typeof Model;
  readonly methods: Readonly<Record<string, (question: Question) => Answer>>;
}

/** Creates an answer with an error message. */
export function refused(status: number, error: string): Answer {
  return { status, body: { error } };
}

/** Creates a 422 answer with the problem of each field. */
export function unfit(error: string, problems: readonly FieldProblem[]): Answer {
  return { status: 422, body: { error, problems } };
}
