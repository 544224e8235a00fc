/** Wraps the content of an upload, so that it reports its progress while it is sent. */
import { checkedFunction } from "../base/checks.ts";
import type { BodyStream, RequestBody } from "../http/request_body.ts";
import {
  type Content,
  type ContentSource,
  prepareContent,
  progressSources,
} from "../content/body.ts";
import { byteChunks } from "./chunks.ts";
import type { Progress } from "./progress.ts";

/** The most bytes between two reports: 64 KiB. */
const STEP = 2 ** 16;

/**
 * Returns content that reports its progress while it is sent, for the request option `content`.
 *
 * Each attempt begins with a report of 0 bytes. The total is known for text, bytes, a Blob, and a
 * function with a property `size`, such as the result of `multipart`. The content is sent as a stream,
 * without Content-Length. A browser that cannot stream it sends it whole, if it can: then the report of
 * all bytes follows that of 0 bytes at once, and the log has one warning.
 *
 * @param content The content. A stream can be sent only once; its request is not retried
 * @param onProgress Called at the beginning of each attempt, and each time that fetch has taken up to
 * 64 KiB. If it throws, the call ends with that error
 * @throws {UnexpectedValueError} If an argument is invalid
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { withProgress } from "@restwright/restwright/files";
 *
 * const adapter = async (url: string, init: RequestInit) =>
 *   new Response(await new Response(init.body ?? null).text());
 * const session = new APISession({ url: "https://files.example.com", adapter });
 * const content = withProgress(new Blob(["hello"]), ({ transferred, total }) => {
 *   console.log(transferred, total); // 0 5, then 5 5
 * });
 * await session.put("a.txt", { content });
 * ```
 *
 * @category Files
 */
export function withProgress(
  content: BodyStream,
  onProgress: (progress: Progress) => void,
): BodyStream;
/** Returns content that can be sent several times. */
export function withProgress(
  content: Exclude<Content, BodyStream>,
  onProgress: (progress: Progress) => void,
): ContentSource;
export function withProgress(
  content: Content,
  onProgress: (progress: Progress) => void,
): BodyStream | ContentSource {
  if (typeof onProgress !== "function") checkedFunction("onProgress", onProgress ?? null);
  const body = prepareContent(content);
  if (body.kind === "once") return reporting(() => body.content, undefined, onProgress);
  if (body.kind === "opened") {
    const { size } = content as { readonly size?: number };
    const total = Number.isSafeInteger(size) ? size : undefined;
    return sourceOf(body, total, onProgress);
  }
  const blob = content instanceof Blob ? content : new Blob([body.content as BlobPart]);
  const usualType = typeof content === "string" ? "text/plain;charset=UTF-8" : undefined;
  const opened = { open: () => blob.stream(), toBlob: () => blob, type: blob.type, usualType };
  return sourceOf(opened, blob.size, onProgress);
}

/** Returns a function that opens content that reports its progress. */
function sourceOf(
  { open, toBlob, type, usualType }: Omit<
    Extract<RequestBody, { readonly kind: "opened" }>,
    "kind"
  >,
  total: number | undefined,
  onProgress: (progress: Progress) => void,
): ContentSource {
  const source = () => reporting(open, total, onProgress);
  const whole = toBlob && (() => {
    const blob = toBlob();
    onProgress({ transferred: 0, total: blob.size });
    onProgress({ transferred: blob.size, total: blob.size });
    return blob;
  });
  const known = Object.assign(source, type ? { type } : {}, whole ? { toBlob: whole } : {});
  progressSources.set(known, { usualType });
  return known;
}

/** Yields the chunks of a stream in steps, and reports each step after it was taken. */
async function* reporting(
  open: () => BodyStream,
  total: number | undefined,
  onProgress: (progress: Progress) => void,
): AsyncGenerator<Uint8Array, void> {
  let transferred = 0;
  onProgress({ transferred, total });
  for await (const chunk of byteChunks(open(), "content")) {
    for (let start = 0; start < chunk.length; start += STEP) {
      const step = chunk.subarray(start, start + STEP);
      yield step;
      transferred += step.length;
      onProgress({ transferred, total });
    }
  }
}
