/** Changes that break callers, as data, and as lines of text. */

/** The kinds of changes. */
export type ChangeKind =
  | "client-renamed"
  | "option-removed"
  | "option-required"
  | "method-removed"
  | "method-renamed"
  | "arguments-changed"
  | "parameter-removed"
  | "parameter-required"
  | "body-required"
  | "property-removed"
  | "property-required"
  | "property-optional"
  | "value-removed"
  | "value-added"
  | "null-removed"
  | "null-added"
  | "type-changed"
  | "export-removed"
  | "error-changed"
  | "credentials-required";

/** A change that breaks callers: their code does not compile, or does not get what its types say. */
export interface Change {
  /** The kind of the change. */
  readonly kind: ChangeKind;
  /**
   * The place in the SDK: a method such as `pets.get`, a part of it such as `pets.list params.limit`
   * or `pets.get result`, a property such as `Pet.name`, an exported name, or an option of the client.
   */
  readonly place: string;
  /** Says what changed: "was `string`, is `number`". */
  readonly message: string;
  /** The directions in which the value goes that changed; empty for other changes. */
  readonly directions: readonly ("request" | "response")[];
  /** The methods that the change affects, under their old names; empty if all or none are. */
  readonly methods: readonly string[];
}

/** A change without the methods that it affects. */
export interface Finding extends Omit<Change, "directions" | "methods"> {
  readonly direction?: "request" | "response" | undefined;
}

/** The number of methods that a line names. */
const NAMED_METHODS = 3;

/** Collects changes. One that affects several methods or directions is collected once. */
export class Changes {
  readonly #found = new Map<
    string,
    { finding: Finding; directions: Set<"request" | "response">; methods: Set<string> }
  >();

  /**
   * Adds a change.
   *
   * @param finding The change
   * @param method The method that it affects, if it is one
   */
  add(finding: Finding, method?: string): void {
    const { kind, place, message, direction } = finding;
    const key = JSON.stringify([kind, place, message]);
    let known = this.#found.get(key);
    if (known === undefined) {
      known = { finding, directions: new Set(), methods: new Set() };
      this.#found.set(key, known);
    }
    if (direction !== undefined) known.directions.add(direction);
    if (method !== undefined) known.methods.add(method);
  }

  /** Lists the changes in the order in which they were found. */
  list(): Change[] {
    return Array.from(this.#found.values(), ({ finding, directions, methods }) => ({
      kind: finding.kind,
      place: finding.place,
      message: finding.message,
      directions: [...directions].sort(),
      methods: [...methods],
    }));
  }
}

/** Returns a change as one line. */
export function changeLine({ place, message, directions, methods }: Change): string {
  const way = directions.map((direction) => `${direction}s`).join(" and ");
  const isOwn = methods.length === 1 &&
    (place === methods[0] || place.startsWith(`${methods[0]} `));
  const named = methods.slice(0, NAMED_METHODS).join(", ");
  const others = methods.length - NAMED_METHODS;
  const users = isOwn || methods.length === 0
    ? ""
    : `; used by ${named}${others > 0 ? ` and ${others} more` : ""}`;
  return `${place}: ${message}${way === "" || isOwn ? "" : ` (in ${way}${users})`}` +
    (way === "" && users !== "" ? ` (${users.slice(2)})` : "");
}
