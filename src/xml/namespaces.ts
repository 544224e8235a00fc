import { nameText } from "../errors/format_issue.ts";
import { nameKey, XML_NAMESPACE, type XmlName } from "./name.ts";

/** The namespace of declarations, to which nothing can be bound. */
const XMLNS_NAMESPACE = "http://www.w3.org/2000/xmlns/";

/** A name or declaration that "Namespaces in XML 1.0" does not allow. */
export class NamespaceFault extends Error {}

/** What has to be put back when an element that declares namespaces closes. */
interface Scope {
  readonly before: readonly (readonly [prefix: string, uri: string | undefined])[];
  readonly elements: Map<string, XmlName>;
  readonly attributes: Map<string, XmlName>;
}

/**
 * Resolves prefixes, as "Namespaces in XML 1.0" says: the default namespace holds for elements and
 * not for attributes. A name is resolved once for each set of declarations that it stands under.
 */
export class Namespaces {
  /**
   * The URI of each prefix; the default namespace is that of the empty prefix. A prefix that is no
   * longer bound stays with undefined: deleting from a large map takes time in proportion to it.
   */
  readonly #uris: Map<string, string | undefined> = new Map([["xml", XML_NAMESPACE]]);
  #elements: Map<string, XmlName> = new Map();
  #attributes: Map<string, XmlName> = new Map();
  readonly #scopes: (Scope | undefined)[] = [];

  /** An element opens: takes the declarations among its attributes, which are names and values. */
  enter(attributes: readonly string[]): void {
    let before: [string, string | undefined][] | undefined;
    for (let index = 0; index < attributes.length; index += 2) {
      const name = attributes[index]!;
      if (!isDeclaration(name)) continue;
      const prefix = name.slice(6);
      const uri = attributes[index + 1]!;
      checkDeclaration(name, prefix, uri);
      before ??= [];
      before.push([prefix, this.#uris.get(prefix)]);
      this.#uris.set(prefix, uri);
    }
    if (before === undefined) {
      this.#scopes.push(undefined);
      return;
    }
    this.#scopes.push({ before, elements: this.#elements, attributes: this.#attributes });
    this.#elements = new Map();
    this.#attributes = new Map();
  }

  /** The element that opened last closes. */
  leave(): void {
    const scope = this.#scopes.pop();
    if (scope === undefined) return;
    for (const [prefix, uri] of scope.before) this.#uris.set(prefix, uri);
    this.#elements = scope.elements;
    this.#attributes = scope.attributes;
  }

  /** The name of an element. */
  element(raw: string): XmlName {
    return this.#elements.get(raw) ?? this.#resolved(raw, this.#elements, this.#uris.get("") ?? "");
  }

  /** The name of an attribute. */
  attribute(raw: string): XmlName {
    return this.#attributes.get(raw) ?? this.#resolved(raw, this.#attributes, "");
  }

  #resolved(raw: string, known: Map<string, XmlName>, unprefixed: string): XmlName {
    const colon = raw.indexOf(":");
    const prefix = raw.slice(0, Math.max(colon, 0));
    const local = raw.slice(colon + 1);
    if (colon === 0 || local === "" || local.includes(":") || !startsName(local)) {
      throw new NamespaceFault(
        `"${nameText(raw)}" is no name with a prefix: expected one colon within it`,
      );
    }
    const uri = colon < 0 ? unprefixed : this.#uris.get(prefix);
    if (uri === undefined || prefix === "xmlns") {
      throw new NamespaceFault(
        `the prefix of "${nameText(raw)}" is not bound: expected xmlns:${nameText(prefix)}="…" ` +
          "on it or around it",
      );
    }
    const name = { raw, uri, local, key: nameKey(uri, local) };
    known.set(raw, name);
    return name;
  }
}

/** Whether an attribute declares a namespace. */
export function isDeclaration(name: string): boolean {
  return name.startsWith("xmlns") && (name.length === 5 || name[5] === ":");
}

/** What may stand at the start of a name may stand within it, so that parsers pass `a:1`. */
function startsName(local: string): boolean {
  return !/^[-.0-9\u00b7\u0300-\u036f\u203f\u2040]/.test(local);
}

function checkDeclaration(name: string, prefix: string, uri: string): void {
  const fault = (reason: string) =>
    new NamespaceFault(`${nameText(name)}="…" is not allowed: ${reason}`);
  if (name === "xmlns:" || prefix.includes(":")) throw fault("it declares no prefix");
  if (prefix === "xmlns") throw fault("the prefix xmlns cannot be declared");
  if ((prefix === "xml") !== (uri === XML_NAMESPACE)) {
    throw fault(`the prefix xml and ${XML_NAMESPACE} belong together`);
  }
  if (uri === XMLNS_NAMESPACE) throw fault("nothing can be bound to it");
  if (uri === "" && prefix !== "") throw fault("a prefix cannot be unbound");
}
