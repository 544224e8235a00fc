import { checkedLimit } from "../checks.ts";
import { ModelError } from "../errors/model_error.ts";
import { markedEncoding } from "../xml/byte_order_mark.ts";
import { BLANK, type Holder } from "./instance.ts";
import { JsonWalker } from "./json_walker.ts";
import { keptPartsOf } from "./kept.ts";
import type { ModelClass } from "./model_class.ts";
import { planOf } from "./plan.ts";
import { isObject, type JsonForm, listOf, shapeOf } from "./value_type.ts";

/** How JSON is read. */
export interface JsonReadOptions {
  /**
   * How deep objects and arrays may be nested where a model follows them.
   *
   * @default {500}
   */
  readonly maxDepth?: number | undefined;
}

/** How deep JSON may be nested where nothing else is said: it fits on the stack of every runtime. */
const MAX_DEPTH = 500;

/**
 * Reads an instance from parsed JSON.
 *
 * @throws {ModelError} With every issue
 */
export function decodeJson<T>(
  model: ModelClass<T>,
  json: unknown,
  { maxDepth = MAX_DEPTH }: JsonReadOptions = {},
): T {
  const reader = new JsonReader(checkedLimit("maxDepth", maxDepth));
  return reader.root(model.name, shapeOf(model), json, `${model.name} ${CANNOT}`) as T;
}

/**
 * Reads instances from a parsed array.
 *
 * @throws {ModelError} With every issue
 */
export function decodeJsonList<T>(model: ModelClass<T>, json: unknown): T[] {
  const shape = listOf(shapeOf(model));
  const action = `A list of ${model.name} ${CANNOT}`;
  return new JsonReader(MAX_DEPTH).root(model.name, shape, json, action) as T[];
}

const CANNOT = "cannot be read from JSON";

/**
 * Parses JSON from a text or bytes (UTF-8, or what a byte-order mark or the charset says).
 *
 * @throws {ModelError} Where it is no JSON
 */
export function parseJson(model: string, source: string | Uint8Array, charset?: string): unknown {
  try {
    const text = typeof source === "string"
      ? source.replace(/^\ufeff/, "")
      : new TextDecoder(markedEncoding(source) ?? charset, { fatal: true }).decode(source);
    return JSON.parse(text);
  } catch (cause) {
    const message = `expected JSON, but: ${cause instanceof Error ? cause.message : cause}`;
    const issues = [{ path: "", keys: [], expected: "JSON", message }];
    throw new ModelError(`${model} ${CANNOT}`, { model, issues, cause });
  }
}

class JsonReader extends JsonWalker {
  constructor(maxDepth: number) {
    super(maxDepth, `at most ${maxDepth} levels (allow more with maxDepth)`);
  }

  protected override step(form: JsonForm, json: unknown): unknown {
    return form.fromJson(json, this);
  }

  override instance(model: ModelClass<object>, json: unknown): unknown {
    if (!isObject(json)) return undefined;
    const { fields, unknown, jsonNames } = planOf(model);
    // The constructor runs first, and may not overwrite the values.
    const instance = new model(BLANK as never) as Holder;
    for (const { name, json: from, isInherited, shape, isOptional, fallback } of fields) {
      const given = isInherited && !Object.hasOwn(json, from) ? undefined : json[from];
      // The short way for most fields: no path is kept, and one call is made.
      let value = shape.kind === "scalar" ? shape.fromJson(given, this) : undefined;
      if (value === undefined) {
        if (given === undefined && (isOptional || fallback)) value = fallback?.();
        else if (given === null && isOptional && shape.kind !== "nullable") {
          const hint = "(optional allows none; null takes nullable)";
          value = this.refuse(`${shape.expected} ${hint}`, null, from);
        } else value = this.within(from, shape, given);
      }
      instance[name] = value;
    }
    if (unknown !== "ignore") {
      for (const name of Object.keys(json)) {
        if (jsonNames.has(name)) continue;
        if (unknown === "keep") keptPartsOf(instance).json.set(name, json[name]);
        else this.refuse(`no field of this name (${model.name} has none)`, json[name], name);
      }
    }
    return instance;
  }
}
