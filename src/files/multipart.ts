/** Writes a form with files as `multipart/form-data`, without reading the files into memory. */
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { isBytes, sendableBytes } from "../base/bytes.ts";
import { check, checkedOptions, isPlain } from "../base/checks.ts";
import { isStyled, type StyledValue } from "../base/styled_value.ts";
import {
  type ArrayNames,
  bracketNames,
  checkedArrayNames,
} from "../content/styles/bracket_names.ts";
import type { ContentSource } from "../content/body.ts";
import { jsonText } from "../content/json_body.ts";
import { fieldText, formEnd, formType, newBoundary, partStart } from "../http/form_part.ts";
import { checkedHeaders, type HeadersInput } from "../http/headers.ts";
import { isModelInstance } from "../models/model_class.ts";
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
 * Options of {@linkcode multipart}. `arrays` and `objects` are for forms that are objects.
 *
 * @category Files
 */
export interface MultipartOptions {
  /**
   * The names of the elements of an array `tags`: "repeat" for `tags` again, "brackets" for `tags[]`,
   * "indices" for `tags[0]` and `tags[1]`.
   *
   * @default {"repeat"}
   */
  readonly arrays?: "repeat" | "brackets" | "indices" | undefined;
  /**
   * The parts of an object `user`: "json" for one part with JSON, as in OpenAPI, "brackets" for a part
   * for each of its fields, such as `user[name]`. An object in an array then needs
   * `arrays: "indices"`.
   *
   * @default {"json"}
   */
  readonly objects?: "json" | "brackets" | undefined;
  /**
   * The content type and headers of parts, by the names of the parts or of their fields. Default: none
   *
   * @example `{ parts: { photo: { type: "image/png", headers: { "X-Width": 640 } } } }`
   */
  readonly parts?: {
    readonly [part: string]: {
      /**
       * The content type. Default: that of a file, `application/json` for an object, and for text none,
       * which means `text/plain`
       */
      readonly type?: string | undefined;
      /** Other headers. Default: none */
      readonly headers?: HeadersInput | undefined;
    } | undefined;
  } | undefined;
}

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
  /**
   * Returns the form as one Blob, which fetch sends with Content-Length, and which browsers can send,
   * too.
   *
   * @throws {UnexpectedValueError} If a file is not a `Blob`
   */
  toBlob(): Blob;
}

/**
 * Returns a form as `multipart/form-data` (RFC 7578), for the request option `content`.
 *
 * Other than the option `files`, it never has a whole file in memory, and `withProgress` can report
 * its progress. It is sent as a stream, without Content-Length. The files are opened one after the
 * other.
 *
 * In an object, null and undefined are left out, each element of an array is a part, an object is a
 * part with JSON, bytes are a file, and a value of the entry point `styles` is one part or several, as
 * in a query.
 *
 * @param form An object with the fields; or `FormData`, or pairs of a field and a string or file
 * @param options The names of arrays and objects, and the content types and headers of parts
 * @throws {UnexpectedValueError} If the form or an option is invalid; while it is sent, if a file does
 * not have as many bytes as its `size`
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
 * @example An object with JSON, and a header of a part
 * ```ts
 * import { multipart } from "@restwright/restwright/files";
 *
 * const photo = new File(["…"], "beach.jpg", { type: "image/jpeg" });
 * const content = multipart(
 *   { title: "Holidays", place: { city: "Nice" }, photo },
 *   { parts: { photo: { headers: { "X-Width": 640 } } } },
 * );
 * const text = await content.toBlob().text();
 * console.log(/^Content-Type: .+\r\n\r\n.+$/m.exec(text)?.[0]?.split("\r\n\r\n"));
 * // [ "Content-Type: application/json", '{"city":"Nice"}' ]
 * ```
 *
 * @category Files
 */
export function multipart(
  form: MultipartForm | object,
  options: MultipartOptions = {},
): MultipartContent {
  const settings = checkedMultipart(options);
  const isIterable = typeof Object(form)[Symbol.iterator] === "function";
  if (typeof form !== "object" || form === null || !isIterable && !isPlain(form)) {
    const expected = "an object with fields, FormData, or an iterable of pairs of a field and a " +
      "string or file";
    throw new UnexpectedValueError("form", expected, form);
  }
  const boundary = newBoundary();
  const values = isIterable ? Array.from(form as MultipartForm, pairOf) : valuesOf(form, settings);
  const parts = Array.from(values, (value) => partOf(value, settings, boundary));
  const end = new TextEncoder().encode(formEnd(boundary));
  const size = parts.reduce((sum, { head, file }) => sum + head.length + sizeOf(file), end.length);
  const type = formType(boundary);
  const toBlob = () => {
    const pieces = parts.flatMap(({ head, file, option }) =>
      file === undefined ? [head] : [head, checkedBlob(file, option), lineEnd]
    );
    return new Blob([...pieces, end], { type });
  };
  return Object.assign(() => encode(parts, end), { type, size, toBlob });
}

/** The options with their defaults. */
interface MultipartSettings {
  readonly arrays: ArrayNames;
  readonly isJson: boolean;
  readonly parts: ReadonlyMap<string, PartSettings>;
}

/** The content type and headers of a part, as they are written. */
interface PartSettings {
  readonly type: string | undefined;
  readonly headers: string;
}

const checkedObjects = /* @__PURE__ */ check(
  '"json" or "brackets"',
  (value) => value === "json" || value === "brackets",
);

function checkedMultipart(options: MultipartOptions): MultipartSettings {
  const names = ["arrays", "objects", "parts"];
  const { arrays = "repeat", objects = "json", parts = {} } = checkedOptions(options, names);
  if (!isPlain(parts) || Array.isArray(parts)) {
    const expected = "a mapping from names of parts to their options";
    throw new UnexpectedValueError("parts", expected, parts);
  }
  const given = Object.entries(parts).filter(([, part]) => part !== undefined);
  return {
    arrays: checkedArrayNames("arrays", arrays),
    isJson: checkedObjects("objects", objects) === "json",
    parts: new Map(given.map(([name, part]) => [name, checkedPart(part!, `parts.${name}`)])),
  };
}

function checkedPart(
  part: NonNullable<NonNullable<MultipartOptions["parts"]>[string]>,
  option: string,
): PartSettings {
  const { type, headers = {} } = checkedOptions(part, ["type", "headers"], `${option}.`);
  if (type !== undefined) checkedType(type, `${option}.type`);
  const lines = Object.entries(checkedHeaders(headers, `${option}.headers`)).map(
    ([name, value]) => {
      if (/^content-(?:disposition|type)$/.test(name)) {
        const expected = "left out: the form sets it, and the option type is the content type";
        throw new UnexpectedValueError(`${option}.headers.${name}`, expected, value);
      }
      const shown = name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
      return value === null ? "" : `\r\n${shown}: ${value}`;
    },
  );
  return { type, headers: lines.join("") };
}

function checkedType(type: unknown, option: string): string {
  if (typeof type === "string" && /^[\x20-\x7e]*$/.test(type)) return type;
  throw new UnexpectedValueError(option, "a content type such as image/png", type);
}

/** The value of a part. */
interface PartValue {
  /** The name of the part. */
  readonly name: string;
  /** The field of the form, which several parts can have. */
  readonly field: string;
  readonly value: string | FileSource;
  /** The content type, if the options of the part have none. */
  readonly type?: string;
  /** The name of the value in errors. */
  readonly option: string;
}

function pairOf(entry: unknown, index: number): PartValue {
  const [name, value]: readonly unknown[] = Array.isArray(entry) ? entry : [];
  const option = `form[${index}]`;
  if (typeof name !== "string") {
    throw new UnexpectedValueError(option, "a pair of a field and a string or file", entry);
  }
  return {
    name,
    field: name,
    value: typeof value === "string" ? value : checkedFile(value, option),
    option,
  };
}

/** Yields the values of the parts of an object with fields. */
function* valuesOf(form: object, { arrays, isJson }: MultipartSettings): Generator<PartValue> {
  for (const [field, value] of Object.entries(form)) {
    const isWhole = (inner: object) =>
      isFile(inner) || isStyled(inner) || isJson && !(Array.isArray(inner) && inner === value);
    for (const named of bracketNames(value, field, arrays, `form.${field}`, isWhole)) {
      if (!isStyled(named.value)) {
        yield { ...named, field, ...contentOf(named.value, named.option) };
      } else yield* styledValues(named.name, named.value, field, named.option);
    }
  }
}

/** Yields the values of the parts that a value has in its style, without percent-encoding. */
function* styledValues(
  given: string,
  value: StyledValue<"query">,
  field: string,
  option: string,
): Generator<PartValue> {
  for (const [name, text] of new URLSearchParams(value.toParameter("query", given))) {
    yield { name, field, value: text, option };
  }
}

/** Returns the content of a part: text, JSON, or a file. */
function contentOf(value: unknown, option: string): Pick<PartValue, "value" | "type"> {
  if (typeof value === "string") return { value };
  if (typeof value === "bigint" || typeof value === "boolean" || Number.isFinite(value)) {
    return { value: String(value) };
  }
  if (isBytes(value)) return { value: new Blob([sendableBytes(value)]) };
  if (isFile(value)) return { value: checkedFile(value, option) };
  if (isPlain(value) || isModelInstance(value)) {
    return { value: jsonText(value, option), type: "application/json" };
  }
  const expected = "a string, a finite number, a bigint, a boolean, null, a File, a Blob, bytes, " +
    "a plain object, or an array of these";
  throw new UnexpectedValueError(option, expected, value);
}

function isFile(value: unknown): boolean {
  return typeof Object(value).stream === "function";
}

/** A part of a form. */
interface Part {
  /** The bytes before the content; for a string, all bytes. */
  readonly head: Uint8Array<ArrayBuffer>;
  /** The file; undefined for a string. */
  readonly file: FileSource | undefined;
  /** The name for errors. */
  readonly option: string;
}

const lineEnd = new Uint8Array([13, 10]);

function partOf(
  { name, field, value, type: usualType, option }: PartValue,
  { parts }: MultipartSettings,
  boundary: string,
): Part {
  const { type: ownType, headers = "" } = parts.get(name) ?? parts.get(field) ?? {};
  if (typeof value === "string") {
    if (usualType !== undefined && !/[/+]json\b/i.test(ownType ?? usualType)) {
      const expected = `text, because objects are written as JSON and not as ${ownType}`;
      throw new UnexpectedValueError(option, expected, describedAs("an object"));
    }
    const start = partStart(boundary, name, { type: ownType ?? usualType, headers });
    const head = new TextEncoder().encode(`${start}${fieldText(value)}\r\n`);
    return { head, file: undefined, option };
  }
  const file = (value.name ?? "").replace(/^.*[/\\]/s, "") || "file";
  const type = ownType || value.type || "application/octet-stream";
  const start = partStart(boundary, name, { file, type, headers });
  return { head: new TextEncoder().encode(start), file: value, option };
}

function checkedFile(value: unknown, option: string): FileSource {
  const { stream, size, name = "", type = "" } = Object(value) as Record<string, unknown>;
  if (typeof stream !== "function" || !Number.isSafeInteger(size) || (size as number) < 0) {
    const expected = "a string, a File, a Blob, or an object with size in bytes and stream()";
    throw new UnexpectedValueError(option, expected, value);
  }
  if (typeof name !== "string") throw new UnexpectedValueError(`${option}.name`, "a string", name);
  checkedType(type, `${option}.type`);
  return value as FileSource;
}

function checkedBlob(file: FileSource, option: string): Blob {
  if (file instanceof Blob) return file;
  const expected = "a File or Blob, because a form with other files is sent as a stream";
  throw new UnexpectedValueError(option, expected, file);
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
