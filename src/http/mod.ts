/**
 * The HTTP layer below clients: sessions that several clients share, and transports that replace
 * `fetch`.
 *
 * Most SDKs need none of these names, because each client makes an {@linkcode HttpSession} of its own.
 *
 * @example Two clients that share the headers, the scheme and the connections of one HTTP session
 * ```ts
 * import { APIClient } from "@restwright/restwright";
 * import { HttpSession, type Transport } from "@restwright/restwright/http";
 *
 * // An API in memory, which answers with the language that the request asks for.
 * const fetch: Transport = (_url, { headers }) =>
 *   Promise.resolve(Response.json(headers["accept-language"]));
 *
 * class Library extends APIClient {
 *   language(): Promise<string> {
 *     return this._get("language", { convJson: true });
 *   }
 * }
 *
 * const session = new HttpSession({
 *   headers: { "accept-language": "en" },
 *   adapters: { "https://": fetch },
 * });
 * const books = new Library({ baseUrl: "https://books.example.com", session });
 * const films = new Library({ baseUrl: "https://films.example.com", session });
 * console.log(await books.language(), await films.language()); // en en
 * ```
 *
 * @module
 */

export type { SessionHeaders } from "./headers.ts";
export { HttpSession, type HttpSessionOptions } from "./http_session.ts";
export type { BodyStream } from "./request_body.ts";
export { discardBody } from "./response.ts";
export type { Transport, TransportInit } from "./transport.ts";
export type { CertificateAuthorities, ClientCertificate } from "./transport/certificates.ts";
export type { ConnectionOptions } from "./transport/port.ts";
export type { Proxies, ProxyMapping } from "./transport/proxies.ts";
