/** Prepares the body of a request for `node:http`, with its length if that is known. */
import { streamChunks } from "../../base/stream_chunks.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import type { HeaderOverrides } from "../headers.ts";
import type { FetchBody } from "../request_body.ts";

/** The body of a request as `node:http` takes it. */
export interface OutgoingBody {
  /** The content type that fetch would send. The headers of the request override it. */
  readonly type: HeaderOverrides;
  /** The header that defines the end of the body (RFC 9112 §6). Nothing overrides it. */
  readonly framing: HeaderOverrides;
  /** The bytes of the body. */
  readonly chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** Prepares a body for sending. Every body except a stream or a Blob is read into memory. */
export async function outgoingBody(
  body: FetchBody | null | undefined,
): Promise<OutgoingBody | undefined> {
  if (body === null || body === undefined) return undefined;
  if (body instanceof ReadableStream) {
    // Without this header, node:http sends the body of a DELETE or OPTIONS unframed.
    return { type: {}, framing: { "transfer-encoding": "chunked" }, chunks: streamChunks(body) };
  }
  // Response follows the rules of fetch for the content type and for the boundary of a form.
  const response = new Response(body);
  const contentType = response.headers.get("content-type");
  const type: HeaderOverrides = contentType === null ? {} : { "content-type": contentType };
  if (body instanceof Blob) {
    const { size } = body;
    return { type, framing: lengthOf(size), chunks: wholeBlob(body, size) };
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { type, framing: lengthOf(bytes.length), chunks: [bytes] };
}

function lengthOf(bytes: number): HeaderOverrides {
  return { "content-length": `${bytes}` };
}

/**
 * Reads a Blob, and checks that it has as many bytes as its `Content-Length`. Otherwise the server
 * would read surplus bytes as the next request, or the next request as bytes that are missing.
 *
 * @throws {UnexpectedValueError} If the stream of a subclass has more or fewer bytes than its size
 */
async function* wholeBlob(blob: Blob, size: number): AsyncGenerator<Uint8Array> {
  let left = size;
  for await (const chunk of streamChunks(blob.stream())) {
    left -= chunk.length;
    if (left < 0) break;
    yield chunk;
  }
  if (left === 0) return;
  const expected = `a Blob whose stream has as many bytes as its size, which is ${size}`;
  throw new UnexpectedValueError("content", expected, blob);
}
