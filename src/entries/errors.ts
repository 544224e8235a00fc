/**
 * Every error that the toolkit throws, and the map of error classes by status.
 *
 * @example
 * ```ts
 * import { APIClient } from "@restwright/restwright";
 * import { APIError, NotFoundError } from "@restwright/restwright/errors";
 *
 * class Users extends APIClient {
 *   static override readonly baseUrl: string = "https://api.example.com";
 *
 *   async get(id: number): Promise<void> {
 *     await this._get(`/users/${id}`, { convJson: true });
 *   }
 * }
 *
 * const fetch = () => Promise.resolve(new Response("nothing here", { status: 404 }));
 * const error = await new Users({ fetch }).get(7).catch((reason: unknown) => reason);
 * console.log(error instanceof NotFoundError); // true
 * console.log(error instanceof APIError && error.body); // nothing here
 * ```
 *
 * @module
 */

export { isErrorWith } from "../content/decode.ts";
export { errorsBy, type ErrorsByOptions } from "../content/errors_by_content.ts";
export * from "../errors/mod.ts";
