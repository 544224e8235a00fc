/** Finds the words in a value that may be prefixes of namespaces. */
import { isNameCharacter, isXmlName, nameKey, type XmlName, XSI_NAMESPACE } from "./name.ts";

const XSI_TYPE = nameKey(XSI_NAMESPACE, "type");

/**
 * Returns the words in a value that may be prefixes: those before a colon, as in `t:Point` and
 * `//t:Point/@t:x`, and in an attribute those between spaces, as in `Ignorable="t u"`. XML does not
 * know which values are names, so they are only prefixes if they are declared.
 *
 * An empty prefix is for the default namespace. It is only returned for a name without a prefix in
 * `xsi:type`, because no other value is known to be a name.
 *
 * @param value The value of an attribute, or a text
 * @param attribute The name of the attribute
 */
export function possiblePrefixes(value: string, attribute?: XmlName): readonly string[] {
  const words = attribute === undefined ? [] : value.match(/[^ \t\r\n]+/g) ?? [];
  if (attribute?.key === XSI_TYPE && words.length === 1 && isXmlName(words[0])) {
    return ["", ...words];
  }
  const prefixes: string[] = words;
  let end = 0;
  for (let colon = value.indexOf(":"); colon >= 0; colon = value.indexOf(":", end)) {
    // A pattern that is anchored at the colon would take quadratic time for long words.
    let start = colon;
    while (start > end && isNameCharacter(value[start - 1]!)) start--;
    if (start < colon) prefixes.push(value.slice(start, colon));
    end = colon + 1;
  }
  return prefixes;
}
