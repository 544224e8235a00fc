import { boundedMessage } from "./message_text.ts";

/** Where one of the toolkit's own error classes keeps the name that all its copies share. */
const BRAND = Symbol.for("restwright.error");

/**
 * The root of every error that the toolkit raises.
 *
 * `instanceof` holds across copies: where two copies of the toolkit are loaded (an SDK brings its
 * own), an error of one copy is an instance of the same class of the other. Classes that an SDK
 * derives from it answer as ordinary classes.
 *
 * @example Tell the toolkit's errors from others
 * ```ts
 * import { RestwrightError, UnexpectedValueError } from "@restwright/restwright";
 *
 * const error: unknown = new UnexpectedValueError("retries", "a whole number of at least 0", -1);
 * if (!(error instanceof RestwrightError)) throw error;
 * ```
 */
export class RestwrightError extends Error {
  static {
    brand("RestwrightError", this);
  }

  /** Holds for instances of this class, made by this copy of the toolkit or by another. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return super[Symbol.hasInstance](value) ||
      value instanceof Error && isBranded(value.constructor, brandOf(this));
  }

  /**
   * Builds the error.
   *
   * @param message What happened; control characters in it are escaped, and it is cut after 10,000
   * characters
   * @param options The cause; one that is undefined is none
   */
  constructor(message?: string, options?: ErrorOptions) {
    super(
      // An errorFunc that is not typed may return anything.
      message === undefined ? undefined : boundedMessage(String(message)),
      options?.cause === undefined ? undefined : options,
    );
  }

  /**
   * The class's name, kept under minification for the toolkit's own classes; it can be set, as
   * error classes commonly do.
   */
  override get name(): string {
    return brandOf(this.constructor) ?? this.constructor.name;
  }

  override set name(name: string) {
    Object.defineProperty(this, "name", { value: name, configurable: true, writable: true });
  }

  /** What `JSON.stringify` shows: never a header, a body or a secret. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message };
  }
}

/** Gives one of the toolkit's own error classes the name under which all its copies know it. */
export function brand(name: string, made: object): void {
  Object.defineProperty(made, BRAND, { value: name });
}

/** The name that a class was given by {@linkcode brand}; a derived class does not inherit it. */
function brandOf(made: object): string | undefined {
  return Object.getOwnPropertyDescriptor(made, BRAND)?.value;
}

/** Whether a class, or one that it is derived from, was given a name. */
export function isBranded(made: unknown, name: string | undefined): boolean {
  return name !== undefined && typeof made === "function" &&
    (brandOf(made) === name || isBranded(Object.getPrototypeOf(made), name));
}

/** The message of an error that is not retried although it should be: it tells why. */
export function withNote(
  message: string,
  { note }: { readonly note?: string | undefined },
): string {
  return note === undefined ? message : `${message} (not retried: ${note})`;
}
