/**
 * Downloads and uploads of files: with progress, without reading them into memory, and downloads that
 * are continued after a lost connection.
 *
 * @example
 * ```ts
 * import { APIClient } from "@restwright/restwright";
 * import { saveTo } from "@restwright/restwright/files";
 *
 * class Files extends APIClient {
 *   static override readonly baseUrl: string = "https://files.example.com";
 *
 *   async save(name: string, open: () => WritableStream<Uint8Array>): Promise<number> {
 *     const { transferred } = await this._get(`/${name}`, { format: saveTo(open) });
 *     return transferred;
 *   }
 * }
 *
 * const fetch = () => Promise.resolve(new Response("hello"));
 * const bytes = await new Files({ fetch }).save("a.txt", () => new WritableStream());
 * console.log(bytes); // 5
 * ```
 *
 * @module
 */

export type { ContentSource } from "../content/body.ts";
export { type FileDigest, reprDigest } from "./digest.ts";
export type { DigestCheck } from "./digest_check.ts";
export { DownloadError } from "./download_error.ts";
export { type ContentPart, inParts } from "./in_parts.ts";
export {
  type FileSource,
  multipart,
  type MultipartContent,
  type MultipartForm,
  type MultipartOptions,
} from "./multipart.ts";
export type { DownloadProgress, DownloadStart, Progress } from "./progress.ts";
export { type DownloadTarget, type SaveOptions, saveTo } from "./save_to.ts";
export { withProgress } from "./with_progress.ts";
