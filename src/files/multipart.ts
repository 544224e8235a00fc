/** Writes a form with files as `multipart/form-data`, without reading the files into memory. */
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { ContentSource } from "../content/body.ts";
import { byteChunks } from "./chunks.ts";

/**
 * A file to send, which is read while it is sent: a `File`, a `Blob`, Bun's `Bun.file(path)`, or an
 * object that opens a file on disk.
 *
 * @category Files
 */
export interface FileSource {
  /** The name of the file. A path before it is left out. Default: "file" */
  readonly name?: string | undefined;
  /** The content type. Default: `application/octet-stream` */
  readonly type?: string | undefined;
  /** The length in bytes, exactly. */
  readonly size: number;
  /** Opens a new stream of the bytes. It is called once for each attempt. */
  stream(): ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
}

/**
 * A form: names of fields, each with a string or a file. `FormData` is one.
 *
 * @category Files
 */
export type MultipartForm = Iterable<readonly [field: string, value: string | FileSource]>;

/**
 * The content of a form.
 *
 * @category Files
 */
export interface MultipartContent extends ContentSource {
  /** The content type, with the boundary. */
  readonly type: string;
  /** The length in bytes. */
  readonly size: number;
}

/**
 * Returns a form as `multipart/form-data` (RFC 7578), for the request option `content`.
 *
 * Other than the option `files`, it never has a whole file in memory, and `withProgress` can report
 * its progress. It is sent as a stream, without Content-Length. The files are opened one after the
 * other.
 *
 * @param form The fields and files
 * @throws {UnexpectedValueError} If the form is invalid; while it is sent, if a file does not have as
 * many bytes as its `size`
 *
 * @example
 * ```ts
 * import { multipart } from "@restwright/restwright/files";
 *
 * const content = multipart([
 *   ["title", "Holidays"],
 *   ["photos", new File(["…"], "beach.jpg", { type: "image/jpeg" })],
 *   ["photos", new File(["…"], "hills.jpg", { type: "image/jpeg" })],
 * ]);
 * console.log(content.type.split(";")[0]); // multipart/form-data
 * ```
 *
 * @category Files
 */
export function multipart(form: MultipartForm): MultipartContent {
  if (typeof Object(form)[Symbol.iterator] !== "function" || typeof form === "string") {
    const expected = "FormData, or an iterable of pairs of a field and a string or file";
    throw new UnexpectedValueError("form", expected, form);
  }
  const boundary = `restwright-${crypto.randomUUID()}`;
  const parts = Array.from(form, (entry, index) => partOf(entry, index, boundary));
  const end = utf8.encode(`--${boundary}--\r\n`);
  const size = parts.reduce((sum, { head, file }) => sum + head.length + sizeOf(file), end.length);
  const open = () => encode(parts, end);
  return Object.assign(open, { type: `multipart/form-data; boundary=${boundary}`, size });
}

/** A part of a form. */
interface Part {
  /** The bytes before the content; for a string, all bytes. */
  readonly head: Uint8Array;
  /** The file; undefined for a string. */
  readonly file: FileSource | undefined;
  /** The name for errors. */
  readonly option: string;
}

const utf8 = new TextEncoder();
const lineEnd = utf8.encode("\r\n");

function partOf(
  entry: readonly [string, string | FileSource],
  index: number,
  boundary: string,
): Part {
  const [field, value]: readonly unknown[] = Array.isArray(entry) ? entry : [];
  if (typeof field !== "string") {
    throw new UnexpectedValueError(
      `form[${index}]`,
      "a pair of a field and a string or file",
      entry,
    );
  }
  const option = `form[${index}]`;
  const start = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(field)}"`;
  if (typeof value === "string") {
    const text = value.replace(/\r\n?|\n/g, "\r\n");
    return { head: utf8.encode(`${start}\r\n\r\n${text}\r\n`), file: undefined, option };
  }
  const file = checkedFile(value, option);
  const name = (file.name ?? "").replace(/^.*[/\\]/s, "") || "file";
  const type = file.type || "application/octet-stream";
  const head = `${start}; filename="${escaped(name)}"\r\nContent-Type: ${type}\r\n\r\n`;
  return { head: utf8.encode(head), file, option };
}

function checkedFile(value: unknown, option: string): FileSource {
  const { stream, size, name = "", type = "" } = Object(value) as Record<string, unknown>;
  if (typeof stream !== "function" || !Number.isSafeInteger(size) || (size as number) < 0) {
    const expected = "a string, a File, a Blob, or an object with size in bytes and stream()";
    throw new UnexpectedValueError(option, expected, value);
  }
  if (typeof name !== "string") throw new UnexpectedValueError(`${option}.name`, "a string", name);
  if (typeof type !== "string" || !/^[\x20-\x7e]*$/.test(type)) {
    throw new UnexpectedValueError(`${option}.type`, "a content type such as image/png", type);
  }
  return value as FileSource;
}

/** Escapes the name of a field or file (HTML, "multipart/form-data encoding algorithm"). */
function escaped(name: string): string {
  return name.replace(/\r\n?|\n/g, "%0D%0A").replaceAll('"', "%22");
}

function sizeOf(file: FileSource | undefined): number {
  return file === undefined ? 0 : file.size + lineEnd.length;
}

async function* encode(
  parts: readonly Part[],
  end: Uint8Array,
): AsyncGenerator<Uint8Array, void> {
  for (const { head, file, option } of parts) {
    yield head;
    if (file === undefined) continue;
    let left = file.size;
    for await (const chunk of byteChunks(file.stream(), `${option}.stream()`)) {
      left -= chunk.length;
      if (left < 0) break;
      yield chunk;
    }
    if (left !== 0) {
      const expected = `a file of ${file.size} bytes, which is its size`;
      throw new UnexpectedValueError(
        option,
        expected,
        describedAs(left < 0 ? "longer" : "shorter"),
      );
    }
    yield lineEnd;
  }
  yield end;
}
