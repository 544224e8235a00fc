/** The stream format that writes a response to a stream, and continues after a lost connection. */
import { checkedCount, checkedFlag, checkedFunction, checkedOptions } from "../base/checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { discardBody } from "../http/response.ts";
import type { StreamFormat } from "../content/stream_format.ts";
import { checkedDigest, type FileDigest, type KnownDigest } from "./digest.ts";
import { Download, rangeFrom } from "./download.ts";
import type { DownloadProgress, DownloadStart } from "./progress.ts";

/**
 * The target of a download: a stream to write to, or a function that opens it when the response has
 * arrived.
 *
 * @category Files
 */
export type DownloadTarget =
  | WritableStream<Uint8Array>
  | (() => WritableStream<Uint8Array> | Promise<WritableStream<Uint8Array>>);

/**
 * The options of {@linkcode saveTo}.
 *
 * @category Files
 */
export interface SaveOptions {
  /**
   * Called when the response has arrived, and after each chunk that was written. If it throws, the
   * download ends with that error. Default: none
   */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /**
   * The number of times that the download is continued after a lost connection, the idle timeout, or a
   * part with less than 64 KiB of new bytes, each after one second. Each of these requests has the
   * retries of the call. Default: 5
   */
  readonly maxResumes?: number | undefined;
  /** The digest that the whole file must have, such as `{ sha256: "…" }`. Default: not checked */
  readonly digest?: KnownDigest | FileDigest | undefined;
  /** The state of an earlier download to continue. Default: the beginning of the file */
  readonly from?: DownloadStart | undefined;
  /**
   * True if the target is neither closed at the end of the file nor aborted after an error. Default:
   * false
   */
  readonly keepOpen?: boolean | undefined;
}

/**
 * Returns a format for the request option `format` that writes the body of a response to a stream.
 *
 * If the connection is lost, the download is continued at the byte that is missing, by a request with
 * Range and If-Range (RFC 9110 §14.2, §13.1.5). It requires GET and a response with a strong ETag or
 * Last-Modified date, which the next response must have, too. The byte before the missing one is
 * requested again and compared. If the server sends the whole file again, the bytes that were written
 * before are skipped. If it sends a part without the ETag or date, the whole file is requested. If the
 * file is not the same, the download fails, and no byte is written twice.
 *
 * The result of the call is the final progress. Bytes are read only as fast as the target takes them.
 * At the end the target is closed; after an error it is aborted. A signal ends the download when the
 * target has taken the current chunk.
 *
 * @param target The stream to write to, or a function that opens it when the response has arrived. If
 * the call fails before that, the function is not called, and a stream stays open
 * @param options The options
 * @throws {UnexpectedValueError} If the target or an option is invalid
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { saveTo } from "@restwright/restwright/files";
 *
 * const adapter = () => Promise.resolve(new Response("hello"));
 * const session = new APISession({ url: "https://files.example.com", adapter });
 * const target = new WritableStream<Uint8Array>(); // in Deno, (await Deno.create(path)).writable
 * const { transferred } = await session.get("a.txt", { format: saveTo(target) });
 * console.log(transferred); // 5
 * ```
 *
 * @category Files
 */
export function saveTo(
  target: DownloadTarget,
  options: SaveOptions = {},
): StreamFormat<DownloadProgress> {
  if (typeof target !== "function") checkedTarget(target);
  const { maxResumes = 5, from, keepOpen = false } = checkedOptions(options, [
    "digest",
    "from",
    "keepOpen",
    "maxResumes",
    "onProgress",
  ]);
  const onProgress = checkedFunction<SaveOptions["onProgress"]>("onProgress", options.onProgress);
  checkedCount("maxResumes", maxResumes);
  checkedFlag("keepOpen", keepOpen);
  const digest = checkedDigest(options.digest);
  if (from !== undefined) checkStart(from, digest);
  return {
    headers: {
      // Positions in a compressed body are not positions in the file. Some servers send a file that is
      // stored compressed nevertheless. Deno does not decode it after a request with plain "identity",
      // which means the same (RFC 9110 §12.4.2).
      "accept-encoding": "identity;q=1",
      ...(from !== undefined && rangeFrom(from.transferred, from.validator)),
    },
    async stream(response, call) {
      let writable: WritableStream<Uint8Array>;
      try {
        writable = checkedTarget(typeof target === "function" ? await target() : target);
      } catch (error) {
        discardBody(response);
        throw error;
      }
      const settings = { maxResumes, digest, from, keepOpen, onProgress };
      return await new Download(call, writable.getWriter(), settings).run(response);
    },
  };
}

function checkedTarget(target: unknown): WritableStream<Uint8Array> {
  if (target instanceof WritableStream && !target.locked) return target;
  const expected = "a WritableStream that is not being written to, or a function that opens one";
  throw new UnexpectedValueError("target", expected, target);
}

function checkStart(from: DownloadStart, digest: FileDigest | undefined): void {
  const { transferred, validator, content } = Object(from) as DownloadStart;
  if (checkedCount("from.transferred", transferred) === 0) return;
  if (typeof validator !== "string" || validator === "") {
    const expected = "the validator of the earlier download; without one, start at the beginning";
    throw new UnexpectedValueError("from.validator", expected, validator);
  }
  if (digest !== undefined && content === undefined) {
    const expected = "the bytes so far, as a Blob or a stream, because digest is of the whole file";
    throw new UnexpectedValueError("from.content", expected, content);
  }
}
