/** Files for uploads in clients with resources, from all that a program may have in its place. */
import { isBytes, isUint8Array, sendableBytes } from "../base/bytes.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/**
 * A response, of fetch or of another library, such as node-fetch: its body is the file, and the last part
 * of its URL is the name.
 *
 * @category Resources
 */
export interface ResponseLike {
  /** The URL. */
  readonly url: string;
  /** Returns the body. */
  blob(): Promise<Pick<Blob, "arrayBuffer" | "type">>;
}

/**
 * A file to upload: a `File`, a `Blob`, a response, whose body is the file, or a file on disk as of
 * `fs.createReadStream()`. Use {@linkcode toFile} for bytes, texts and other streams.
 *
 * @category Resources
 */
export type Uploadable =
  | Blob
  | ResponseLike
  | AsyncIterable<unknown> & { readonly path: string | Uint8Array };

/**
 * The content that {@linkcode toFile} makes a file of: a file to upload, text, bytes, or the parts of it.
 *
 * @category Resources
 */
export type FileContent =
  | Uploadable
  | string
  | ArrayBufferLike
  | ArrayBufferView
  | Iterable<string | Blob | ArrayBufferLike | ArrayBufferView>
  | AsyncIterable<unknown>;

/**
 * Returns a file with a name, of bytes, text, a Blob, a response or a stream. A stream is read into
 * memory.
 *
 * @param content The content, or a promise of it
 * @param name The name. Default: that of a `File` or of the path of a file stream, the last part of a
 * response's URL, or else `unknown_file`
 * @param options The content type and the time of the last change
 * @throws {UnexpectedValueError} If the content is anything else
 *
 * @example
 * ```ts
 * import { toFile } from "@restwright/restwright/resources";
 *
 * const file = await toFile(new TextEncoder().encode("# Notes"), "notes.md");
 * console.log(file.name, file.size); // notes.md 7
 * ```
 *
 * @category Resources
 */
export async function toFile(
  content: FileContent | PromiseLike<FileContent>,
  name?: string | null,
  // In place of `FilePropertyBag`, which Node's and Cloudflare's types do not have.
  options: {
    readonly type?: string;
    readonly lastModified?: number;
    readonly endings?: "native" | "transparent";
  } = {},
): Promise<File> {
  const given = await content;
  if (given instanceof File && (name === undefined || name === null) && isEmpty(options)) {
    return given;
  }
  const parts = await partsOf(given);
  const type = options.type ?? typeOf(given, parts);
  return new File(parts, name ?? nameOf(given) ?? "unknown_file", { ...options, type });
}

async function partsOf(content: FileContent): Promise<BlobPart[]> {
  if (isResponse(content)) {
    const blob = await content.blob();
    return [blob instanceof Blob ? blob : new Blob([await blob.arrayBuffer()], blob)];
  }
  if (typeof content === "string" || content instanceof Blob) return [content];
  // Copied, because a stream may use its buffer again for the next part.
  if (isBytes(content)) return [new Blob([sendableBytes(content)])];
  const parts: BlobPart[] = [];
  const isIterable = typeof content === "object" && content !== null &&
    (Symbol.asyncIterator in content || Symbol.iterator in content);
  if (!isIterable) {
    const expected = "a File, a Blob, bytes, a string, a Response, or an iterable of them";
    throw new UnexpectedValueError("content", expected, content);
  }
  for await (const part of content as AsyncIterable<FileContent>) {
    parts.push(...await partsOf(part));
  }
  return parts;
}

function nameOf(content: FileContent): string | undefined {
  const { name, path, filename, url } = Object(content);
  const texts: readonly unknown[] = [name, filename, textOf(path), textOf(url)?.split(/[?#]/)[0]];
  const text = texts.find((each): each is string => typeof each === "string" && each !== "");
  return text?.split(/[\\/]/).at(-1) || undefined;
}

function textOf(value: unknown): string | undefined {
  return isUint8Array(value)
    ? new TextDecoder().decode(value)
    : typeof value === "string"
    ? value
    : undefined;
}

/** Returns the content type of a Blob, and of a response by its header or else by its body. */
function typeOf(content: FileContent, [part]: readonly BlobPart[]): string {
  const headers: unknown = Object(content).headers;
  const stated = content instanceof Response || headers instanceof Headers
    ? (headers as Headers).get("content-type")
    : undefined;
  const isOfPart = content instanceof Blob || isResponse(content);
  return stated ?? (isOfPart && part instanceof Blob ? part.type : "");
}

/** Reports if a value is a response, also one of another library. */
export function isResponse(value: unknown): value is ResponseLike {
  const { url, blob } = Object(value);
  return typeof url === "string" && typeof blob === "function";
}

function isEmpty(options: object): boolean {
  return Object.keys(options).length === 0;
}
