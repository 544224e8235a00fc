import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { attributeText } from "../xml/escape.ts";
import { XML_NAMESPACE } from "../xml/name.ts";
import type { ModelClass } from "./model_class.ts";
import { modelsOf } from "./plain_shape.ts";
import { memoize } from "./memoize.ts";
import { isXmlName } from "./xml_name.ts";
import { elementNames } from "./xml_node.ts";
import { xmlPlanOf } from "./xml_plan.ts";
import { XSI_NAMESPACE } from "./xsi.ts";

/** The namespaces that a model and all within it are written with. */
export interface XmlPrefixes {
  /** The declarations of the root, each with a blank before it. */
  readonly declarations: string;
  /**
   * What elements' names are written with, by their namespaces: a prefix and its colon, or nothing.
   * Others have to be declared where they are.
   */
  readonly elements: ReadonlyMap<string, string>;
  /** The same for the names of attributes, which have no default namespace. */
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * The prefixes of a model: those that it names, the default namespace for its own, `ns1` and so on
 * for others. All are declared once, at the root.
 *
 * @throws {UnexpectedValueError} Where one that it names is not allowed
 */
export const prefixesOf: (root: ModelClass<object>) => XmlPrefixes = /* @__PURE__ */ memoize(
  assigned,
);

function assigned(root: ModelClass<object>): XmlPrefixes {
  const used = namespacesOf(root);
  const named = new Map<string, string>();
  for (const [prefix, uri] of Object.entries(root.prefixes)) {
    if (!isXmlName(prefix) || /^xml/i.test(prefix) || typeof uri !== "string" || uri === "") {
      const expected = "a mapping from valid XML prefixes to the URIs of their namespaces";
      throw new UnexpectedValueError(`${root.name}.prefixes`, expected, root.prefixes);
    }
    named.set(uri, prefix);
  }
  const taken = new Set(Object.keys(root.prefixes));
  const attributes = new Map([["", ""], [XML_NAMESPACE, "xml:"]]);
  const elements = new Map(attributes);
  let declarations = "";
  // Elements without a namespace cannot stand where there is a default one.
  if (root.namespace !== "" && !used.elements.has("") && !named.has(root.namespace)) {
    elements.delete("");
    elements.set(root.namespace, "");
    declarations = attributeText("xmlns", root.namespace);
  }
  for (const uri of new Set([...used.elements, ...used.attributes])) {
    // An attribute has no default namespace: its own needs a prefix.
    if (attributes.has(uri) || elements.has(uri) && !used.attributes.has(uri)) continue;
    let prefix = named.get(uri);
    for (let number = 1; prefix === undefined; number++) {
      const free = uri !== XSI_NAMESPACE ? `ns${number}` : number === 1 ? "xsi" : `xsi${number}`;
      if (!taken.has(free)) prefix = free;
    }
    taken.add(prefix);
    declarations += attributeText(`xmlns:${prefix}`, uri);
    attributes.set(uri, `${prefix}:`);
    if (!elements.has(uri)) elements.set(uri, `${prefix}:`);
  }
  return { declarations, elements, attributes };
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
        let shape = field.given;
        for (; "inner" in shape; shape = shape.inner) {
          if (shape.kind === "nullable") attributes.add(XSI_NAMESPACE);
        }
        for (const { uri } of elementNames(field, namespace)) {
          elements.add(uri);
          for (const inner of modelsOf(shape)) open.push([inner, uri]);
        }
      }
    }
  }
  return { elements, attributes };
}
