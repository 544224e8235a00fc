/**
 * Clients: the second generation of the interface, with everything that an SDK needs.
 *
 * Extend {@linkcode APIClient} and declare {@linkcode APIEndpoint} classes. Its request methods are
 * protected, so that you choose the public names, except `httpSession`, `ready`, `close`, `withOptions`
 * and the static `open`. The entry point `errors` has the errors that calls throw, `auth` has the
 * authentication schemes.
 *
 * @example
 * ```ts
 * import { APIClient, APIEndpoint, path } from "@restwright/restwright/client";
 *
 * class Users extends APIEndpoint<Directory> {
 *   protected override readonly _path: string = "/users";
 *   override readonly _convJson = true; // parse responses as JSON
 *
 *   get(id: number): Promise<{ name: string }> {
 *     return this._get(path`/${id}`); // GET https://directory.example.com/v1/users/7
 *   }
 * }
 *
 * class Directory extends APIClient {
 *   static override readonly baseUrl: string = "https://directory.example.com/v1";
 *   readonly users: Users = new Users(this);
 * }
 *
 * // An API in memory. Leave `fetch` out to send requests to the network.
 * const fetch = () => Promise.resolve(Response.json({ name: "Ada" }));
 * console.log((await new Directory({ fetch }).users.get(7)).name); // Ada
 * ```
 *
 * @module
 */

export * from "./common.ts";
export { APIClient, type ClientDefaults, type ClientOptions } from "../client/client.ts";
export { type ServerList, ServerUrls } from "../client/server_urls.ts";
