import { checkedHeaders, type HeaderFields, type HeadersInput, mergeHeaders } from "./headers.ts";

/**
 * The headers that every request of an HTTP session has; names are compared without case.
 *
 * They can be changed while the session lives. Their values are not shown when the object is
 * printed, since they may be secrets.
 */
export class SessionHeaders {
  #fields: HeaderFields = mergeHeaders();

  /** The value of a header; undefined where there is none. */
  get(name: string): string | undefined {
    return this.#fields[name.toLowerCase()];
  }

  /**
   * Sets a header, or takes it away.
   *
   * @param name The name
   * @param value The value; null takes the header away
   * @throws {UnexpectedValueError} Where name or value cannot be sent
   */
  set(name: string, value: string | number | null): void {
    this.setAll({ [name]: value });
  }

  /**
   * Sets several headers; null takes one away.
   *
   * @throws {UnexpectedValueError} Where a name or a value cannot be sent
   */
  setAll(input: HeadersInput): void {
    this.#fields = mergeHeaders(this.#fields, checkedHeaders(input));
  }

  /** The names of the headers that are set. */
  names(): string[] {
    return Object.keys(this.#fields);
  }

  /** The headers as they are sent; not to be changed. */
  fields(): Readonly<Record<string, string>> {
    return this.#fields;
  }
}
