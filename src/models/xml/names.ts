/** Reads names and paths of names with namespaces, and recognises `xsi:nil` and blank text. */
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import type { XmlAttribute } from "../../xml/content.ts";
import { isXmlName, nameKey, type XmlName, XSI_NAMESPACE } from "../../xml/name.ts";
import type { XmlAttributes } from "../../xml/reader.ts";

const NIL = nameKey(XSI_NAMESPACE, "nil");

/** A name with its namespace. */
export interface QualifiedName {
  readonly uri: string;
  readonly tag: string;
  readonly key: string;
}

/**
 * Parses names that are separated by slashes. A name in braces after its namespace, as in
 * `{uri}name`, is in that namespace, any other in the given one.
 *
 * @param option The name of the option, for errors
 * @param path The names
 * @param namespace The namespace of names without braces
 * @throws {UnexpectedValueError} If a name is invalid
 */
export function parseNamePath(option: string, path: string, namespace: string): QualifiedName[] {
  // A namespace may contain slashes.
  const steps = typeof path !== "string"
    ? [""]
    : path.replace(/^\//, "").match(/(?:\{[^{}]*\}|[^/])+|(?<=\/|^)(?=\/|$)/g) ?? [];
  return steps.map((step) => {
    const [, uri = namespace, tag = ""] = /^(?:\{([^{}]*)\})?([^{}]*)$/.exec(step) ?? [];
    if (!isXmlName(tag)) {
      const expected = 'names separated by slashes, such as "page/items" or "{uri}page/items"';
      throw new UnexpectedValueError(option, expected, path);
    }
    return { uri, tag, key: nameKey(uri, tag) };
  });
}

/** Reports if an attribute is `xsi:nil`. */
export function isNilName(name: XmlName): boolean {
  return name.key === NIL;
}

/** Reports if an attribute that was kept is `xsi:nil`. */
export function isNilAttribute({ namespace, name }: XmlAttribute): boolean {
  return namespace === XSI_NAMESPACE && name === "nil";
}

/** Reports if the attributes of an element include `xsi:nil="true"`. */
export function isNil({ names, values }: XmlAttributes): boolean {
  const index = names.findIndex(isNilName);
  return index >= 0 && /^[ \t\r\n]*(?:true|1)[ \t\r\n]*$/.test(values[index]!);
}

/** Reports if a text is empty or consists of XML's four whitespace characters only. */
export function isBlank(text: string): boolean {
  return !/[^ \t\r\n]/.test(text);
}

/** Returns a text without the whitespace around it; undefined if it has nothing else. */
export function trimmed(text: string): string | undefined {
  return /[^ \t\r\n](?:[^]*[^ \t\r\n])?/.exec(text)?.[0];
}
