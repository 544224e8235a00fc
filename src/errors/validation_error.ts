import { brand } from "./base_error.ts";
import { DecodeError, type DecodeErrorDetails } from "./decode_error.ts";
import { formatIssue, issuesForJson, pathText } from "./format_issue.ts";

/** One thing that is wrong with a body, and where. */
export interface ValidationIssue {
  /** Where it is, from the outermost: names and indices; empty for the whole body. */
  readonly path: readonly (string | number)[];
  /**
   * The same as text: `items[2].price` in JSON, `/rss/channel/item[2]/pubDate` in XML. Default: made
   * of the path
   */
  readonly where?: string | undefined;
  /** In XML, the line of the element, counted from 1. */
  readonly line?: number | undefined;
  /** In XML, the column of the element, counted from 1. */
  readonly column?: number | undefined;
  /** What is wrong, as the schema says it; a string of the body that it quotes is `"…"`. */
  readonly message: string;
}

/** What a {@linkcode ValidationError} is made of. */
export interface ValidationErrorDetails extends DecodeErrorDetails {
  /** Everything that is wrong. */
  readonly issues: readonly ValidationIssue[];
}

/** How many problems the message tells of; `issues` has them all. */
const TOLD = 3;

/** Characters of the body in the excerpt. */
const EXCERPT = 200;

/**
 * A successful response has a body that does not match the `responseModel`.
 *
 * It tells every problem with its path. Neither it nor its message shows the body when it is
 * printed: `body` and `excerpt` have it.
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
 * // the response to GET /users is not what the model expects: [0].id: expected a number
 * ```
 */
export class ValidationError extends DecodeError {
  static {
    brand("ValidationError", this);
  }

  /** Everything that is wrong, in the order in which the schema tells it. */
  readonly issues: readonly ValidationIssue[];

  /**
   * Builds the error.
   *
   * @param subject What was checked, as the message names it
   * @param details The problems, the response, its body and the request
   */
  constructor(subject: string, details: ValidationErrorDetails) {
    const told = details.issues.slice(0, TOLD).map((issue) =>
      formatIssue(issue.where ?? pathText(issue.path), issue)
    );
    const more = details.issues.length - told.length;
    const rest = more > 0 ? `; and ${more} more` : "";
    const what = details.body === "" ? `${subject}, an empty body,` : subject;
    super(`${what} is not what the model expects: ${told.join("; ")}${rest}`, details);
    this.issues = details.issues;
  }

  /** The first 200 characters of the body. */
  get excerpt(): string {
    return this.body.length > EXCERPT ? `${this.body.slice(0, EXCERPT)}…` : this.body;
  }

  /** What `JSON.stringify` shows: never a header, a body or a secret. */
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: issuesForJson(this.issues) };
  }
}
