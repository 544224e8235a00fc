/** Changes for callers, as data, and as lines of text. */

/**
 * The kinds of changes. Requests break if the new SDK takes less than the old one, and responses if it
 * returns more. What breaks callers in one direction may be an addition in the other one.
 */
export type ChangeKind =
  /** The class of the client has another name. */
  | "client-renamed"
  /** An option of the client is gone. */
  | "option-removed"
  /** The base URL has to be set: the new document names no server with a host. */
  | "option-required"
  /** The operation is gone, and no new operation has the name of its method. */
  | "method-removed"
  /** The method of the operation has another name. */
  | "method-renamed"
  /** The arguments of a method have another number or order, or its body or params came or went. */
  | "arguments-changed"
  /** Requests: a parameter is gone. */
  | "parameter-removed"
  /** Requests: a parameter, or the object of all of them, was optional or is new, and is required. */
  | "parameter-required"
  /** Requests: the body was optional, and is required. */
  | "body-required"
  /** Requests and responses: a property is gone, or an object has no properties of any name any more. */
  | "property-removed"
  /**
   * Requests: a property was optional or is new, and is required. Responses: it could be missing, and is
   * always there, which breaks nobody.
   */
  | "property-required"
  /**
   * Responses: a property was always there, and can be missing. Requests: it was required, and is optional,
   * which breaks nobody.
   */
  | "property-optional"
  /** Requests, responses and options of the client: a listed value is gone. */
  | "value-removed"
  /** Responses: a list of values has a new one. Requests: the same, which breaks nobody. */
  | "value-added"
  /** Requests: null is not taken any more. Responses: a value cannot be null, which breaks nobody. */
  | "null-removed"
  /** Responses: a value can be null. Requests: null is taken, which breaks nobody. */
  | "null-added"
  /**
   * Requests and options of the client: values of the old type are not taken any more. Responses: values
   * of the new type do not fit the old one, or the result has another form, such as a list in pages.
   */
  | "type-changed"
  /** An exported name is gone, and not only because the methods that used it are. */
  | "export-removed"
  /** A status throws another class of error. */
  | "error-changed"
  /** Credentials that were enough for a method are not any more. */
  | "credentials-required"
  /** A webhook is gone, or an event of it. */
  | "event-removed"
  /** Breaks nobody: the client has a new option. */
  | "option-added"
  /** Breaks nobody: the base URL can be left out. */
  | "option-optional"
  /** Breaks nobody: a method is new. */
  | "method-added"
  /** Breaks nobody yet: the document says that the operation is deprecated. */
  | "method-deprecated"
  /** Breaks nobody: an optional parameter is new. */
  | "parameter-added"
  /** Breaks nobody: a parameter was required, and is optional. */
  | "parameter-optional"
  /** Breaks nobody: the body was required, and is optional. */
  | "body-optional"
  /** Breaks nobody: a property is new, which requests do not require. */
  | "property-added"
  /** Breaks nobody: other credentials are enough for a method, too. */
  | "credentials-changed"
  /** Breaks nobody: a webhook is new, or an event of it. */
  | "event-added";

/**
 * A change for callers. It breaks them if their code does not compile any more, or does not get what its
 * types say.
 */
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
export function changeLine(change: Change): string {
  return partsOfLine(change).join(": ");
}

/** Returns the parts of a line: the place, and the message with the methods that the change affects. */
export function partsOfLine({ place, message, directions, methods }: Change): [string, string] {
  const way = directions.map((direction) => `${direction}s`).join(" and ");
  const isOwn = methods.length === 1 &&
    (place === methods[0] || place.startsWith(`${methods[0]} `));
  const named = methods.slice(0, NAMED_METHODS).join(", ");
  const others = methods.length - NAMED_METHODS;
  const users = isOwn || methods.length === 0
    ? ""
    : `; used by ${named}${others > 0 ? ` and ${others} more` : ""}`;
  const text = `${message}${way === "" || isOwn ? "" : ` (in ${way}${users})`}` +
    (way === "" && users !== "" ? ` (${users.slice(2)})` : "");
  return [place, text];
}
