import { brand, RestwrightError } from "./base_error.ts";
import { formatIssue, issuesForJson } from "./format_issue.ts";

/** One thing in a document that a model does not allow. */
export interface ModelIssue {
  /**
   * Where: `items[2].price` in JSON, `/rss/channel/item[2]/pubDate` in XML; empty for all of it.
   * It is text for people: long paths and long names are shortened.
   */
  readonly path: string;
  /** What was expected, as in "a whole number". */
  readonly expected: string;
  /** What was expected and what is there, as in `expected a whole number, but is "many"`. */
  readonly message: string;
  /** The same path as names and indices; in XML those of the model's properties are not known. */
  readonly keys: readonly (string | number)[];
  /** In XML, the line of the element, counted from 1. */
  readonly line?: number | undefined;
  /** In XML, the column of the element's `<`, counted from 1 in UTF-16 code units. */
  readonly column?: number | undefined;
}

/** How many issues a message tells of, before it says how many more there are. */
const SHOWN = 5;

/**
 * A document does not fit a model, or a model's values cannot be written: every issue, at once.
 *
 * The message is for people: the first few issues with their places and short excerpts. What is
 * wrong with the whole text (it is no JSON) is one issue with an empty path, and the parser's error
 * is the cause.
 *
 * @example
 * ```ts
 * import { ModelError } from "@restwright/restwright";
 * import { element, integer, model, string } from "@restwright/restwright/models";
 *
 * class Book extends model("book", { title: element(string), pages: element(integer) }) {}
 * try {
 *   Book.fromJson('{"pages":"many"}');
 * } catch (error) {
 *   if (!(error instanceof ModelError)) throw error;
 *   for (const { path, message } of error.issues) console.log(path, message);
 *   // title expected a text, but is missing
 *   // pages expected a whole number, but is "many"
 * }
 * ```
 */
export class ModelError extends RestwrightError {
  static {
    brand("ModelError", this);
  }

  /** The name of the model. */
  readonly model: string;
  /** The issues, in the order of the document; of very many, the first hundred. */
  readonly issues: readonly ModelIssue[];
  /** How many issues there are. */
  readonly count: number;

  /**
   * Builds the error.
   *
   * @param action What could not be done, as in "Book cannot be read from JSON"
   * @param details The model's name, the issues, how many they are where not all are given
   */
  constructor(action: string, details: ModelErrorDetails) {
    const { model, issues, count = issues.length, cause } = details;
    super(messageOf(action, issues, count), { cause });
    this.model = model;
    this.issues = issues;
    this.count = count;
  }

  /** What `JSON.stringify` shows. */
  override toJSON(): Record<string, unknown> {
    const issues = issuesForJson(this.issues);
    return { ...super.toJSON(), model: this.model, issues, count: this.count };
  }
}

/** What a {@linkcode ModelError} is made of. */
export interface ModelErrorDetails {
  /** The name of the model. */
  readonly model: string;
  /** The issues. */
  readonly issues: readonly ModelIssue[];
  /** How many issues there are, where not all are given. */
  readonly count?: number | undefined;
  /** The parser's error. */
  readonly cause?: unknown;
}

function messageOf(action: string, issues: readonly ModelIssue[], count: number): string {
  const lines = issues.slice(0, SHOWN).map((issue) => `  ${formatIssue(issue.path, issue)}`);
  if (count > lines.length) lines.push(`  and ${count - lines.length} more`);
  return `${action}: ${count === 1 ? "1 problem" : `${count} problems`}\n${lines.join("\n")}`;
}
