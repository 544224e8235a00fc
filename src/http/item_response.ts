/** The response for an item of a stream, whose body is the text of the item. */
import { responseLike } from "./response.ts";

/** The properties that an item has in common with the response that it is a part of. */
type SharedProperties = Pick<
  Response,
  "status" | "statusText" | "ok" | "headers" | "url" | "redirected" | "type"
>;

/**
 * Returns a response like the one that an item is a part of, with the text of the item as its body.
 *
 * A hook that is asked about each item rarely reads the body. To build a `Response` takes 10 µs on Node,
 * so it is only built when something reads it.
 *
 * @param original The response that the item is a part of
 * @param text The text of the item
 */
export function itemResponse(original: Response, text: string): Response {
  ItemResponse.addMembers();
  return new ItemResponse(original, text) as SharedProperties as Response;
}

class ItemResponse implements SharedProperties {
  static #hasMembers = false;

  /**
   * Adds all other members of a response, also those of future runtimes: those of a complete response.
   * The first item does this and not the import, because some test environments have no `Response`.
   */
  static addMembers(): void {
    if (this.#hasMembers) return;
    this.#hasMembers = true;
    const { prototype } = Response;
    for (const [name, { get, value }] of Object.entries(descriptorsOf(prototype))) {
      if (Object.hasOwn(this.prototype, name)) continue;
      if (get !== undefined) {
        Object.defineProperty(this.prototype, name, {
          configurable: true,
          get(this: ItemResponse): unknown {
            return Reflect.get(this.#complete, name);
          },
        });
      } else if (typeof value === "function") {
        Object.defineProperty(this.prototype, name, {
          configurable: true,
          value(this: ItemResponse, ...args: unknown[]): unknown {
            return Reflect.apply(value, this.#complete, args);
          },
        });
      }
    }
    Object.setPrototypeOf(this.prototype, prototype);
  }

  readonly #original: Response;
  readonly #text: string;
  #built: Response | undefined;

  constructor(original: Response, text: string) {
    this.#original = original;
    this.#text = text;
  }

  get #complete(): Response {
    return this.#built ??= responseLike(this.#original, this.#text);
  }

  get status(): number {
    return this.#original.status;
  }

  get statusText(): string {
    return this.#original.statusText;
  }

  get ok(): boolean {
    return this.#original.ok;
  }

  get headers(): Headers {
    return this.#original.headers;
  }

  get url(): string {
    return this.#original.url;
  }

  get redirected(): boolean {
    return this.#original.redirected;
  }

  get type(): ResponseType {
    return this.#original.type;
  }

  clone(): Response {
    return this.#built?.clone() ?? itemResponse(this.#original, this.#text);
  }
}

/** Returns the descriptors of an object. The standard types of the function have those of `Response`. */
function descriptorsOf(object: object): Readonly<Record<string, PropertyDescriptor>> {
  return Object.getOwnPropertyDescriptors(object);
}
