/** Writes an instance, or a list of instances, as an XML document. */
import { checkedOptions } from "../../base/checks.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { checkedOnly, type WriteOptions } from "../json_walker.ts";
import { isModelInstance, type ModelClass } from "../model_class.ts";
import { parseNamePath, type QualifiedName } from "./names.ts";
import { originOf } from "./node.ts";
import { prefixesFor, type XmlRoot } from "./prefixes.ts";
import { checkRoots } from "./plan.ts";
import { XmlWriter } from "./writer.ts";

/**
 * Options for writing XML.
 *
 * @category XML
 */
export interface XmlWriteOptions extends WriteOptions {
  /**
   * The indentation of each level. Set to `true` for two spaces. Text is never changed, so that the
   * result reads the same either way.
   *
   * @default {false}
   */
  readonly indent?: boolean | string | undefined;
  /**
   * Set to `false` to leave out the XML declaration.
   *
   * @default {true}
   */
  readonly declaration?: boolean | undefined;
  /**
   * The name of the root element around a list of instances. Write a name with a namespace as
   * `{uri}name`. Required for a list, and only allowed there
   */
  readonly root?: string | undefined;
}

/** The names of the options. */
const writeOptions: readonly (keyof XmlWriteOptions)[] = [
  "declaration",
  "indent",
  "omitDefaults",
  "only",
  "root",
];

/**
 * Writes an instance, or a list of instances, as XML.
 *
 * @throws {ModelError} With all issues, if a value does not match its field
 * @throws {UnexpectedValueError} If an option is invalid
 */
export function encodeXml(value: object, options: XmlWriteOptions = {}): string {
  const { indent = false, declaration = true, root } = checkedOptions(options, writeOptions);
  const unit = indent === true ? "  " : indent === false ? "" : indent;
  if (typeof unit !== "string" || /[^ \t]/.test(unit)) {
    throw new UnexpectedValueError("indent", "true, false, or a string of spaces and tabs", indent);
  }
  const xml = Array.isArray(value)
    ? listXml(value, rootName(root), unit, options)
    : instanceXml(value, unit, options);
  const head = declaration ? '<?xml version="1.0" encoding="UTF-8"?>' : "";
  return (head + xml + (unit && "\n")).trimStart();
}

function rootName(root: string | undefined): QualifiedName {
  const [name, ...rest] = root === undefined ? [] : parseNamePath("root", root, "");
  if (name !== undefined && rest.length === 0) return name;
  throw new UnexpectedValueError("root", "the name of the element around the list", root);
}

function instanceXml(instance: object, unit: string, options: XmlWriteOptions): string {
  if (options.root !== undefined) {
    throw new UnexpectedValueError(
      "root",
      "left out, because the value is not a list",
      options.root,
    );
  }
  const model = instance.constructor as ModelClass<object>;
  const namespace = model.namespace || originOf(instance);
  const root = { models: [model], namespace, around: namespace };
  return writerOf(root, unit, options).root(model, instance, namespace);
}

function listXml(
  list: readonly unknown[],
  { uri, tag }: QualifiedName,
  unit: string,
  options: XmlWriteOptions,
): string {
  for (const [index, each] of list.entries()) {
    if (isModelInstance(each)) continue;
    throw new UnexpectedValueError(`instance[${index}]`, "an instance of a model", each);
  }
  const models = new Set(list.map((each) => (each as object).constructor as ModelClass<object>));
  const root = { models: [...models], namespace: uri, around: "" };
  return writerOf(root, unit, options).list(uri, tag, list as readonly object[]);
}

function writerOf(root: XmlRoot, unit: string, { omitDefaults, only }: WriteOptions): XmlWriter {
  const { models } = root;
  checkRoots(models);
  // An empty list has no model that could have the names.
  const names = models.length === 0 ? undefined : checkedOnly(only, models);
  return new XmlWriter(prefixesFor(root), unit, omitDefaults, names);
}
