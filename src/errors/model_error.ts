/** The error of a document that does not match a model, with all its issues. */
import { brand, RestwrightError } from "./base_error.ts";
import { formatIssue, issuesForJson } from "./format_issue.ts";

/**
 * One problem in a document that does not match a model.
 *
 * @category Errors
 */
export interface ModelIssue {
  /**
   * The kind of the problem:
   *
   * - `missing`: a required value is absent
   * - `type`: a value is of another type, or an element is another one
   * - `unknown`: the model does not declare the name, or has no field for the text
   * - `constraint`: a check failed
   * - `duplicate`: an element or name occurs twice
   * - `order`: an element is not in the order of the fields
   * - `depth`: the document is nested too deeply
   * - `syntax`: the text is not JSON
   * - `format`: the body is neither JSON nor XML
   */
  readonly code:
    | "missing"
    | "type"
    | "unknown"
    | "constraint"
    | "duplicate"
    | "order"
    | "depth"
    | "syntax"
    | "format";
  /**
   * The names and indices from the root to the problem; empty for the whole document. In XML, the
   * names are those of elements and attributes, not of the model's properties.
   */
  readonly path: readonly (string | number)[];
  /**
   * The path as text: `items[2].price` in JSON, `/rss/channel/item[2]/pubDate` in XML. Long paths
   * and long names are shortened, so use `path` in code.
   */
  readonly where: string;
  /** The expected value as a noun phrase, such as "a whole number". */
  readonly expected: string;
  /** The expected and the actual value, as in `expected a whole number, but it is "many"`. */
  readonly message: string;
  /** In XML, the line of the element, starting at 1. */
  readonly line?: number | undefined;
  /** In XML, the column of the element's `<`, starting at 1, in UTF-16 code units. */
  readonly column?: number | undefined;
}

/** The kind of an issue. */
export type IssueCode = ModelIssue["code"];

/** The maximum number of issues in a message; of further issues it shows only the number. */
const SHOWN = 5;

/**
 * The error for a document that does not match a model, or for an instance of a model that cannot
 * be written. It reports all issues at once, not only the first one.
 *
 * The message shows the first five issues with their paths and short excerpts. If the whole text is
 * invalid, for example because it is not JSON, there is one issue with an empty path, and the cause
 * is the parser's error.
 *
 * @example
 * ```ts
 * import { ModelError } from "@restwright/restwright/errors";
 * import { element, integer, model, string } from "@restwright/restwright/models";
 *
 * class Book extends model("book", { title: element(string), pages: element(integer) }) {}
 * try {
 *   Book.fromJson('{"pages":"many"}');
 * } catch (error) {
 *   if (!(error instanceof ModelError)) throw error;
 *   for (const { where, message } of error.issues) console.log(where, message);
 *   // title expected a string, but it is missing
 *   // pages expected a whole number, but it is "many"
 * }
 * ```
 *
 * @category Errors
 */
export class ModelError extends RestwrightError {
  static {
    brand("ModelError", this);
  }

  /** The name of the model. */
  readonly model: string;
  /** The issues in document order, at most the first 100. */
  readonly issues: readonly ModelIssue[];
  /** The number of all issues, including those that are not in `issues`. */
  readonly count: number;

  /**
   * Builds the error.
   *
   * @param action The start of the message, as in "Book cannot be read from JSON"
   * @param details The model's name, the issues, and their number if not all are passed
   */
  constructor(action: string, details: ModelErrorDetails) {
    const { model, issues, count = issues.length, cause } = details;
    super(messageOf(action, issues, count), { cause });
    this.model = model;
    this.issues = issues;
    this.count = count;
  }

  /** Returns the fields for `JSON.stringify`. */
  override toJSON(): Record<string, unknown> {
    const issues = issuesForJson(this.issues);
    return { ...super.toJSON(), model: this.model, issues, count: this.count };
  }
}

/**
 * The options of the {@linkcode ModelError} constructor.
 *
 * @internal
 */
export interface ModelErrorDetails {
  /** The name of the model. */
  readonly model: string;
  /** The issues. */
  readonly issues: readonly ModelIssue[];
  /** The number of all issues. Default: the length of `issues` */
  readonly count?: number | undefined;
  /** The parser's error. */
  readonly cause?: unknown;
}

function messageOf(action: string, issues: readonly ModelIssue[], count: number): string {
  const lines = issues.slice(0, SHOWN).map((issue) => `  ${formatIssue(issue.where, issue)}`);
  if (count > lines.length) lines.push(`  and ${count - lines.length} more`);
  return `${action}: ${count === 1 ? "1 problem" : `${count} problems`}\n${lines.join("\n")}`;
}
