/**
 * Clients: the second generation of the interface, with all that an SDK on it is made of.
 *
 * Derive a class from {@linkcode APIClient} and declare {@linkcode APIEndpoint} classes. Its verbs
 * are protected, so that the public names are yours, all but `session`, `ready`, `close`,
 * `withOptions` and the static `open`. The errors that its calls raise are in the entry
 * point `errors`, the authentication schemes in `auth`.
 *
 * @example
 * ```ts
 * import { APIClient, APIEndpoint, path } from "@restwright/restwright/client";
 *
 * class Users extends APIEndpoint<Directory> {
 *   protected override readonly _path: string = "/users";
 *   override readonly _convJson = true;
 *
 *   get(id: number): Promise<{ name: string }> {
 *     return this._get(path`/${id}`);
 *   }
 * }
 *
 * class Directory extends APIClient {
 *   static override readonly baseUrl: string = "https://directory.example.com/v1";
 *   readonly users: Users = new Users(this);
 * }
 *
 * const adapter = () => Promise.resolve(Response.json({ name: "Ada" }));
 * console.log((await new Directory({ adapter }).users.get(7)).name); // Ada
 * ```
 *
 * @module
 */

export * from "./common.ts";
export { APIClient, type ClientOptions } from "../client.ts";
