/** JSON pointers (RFC 6901), written with `#` as in references, and the paths of references. */

/** Returns a pointer with one more key. */
export function childPointer(pointer: string, key: string | number): string {
  const text = String(key);
  return /[~/]/.test(text)
    ? `${pointer}/${text.replaceAll("~", "~0").replaceAll("/", "~1")}`
    : `${pointer}/${text}`;
}

/** Returns the pointer of a list of keys. */
export function pointerOf(keys: Iterable<string | number>): string {
  let pointer = "#";
  for (const key of keys) pointer = childPointer(pointer, key);
  return pointer;
}

/** Returns the keys of a pointer, `#` or `#/a/b`. */
export function pointerKeys(pointer: string): string[] {
  return pointer.split("/").slice(1).map((key) =>
    key.includes("~") ? key.replaceAll("~1", "/").replaceAll("~0", "~") : key
  );
}

/** A reference in its two parts. */
export interface Reference {
  /** The path or URL of a file; empty for the file of the reference. */
  readonly file: string;
  /** Decoded, without `#`: empty, a pointer such as `/a/b`, or the name of an anchor. */
  readonly fragment: string;
}

/** Splits a reference, and decodes both parts. A part with a faulty escape is left as it is. */
export function splitReference(reference: string): Reference {
  const hash = reference.indexOf("#");
  if (hash === -1) return { file: decoded(reference), fragment: "" };
  return { file: decoded(reference.slice(0, hash)), fragment: decoded(reference.slice(hash + 1)) };
}

function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reports if the file of a reference is a URL, which includes `//host/path`. */
export function isUrl(file: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(file);
}

/**
 * Returns the path of a file that a reference names, relative to the folder of the document.
 *
 * @param from The path of the file with the reference, or its URL
 * @param file The file of the reference
 */
export function resolvedPath(from: string, file: string): string {
  if (isUrl(file)) return file;
  if (isUrl(from)) return URL.parse(file, from)?.href ?? file;
  if (file.startsWith("/")) return file;
  const parts: string[] = [];
  for (const part of [...from.split("/").slice(0, -1), ...file.split("/")]) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}
