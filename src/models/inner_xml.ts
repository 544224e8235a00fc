/** The types of an element with inline markup, as plain text or as XML text. */
import { parseFragment } from "../xml/fragment.ts";
import type { XmlContentNodes } from "../xml/content.ts";
import type { ValueType } from "./value_type.ts";
import { OUTSIDE } from "./xml/scope.ts";
import { writeContent } from "./xml/write_unknown.ts";

const string = (value: unknown) => typeof value === "string" ? value : undefined;

/**
 * The text of an element with inline markup, without the tags, as `textContent` in browsers. It is
 * written as text.
 *
 * @example
 * ```ts
 * import { element, model, textContent } from "@restwright/restwright/models";
 *
 * class Entry extends model("entry", { title: element(textContent) }) {}
 * const entry = await Entry.fromXml("<entry><title>A <b>bold</b> title</title></entry>");
 * console.log(entry.title); // A bold title
 * ```
 *
 * @category XML
 */
export const textContent: ValueType<string> = {
  shape: {
    kind: "scalar",
    expected: "a string",
    fromText: string,
    fromJson: string,
    toText: string,
    toJson: string,
    markup: { read: textOf, write: (value) => value === "" ? [] : [value] },
  },
};

/**
 * The content of an element as XML text, as `innerHTML` in browsers. Elements declare their
 * namespaces, so that the text can stand alone. It must be well-formed when it is written.
 *
 * @example
 * ```ts
 * import { element, innerXml, model } from "@restwright/restwright/models";
 *
 * class Entry extends model("entry", { title: element(innerXml) }) {}
 * const entry = await Entry.fromXml("<entry><title>A <b>bold</b> title</title></entry>");
 * console.log(entry.title); // A <b>bold</b> title
 * ```
 *
 * @category XML
 */
export const innerXml: ValueType<string> = {
  shape: {
    kind: "scalar",
    expected: "well-formed XML content",
    fromText: string,
    fromJson: string,
    toText: string,
    toJson: string,
    markup: { read: xmlOf, write: parseFragment },
  },
};

/** Returns all texts in content, without recursion, so that it may be nested at any depth. */
function textOf(content: XmlContentNodes): string {
  let text = "";
  const open = [...content].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node === "string") text += node;
    else {for (let index = node.children.length; index > 0; index--) {
        open.push(node.children[index - 1]!);
      }}
  }
  return text;
}

function xmlOf(content: XmlContentNodes): string {
  return writeContent(content, OUTSIDE);
}
