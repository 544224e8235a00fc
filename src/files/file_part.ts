/** Reads from the headers of a response which part of which version of a file it has. */

/** The part of a file that a response has (RFC 9110 §14). */
export interface FilePart {
  /** The position of its first byte in the file. */
  readonly start: number;
  /** The position after its last byte; undefined if it is not known. */
  readonly end: number | undefined;
  /** The length of the file in bytes; undefined if it is not known. */
  readonly total: number | undefined;
}

/**
 * Returns the part of a file that a response has; undefined for a 206 without one valid range, such
 * as `multipart/byteranges`.
 */
export function partOf(response: Response): FilePart | undefined {
  if (response.status === 206) {
    return parseContentRange(response.headers.get("content-range") ?? "");
  }
  const total = isEncoded(response) ? undefined : lengthOf(response);
  // CORS hides Content-Encoding. Content-Length may then be that of the compressed body.
  return { start: 0, end: response.type === "cors" ? undefined : total, total };
}

/** Parses a Content-Range header (RFC 9110 §14.4); undefined if it is not a valid range of bytes. */
export function parseContentRange(text: string): FilePart | undefined {
  const match = /^bytes +(\d+)-(\d+)\/(\d+|\*)$/i.exec(text.trim());
  if (match === null) return undefined;
  const [start, last, length] = match.slice(1).map(Number) as [number, number, number];
  const total = match[3] === "*" ? undefined : length;
  const isValid = start <= last && last < (total ?? Infinity) && Number.isSafeInteger(last);
  return isValid ? { start, end: last + 1, total } : undefined;
}

/**
 * Reports if the body of a response is encoded. Fetch decodes it, so that positions in it are not
 * positions in the file.
 */
export function isEncoded({ headers }: Response): boolean {
  const coding = headers.get("content-encoding") ?? "";
  return coding !== "" && coding.toLowerCase() !== "identity";
}

function lengthOf({ headers }: Response): number | undefined {
  const length = headers.get("content-length");
  return length !== null && /^\d+$/.test(length) ? Number(length) : undefined;
}

/**
 * Returns the validator of a file for If-Range (RFC 9110 §13.1.5): its strong entity tag, or else its
 * Last-Modified date if that is strong. Undefined if there is neither, or the body is encoded.
 */
export function validatorOf(response: Response): string | undefined {
  if (isEncoded(response)) return undefined;
  const { headers } = response;
  const tag = headers.get("etag");
  // With a weak tag, the date may be that of a file with other bytes, too.
  if (tag !== null) return isStrongTag(tag) ? tag : undefined;
  const modified = headers.get("last-modified");
  // A date is strong if the file could not change once more in the same second (§8.8.2.2).
  const age = Date.parse(headers.get("date") ?? "") - Date.parse(modified ?? "");
  return age >= 1000 ? modified! : undefined;
}

/** Reports if a text is a strong entity tag (RFC 9110 §8.8.3). */
export function isStrongTag(text: string): boolean {
  return /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(text);
}
