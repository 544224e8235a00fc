/**
 * Reads the cassettes of VCR.py and of VCR for Ruby, so that an SDK that was ported from another
 * language keeps its recordings. On npm, it requires the package `yaml`.
 *
 * @example
 * ```ts
 * import { APIClient } from "@restwright/restwright";
 * import { openCassette } from "@restwright/restwright/testing";
 * import { readVcr } from "@restwright/restwright/testing/vcr";
 *
 * const yaml = `
 * interactions:
 * - request: {method: GET, uri: "https://api.example.com/books/7", body: null, headers: {}}
 *   response:
 *     status: {code: 200, message: OK}
 *     headers: {Content-Type: [application/json]}
 *     body: {string: '{"title": "Indigo"}'}
 * version: 1
 * `; // the text of the file
 *
 * class Library extends APIClient {
 *   static override readonly baseUrl: string = "https://api.example.com";
 *
 *   book(id: number): Promise<{ title: string }> {
 *     return this._get(`/books/${id}`, { convJson: true });
 *   }
 * }
 *
 * const library = new Library({ fetch: await openCassette(await readVcr(yaml)) });
 * console.log((await library.book(7)).title); // Indigo
 * ```
 *
 * @module
 */

export { readVcr } from "./read_vcr.ts";
