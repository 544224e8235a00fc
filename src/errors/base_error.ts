/** The base class of all errors, which `instanceof` recognises across copies of the toolkit. */
import { boundedMessage } from "./message_text.ts";

/** The key of an error class's brand: the name that identifies it across copies of the toolkit. */
const BRAND = Symbol.for("restwright.error");

/** The key of a further class that an error is an instance of. All copies of the toolkit share it. */
export const ALSO_OF_CLASS: unique symbol = Symbol.for("restwright.alsoOfClass");

/** The fields that each class adds to the JSON of its errors, by the prototype of the class. */
const shownFields = new WeakMap<object, readonly string[]>();

/**
 * The base class of every error that the toolkit throws.
 *
 * `instanceof` also works if two copies of the toolkit are loaded, for example because an SDK has
 * its own. An error of one copy is then an instance of the same class of the other copy. For
 * classes that an SDK derives from this one, `instanceof` works as usual.
 *
 * @example Distinguish the toolkit's errors from others
 * ```ts
 * import { RestwrightError, UnexpectedValueError } from "@restwright/restwright";
 *
 * const error: unknown = new UnexpectedValueError("retries", "a whole number of at least 0", -1);
 * if (!(error instanceof RestwrightError)) throw error;
 * ```
 *
 * @category Errors
 */
export class RestwrightError extends Error {
  static {
    brand("RestwrightError", this);
    showInJson(this, "name", "message");
  }

  /** Returns true for instances of this class, created by this or another copy of the toolkit. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return super[Symbol.hasInstance](value) ||
      value instanceof Error && [value.constructor, Reflect.get(value, ALSO_OF_CLASS)]
          .some((made) => isBranded(made, brandOf(this)));
  }

  /**
   * Builds the error.
   *
   * @param message The message; control characters are escaped, and it is cut after 10,000
   * characters
   * @param options The cause; a cause of undefined is ignored
   */
  constructor(message?: string, options?: { readonly cause?: unknown }) {
    super(
      // An `errorFunc` written in JavaScript may return any type.
      message === undefined ? undefined : boundedMessage(String(message)),
      options?.cause === undefined ? undefined : options,
    );
  }

  /**
   * The class's name. For the toolkit's own classes it is correct even in minified code. It can be
   * set, because many error classes set `name` in their constructor.
   */
  override get name(): string {
    return brandOf(this.constructor) ?? this.constructor.name;
  }

  override set name(name: string) {
    Object.defineProperty(this, "name", { value: name, configurable: true, writable: true });
  }

  /** Returns the fields for `JSON.stringify`: never a header, a body or a secret. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries(shownBy(this).map((field) => [field, Reflect.get(this, field)]));
  }
}

/** Sets the name that identifies one of the toolkit's own error classes in all its copies. */
export function brand(name: string, made: object): void {
  Object.defineProperty(made, BRAND, { value: name });
}

/**
 * Adds fields of a class to the JSON of its errors, after those of the class that it is derived
 * from. A field that is not listed is not in the JSON, because it may contain a secret.
 */
export function showInJson<Made extends RestwrightError>(
  made: { readonly prototype: Made },
  ...fields: readonly (string & keyof Made)[]
): void {
  shownFields.set(made.prototype, fields);
}

/** Returns the fields that an object shows in JSON: first those of the base class. */
function shownBy(shown: object | null): readonly string[] {
  if (shown === null) return [];
  return [...shownBy(Object.getPrototypeOf(shown)), ...shownFields.get(shown) ?? []];
}

/** Returns the name that {@linkcode brand} set on a class; a derived class does not inherit it. */
function brandOf(made: object): string | undefined {
  return Object.getOwnPropertyDescriptor(made, BRAND)?.value;
}

/** Returns true if a class, or one that it is derived from, is branded with a name. */
export function isBranded(made: unknown, name: string | undefined): boolean {
  return name !== undefined && typeof made === "function" &&
    (brandOf(made) === name || isBranded(Object.getPrototypeOf(made), name));
}

/** Appends the reason why a retryable error was not retried to its message. */
export function addNote(error: Error, note: string): void {
  const { message, stack } = error;
  const noted = boundedMessage(`${message} (not retried: ${note})`);
  // An error class of an SDK may not allow it.
  Reflect.set(error, "message", noted);
  // The stack is what runtimes print. In most of them, it begins with the message.
  if (message !== "" && stack?.includes(message)) {
    Reflect.set(error, "stack", stack.replace(message, () => noted));
  }
}

/** Reports if a value is an error, also of another realm, because test runners may use one. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || "stack" in Object(value);
}
