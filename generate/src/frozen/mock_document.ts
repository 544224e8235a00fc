/** The document that an SDK carries in `scripts/mock`, the script that starts a mock server. */

import { ShapeError } from "../base/errors.ts";
import { MAX_CHARACTERS } from "../read/limits.ts";

/** The document in the script: base64 of gzip. */
const EMBEDDED = /^[ \t]*EMBEDDED_SPEC="([A-Za-z0-9+/=\s]+)"/m;

/** Reports if a text is a script with a document in it. */
export function hasDocument(text: string): boolean {
  return text.startsWith("#!") && EMBEDDED.test(text);
}

/**
 * Returns the document that a script carries. The script is not run.
 *
 * @param file The name of the script in messages
 * @param limit The most bytes of the document. Default: as for other documents
 * @throws {ShapeError} If the document is broken or too large
 */
export async function documentIn(
  text: string,
  file: string,
  limit: number = MAX_CHARACTERS,
): Promise<string> {
  const encoded = EMBEDDED.exec(text)?.[1]?.replace(/\s/g, "") ?? "";
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    const packed = Uint8Array.from(atob(encoded), (each) => each.charCodeAt(0));
    const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const reader = unpacked.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.byteLength;
      if (size > limit) {
        // Not awaited: it can wait for the source.
        reader.cancel().catch(() => {});
        break;
      }
      parts.push(read.value as Uint8Array<ArrayBuffer>);
    }
  } catch (cause) {
    const message = "has a document that cannot be unpacked: it must be gzip as base64";
    throw new ShapeError(file, message, undefined, { cause });
  }
  if (size > limit) throw new ShapeError(file, `has a document of more than ${limit} bytes`);
  return await new Blob(parts).text();
}
