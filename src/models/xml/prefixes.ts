/** Assigns a prefix to each namespace that a written document can have. */
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { isXmlName, XML_NAMESPACE, XSI_NAMESPACE } from "../../xml/name.ts";
import type { ModelClass } from "../model_class.ts";
import { modelsOf } from "../value_type.ts";
import { parseNamePath } from "./names.ts";
import { elementNames } from "./node.ts";
import { xmlPlanOf } from "./plan.ts";
import { OUTSIDE, XmlScope } from "./scope.ts";

/** The root element of a document that is written. */
export interface XmlRoot {
  /** The models that the document starts with: one, or those of the elements of a list. */
  readonly models: readonly ModelClass<object>[];
  /** The namespace of the root element. */
  readonly namespace: string;
  /** The namespace of those models that have none. */
  readonly around: string;
}

/**
 * Assigns prefixes to all namespaces that a document can have: the prefixes that the models name,
 * the default namespace for that of the root, and `ns1` and so on for others. The root declares all
 * of them.
 *
 * @throws {UnexpectedValueError} If a prefix that a model names is invalid
 */
export function prefixesFor(root: XmlRoot): XmlScope {
  const { namespace } = root;
  const used = usedNamespaces(root);
  const named = namedPrefixes(used.models);
  const declarations = new Map<string, string>();
  // In the scope of a default namespace, no element can be without a namespace.
  if (namespace !== "" && !used.elements.has("") && !named.has(namespace)) {
    declarations.set("", namespace);
  }
  const outside = new XmlScope(OUTSIDE, new Map(), named);
  const prefixes = new Set<string>();
  for (const uri of new Set([...used.elements, ...used.attributes])) {
    if (uri === "" || uri === XML_NAMESPACE) continue;
    // The default namespace does not apply to attributes, so they need a prefix.
    if (uri === declarations.get("") && !used.attributes.has(uri)) continue;
    const prefix = named.get(uri) ?? outside.freePrefix(uri, prefixes);
    prefixes.add(prefix);
    declarations.set(prefix, uri);
  }
  return new XmlScope(OUTSIDE, declarations, named);
}

/** Collects the prefixes that models name. If two models name the same prefix, the first wins. */
function namedPrefixes(models: Iterable<ModelClass<object>>): Map<string, string> {
  const named = new Map<string, string>();
  const taken = new Set<string>();
  for (const { name, prefixes } of models) {
    for (const [prefix, uri] of Object.entries(prefixes)) {
      if (!isXmlName(prefix) || /^xml/i.test(prefix) || typeof uri !== "string" || uri === "") {
        const expected = "a mapping from valid XML prefixes to the URIs of their namespaces";
        throw new UnexpectedValueError(`${name}.prefixes`, expected, prefixes);
      }
      if (named.has(uri) || taken.has(prefix)) continue;
      named.set(uri, prefix);
      taken.add(prefix);
    }
  }
  return named;
}

/** Collects the namespaces that models and all models in them use. */
function usedNamespaces({ models: roots, namespace: rootNamespace, around }: XmlRoot): {
  readonly elements: Set<string>;
  readonly attributes: Set<string>;
  readonly models: Set<ModelClass<object>>;
} {
  const elements = new Set([rootNamespace]);
  const attributes = new Set<string>();
  const models = new Set<ModelClass<object>>();
  /** The models that were visited, by the namespace of their element. */
  const visited = new Map<string, Set<ModelClass<object>>>();
  const open = roots.map((model): [ModelClass<object>, string] => [model, around]);
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const [model, outer] = next;
    const namespace = model.namespace || outer;
    const known = visited.get(namespace) ?? new Set();
    if (known.has(model)) continue;
    visited.set(namespace, known.add(model));
    models.add(model);
    elements.add(namespace);
    for (const field of xmlPlanOf(model).fields) {
      const { place, declared, within, at } = field;
      if (within !== undefined) {
        for (const { uri } of parseNamePath(`${at}.within`, within, namespace)) elements.add(uri);
      }
      if (place === "attr") attributes.add(field.namespace ?? "");
      if (place === "attr" || place === "text") continue;
      let shape = declared;
      for (; "inner" in shape; shape = shape.inner) {
        if (shape.kind === "nullable") attributes.add(XSI_NAMESPACE);
      }
      for (const { uri } of elementNames(field, namespace)) {
        elements.add(uri);
        for (const inner of modelsOf(shape)) open.push([inner, uri]);
      }
    }
  }
  return { elements, attributes, models };
}
