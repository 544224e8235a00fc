/** Finds the prefix of a namespace at an element that is written, or declares one there. */
import { attributeText } from "../../xml/escape.ts";
import { XML_NAMESPACE, XSI_NAMESPACE } from "../../xml/name.ts";

/**
 * The namespaces that an element of a document that is written can use: its own, and those of the
 * elements around it. The empty prefix has the default namespace.
 */
export class XmlScope {
  /** The namespace of elements without a prefix. It does not apply to attributes. */
  readonly defaultNamespace: string;
  readonly #around: XmlScope | undefined;
  /** The namespaces that the element declares, by prefix. */
  readonly #own: ReadonlyMap<string, string>;
  /** The prefixes of these namespaces. */
  readonly #prefixes: ReadonlyMap<string, string>;
  /** The prefixes by namespace that models name. Not all of them are declared. */
  readonly #named: ReadonlyMap<string, string>;
  readonly #reserved: ReadonlySet<string>;
  /** All prefixes `ns…` with a smaller number are in use. */
  #free = 1;

  /**
   * @param around The scope of the element around it
   * @param own The namespaces that the element declares, by prefix
   * @param named The prefixes by namespace that models name, if they are not those of `around`
   */
  constructor(
    around: XmlScope | undefined,
    own: ReadonlyMap<string, string>,
    named: ReadonlyMap<string, string> = around === undefined ? new Map() : around.#named,
  ) {
    this.defaultNamespace = own.get("") ?? around?.defaultNamespace ?? "";
    // Scopes without prefixes are left out, so that deep content does not make a long chain.
    this.#around = around !== undefined && around.#prefixes.size === 0 ? around.#around : around;
    this.#own = own;
    const prefixed = [...own].filter(([prefix]) => prefix !== "");
    this.#prefixes = new Map(prefixed.map(([prefix, uri]) => [uri, prefix]));
    this.#named = named;
    this.#reserved = around !== undefined && named === around.#named
      ? around.#reserved
      : new Set(named.values());
  }

  /** The declarations of the element as attributes. */
  get declarations(): string {
    let text = "";
    for (const [prefix, uri] of this.#own) {
      text += attributeText(prefix === "" ? "xmlns" : `xmlns:${prefix}`, uri);
    }
    return text;
  }

  /**
   * Returns the prefix of elements, with its colon; empty for the default namespace, undefined if
   * the namespace is not declared.
   */
  elementPrefix(namespace: string): string | undefined {
    if (namespace === this.defaultNamespace) return "";
    return namespace === "" ? undefined : this.attributePrefix(namespace);
  }

  /**
   * Returns the prefix of attributes, with its colon; empty without a namespace, undefined if the
   * namespace has no prefix.
   */
  attributePrefix(namespace: string): string | undefined {
    if (namespace === "") return "";
    let prefix = this.#prefixes.get(namespace);
    for (let scope = this.#around; scope !== undefined; scope = scope.#around) {
      // An element inside may use the prefix for another namespace.
      if (prefix !== undefined && this.#isBound(prefix, namespace)) break;
      prefix = scope.#prefixes.get(namespace);
    }
    return prefix !== undefined && this.#isBound(prefix, namespace) ? `${prefix}:` : undefined;
  }

  /** Returns the prefix that a model names, if it is not in use for another namespace. */
  namedPrefix(namespace: string): string | undefined {
    const prefix = this.#named.get(namespace);
    const known = prefix === undefined ? undefined : this.#namespaceOf(prefix);
    return known === undefined || known === namespace ? prefix : undefined;
  }

  /** Returns a prefix that is not in use: `xsi` for its namespace, else `ns1` and so on. */
  freePrefix(namespace: string, used?: ReadonlySet<string>): string {
    const isFree = (prefix: string) =>
      !this.#reserved.has(prefix) && this.#namespaceOf(prefix) === undefined;
    if (namespace === XSI_NAMESPACE && isFree("xsi") && !used?.has("xsi")) return "xsi";
    while (!isFree(`ns${this.#free}`)) this.#free++;
    for (let number = this.#free;; number++) {
      const prefix = `ns${number}`;
      if (isFree(prefix) && !used?.has(prefix)) return prefix;
    }
  }

  /**
   * Returns the scope of an element that declares more namespaces, if they are not declared yet.
   *
   * @param namespaces The namespaces by prefix
   * @param around The scope of the element around it; the same one if it declares none so far
   * @param isReplaced True if a namespace that loses its prefix gets another one
   */
  declare(
    namespaces: ReadonlyMap<string, string>,
    around: XmlScope,
    isReplaced: boolean = false,
  ): XmlScope {
    const missing = [...namespaces].filter(([prefix, uri]) => !this.#isBound(prefix, uri));
    if (missing.length === 0) return this;
    const own = new Map([...this === around ? [] : this.#own, ...missing]);
    const scope = new XmlScope(around, own);
    const used = new Set<string>();
    for (const [prefix] of isReplaced ? missing : []) {
      const lost = this.#namespaceOf(prefix);
      if (lost === undefined || scope.attributePrefix(lost) !== undefined) continue;
      const free = scope.freePrefix(lost, used);
      used.add(free);
      own.set(free, lost);
    }
    return used.size === 0 ? scope : new XmlScope(around, own);
  }

  #isBound(prefix: string, namespace: string): boolean {
    return this.#namespaceOf(prefix) === namespace;
  }

  #namespaceOf(prefix: string): string | undefined {
    if (prefix === "") return this.defaultNamespace;
    let namespace = this.#own.get(prefix);
    for (let scope = this.#around; namespace === undefined; scope = scope.#around) {
      if (scope === undefined) return undefined;
      namespace = scope.#own.get(prefix);
    }
    return namespace;
  }
}

/** The scope around the root. */
export const OUTSIDE: XmlScope = new XmlScope(
  undefined,
  new Map([["xml", XML_NAMESPACE]]),
);
