import { isPlain } from "../checks.ts";
import type { BoxAttrs } from "./box_attrs.ts";
import { messageText } from "../errors/message_text.ts";
import { camelCase, pathOf, snakeCase } from "./names.ts";
import { boxOriginal, field, originalOf, withoutBoxes } from "./original.ts";

/** Where a name leads: to a field, or to where one would be. */
interface Place {
  readonly holder: object;
  readonly key: string | symbol;
}

/** The soft copies that stand for originals which are frozen, sealed or not extensible. */
const hardOriginals = new WeakMap<object, object>();

/**
 * Boxes with the same attributes: the traps of their proxies.
 *
 * Proxies made when they are read, and not objects without a prototype made at once: those cost half
 * to two thirds of what JSON.parse took before the first field is read (1 MB; Node 20, Deno, Bun),
 * know no defaults and no other names, print `[Object: null prototype]` at each level, and have no
 * original to give back. A page of 20 of 2,600 items is read 25 to 80 times as fast this way. Who
 * reads all of it pays one to three times the parsing, each time, where the others take a thirtieth
 * of that and the plain original a hundredth: that is what `unbox` is for.
 */
export class BoxKind implements ProxyHandler<object> {
  readonly #attrs: BoxAttrs;
  readonly #default: unknown;
  readonly #boxes = new WeakMap<object, object>();
  /** Keys found by their other name: a hint, to spare most reads the search. */
  readonly #keys = new Map<string, string>();

  constructor(attrs: BoxAttrs) {
    this.#attrs = { ...attrs };
    const value = originalOf(attrs.default) ?? attrs.default;
    // A default is shared by all boxes: a write to it would show up in each of them.
    this.#default = attrs.frozen === true || !isPlain(value)
      ? this.boxed(value)
      : new BoxKind({ ...attrs, frozen: true }).#default;
  }

  /** The box of an object or array, the same each time; anything else as it is. */
  boxed(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    return this.#boxes.get(value) ?? this.#newBox(value);
  }

  #newBox(value: object): object {
    if (!isPlain(value) || originalOf(value) !== undefined) return value;
    let target: object = value;
    if (!Object.isExtensible(value)) {
      // A proxy must give the very values of a frozen object, and not boxes of them.
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
    // JSON.stringify asks for it: writing the original itself is 3 to 7 times as fast.
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
        }" cannot be written: nothing on the way to it can hold a field`,
      );
    }
    const { holder, key } = place;
    if (holder !== target) return Reflect.set(this.boxed(holder) as object, key, value);
    // Defined where it is new: a setter of Object.prototype, as for `__proto__`, must not see it.
    return Object.hasOwn(target, key)
      ? Reflect.set(target, key, value, receiver)
      : Reflect.defineProperty(receiver, key, field(value));
  }

  defineProperty(target: object, name: string | symbol, descriptor: PropertyDescriptor): boolean {
    this.#refuseWrite(target, name);
    if (!(descriptor.configurable ?? Object.hasOwn(target, name))) {
      throw new TypeError(
        `"${messageText(String(name))}" cannot be defined: fields of a box are configurable`,
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
    throw new TypeError("A box cannot be frozen afterwards: make it with { frozen: true }");
  }

  setPrototypeOf(): boolean {
    return false;
  }

  /** A TypeError, as JavaScript raises it for a frozen object in strict mode; here in any mode. */
  #refuseWrite(target: object, name: string | symbol): void {
    if (this.#attrs.frozen !== true && !hardOriginals.has(target)) return;
    const frozen = this.#attrs.frozen === true ? "the box" : "the original of the box";
    throw new TypeError(`"${messageText(String(name))}" cannot be written: ${frozen} is frozen`);
  }

  /** Where the field of a name is; undefined where there is none. */
  #foundAt(target: object, name: string | symbol): Place | undefined {
    const place = this.#placeOf(target, name);
    return place && Object.hasOwn(place.holder, place.key) ? place : undefined;
  }

  /** Where a name leads; undefined where it is a path that breaks off. */
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
   * Returns the key for a name: where there is no key of that name, the first one that has it as its
   * name in camelCase or in snake_case.
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
  // Without it a box in a text would be a TypeError, for want of the method toString.
  if (name === Symbol.toPrimitive && !Array.isArray(target)) return toPrimitive;
  return Reflect.get(target, name);
}

function toJSON(this: unknown): unknown {
  return originalOf(this);
}

function toPrimitive(): string {
  return "[object Object]";
}
