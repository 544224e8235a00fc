/** The proxy behind boxes: finds the key that a name reads, writes and deletes it. */
import { isPlain } from "../base/checks.ts";
import type { BoxAttrs } from "./box_attrs.ts";
import { messageText } from "../errors/message_text.ts";
import { camelCase, pathOf, snakeCase } from "./names.ts";
import { boxOriginal, field, originalOf, withoutBoxes } from "./original.ts";

/** A place for a field: an object and a key. The field itself may be missing. */
interface Place {
  readonly holder: object;
  readonly key: string | symbol;
}

/**
 * Maps copies to their originals. A proxy uses such a copy as its target if the original is frozen,
 * sealed or not extensible.
 */
const hardOriginals = new WeakMap<object, object>();

/**
 * The proxy handler of all boxes with the same attributes.
 *
 * A box is a proxy that is created when it is read. The alternative is to copy all objects to
 * objects without a prototype at once. That adds half to two thirds of the time of `JSON.parse`
 * before the first field is read (1 MB; Node 20, Deno, Bun). Such copies also have no defaults and
 * no other names, print `[Object: null prototype]` at each level, and have no original for `unbox`.
 * With proxies, reading a page of 20 of 2,600 items is 25 to 80 times as fast. Reading everything
 * takes one to three times as long as parsing, each time; copies take a thirtieth of that, the
 * plain original a hundredth. Use `unbox` to read everything.
 */
export class BoxKind implements ProxyHandler<object> {
  readonly #attrs: BoxAttrs;
  readonly #default: unknown;
  readonly #boxes = new WeakMap<object, object>();
  /** Caches the keys that were found by another name, so that most reads need no search. */
  readonly #keys = new Map<string, string>();

  constructor(attrs: BoxAttrs) {
    this.#attrs = { ...attrs };
    const value = originalOf(attrs.default) ?? attrs.default;
    // All boxes share the default, so it is frozen: a write to it would show up in each of them.
    this.#default = attrs.frozen === true || !isPlain(value)
      ? this.boxed(value)
      : new BoxKind({ ...attrs, frozen: true }).#default;
  }

  /**
   * Returns the box of an object or array, the same one each time. Returns any other value as it
   * is.
   */
  boxed(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    return this.#boxes.get(value) ?? this.#newBox(value);
  }

  #newBox(value: object): object {
    if (!isPlain(value) || originalOf(value) !== undefined) return value;
    let target: object = value;
    if (!Object.isExtensible(value)) {
      // A proxy must return the actual values of a frozen target, not boxes of them.
      target = Array.isArray(value) ? [...value] : { ...value };
      hardOriginals.set(target, value);
    }
    const box = new Proxy(target, this);
    this.#boxes.set(value, box);
    return box;
  }

  get(target: object, name: string | symbol): unknown {
    if (Object.hasOwn(target, name)) return this.boxed(Reflect.get(target, name));
    if (typeof name === "symbol") return symbolField(target, name);
    if (Array.isArray(target) && name in target) return Reflect.get(target, name);
    const place = this.#foundAt(target, name);
    if (place !== undefined) return this.boxed(Reflect.get(place.holder, place.key));
    // JSON.stringify calls it. Serializing the original is 3 to 7 times as fast.
    if (name === "toJSON") return toJSON;
    return Array.isArray(target) ? undefined : this.#default;
  }

  has(target: object, name: string | symbol): boolean {
    const isInherited = (typeof name === "symbol" || Array.isArray(target)) && name in target;
    return isInherited || this.#foundAt(target, name) !== undefined;
  }

  getOwnPropertyDescriptor(target: object, name: string | symbol): PropertyDescriptor | undefined {
    const descriptor = Reflect.getOwnPropertyDescriptor(target, name);
    if (descriptor === undefined || !("value" in descriptor)) return descriptor;
    return { ...descriptor, value: this.boxed(descriptor.value) };
  }

  set(target: object, name: string | symbol, value: unknown, receiver: object): boolean {
    this.#refuseWrite(target, name);
    const place = this.#placeOf(target, name);
    if (place === undefined) {
      throw new TypeError(
        `"${
          messageText(String(name))
        }" cannot be written: a part of its path is missing, or is neither an object nor an array`,
      );
    }
    const { holder, key } = place;
    if (holder !== target) return Reflect.set(this.boxed(holder) as object, key, value);
    // A new key is defined, not assigned: no setter of Object.prototype may run, such as
    // `__proto__`.
    return Object.hasOwn(target, key)
      ? Reflect.set(target, key, value, receiver)
      : Reflect.defineProperty(receiver, key, field(value));
  }

  defineProperty(target: object, name: string | symbol, descriptor: PropertyDescriptor): boolean {
    this.#refuseWrite(target, name);
    if (!(descriptor.configurable ?? Object.hasOwn(target, name))) {
      throw new TypeError(
        `"${
          messageText(String(name))
        }" cannot be defined: properties of a box must be configurable`,
      );
    }
    if (!("value" in descriptor)) return Reflect.defineProperty(target, name, descriptor);
    const value = withoutBoxes(descriptor.value);
    return Reflect.defineProperty(target, name, { ...descriptor, value });
  }

  deleteProperty(target: object, name: string | symbol): boolean {
    this.#refuseWrite(target, name);
    const place = this.#foundAt(target, name);
    if (place === undefined) return true;
    const { holder, key } = place;
    return Reflect.deleteProperty(holder === target ? target : this.boxed(holder) as object, key);
  }

  preventExtensions(): boolean {
    throw new TypeError(
      "A box cannot be frozen after it was created: create it with { frozen: true }",
    );
  }

  setPrototypeOf(): boolean {
    return false;
  }

  /**
   * Throws a TypeError if the box or its original is frozen. JavaScript itself would ignore such a
   * write outside strict mode.
   */
  #refuseWrite(target: object, name: string | symbol): void {
    if (this.#attrs.frozen !== true && !hardOriginals.has(target)) return;
    const frozen = this.#attrs.frozen === true ? "the box" : "the original of the box";
    throw new TypeError(`"${messageText(String(name))}" cannot be written: ${frozen} is frozen`);
  }

  /** Returns the place of an existing field; undefined if there is none. */
  #foundAt(target: object, name: string | symbol): Place | undefined {
    const place = this.#placeOf(target, name);
    return place && Object.hasOwn(place.holder, place.key) ? place : undefined;
  }

  /**
   * Returns the place that a name refers to; undefined if it is a path whose parents are missing.
   */
  #placeOf(target: object, name: string | symbol): Place | undefined {
    if (typeof name === "symbol") return { holder: target, key: name };
    const key = this.#keyOf(target, name);
    const isPath = this.#attrs.dots === true && !Object.hasOwn(target, key);
    const path = isPath ? pathOf(name) : undefined;
    if (path === undefined) return { holder: target, key };
    let holder: object = target;
    for (const step of path.slice(0, -1)) {
      const key = this.#keyOf(holder, step);
      const next: unknown = Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
      if (!isPlain(next)) return undefined;
      holder = next;
    }
    return { holder, key: this.#keyOf(holder, path.at(-1)!) };
  }

  /**
   * Returns the key for a name. If there is no such key, returns the first key whose name in
   * camelCase or in snake_case is this one, or else the name itself.
   */
  #keyOf(target: object, name: string): string {
    const { camelCase: isCamel = false, snakeCase: isSnake = false } = this.#attrs;
    const isSought = (isCamel || isSnake) && !Array.isArray(target);
    if (!isSought || Object.hasOwn(target, name)) return name;
    const known = this.#keys.get(name);
    if (known !== undefined && Object.hasOwn(target, known)) return known;
    const found = Object.keys(target).find((key) =>
      isCamel && key.includes("_") && camelCase(key) === name || isSnake && snakeCase(key) === name
    );
    if (found !== undefined) this.#keys.set(name, found);
    return found ?? name;
  }
}

function symbolField(target: object, name: symbol): unknown {
  if (name === boxOriginal) return hardOriginals.get(target) ?? target;
  // Without it, converting a box to a string would throw a TypeError, because there is no method
  // toString.
  if (name === Symbol.toPrimitive && !Array.isArray(target)) return toPrimitive;
  return Reflect.get(target, name);
}

function toJSON(this: unknown): unknown {
  return originalOf(this);
}

function toPrimitive(): string {
  return "[object Object]";
}
