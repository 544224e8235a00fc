/** Resolves the prefixes of names, and rejects invalid declarations of namespaces. */
import { nameText } from "../errors/format_issue.ts";
import { nameKey, XML_NAMESPACE, type XmlName } from "./name.ts";

/** The namespace of the prefix `xmlns`. No other prefix can be bound to it. */
const XMLNS_NAMESPACE = "http://www.w3.org/2000/xmlns/";

/** An error for a name or declaration that "Namespaces in XML 1.0" does not allow. */
export class NamespaceFault extends Error {}

/** A prefix that is declared. */
export interface NamespaceBinding {
  readonly uri: string;
  /** The number of elements around the one that declares it; -1 if no element does. */
  readonly depth: number;
}

/** The values to restore when an element that declares namespaces closes. */
interface Scope {
  readonly before: readonly (readonly [prefix: string, binding: NamespaceBinding | undefined])[];
  readonly elements: Map<string, XmlName>;
  readonly attributes: Map<string, XmlName>;
}

/**
 * A resolver for prefixes, as "Namespaces in XML 1.0" defines them: the default namespace applies
 * to elements, not to attributes. Each name is resolved once per set of declarations in scope.
 */
export class Namespaces {
  /**
   * The namespace of each prefix. The empty prefix has the default namespace. A prefix that is no
   * longer bound is set to undefined and not deleted: deleting from a large map takes linear time.
   */
  readonly #bindings: Map<string, NamespaceBinding | undefined> = new Map();
  #elements: Map<string, XmlName> = new Map();
  #attributes: Map<string, XmlName> = new Map();
  readonly #scopes: (Scope | undefined)[] = [];

  /**
   * Starts outside of the root.
   *
   * @param defaultNamespace The default namespace, if the document declares none
   */
  constructor(defaultNamespace: string = "") {
    this.#bindings.set("", { uri: defaultNamespace, depth: -1 });
    this.#bindings.set("xml", { uri: XML_NAMESPACE, depth: -1 });
  }

  /** True if the document has declared a prefix so far. */
  get hasPrefixes(): boolean {
    return this.#bindings.size > 2;
  }

  /** True if the element that was opened last declares a namespace. */
  get isDeclaring(): boolean {
    return this.#scopes.at(-1) !== undefined;
  }

  /** Returns the namespace of a prefix, or the default namespace for an empty one. */
  lookup(prefix: string): NamespaceBinding | undefined {
    return this.#bindings.get(prefix);
  }

  /**
   * Opens an element, and adds the namespaces that it declares. The array holds names and values in
   * turn.
   */
  enter(attributes: readonly string[]): void {
    let before: [string, NamespaceBinding | undefined][] | undefined;
    for (let index = 0; index < attributes.length; index += 2) {
      const name = attributes[index]!;
      if (!isDeclaration(name)) continue;
      const prefix = name.slice(6);
      const uri = attributes[index + 1]!;
      checkDeclaration(name, prefix, uri);
      before ??= [];
      before.push([prefix, this.#bindings.get(prefix)]);
      this.#bindings.set(prefix, { uri, depth: this.#scopes.length });
    }
    if (before === undefined) {
      this.#scopes.push(undefined);
      return;
    }
    this.#scopes.push({ before, elements: this.#elements, attributes: this.#attributes });
    this.#elements = new Map();
    this.#attributes = new Map();
  }

  /** Closes the element that was opened last. */
  leave(): void {
    const scope = this.#scopes.pop();
    if (scope === undefined) return;
    for (const [prefix, binding] of scope.before) this.#bindings.set(prefix, binding);
    this.#elements = scope.elements;
    this.#attributes = scope.attributes;
  }

  /** Resolves the name of an element. */
  element(raw: string): XmlName {
    return this.#elements.get(raw) ??
      this.#resolved(raw, this.#elements, this.#bindings.get("")!.uri);
  }

  /** Resolves the name of an attribute. */
  attribute(raw: string): XmlName {
    return this.#attributes.get(raw) ?? this.#resolved(raw, this.#attributes, "");
  }

  #resolved(raw: string, known: Map<string, XmlName>, unprefixed: string): XmlName {
    const colon = raw.indexOf(":");
    const prefix = raw.slice(0, Math.max(colon, 0));
    const local = raw.slice(colon + 1);
    if (colon === 0 || local === "" || local.includes(":") || !startsName(local)) {
      throw new NamespaceFault(
        `"${nameText(raw)}" is not a valid name with a prefix: expected prefix:name`,
      );
    }
    const uri = colon < 0 ? unprefixed : this.#bindings.get(prefix)?.uri;
    if (uri === undefined || prefix === "xmlns") {
      throw new NamespaceFault(
        `the prefix of "${nameText(raw)}" is not declared: expected ` +
          `xmlns:${nameText(prefix)}="…" on the element or on one around it`,
      );
    }
    const name = { raw, uri, local, key: nameKey(uri, local) };
    known.set(raw, name);
    return name;
  }
}

/** Reports if an attribute declares a namespace. */
export function isDeclaration(name: string): boolean {
  return name.startsWith("xmlns") && (name.length === 5 || name[5] === ":");
}

/**
 * Reports if a local name starts with a character that is allowed there. Parsers accept `a:1`,
 * because they only check the whole name.
 */
function startsName(local: string): boolean {
  return !/^[-.0-9\u00b7\u0300-\u036f\u203f\u2040]/.test(local);
}

function checkDeclaration(name: string, prefix: string, uri: string): void {
  const fault = (reason: string) =>
    new NamespaceFault(`${nameText(name)}="…" is not allowed: ${reason}`);
  if (name === "xmlns:" || prefix.includes(":")) throw fault("expected one prefix after xmlns:");
  if (prefix === "xmlns") throw fault("the prefix xmlns cannot be declared");
  if ((prefix === "xml") !== (uri === XML_NAMESPACE)) {
    throw fault(`the prefix xml, and no other, must have the namespace ${XML_NAMESPACE}`);
  }
  if (uri === XMLNS_NAMESPACE) throw fault("no prefix can have this namespace");
  if (uri === "" && prefix !== "") throw fault("the namespace of a prefix cannot be empty");
}
