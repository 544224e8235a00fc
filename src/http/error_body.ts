import { responseLike } from "./response.ts";

/** The most bytes of an error's body that are kept: 1 MiB. */
export const ERROR_BODY_LIMIT = 2 ** 20;

/** An error's body, read as far as it is kept. */
export interface ErrorBody {
  /** The body as text, by the charset that the content type names. */
  readonly text: string;
  /** A response like the one that was read, its body readable again. */
  readonly response: Response;
}

/**
 * Reads the body of an error response, at most 1 MiB of it; the rest is cancelled, so that its
 * socket is free.
 *
 * A body that breaks off is kept as far as it came: the status says what happened.
 */
export async function readErrorBody(response: Response): Promise<ErrorBody> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  try {
    while (reader !== undefined && length < ERROR_BODY_LIMIT) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      length += value.length;
    }
  } catch {
    // The status is what is raised; the part of the body that came is shown with it.
  }
  reader?.cancel().catch(() => {});
  const bytes = joined(chunks, Math.min(length, ERROR_BODY_LIMIT));
  const text = decoderFor(response.headers.get("content-type")).decode(bytes);
  return { text, response: responseLike(response, bytes) };
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, length - offset), offset);
    offset += chunk.length;
  }
  return bytes;
}

function decoderFor(contentType: string | null): TextDecoder {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(contentType ?? "")?.[1];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
