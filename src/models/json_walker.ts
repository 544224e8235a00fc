import { checkedLimit } from "../checks.ts";
import type { Key } from "../errors/format_issue.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { instantiateEmpty, isInstance, type MutableRecord, setOwn } from "./instance.ts";
import {
  BAD,
  broken,
  failedCheck,
  failedModelCheck,
  issueAt,
  IssueList,
  mismatch,
  type Problem,
  withThrown,
} from "./issues.ts";
import type { ModelClass } from "./model_class.ts";
import { type PlanField, planOf } from "./plan.ts";
import { emptyLayout, keepContent, keptContentOf } from "./unknown_content.ts";
import {
  type BaseShape,
  isObject,
  type JsonConversion,
  type JsonWalk,
  quickValue,
  type Shape,
  withoutNullable,
} from "./value_type.ts";

/** Options for reading JSON. */
export interface JsonReadOptions {
  /**
   * The maximum depth of nested objects and arrays. Default: the `maxDepth` of the model, which is
   * 500 unless you change it
   */
  readonly maxDepth?: number | undefined;
}

/** Options for writing a part of an instance. */
export interface PartOptions {
  /**
   * Set to `true` to leave out values that are equal to the default of their field, at any depth.
   *
   * @default {false}
   */
  readonly omitDefaults?: boolean | undefined;
  /**
   * The names of the properties to write. Properties of nested instances are all written. Default:
   * all properties
   */
  readonly only?: readonly string[] | undefined;
}

/** From this depth on, the writer looks for instances that contain themselves. */
const CYCLE_DEPTH = 100;

/** A walk through a JSON document that is read, or through an instance that is written. */
export class JsonWalker implements JsonWalk {
  readonly #isWriting: boolean;
  readonly #maxDepth: number;
  readonly #issues = new IssueList();
  readonly #omitDefaults: boolean;
  #only: ReadonlySet<string> | undefined;
  /** The path of the current value. */
  readonly #path: Key[] = [];
  /** The objects that are being written, outermost first. */
  readonly #open: unknown[] = [];

  private constructor(isWriting: boolean, maxDepth: number, part: PartOptions = {}) {
    this.#isWriting = isWriting;
    this.#maxDepth = maxDepth;
    this.#omitDefaults = part.omitDefaults ?? false;
    this.#only = part.only && new Set(part.only);
  }

  /**
   * Reads a value.
   *
   * @param name The name of the model, for errors
   * @param shape The shape of the value
   * @param json The parsed JSON
   * @param maxDepth The maximum depth of nested objects and arrays
   * @throws {ModelError} With all issues
   */
  static read(name: string, shape: BaseShape, json: unknown, maxDepth: number): unknown {
    checkedLimit("maxDepth", maxDepth);
    return new JsonWalker(false, maxDepth).#root(name, shape, json);
  }

  /**
   * Converts a value to objects and arrays for `JSON.stringify`.
   *
   * @param name The name of the model, for errors
   * @param shape The shape of the value
   * @param value The value
   * @param part The part to write
   * @throws {ModelError} With all issues
   */
  static write(name: string, shape: BaseShape, value: unknown, part?: PartOptions): unknown {
    return new JsonWalker(true, Infinity, part).#root(name, shape, value);
  }

  #root(name: string, shape: BaseShape, given: unknown): unknown {
    const action = this.#isWriting ? "written as JSON" : "read from JSON";
    let value: unknown;
    try {
      value = this.#value(shape, given);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const expected = "fewer nested levels, because the stack of the runtime is too small";
      this.#refuse({ code: "depth", expected, actual: "is nested deeper" });
    }
    this.#issues.throwIfAny(name, action);
    return value;
  }

  member(key: Key, shape: BaseShape, given: unknown): unknown {
    const depth = this.#path.push(key);
    const isTooDeep = depth >= this.#maxDepth && typeof given === "object" && given !== null;
    const value = isTooDeep
      ? this.#refuse({
        code: "depth",
        expected: `at most ${this.#maxDepth} levels (set maxDepth to allow more)`,
        actual: "is nested deeper",
      })
      : this.#value(shape, given);
    this.#path.pop();
    return value;
  }

  instance(model: ModelClass<object>, given: unknown, always?: string): unknown {
    return this.#isWriting ? this.#write(model, given, always) : this.#read(model, given);
  }

  #value(shape: BaseShape, given: unknown): unknown {
    const issues = this.#issues.count;
    const isNested = typeof given === "object" && given !== null;
    if (!this.#isWriting) {
      // Only scalars call `parse` of the program, and none of them is an object.
      const value = isNested
        ? shape.fromJson(given, this) ?? this.#refuse(mismatch(shape.expected, given))
        : this.#converted(shape, shape.fromJson, given);
      return shape.check === undefined || this.#issues.count > issues
        ? value
        : this.#checked(shape, value);
    }
    if (isNested) {
      if (this.#open.length >= CYCLE_DEPTH && this.#open.includes(given)) {
        return this.#refuse(mismatch("a value that does not contain itself", given));
      }
      this.#open.push(given);
    }
    const json = this.#converted(shape, shape.toJson, given);
    if (isNested) this.#open.pop();
    if (shape.check === undefined || this.#issues.count > issues) return json;
    return this.#checked(shape, given) === BAD ? BAD : json;
  }

  /** Converts a value. An error of the program's own `parse` or `format` becomes an issue. */
  #converted(shape: BaseShape, convert: JsonConversion, given: unknown): unknown {
    let value: unknown;
    try {
      value = convert(given, this);
    } catch (error) {
      // Errors of nested values are mistakes in a declaration, or too little stack.
      if (!isScalar(shape)) throw error;
      return this.#refuse(mismatch(withThrown(shape.expected, error), given));
    }
    return value === undefined ? this.#refuse(mismatch(shape.expected, given)) : value;
  }

  /** Checks the constraints of a value. */
  #checked(shape: BaseShape, value: unknown): unknown {
    const expected = failedCheck(shape, value);
    return expected === undefined ? value : this.#refuse(broken(expected, value));
  }

  #read(model: ModelClass<object>, json: unknown): unknown {
    if (!isObject(json)) return undefined;
    const { fields, unknown } = planOf(model);
    const instance = instantiateEmpty(model) as MutableRecord;
    const issues = this.#issues.count;
    for (const field of fields) {
      const { json: from, shape } = field;
      const given = field.isInherited && !Object.hasOwn(json, from) ? undefined : json[from];
      // This is the fast path for most fields: it tracks no path.
      let value = shape.kind === "scalar" ? quickValue(shape, given, this) : undefined;
      if (value === undefined || given === "" && field.emptyAsAbsent) {
        value = this.#readMember(field, given);
      }
      instance[field.name] = value;
    }
    if (unknown !== "ignore") this.#readUnknown(model, json, instance);
    if (model.check !== undefined && this.#issues.count === issues) this.#check(model, instance);
    return instance;
  }

  /** Reads a member that is absent, null, nested or invalid. */
  #readMember(field: PlanField, given: unknown): unknown {
    const { shape, isOptional, fallback, json } = field;
    const isAbsent = given === undefined || given === "" && field.emptyAsAbsent;
    if (isAbsent && (isOptional || fallback !== undefined)) return fallback?.();
    if (given === null && isOptional && field.field.shape.kind !== "nullable") {
      const hint = "(optional only allows it to be missing; use nullable() to allow null)";
      return this.#refuse(mismatch(`${shape.expected} ${hint}`, null), json);
    }
    return this.member(json, shape, given);
  }

  /** Handles the members that a model does not declare. */
  #readUnknown(model: ModelClass<object>, json: MutableRecord, instance: MutableRecord): void {
    const { unknown, jsonNames } = planOf(model);
    const kept = new Map<string, unknown>();
    const names = Object.keys(json);
    for (const name of names) {
      if (jsonNames.has(name)) continue;
      if (unknown === "keep") {
        if (this.#isWithinDepth(name, json[name])) kept.set(name, json[name]);
      } else {
        const expected = `a field of ${model.name}`;
        this.#refuse({ code: "unknown", expected, actual: "is not one" }, name);
      }
    }
    if (kept.size > 0) keepContent(instance, { model, json: kept, names, xml: emptyLayout() });
  }

  /** Checks the depth of a member that is kept as it is. */
  #isWithinDepth(name: string, value: unknown): boolean {
    let level = [value];
    for (let depth = this.#path.length + 1; level.length > 0; depth++) {
      level = level.flatMap((each) =>
        typeof each === "object" && each !== null ? Object.values(each) : []
      );
      if (level.length > 0 && depth >= this.#maxDepth) {
        const expected = `at most ${this.#maxDepth} levels (set maxDepth to allow more)`;
        this.#refuse({ code: "depth", expected, actual: "is nested deeper" }, name);
        return false;
      }
    }
    return true;
  }

  #write(model: ModelClass<object>, instance: unknown, always: string | undefined): unknown {
    if (!isInstance(instance, model)) {
      return this.#refuse(mismatch(`an instance of ${model.name}`, instance));
    }
    this.#check(model, instance);
    const { fields } = planOf(model);
    const only = this.#takeOnly(fields);
    const kept = only === undefined ? keptContentOf(instance) : undefined;
    const json: MutableRecord = {};
    // Members keep the order in which they were read.
    for (const name of kept?.names ?? []) setOwn(json, name, kept!.json.get(name));
    for (const field of fields) {
      const { name, json: to, shape, isOptional } = field;
      const value = instance[name];
      const isLeftOut = value === undefined && isOptional ||
        only !== undefined && !only.has(name) ||
        this.#omitDefaults && name !== always && this.#isDefault(field, value);
      if (!isLeftOut) setOwn(json, to, this.member(name, shape, value));
      else if (kept !== undefined && !kept.json.has(to)) delete json[to];
    }
    for (const [name, value] of kept?.json ?? []) setOwn(json, name, value);
    return json;
  }

  /** Returns the names to write. They apply to the root only. */
  #takeOnly(fields: readonly PlanField[]): ReadonlySet<string> | undefined {
    const only = this.#only;
    this.#only = undefined;
    if (only !== undefined) checkNames(only, fields);
    return only;
  }

  #isDefault({ shape, fallback }: PlanField, value: unknown): boolean {
    return fallback !== undefined && isEqualJson(shape, value, fallback());
  }

  /** Checks a whole instance. */
  #check(model: ModelClass<object>, instance: object): void {
    const expected = failedModelCheck(model, instance);
    if (expected !== undefined) this.#refuse({ code: "constraint", expected });
  }

  /** Adds an issue, at the current path or below it. */
  #refuse(problem: Problem, ...below: string[]): typeof BAD {
    return this.#issues.add(() => issueAt([...this.#path, ...below], problem));
  }
}

function isScalar(shape: BaseShape): boolean {
  return "kind" in shape && withoutNullable(shape as Shape).kind === "scalar";
}

/** Checks the names of the option `only`. */
export function checkNames(only: ReadonlySet<string>, fields: readonly PlanField[]): void {
  for (const name of only) {
    if (fields.some((field) => field.name === name)) continue;
    const expected = `names of properties (${fields.map((field) => field.name).join(", ")})`;
    throw new UnexpectedValueError("only", expected, name);
  }
}

/** Reports if two values are written as the same JSON. */
export function isEqualJson(shape: BaseShape, one: unknown, other: unknown): boolean {
  if (one === other) return true;
  try {
    const [a, b] = [one, other].map((each) => JSON.stringify(JsonWalker.write("", shape, each)));
    return a === b;
  } catch {
    return false; // The value or the default is invalid, so they are not equal.
  }
}
