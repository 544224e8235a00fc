/**
 * Sessions: the first generation of the interface, with everything that an SDK needs.
 *
 * Extend {@linkcode APISession} and declare {@linkcode APIEndpoint} classes. The session's request
 * methods are public: `get`, `post`, `put`, `patch`, `delete`, `head`. The entry point `errors` has
 * the errors that calls throw, `auth` has the authentication schemes.
 *
 * @example
 * ```ts
 * import { APIEndpoint, APISession } from "@restwright/restwright/session";
 *
 * class Users extends APIEndpoint<Directory> {
 *   protected override readonly _path: string = "users";
 *   override readonly _convJson = true;
 *
 *   get(id: number): Promise<{ name: string }> {
 *     return this._get(id);
 *   }
 * }
 *
 * class Directory extends APISession {
 *   static override readonly url: string = "https://directory.example.com/v1";
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
export { APISession, type SessionOptions } from "../client/session.ts";
