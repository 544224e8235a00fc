/** Refuses assignments to a client that would not change its requests. */
import { describedAs, UnexpectedValueError, withHint } from "../errors/unexpected_value_error.ts";

/**
 * Makes assignments of another base URL throw. A class that declares a field of such a name replaces it.
 *
 * @param prototype The prototype of the class
 * @param urlOf Returns the base URL of a client
 */
export function refuseUrls<C extends object>(prototype: C, urlOf: (client: C) => string): void {
  for (const name of ["baseUrl", "baseURL"]) {
    Object.defineProperty(prototype, name, {
      get: () => undefined,
      set(this: C, value: unknown) {
        const url = String(value).replace(/(?<!\/)\/+$/, "");
        if (url !== urlOf(this)) throw noEffect(name, "baseUrl", value);
        makeField(this, name, value);
      },
      configurable: true,
    });
  }
}

/**
 * Makes assignments of other credentials throw. The class itself can assign the option that was passed, or
 * a value of its own if none was. From then on, the name is a field like any other.
 *
 * @param client The client
 * @param names The names of its options with credentials
 * @param options The options that were passed
 */
export function refuseCredentials(
  client: object,
  names: readonly string[],
  options: object,
): void {
  for (const name of names) {
    if (name in client) continue;
    const passed: unknown = Reflect.get(options, name);
    Object.defineProperty(client, name, {
      get: () => undefined,
      set(value: unknown) {
        const isOwn = passed === undefined || Object.is(value, passed);
        // The value is a secret.
        if (!isOwn) throw noEffect(name, name, describedAs("another value"));
        makeField(client, name, value);
      },
      configurable: true,
    });
  }
}

function makeField(client: object, name: string, value: unknown): void {
  const field = { value, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(client, name, field);
}

/** Returns the error for an assignment without effect. */
function noEffect(name: string, option: string, value: unknown): UnexpectedValueError {
  const expected = "left as it is, because an assignment does not change the requests";
  const hint = `Call withOptions({ ${option} }), which returns a client with another value`;
  return new UnexpectedValueError(name, expected, withHint(value, hint));
}
