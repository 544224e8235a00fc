/** Finds properties and required names of schemas, also in what the schemas extend. */

import type { Node, Source } from "../../read/source.ts";
import { isRecord, MAX_DEPTH, referenceOf, type SchemaIndex } from "./schema_index.ts";

/** A property of a schema. */
export interface FoundProperty {
  readonly node: Node;
  /** True if the schema that has the property also requires it. */
  readonly isRequired: boolean;
}

/** The properties of schemas. */
export class SchemaProperties {
  readonly #source: Source;
  readonly #index: SchemaIndex;

  constructor(source: Source, index: SchemaIndex) {
    this.#source = source;
    this.#index = index;
  }

  /** Finds a property of a schema, also in what it extends, and in the members of a union. */
  find(
    node: Node,
    name: string,
    seen: Set<unknown> = new Set(),
  ): FoundProperty | undefined {
    const { value } = node;
    if (!isRecord(value) || seen.has(value) || seen.size > MAX_DEPTH) return undefined;
    seen.add(value);
    const properties = this.#source.child(node, "properties");
    const own = properties && isRecord(properties.value)
      ? this.#source.child(properties, name)
      : undefined;
    if (own !== undefined) {
      const { required } = value;
      return { node: own, isRequired: Array.isArray(required) && required.includes(name) };
    }
    const target = this.#targetOf(node);
    const found = target && this.find(target, name, seen);
    if (found !== undefined) return found;
    for (const key of ["allOf", "oneOf", "anyOf"]) {
      const list = this.#source.child(node, key);
      if (list === undefined || !Array.isArray(list.value)) continue;
      for (const each of childrenOf(this.#source, list)) {
        const inner = this.find(each, name, seen);
        if (inner !== undefined) return inner;
      }
    }
    return undefined;
  }

  /** Returns the names that schemas require, also by what they extend. */
  requiredIn(nodes: readonly Node[], seen: Set<unknown> = new Set()): Set<string> {
    const names = new Set<string>();
    for (const node of nodes) {
      const { value } = node;
      if (!isRecord(value) || seen.has(value) || seen.size > MAX_DEPTH) continue;
      seen.add(value);
      if (Array.isArray(value.required)) {
        for (const name of value.required) if (typeof name === "string") names.add(name);
      }
      const inner: Node[] = [];
      const target = this.#targetOf(node);
      if (target !== undefined) inner.push(target);
      const list = this.#source.child(node, "allOf");
      if (list !== undefined && Array.isArray(list.value)) {
        inner.push(...childrenOf(this.#source, list));
      }
      for (const name of this.requiredIn(inner, seen)) names.add(name);
    }
    return names;
  }

  /** Follows the references of a schema. */
  followed(schema: Node): Node {
    let node = schema;
    for (let hops = 0; hops < MAX_DEPTH; hops++) {
      const next = this.#targetOf(node);
      if (next === undefined) break;
      node = next;
    }
    return node;
  }

  #targetOf(node: Node): Node | undefined {
    const reference = referenceOf(node.value);
    return reference === undefined ? undefined : this.#index.target(node, reference)?.node;
  }
}

/** Returns the schemas in an object or in a list. */
export function childrenOf(source: Source, node: Node): Node[] {
  return Array.from(source.children(node), ([, child]) => child);
}
