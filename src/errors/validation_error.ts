/** The error of a success whose body does not match the `responseModel`. */
import { brand } from "./base_error.ts";
import { DecodeError, type DecodeErrorDetails } from "./decode_error.ts";
import type { ModelIssue } from "./model_error.ts";
import { formatIssue, issuesForJson, pathText } from "./format_issue.ts";

/**
 * One problem in a body, with its path.
 *
 * @category Errors
 */
export interface ValidationIssue {
  /** The kind of the problem, if a model reports it. */
  readonly code?: ModelIssue["code"] | undefined;
  /** The expected value as a noun phrase, if a model reports it. */
  readonly expected?: string | undefined;
  /** The path as names and indices, outermost first; empty for the whole body. */
  readonly path: readonly (string | number)[];
  /**
   * The path as text: `items[2].price` in JSON, `/rss/channel/item[2]/pubDate` in XML. Default:
   * built from `path`
   */
  readonly where?: string | undefined;
  /** In XML, the line of the element, starting at 1. */
  readonly line?: number | undefined;
  /** In XML, the column of the element, starting at 1. */
  readonly column?: number | undefined;
  /** The schema's message. A string of the body that it quotes is replaced by `"…"`. */
  readonly message: string;
}

/**
 * The options of the {@linkcode ValidationError} constructor.
 *
 * @internal
 */
export interface ValidationErrorDetails extends DecodeErrorDetails {
  /** All problems. */
  readonly issues: readonly ValidationIssue[];
}

/** The maximum number of problems in the message; `issues` has all of them. */
const ISSUES_SHOWN = 3;

/** The length of the excerpt of the body, in UTF-16 code units. */
const EXCERPT = 200;

/**
 * The error for a successful response whose body does not match the `responseModel`.
 *
 * `issues` lists every problem with its path. Printing the error or its message does not show the
 * body. Use `body` and `excerpt` to read it.
 *
 * @example
 * ```ts
 * import { ValidationError } from "@restwright/restwright";
 *
 * const error = new ValidationError("the response to GET /users", {
 *   response: new Response(),
 *   body: '[{"id":"7"}]',
 *   issues: [{ path: [0, "id"], message: "expected a number" }],
 * });
 * console.log(error.message);
 * // the response to GET /users does not match the model: [0].id: expected a number
 * ```
 *
 * @category Errors
 */
export class ValidationError extends DecodeError {
  static {
    brand("ValidationError", this);
  }

  /** All problems, in the order in which the schema reports them. */
  readonly issues: readonly ValidationIssue[];

  /**
   * Builds the error.
   *
   * @param subject The name of the checked body in the message, as in "the response to GET /users"
   * @param details The problems, the response, its body and the request
   */
  constructor(subject: string, details: ValidationErrorDetails) {
    const shown = details.issues.slice(0, ISSUES_SHOWN).map((issue) =>
      formatIssue(issue.where ?? pathText(issue.path), issue)
    );
    const more = details.issues.length - shown.length;
    const rest = more > 0 ? `; and ${more} more` : "";
    const body = details.body === "" ? " (the body is empty)" : "";
    super(`${subject} does not match the model${body}: ${shown.join("; ")}${rest}`, details);
    this.issues = details.issues;
  }

  /** The first 200 characters of the body, with an ellipsis if it is longer. */
  get excerpt(): string {
    return this.body.length > EXCERPT ? `${this.body.slice(0, EXCERPT)}…` : this.body;
  }

  /** Returns the fields for `JSON.stringify`: never a header, a body or a secret. */
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: issuesForJson(this.issues) };
  }
}
