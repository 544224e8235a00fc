/** The path of an element that is written, and the issues of a document that is written. */
import type { Key } from "../../errors/format_issue.ts";
import { issueAt, IssueList, type Problem, xmlPath } from "../issues.ts";
import type { XmlScope } from "./scope.ts";

/** An element that is written. */
export interface Place {
  /** The element around it; undefined for the root. */
  readonly around: Place | undefined;
  readonly uri: string;
  /** The name without its prefix. */
  readonly tag: string;
  /** The name with its prefix. */
  readonly name: string;
  /** The position among elements of the same field, from 1; 0 if the field does not repeat. */
  readonly index: number;
  /** The namespaces that it can use. If they are not those of the element around it, it declares some. */
  readonly scope: XmlScope;
  /** The line break and the indentation before it. */
  readonly gap: string;
  /** The same for each element in it; empty beside text, because it would be part of the text. */
  innerGap: string;
}

/** The issues of a document that is written. */
export class WriteIssues {
  readonly #issues = new IssueList();

  /** The number of issues so far. */
  get count(): number {
    return this.#issues.count;
  }

  /**
   * Adds an issue, and returns an empty text in place of the value.
   *
   * @param problem The description of the issue
   * @param at The element
   * @param step The last step of the path, if it is not the element itself
   */
  refuse(problem: Problem, at: Place, step?: string): string {
    this.#issues.add(() => {
      const path = pathOf(at, step);
      return issueAt(path, problem, xmlPath(path));
    });
    return "";
  }

  /**
   * Throws if there is any issue.
   *
   * @param name The name of the model
   * @throws {ModelError} With all issues
   */
  throwIfAny(name: string): void {
    this.#issues.throwIfAny(name, "written as XML");
  }
}

function pathOf(at: Place, step: string | undefined): Key[] {
  const path: Key[] = step === undefined ? [] : [step];
  for (let each: Place | undefined = at; each !== undefined; each = each.around) {
    if (each.index > 0) path.push(each.index);
    path.push(each.name);
  }
  return path.reverse();
}
