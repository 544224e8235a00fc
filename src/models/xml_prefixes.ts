import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { escapeAttribute } from "../xml/escape.ts";
import { XML_NAMESPACE } from "../xml/name.ts";
import type { ModelClass } from "./model_class.ts";
import { modelsOf, unwrapped } from "./plain_shape.ts";
import type { Shape } from "./value_type.ts";
import { isXmlName } from "./xml_name.ts";
import { elementNames } from "./xml_node.ts";
import { xmlPlanOf } from "./xml_plan.ts";
import { XSI_NAMESPACE } from "./xsi.ts";

/** The namespaces that a model and all within it are written with. */
export interface XmlPrefixes {
  /** The declarations of the root, each with a blank before it. */
  readonly declarations: string;
  /** The name of an element as it is written. */
  element(uri: string, tag: string): string;
  /** The name of an attribute as it is written. */
  attribute(uri: string, tag: string): string;
  /** Whether an element of a namespace can be written without a declaration of its own. */
  hasElement(uri: string): boolean;
  /** Whether an attribute of a namespace can be written without a declaration of its own. */
  hasAttribute(uri: string): boolean;
}

const made = new WeakMap<object, XmlPrefixes>();

/**
 * The prefixes of a model: those that it names, the default namespace for its own, `ns1` and so on
 * for others. All are declared once, at the root.
 *
 * @throws {UnexpectedValueError} Where one that it names is not allowed
 */
export function prefixesOf(model: ModelClass<object>): XmlPrefixes {
  let prefixes = made.get(model);
  if (prefixes === undefined) made.set(model, prefixes = assigned(model));
  return prefixes;
}

function assigned(root: ModelClass<object>): XmlPrefixes {
  const { elements, attributes } = namespacesOf(root);
  const prefixes = new Map<string, string>([[XML_NAMESPACE, "xml"]]);
  const named = new Map<string, string>();
  for (const [prefix, uri] of Object.entries(root.prefixes)) {
    if (!isXmlName(prefix) || /^xml/i.test(prefix) || typeof uri !== "string" || uri === "") {
      const expected = "prefixes that XML allows, each with the URI of its namespace";
      throw new UnexpectedValueError(`${root.name}.prefixes`, expected, root.prefixes);
    }
    if (elements.has(uri) || attributes.has(uri)) named.set(uri, prefix);
  }
  const taken = new Set(Object.keys(root.prefixes));
  const declarations: string[] = [];
  const declare = (uri: string, prefix: string) => {
    const name = prefix === "" ? "xmlns" : `xmlns:${prefix}`;
    declarations.push(` ${name}="${escapeAttribute(uri)}"`);
  };
  const free = (wanted: string) => {
    let prefix = wanted === "ns" ? "ns1" : wanted;
    for (let number = 2; taken.has(prefix); number++) prefix = `${wanted}${number}`;
    taken.add(prefix);
    return prefix;
  };
  // Elements without a namespace cannot stand where there is a default one.
  const isDefault = root.namespace !== "" && !elements.has("") && !named.has(root.namespace);
  if (isDefault) declare(root.namespace, "");
  for (const uri of new Set([...elements, ...attributes])) {
    if (uri === "" || uri === XML_NAMESPACE) continue;
    // An attribute has no default namespace: its own needs a prefix.
    if (isDefault && uri === root.namespace && !attributes.has(uri)) continue;
    const prefix = named.get(uri) ?? free(uri === XSI_NAMESPACE ? "xsi" : "ns");
    prefixes.set(uri, prefix);
    declare(uri, prefix);
  }
  const prefixed = (uri: string, tag: string) => uri === "" ? tag : `${prefixes.get(uri)}:${tag}`;
  return {
    declarations: declarations.join(""),
    element: (uri, tag) => isDefault && uri === root.namespace ? tag : prefixed(uri, tag),
    attribute: prefixed,
    hasElement: (uri) =>
      uri === "" ? !isDefault : isDefault && uri === root.namespace || prefixes.has(uri),
    hasAttribute: (uri) => uri === "" || prefixes.has(uri),
  };
}

/** The namespaces that a model and all that can be within it use. */
function namespacesOf(root: ModelClass<object>): {
  readonly elements: Set<string>;
  readonly attributes: Set<string>;
} {
  const elements = new Set([root.namespace]);
  const attributes = new Set<string>();
  /** The models that were looked at, by the namespace that their element is in. */
  const seen = new Map<string, Set<ModelClass<object>>>();
  const open: [model: ModelClass<object>, namespace: string][] = [[root, root.namespace]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [model, around] = next;
    const namespace = model.namespace || around;
    const known = seen.get(namespace) ?? new Set();
    if (known.has(model)) continue;
    seen.set(namespace, known.add(model));
    for (const field of xmlPlanOf(model).fields) {
      if (field.within.length > 0) elements.add(namespace);
      if (field.place === "attr") attributes.add(field.namespace ?? "");
      else if (field.place !== "text") {
        if (holdsNull(field.given)) attributes.add(XSI_NAMESPACE);
        for (const { uri } of elementNames(field, namespace)) {
          elements.add(uri);
          for (const inner of innerModels(field.shape)) open.push([inner, uri]);
        }
      }
    }
  }
  return { elements, attributes };
}

function innerModels(shape: Shape): readonly ModelClass<object>[] {
  const inner = unwrapped(shape);
  return inner.kind === "record" || inner.kind === "list"
    ? innerModels(inner.inner)
    : modelsOf(inner);
}

function holdsNull(shape: Shape): boolean {
  if (shape.kind === "nullable") return true;
  return shape.kind === "record" && holdsNull(shape.inner);
}
