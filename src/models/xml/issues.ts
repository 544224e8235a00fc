/** Collects the issues of an XML document, each with the path of its open elements. */
import { nameText } from "../../errors/format_issue.ts";
import type { Key } from "../../errors/format_issue.ts";
import { messageText } from "../../errors/message_text.ts";
import type { IssueCode } from "../../errors/model_error.ts";
import type { XmlPlaces } from "../../xml/reader.ts";
import {
  type BAD,
  broken,
  failedModelCheck,
  issueAt,
  IssueList,
  mismatch,
  type Problem,
  xmlPath,
} from "../issues.ts";
import type { ModelClass } from "../model_class.ts";
import type { Opened } from "./frame.ts";

/**
 * The issues of an XML document that is read. Each has the path of the open elements, and the line
 * and column of the start of an element.
 */
export class XmlIssues {
  readonly #issues = new IssueList();
  readonly #model: string;
  readonly #open: readonly Opened[];
  readonly #places: XmlPlaces;

  /**
   * Creates an empty list.
   *
   * @param model The name of the model
   * @param open The open elements, outermost first, as they are at any time
   * @param places The positions of offsets
   */
  constructor(model: string, open: readonly Opened[], places: XmlPlaces) {
    this.#model = model;
    this.#open = open;
    this.#places = places;
  }

  /** The number of issues so far. */
  get count(): number {
    return this.#issues.count;
  }

  /** Adds an issue: the value of the innermost element, or of a place below it, is not valid. */
  value(expected: string, actual: unknown, ...steps: string[]): typeof BAD {
    return this.#add(mismatch(expected, actual), steps);
  }

  /** Adds an issue: a text of the innermost element is not allowed. */
  text(code: IssueCode, expected: string, text: string): void {
    this.#add({ ...mismatch(expected, text), code }, []);
  }

  /** Adds an issue: a value breaks a constraint. */
  constraint(expected: string, actual: unknown, ...steps: string[]): typeof BAD {
    return this.#add(broken(expected, actual), steps);
  }

  /** Checks an instance whose element ends. */
  check(model: ModelClass<object>, instance: object): void {
    const problem = failedModelCheck(model, instance);
    if (problem !== undefined) this.#add(problem, []);
  }

  /** Adds an issue: an element that opens is not allowed. It gets no frame. */
  element(opened: Opened, code: IssueCode, expected: string, actual: string): undefined {
    this.#add({ code, expected, actual }, steps(opened), opened.offset);
  }

  /** Adds an issue: the model does not declare an attribute of the innermost or opening element. */
  attribute(model: string, raw: string, opened?: Opened): void {
    const expected = `an attribute that ${model} declares`;
    const path = opened === undefined ? [`@${raw}`] : [opened.name.raw, `@${raw}`];
    this.#add({ code: "unknown", expected, actual: "is not one" }, path, opened?.offset);
  }

  /** Adds an issue: the value of an attribute of the innermost element is already known. */
  secondAttribute(raw: string): void {
    const problem = { code: "duplicate", expected: "one attribute of this name" } as const;
    this.#add({ ...problem, actual: "is the second one" }, [`@${raw}`]);
  }

  /**
   * Throws if there is any issue.
   *
   * @throws {ModelError} With all issues
   */
  throwIfAny(): void {
    this.#issues.throwIfAny(this.#model, "read from XML");
  }

  #add(
    problem: Problem,
    below: readonly Key[],
    offset: number = this.#open.at(-1)?.offset ?? 0,
  ): typeof BAD {
    return this.#issues.add(() => {
      const path = [...this.#open.flatMap(steps), ...below];
      return { ...issueAt(path, problem, xmlPath(path)), ...this.#places.at(offset) };
    });
  }
}

/** Returns the name and namespace of an element for a message. */
export function shownElement(raw: string, uri: string): string {
  const namespace = uri === "" ? "no namespace" : `the namespace ${messageText(uri)}`;
  return `${shownTag(raw)} in ${namespace}`;
}

/** Returns the tag of an element for a message, without its namespace. */
export function shownTag(raw: string): string {
  return `<${nameText(raw)}>`;
}

/** Returns the steps of a path to an element from the one around it. */
function steps({ name, index }: Opened): Key[] {
  return index > 0 ? [name.raw, index] : [name.raw];
}
