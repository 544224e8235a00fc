/**
 * Recognises objects of other realms, of other packages and of other copies of the toolkit, and copies
 * those that fetch would send as text, such as the `FormData` of a package.
 */
import { sendableBytes } from "./bytes.ts";
import { hasMethods } from "./checks.ts";

/** Reports if a value is `Headers`, also those of a package. */
export function isHeaders(value: unknown): value is Headers {
  // Those of node-fetch 3 are also `URLSearchParams`.
  return value instanceof Headers || hasMethods(value, ["append", "entries", "get", "has"]) &&
      (isTagged(value, "Headers") || !hasMethods(value, ["getAll"]));
}

/** Reports if a value is `URLSearchParams`, also that of a package. */
export function isSearchParams(value: unknown): value is URLSearchParams {
  return value instanceof URLSearchParams ||
    hasMethods(value, ["append", "getAll", "entries", "sort"]);
}

/** Reports if a value is `FormData`, also that of a package. */
export function isFormData(value: unknown): value is FormData {
  return value instanceof FormData ||
    hasMethods(value, ["append", "getAll", "entries"]) && !hasMethods(value, ["sort"]);
}

/** Reports if a value is a Blob or a File that is not the runtime's own. */
export function isForeignBlob(value: unknown): value is Blob {
  return !(value instanceof Blob) && hasMethods(value, ["arrayBuffer", "slice"]) &&
    typeof (value as Partial<Blob>).size === "number";
}

/** Reports if a value is a Date, also one of another realm. */
export function isDate(value: unknown): value is Date {
  return value instanceof Date || isTagged(value, "Date") && hasMethods(value, ["getTime"]);
}

/** Reports if a value is a regular expression, also one of another realm. */
export function isRegExp(value: unknown): value is RegExp {
  return value instanceof RegExp || isTagged(value, "RegExp") && hasMethods(value, ["test"]);
}

/** Copies a Blob or a File of a package into one of the runtime. */
export async function ownBlob(blob: Blob): Promise<Blob> {
  const parts = [sendableBytes(await blob.arrayBuffer())];
  const { name, type, lastModified } = blob as File;
  return typeof name === "string"
    ? new File(parts, name, { type, lastModified })
    : new Blob(parts, { type });
}

/** Copies a form of a package into one of the runtime. */
export async function ownForm(form: FormData): Promise<FormData> {
  const own = new FormData();
  for (const [name, value] of form) {
    if (typeof value === "string") own.append(name, value);
    else own.append(name, isForeignBlob(value) ? await ownBlob(value) : value, value.name);
  }
  return own;
}

/**
 * Reports if a value is an instance of a class of the toolkit, also of another copy, for example
 * because an SDK has brought its own.
 *
 * @param value The value
 * @param name The name of the class, which is its `Symbol.toStringTag`
 * @param members The names of its members that the toolkit uses
 */
export function isOfCopy(value: unknown, name: string, members: readonly string[]): boolean {
  return isTagged(value, name) && members.every((member) => member in Object(value));
}

/** Reports if the built-in kind or the `Symbol.toStringTag` of a value is this name. */
function isTagged(value: unknown, name: string): boolean {
  return Object.prototype.toString.call(value) === `[object ${name}]`;
}
