/**
 * Every error that the toolkit throws, and the map of error classes by status.
 *
 * @example
 * ```ts
 * import { APIError, NotFoundError } from "@restwright/restwright/errors";
 * import { APISession } from "@restwright/restwright/session";
 *
 * const adapter = () => Promise.resolve(new Response("nothing here", { status: 404 }));
 * const api = new APISession({ url: "https://api.example.com", adapter });
 * const error = await api.get("users/7").catch((reason: unknown) => reason);
 * console.log(error instanceof NotFoundError); // true
 * console.log(error instanceof APIError && error.status); // 404
 * ```
 *
 * @module
 */

export { errorsBy, type ErrorsByOptions } from "../content/errors_by.ts";
export * from "../errors/mod.ts";
