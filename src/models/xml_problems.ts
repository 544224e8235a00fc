import { messageText } from "../errors/message_text.ts";
import { type Key, nameText } from "../errors/format_issue.ts";
import type { XmlPlaces } from "../xml/reader.ts";
import { type BAD, describeActual, Problems } from "./problems.ts";
import type { Opened } from "./xml_frame.ts";
import { xmlPath } from "./xml_path.ts";

/**
 * Tells what is wrong in a document of XML that is read, and where: by the path of the elements that
 * are open, and by the line and column where the element begins.
 */
export class XmlProblems {
  readonly #problems = new Problems();
  readonly #model: string;
  readonly #open: readonly Opened[];
  readonly #places: XmlPlaces;

  /**
   * Begins before the root.
   *
   * @param model The name of the model
   * @param open The elements that are open, outermost first, as they are at any time
   * @param places Where offsets are
   */
  constructor(model: string, open: readonly Opened[], places: XmlPlaces) {
    this.#model = model;
    this.#open = open;
    this.#places = places;
  }

  /** The value of the innermost element, or one below it, is not what was expected, or is missing. */
  value(expected: string, received: unknown, ...steps: string[]): typeof BAD {
    return this.#add(
      expected,
      steps,
      () => `expected ${expected}, but it ${describeActual(received)}`,
    );
  }

  /** An element that opens in the innermost one may not stand there. No frame is made of it. */
  element(opened: Opened, expected: string, actual: string): undefined {
    const message = () => `expected ${expected}, but it ${actual}`;
    this.#add(expected, stepsTo(opened), message, opened.offset);
  }

  /** The innermost element, or one that opens in it, has an attribute that the model has not. */
  attribute(model: string, raw: string, opened?: Opened): void {
    const step = `@${raw}`;
    this.#add(
      `an attribute that ${model} declares`,
      opened === undefined ? [step] : [opened.name.raw, step],
      () => `expected an attribute that ${model} declares, but it is not one`,
      opened?.offset,
    );
  }

  /**
   * Goes on where nothing is wrong.
   *
   * @throws {ModelError} With every issue
   */
  refuse(): void {
    this.#problems.refuse(this.#model, "read from XML");
  }

  #add(
    expected: string,
    steps: readonly Key[],
    message: () => string,
    offset: number = this.#open.at(-1)?.offset ?? 0,
  ): typeof BAD {
    return this.#problems.add(() => {
      const keys = [...this.#open.flatMap(stepsTo), ...steps];
      const { line, column } = this.#places.at(offset);
      return { path: xmlPath(keys), keys, expected, message: message(), line, column };
    });
  }
}

/** An element as a message shows it. */
export function shownElement(raw: string, uri: string): string {
  const namespace = uri === "" ? "no namespace" : `the namespace ${messageText(uri)}`;
  return `${shownTag(raw)} in ${namespace}`;
}

/** Returns the tag of an element as a message shows it, without its namespace. */
export function shownTag(raw: string): string {
  return `<${nameText(raw)}>`;
}

/** The steps of a path to an element from the one around it. */
function stepsTo({ name, index }: Opened): Key[] {
  return index > 0 ? [name.raw, index] : [name.raw];
}
