/** The interface of a parameter that is written in a style of its own. */

/**
 * A place of a request that has parameters.
 *
 * @category Requests
 */
export type ParameterPlace = "query" | "path" | "header" | "cookie";

/**
 * A parameter that is written in a style of its own, whatever the style of the others is. The
 * functions of the entry point `styles` return the styles of OpenAPI. For any other style, pass an
 * object with these methods.
 *
 * @typeParam Place The places that have the style
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import type { StyledValue } from "@restwright/restwright/styles";
 * import { mockTransport } from "@restwright/restwright/testing";
 *
 * // Writes a list as `(a b c)`.
 * const inParentheses = (values: readonly string[]): StyledValue<"query"> => ({
 *   toJSON: () => values,
 *   toParameter: (_place, name) =>
 *     `${encodeURIComponent(name)}=(${values.map(encodeURIComponent).join("%20")})`,
 * });
 *
 * const fetch = mockTransport({ "GET /pets": [] });
 * const session = new APISession({ url: "https://pets.example.com", fetch });
 * await session.get("pets", { params: { tags: inParentheses(["a", "b"]), page: 2 } });
 * console.log(fetch.calls[0]?.url); // https://pets.example.com/pets?tags=(a%20b)&page=2
 * ```
 *
 * @category Requests
 */
export interface StyledValue<in Place extends ParameterPlace = ParameterPlace> {
  /**
   * Returns the value as JSON can hold it, for the log, which hides its fields like those of any other
   * parameter.
   */
  readonly toJSON: () => unknown;
  /**
   * Returns the text of the parameter, or undefined to leave it out. The text is sent as it is, so
   * everything in it must be encoded: in a query and a cookie it begins with the name, in a path it
   * is a segment or a part of one, in a header it is the value.
   *
   * @param place The place of the parameter
   * @param name The name of the parameter; in a path, which has no names, a description for errors
   */
  readonly toParameter: (place: Place, name: string) => string | undefined;
}

/** Reports if a value has a style of its own. */
export function isStyled(value: unknown): value is StyledValue {
  return typeof (value as Partial<StyledValue> | null | undefined)?.toParameter === "function";
}
