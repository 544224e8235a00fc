// What the library's API is made of: routes, the questions they are asked, the answers they give.

import type { Model } from "../../src/models/mod.ts";
import type { FieldProblem } from "./rules.ts";

/** What a route is asked. */
export interface Question {
  readonly query: URLSearchParams;
  /** The number in the path, where the route has one. */
  readonly id: number;
  /** The header X-Session-Token; empty where there is none. */
  readonly token: string;
  /** The body as it is in JSON, also where it came as XML; undefined where there is none. */
  readonly body: unknown;
}

/** What a route answers; the body becomes JSON, or XML. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** What writes the body where XML is asked for. Default: nothing, it is JSON for everybody */
  readonly model?: typeof Model;
  /** The body as XML that is written already. */
  readonly xml?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is done at one path, method by method. */
export interface Route {
  readonly path: RegExp;
  /** What reads a body that is sent as XML. Default: nothing, it is to be JSON */
  readonly model?: typeof Model;
  readonly methods: Readonly<Record<string, (question: Question) => Answer>>;
}

/** An answer that says what went wrong. */
export function refused(status: number, error: string): Answer {
  return { status, body: { error } };
}

/** A 422 that says what is wrong with each field. */
export function unfit(error: string, problems: readonly FieldProblem[]): Answer {
  return { status: 422, body: { error, problems } };
}
