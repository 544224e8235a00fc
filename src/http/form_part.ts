/** Writes the texts of `multipart/form-data` (RFC 7578; HTML, "multipart/form-data encoding algorithm"). */

/** Returns a new boundary. It is in lower case, as the type of a Blob is. */
export function newBoundary(): string {
  return `restwright-${crypto.randomUUID()}`;
}

/** Returns the content type of a form. */
export function formType(boundary: string): string {
  return `multipart/form-data; boundary=${boundary}`;
}

/**
 * Returns the text before the content of a part.
 *
 * @param boundary The boundary
 * @param name The name of the part
 * @param part The name of its file and its content type, undefined for none; and further lines of headers,
 * each of which begins with a line break
 */
export function partStart(
  boundary: string,
  name: string,
  { file, type, headers = "" }: { file?: string; type?: string | undefined; headers?: string } = {},
): string {
  const disposition = `Content-Disposition: form-data; name="${escaped(name)}"` +
    (file === undefined ? "" : `; filename="${escaped(file)}"`);
  return `--${boundary}\r\n${disposition}${
    type ? `\r\nContent-Type: ${type}` : ""
  }${headers}\r\n\r\n`;
}

/** Returns the text after the last part. */
export function formEnd(boundary: string): string {
  return `--${boundary}--\r\n`;
}

/** Returns the value of a field with the line breaks of a form. */
export function fieldText(value: string): string {
  return value.replace(/\r\n?|\n/g, "\r\n");
}

/** Escapes the name of a field or file. */
function escaped(name: string): string {
  return name.replace(/\r\n?|\n/g, "%0D%0A").replaceAll('"', "%22");
}
