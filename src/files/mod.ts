/**
 * Downloads and uploads of files: with progress, without reading them into memory, and downloads that
 * are continued after a lost connection.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { saveTo } from "@restwright/restwright/files";
 *
 * const adapter = () => Promise.resolve(new Response("hello"));
 * const session = new APISession({ url: "https://files.example.com", adapter });
 *
 * const onProgress = ({ transferred }: { transferred: number }) => console.log(transferred); // 0, 5
 * const stream = saveTo(() => new WritableStream<Uint8Array>(), { onProgress });
 * await session.get("a.txt", { stream });
 * ```
 *
 * @module
 */

export type { RequestSummary } from "../errors/message_text.ts";
export type { ContentSource } from "../content/body.ts";
export type { StreamFormat } from "../content/stream_format.ts";
export { type FileDigest, reprDigest } from "./digest.ts";
export type { DigestCheck } from "./digest_check.ts";
export { DownloadError, type DownloadErrorReason } from "./download_error.ts";
export { type ContentPart, inParts, type PartsOptions } from "./in_parts.ts";
export {
  type FileSource,
  multipart,
  type MultipartContent,
  type MultipartForm,
  type MultipartOptions,
  type PartOptions,
} from "./multipart.ts";
export type { DownloadProgress, DownloadStart, Progress } from "./progress.ts";
export { type DownloadTarget, type SaveOptions, saveTo } from "./save_to.ts";
export { withProgress } from "./with_progress.ts";
