/** The names in the values of a document, resolved by a parser that is not the toolkit's. */
import { XMLParser } from "fast-xml-parser";
import { XSI } from "./xml_tree.ts";

/** A node of fast-xml-parser: a tag with its children, `#text`, and `:@` with the attributes. */
type Node = Record<string, unknown>;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  trimValues: false,
});

/**
 * Returns the values of a document with their names resolved, in document order: `t:Point` becomes
 * `{urn:t}Point`. A name without a prefix is resolved in `xsi:type` only.
 *
 * @throws {Error} If a prefix is declared twice, or not at all
 */
export function qualifiedNames(xml: string): string[] {
  const found: string[] = [];
  const resolved = (value: string, scope: ReadonlyMap<string, string>) =>
    value.replace(/([a-z]\w*):(?=\w)/g, (_, prefix) => `{${scope.get(prefix) ?? "undeclared"}}`);
  const walk = (nodes: readonly Node[], around: ReadonlyMap<string, string>) => {
    for (const node of nodes) {
      const { ":@": attributes = {}, "#text": text, ...element } = node;
      if (text !== undefined) {
        if (String(text).trim() !== "") found.push(resolved(String(text), around));
        continue;
      }
      const scope = new Map(around);
      const values = Object.entries(attributes as Record<string, string>);
      for (const [name, value] of values) {
        if (name === "xmlns" || name.startsWith("xmlns:")) scope.set(name.slice(6), value);
      }
      const nameOf = (raw: string, unprefixed: string | undefined) => {
        const [local = "", prefix] = raw.split(":").reverse();
        const uri = prefix === undefined ? unprefixed : scope.get(prefix);
        if (uri === undefined) throw new Error(`${raw} has no namespace in ${xml}`);
        return `{${uri}}${local}`;
      };
      const [tag = ""] = Object.keys(element);
      found.push(nameOf(tag, scope.get("") ?? ""));
      found.push(
        ...values.filter(([name]) => !/^xmlns(?::|$)/.test(name)).map(([raw, value]) => {
          const name = nameOf(raw, "");
          const isType = name === `{${XSI}}type` && !value.includes(":");
          return `@${name}=${isType ? nameOf(value, scope.get("") ?? "") : resolved(value, scope)}`;
        }).sort(),
      );
      walk(element[tag] as readonly Node[], scope);
    }
  };
  walk(parser.parse(xml).filter((node: Node) => !("?xml" in node)), new Map([["xml", "xml"]]));
  return found;
}
