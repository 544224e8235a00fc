/** Reads instances from a JSON value and writes them to one, with the path of each issue. */
import { checkedLimit } from "../base/checks.ts";
import type { Key } from "../errors/format_issue.ts";
import { quotedText } from "../errors/message_text.ts";
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import {
  describeInstance,
  instantiateEmpty,
  isInstance,
  type MutableRecord,
  setOwn,
} from "./instance.ts";
import {
  BAD,
  broken,
  failedCheck,
  failedModelCheck,
  isStackOverflow,
  issueAt,
  IssueList,
  mismatch,
  type Problem,
  rawNumber,
  TOO_DEEP,
  withThrown,
} from "./issues.ts";
import type { ModelClass } from "./model_class.ts";
import { type Plan, type PlanField, planOf } from "./plan.ts";
import { emptyLayout, keepContent, keptContentOf } from "./unknown_content.ts";
import {
  type BaseShape,
  isObject,
  type JsonConversion,
  type JsonWalk,
  modelsOf,
  quickValue,
  type RecordShape,
  type Shape,
  withoutNullable,
} from "./value_type.ts";

/**
 * Options for writing a part of an instance.
 *
 * @category Models
 */
export interface WriteOptions {
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

/** The names of the options for reading JSON. */
export const jsonReadOptions: readonly "maxDepth"[] = ["maxDepth"];

/** The names of the options for writing a part of an instance. */
export const writeOptions: readonly (keyof WriteOptions)[] = ["omitDefaults", "only"];

/** From this depth on, the writer looks for instances that contain themselves. */
const CYCLE_DEPTH = 100;

/** A walk through a JSON document that is read, or through an instance that is written. */
export class JsonWalker implements JsonWalk {
  readonly #isWriting: boolean;
  readonly #maxDepth: number;
  readonly #issues = new IssueList();
  readonly #omitDefaults: boolean;
  readonly #only: ReadonlySet<string> | undefined;
  /** The path of the current value. */
  readonly #path: Key[] = [];
  /** The objects that are being written, outermost first. */
  readonly #open: unknown[] = [];

  private constructor(
    isWriting: boolean,
    maxDepth: number,
    omitDefaults: boolean = false,
    only?: ReadonlySet<string>,
  ) {
    this.#isWriting = isWriting;
    this.#maxDepth = maxDepth;
    this.#omitDefaults = omitDefaults;
    this.#only = only;
  }

  /**
   * Reads a value.
   *
   * @param name The name of the model, for errors
   * @param shape The shape of the value
   * @param json The parsed JSON
   * @param maxDepth The maximum depth of nested objects and arrays; null for no limit
   * @throws {ModelError} With all issues
   */
  static read(name: string, shape: BaseShape, json: unknown, maxDepth: number | null): unknown {
    const limit = checkedLimit("maxDepth", maxDepth) ?? Infinity;
    return new JsonWalker(false, limit).#root(name, shape, json);
  }

  /**
   * Converts a value to objects and arrays for `JSON.stringify`.
   *
   * @param name The name of the model, for errors
   * @param shape The shape of the value
   * @param value The value
   * @param part The part to write
   * @throws {ModelError} With all issues
   * @throws {UnexpectedValueError} If `only` has a name that no model of the root has
   */
  static write(name: string, shape: Shape, value: unknown, part: WriteOptions = {}): unknown {
    const only = checkedOnly(part.only, modelsOf(shape.kind === "list" ? shape.inner : shape));
    return new JsonWalker(true, Infinity, part.omitDefaults, only).#root(name, shape, value);
  }

  #root(name: string, shape: BaseShape, given: unknown): unknown {
    const action = this.#isWriting ? "written as JSON" : "read from JSON";
    let value: unknown;
    try {
      value = this.#value(shape, given);
    } catch (error) {
      if (!isStackOverflow(error)) throw error;
      this.#refuse(TOO_DEEP);
    }
    this.#issues.throwIfAny(name, action);
    return value;
  }

  member(key: Key, shape: BaseShape, given: unknown): unknown {
    const depth = this.#path.push(key);
    const isTooDeep = depth >= this.#maxDepth && isNested(given);
    const value = isTooDeep ? this.#refuse(this.#depthProblem()) : this.#value(shape, given);
    this.#path.pop();
    return value;
  }

  instance(model: ModelClass<object>, given: unknown, always?: string): unknown {
    return this.#isWriting ? this.#write(model, given, always) : this.#read(model, given);
  }

  value(shape: BaseShape, given: unknown): unknown {
    const { count } = this.#issues;
    const isWriting = this.#isWriting;
    const value = this.#converted(shape, isWriting ? shape.toJson : shape.fromJson, given);
    return this.#checked(shape, isWriting ? given : value, count) === BAD ? BAD : value;
  }

  #value(shape: BaseShape, given: unknown): unknown {
    const isOpen = this.#isWriting && typeof given === "object" && given !== null;
    if (isOpen) {
      if (this.#open.length >= CYCLE_DEPTH && this.#open.includes(given)) {
        return this.#refuse(mismatch("a value that does not contain itself", given));
      }
      this.#open.push(given);
    }
    const value = this.value(shape, given);
    if (isOpen) this.#open.pop();
    return value;
  }

  /** Converts a value. An error of the program's own `parse` or `format` becomes an issue. */
  #converted(shape: BaseShape, convert: JsonConversion, given: unknown): unknown {
    let value: unknown;
    try {
      const number = this.#isWriting ? undefined : rawNumber(given);
      value = convert(number === undefined ? given : Number(number), this);
    } catch (error) {
      // Errors of nested values are mistakes in a declaration, or too little stack.
      if (!isScalar(shape)) throw error;
      return this.#refuse(mismatch(withThrown(shape.expected, error), given));
    }
    return value === undefined ? this.#refuse(mismatch(shape.expected, given)) : value;
  }

  /** Checks the constraints of a value, unless there is an issue in it. */
  #checked(shape: BaseShape, value: unknown, count: number): unknown {
    if (shape.check === undefined || this.#issues.count > count) return undefined;
    const expected = failedCheck(shape, value);
    return expected === undefined ? undefined : this.#refuse(broken(expected, value));
  }

  #read(model: ModelClass<object>, json: unknown): unknown {
    if (!isObject(json)) return undefined;
    const { members, rest, unknown } = planOf(model);
    const instance = instantiateEmpty(model) as MutableRecord;
    const { count } = this.#issues;
    for (const field of members) {
      const { json: from, shape } = field;
      const given = field.isInherited && !Object.hasOwn(json, from) ? undefined : json[from];
      // This is the fast path for most fields: it tracks no path.
      let value = shape.kind === "scalar" ? quickValue(shape, given, this) : undefined;
      if (value === undefined || given === "" && field.emptyAsAbsent) {
        value = this.#readMember(field, given);
      }
      instance[field.name] = value;
    }
    if (rest !== undefined) instance[rest.name] = this.#readRest(planOf(model), json);
    else if (unknown !== "ignore") this.#readUnknown(model, json, instance);
    this.#check(model, instance, count);
    return instance;
  }

  /** Reads a member that is absent, null, nested or invalid. */
  #readMember(field: PlanField, given: unknown): unknown {
    const { shape, isOptional, fallback, json } = field;
    const isAbsent = given === undefined || given === "" && field.emptyAsAbsent;
    if (isAbsent && (isOptional || fallback !== undefined)) return fallback?.();
    if (given === null && isOptional && !takesNull(field.field.shape)) {
      const hint = "(optional only allows it to be missing; use nullable() to allow null)";
      return this.#refuse(mismatch(`${shape.expected} ${hint}`, null), json);
    }
    return this.member(json, shape, given);
  }

  /** Reads the members that no other field declares. */
  #readRest({ rest, jsonNames }: Plan, json: MutableRecord): MutableRecord {
    const { inner } = rest!.shape as RecordShape;
    const others: MutableRecord = {};
    for (const name of Object.keys(json)) {
      if (!jsonNames.has(name)) setOwn(others, name, this.member(name, inner, json[name]));
    }
    return others;
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
    let level = [value].filter(isNested);
    for (let depth = this.#path.length + 1; level.length > 0; depth++) {
      if (depth >= this.#maxDepth) {
        this.#refuse(this.#depthProblem(), name);
        return false;
      }
      level = level.flatMap((each) => Object.values(each).filter(isNested));
    }
    return true;
  }

  #depthProblem(): Problem {
    const expected = `at most ${this.#maxDepth} levels (set maxDepth to allow more)`;
    return { code: "depth", expected, actual: "is nested deeper" };
  }

  #write(model: ModelClass<object>, instance: unknown, always: string | undefined): unknown {
    if (!isInstance(instance, model)) {
      return this.#refuse(mismatch(describeInstance(model), instance));
    }
    const { count } = this.#issues;
    const plan = planOf(model);
    // The option applies to the root, or to each instance of a list that is the root.
    const only = this.#path.every((key) => typeof key === "number") ? this.#only : undefined;
    const kept = only === undefined ? keptContentOf(instance) : undefined;
    const json: MutableRecord = {};
    // Members keep the order in which they were read.
    for (const name of kept?.names ?? []) setOwn(json, name, kept!.json.get(name));
    for (const field of plan.members) {
      const { name, json: to, shape, isOptional } = field;
      const value = instance[name];
      const isLeftOut = value === undefined && isOptional ||
        only !== undefined && !only.has(name) ||
        this.#omitDefaults && name !== always && this.#isDefault(field, value);
      if (!isLeftOut) setOwn(json, to, this.member(name, shape, value));
      else if (kept !== undefined && !kept.json.has(to)) delete json[to];
    }
    for (const [name, value] of kept?.json ?? []) setOwn(json, name, value);
    const { rest } = plan;
    if (rest !== undefined && only?.has(rest.name) !== false) {
      this.#writeRest(plan, instance[rest.name], json);
    }
    this.#check(model, instance, count);
    return json;
  }

  /** Writes the members that no other field declares. */
  #writeRest({ model, rest, jsonNames }: Plan, others: unknown, json: MutableRecord): void {
    const { name: property, shape } = rest!;
    if (!isObject(others)) {
      this.#refuse(mismatch(shape.expected, others), property);
      return;
    }
    const written = this.#value(shape, others);
    for (const [name, value] of written === BAD ? [] : Object.entries(written as object)) {
      if (jsonNames.has(name)) {
        const expected = `a name that no field of ${model.name} has`;
        this.#refuse({ code: "duplicate", expected, actual: "is the name of one" }, name);
      } else setOwn(json, name, value);
    }
  }

  #isDefault({ shape, fallback }: PlanField, value: unknown): boolean {
    return fallback !== undefined && isEqualJson(shape, value, fallback());
  }

  /** Checks a whole instance, unless there is an issue in it. */
  #check(model: ModelClass<object>, instance: object, count: number): void {
    if (model.check === undefined || this.#issues.count > count) return;
    const problem = failedModelCheck(model, instance);
    if (problem !== undefined) this.#refuse(problem);
  }

  /** Adds an issue, at the current path or below it. */
  #refuse(problem: Problem, ...below: string[]): typeof BAD {
    return this.#issues.add(() => issueAt([...this.#path, ...below], problem));
  }
}

/**
 * Checks the names of the option `only`.
 *
 * @throws {UnexpectedValueError} If no model has a field of a name
 */
export function checkedOnly(
  only: readonly string[] | undefined,
  models: readonly ModelClass<object>[],
): ReadonlySet<string> | undefined {
  if (only === undefined) return undefined;
  if (models.length === 0) {
    throw new UnexpectedValueError(
      "only",
      "left out, because the document is not an instance",
      only,
    );
  }
  const names = new Set(models.flatMap((model) => planOf(model).fields.map(({ name }) => name)));
  const expected = `a list of names of properties (${[...names].join(", ")})`;
  if (!Array.isArray(only)) throw new UnexpectedValueError("only", expected, only);
  for (const [index, name] of only.entries()) {
    if (names.has(name)) continue;
    const actual = typeof name === "string" ? describedAs(quotedText(name)) : name;
    throw new UnexpectedValueError(`only[${index}]`, `one of ${[...names].join(", ")}`, actual);
  }
  return new Set(only);
}

/** Reports if null is a value of a shape. */
function takesNull(shape: Shape): boolean {
  if (shape.kind === "nullable") return true;
  return shape.kind === "json" && shape.types.length === 0 && shape.members === undefined;
}

function isScalar(shape: BaseShape): boolean {
  return "kind" in shape && withoutNullable(shape as Shape).kind === "scalar";
}

/** Reports if a value from JSON is an object or an array. */
function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null && rawNumber(value) === undefined;
}

/** Reports if two values are written as the same JSON. */
export function isEqualJson(shape: Shape, one: unknown, other: unknown): boolean {
  if (one === other) return true;
  try {
    const [a, b] = [one, other].map((each) => JSON.stringify(JsonWalker.write("", shape, each)));
    return a === b;
  } catch {
    return false; // The value or the default is invalid, so they are not equal.
  }
}
