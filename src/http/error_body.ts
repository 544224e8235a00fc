import { type IncomingResponse, joined } from "./incoming_response.ts";
import { responseLike } from "./response.ts";

/** The most bytes of an error's body that are kept: 1 MiB. */
export const ERROR_BODY_LIMIT = 2 ** 20;

/** An error's body, read as far as it is kept. */
export interface ErrorBody {
  /** The body as text, by the charset that the content type names. */
  readonly text: string;
  /** Its bytes: a format such as XML may say itself how they are encoded. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A response like the one that was read, its body readable again. */
  readonly response: Response;
}

/**
 * Reads the body of an error response, at most 1 MiB of it.
 *
 * A body that breaks off is kept as far as it came: the status says what happened.
 */
export async function readErrorBody(incoming: IncomingResponse): Promise<ErrorBody> {
  const { response } = incoming;
  const chunks: Uint8Array[] = [];
  try {
    await incoming.read(ERROR_BODY_LIMIT, chunks);
  } catch {
    // The status is what is raised; the part of the body that came is shown with it.
  }
  const bytes = joined(chunks).subarray(0, ERROR_BODY_LIMIT);
  const text = decoderFor(response.headers.get("content-type")).decode(bytes);
  return { text, bytes, response: responseLike(response, bytes) };
}

function decoderFor(contentType: string | null): TextDecoder {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(contentType ?? "")?.[1];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
