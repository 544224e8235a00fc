/** Serialises the body of a request: JSON, a form, files, raw content or a model as XML. */
import { isForeignBlob, isFormData, ownBlob, ownForm } from "../base/foreign_objects.ts";
import { isBytes, sendableBytes } from "../base/bytes.ts";
import { checkedHeaderText, isPlain } from "../base/checks.ts";
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import {
  type BodyStream,
  contentKinds,
  isUnlockedStream,
  noBody,
  type RequestBody,
} from "../http/request_body.ts";
import { encodeInstance, isModelInstance, type ModelInstance } from "../models/model_class.ts";
import { jsonBody, refuseBody } from "./json_body.ts";
import { encodeParams, type Params } from "./params.ts";

/**
 * A raw body: text, bytes, a Blob, a stream, or a function that opens a new stream.
 *
 * @category Requests
 */
export type Content =
  | string
  | ArrayBufferLike
  | ArrayBufferView
  | Blob
  | BodyStream
  | ContentSource;

/**
 * A function that opens a new stream of a raw body.
 *
 * @category Requests
 */
export interface ContentSource {
  (): BodyStream;
  /** The Content-Type header, if the call sets none. Default: none */
  readonly type?: string | undefined;
  /**
   * Returns the same content as a Blob, for browsers that cannot send it as a stream: to an `http:` URL,
   * or after an attempt that got no response. Default: none
   */
  readonly toBlob?: (() => Blob) | undefined;
}

/**
 * The functions of `withProgress`, whose progress is only known while a stream is read, with the content
 * type that fetch would set if neither the client nor the call does.
 */
export const progressSources: WeakMap<object, { readonly usualType: string | undefined }> =
  /* @__PURE__ */ new WeakMap();

/**
 * A file to send: a `File` with its name and type, a `Blob` or bytes, which are called `file`, or a
 * name with either of them or with text.
 *
 * @category Requests
 */
export type FileInput =
  | Blob
  | ArrayBufferLike
  | ArrayBufferView
  | readonly [name: string, content: Blob | ArrayBufferLike | ArrayBufferView | string];

/**
 * The request options for the body. Only one of them can be set, except `files` with `data`.
 *
 * @category Requests
 */
export interface BodyOptions {
  /**
   * Sends JSON with the content type `application/json`, which the log shows. An instance of a model
   * is written as its fields say. Values that JSON would change to `null` or `{}` (NaN, a Map, a
   * promise), bytes, bigints and cycles throw an `UnexpectedValueError`. Default: none
   *
   * @example `{ json: { name: "Ada" } }`
   */
  readonly json?: unknown;
  /**
   * Sends XML with the content type `application/xml`: a string, or an instance of a model. Do not
   * change the instance until the call is over. Default: none
   *
   * @example `{ xml: slide }`
   */
  readonly xml?: ModelInstance | string | undefined;
  /**
   * Sends a form: `application/x-www-form-urlencoded`, or `multipart/form-data` for `FormData`.
   * Default: none
   *
   * @example `{ data: { user: "ada", tags: ["a", "b"] } }`
   */
  readonly data?: Params | FormData | undefined;
  /**
   * Sends files as `multipart/form-data` (RFC 7578), by the names of their fields, with the fields of
   * `data`. Default: none
   *
   * @example `{ files: { avatar: new File([bytes], "ada.png", { type: "image/png" }) } }`
   */
  readonly files?: Readonly<Record<string, FileInput | readonly FileInput[]>> | undefined;
  /**
   * Sends a raw body. A stream can be sent only once, so that its request is not retried. A function
   * that opens a new stream is called for each attempt. Default: none
   *
   * @example `{ content: () => Deno.openSync("big.bin").readable }`
   */
  readonly content?: Content | undefined;
}

const bodyOptions = ["json", "xml", "data", "files", "content"] as const;

/**
 * Serialises the body of a request, once for all its attempts. The result is a promise if the code
 * that writes a model as XML has to be loaded.
 *
 * @param options The request options
 * @param method The method as it is sent
 * @throws {UnexpectedValueError} If there is more than one body, the method takes no body, or the
 * value cannot be serialised
 */
export function prepareBody(
  options: BodyOptions & { readonly xml?: undefined },
  method: string,
): RequestBody;
/** Serialises the body of a request, which may be a model in XML, or have files of other packages. */
export function prepareBody(
  options: BodyOptions,
  method: string,
): RequestBody | Promise<RequestBody>;
export function prepareBody(
  options: BodyOptions,
  method: string,
): RequestBody | Promise<RequestBody> {
  const { json, xml, data, content, files } = options;
  const given = bodyOptions.filter((name) => options[name] !== undefined);
  const option = given[0];
  if (option === undefined) return noBody;
  if (given.length > 1 && given.join() !== "data,files") {
    throw new UnexpectedValueError(
      given.join(", "),
      "passed one at a time, because a request has only one body",
      describedAs("not: leave out all but one"),
    );
  }
  refuseBody(option, options[option], method);
  if (json !== undefined) return jsonBody(json, method);
  if (xml !== undefined) return prepareXml(xml);
  const own = ownFiles(options);
  if (own !== undefined) return own.then((files) => prepareBody({ ...options, ...files }, method));
  if (files !== undefined) return { kind: "whole", content: prepareFiles(files, data) };
  return data === undefined ? prepareContent(content) : prepareData(data);
}

/** Returns copies of the forms, Files and Blobs that are not the runtime's own; undefined without any. */
function ownFiles({ data, files, content }: BodyOptions): Promise<BodyOptions> | undefined {
  if (isForeignBlob(content)) return ownBlob(content).then((own) => ({ content: own }));
  const isForeignForm = isFormData(data) && !(data instanceof FormData);
  const values = Object.values(files ?? {});
  if (!isForeignForm && !values.some(hasForeignBlob)) return undefined;
  return copyFiles(files, isForeignForm ? data : undefined);
}

async function copyFiles(
  files: BodyOptions["files"],
  form: FormData | undefined,
): Promise<BodyOptions> {
  const copies: Record<string, FileInput | readonly FileInput[]> = {};
  for (const [field, value] of Object.entries(files ?? {})) {
    copies[field] = await withOwnBlobs(value) as FileInput;
  }
  return {
    ...(files === undefined ? {} : { files: copies }),
    ...(form === undefined ? {} : { data: await ownForm(form) }),
  };
}

/** Reports if a file, or one in a list or a pair, is not the runtime's own. */
function hasForeignBlob(value: unknown): boolean {
  return Array.isArray(value) ? value.some(hasForeignBlob) : isForeignBlob(value);
}

async function withOwnBlobs(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return await Promise.all(value.map(withOwnBlobs));
  return isForeignBlob(value) ? await ownBlob(value) : value;
}

function prepareXml(xml: unknown): RequestBody | Promise<RequestBody> {
  if (isModelInstance(xml)) {
    return encodeInstance(xml).then((body) => ({ kind: "whole", ...body }));
  }
  if (typeof xml === "string") return { kind: "whole", content: xml, type: "application/xml" };
  throw new UnexpectedValueError("xml", "an instance of a model or a string", xml);
}

/** Returns a form as a body. Fetch sets the content type of `FormData`, as it chooses the boundary. */
export function prepareData(data: Params | FormData): RequestBody {
  if (data instanceof FormData) return { kind: "whole", content: data };
  const content = encodeParams(data, "data");
  return { kind: "whole", content, type: "application/x-www-form-urlencoded;charset=UTF-8" };
}

/** Returns a form with fields and files. Fetch sets its content type, as it chooses the boundary. */
function prepareFiles(files: object, data: Params | FormData = {}): FormData {
  if (!isPlain(files) || Array.isArray(files)) {
    throw new UnexpectedValueError("files", "a mapping from field names to files", files);
  }
  const form = new FormData();
  const fields = data instanceof FormData ? data : new URLSearchParams(encodeParams(data, "data"));
  for (const [name, value] of fields) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, value.name);
  }
  for (const [field, given] of Object.entries(files) as [string, unknown][]) {
    if (given === undefined || given === null) continue;
    const isList = Array.isArray(given) && typeof given[0] !== "string";
    for (const [index, each] of (isList ? given : [given]).entries()) {
      const option = isList ? `files.${field}[${index}]` : `files.${field}`;
      const { blob, name } = prepareFile(each, option);
      form.append(field, blob, name);
    }
  }
  return form;
}

function prepareFile(file: unknown, option: string): { blob: Blob; name: string } {
  const isPair = Array.isArray(file) && file.length === 2;
  const [name, given]: readonly unknown[] = isPair
    ? file
    : [file instanceof File ? file.name : "file", file];
  const content = wholeOf(given);
  // A string needs a name: without one it may be meant as the path of a file.
  if (typeof name === "string" && content !== undefined && (isPair || typeof given !== "string")) {
    return { blob: blobOf(content, name), name };
  }
  const expected =
    "a File, a Blob, bytes, or a pair of a file name and one of these or a string; for a file on " +
    "disk, a Blob that reads it when it is sent, such as that of fs.openAsBlob()";
  throw new UnexpectedValueError(option, expected, file);
}

/** Returns the content of a file. A File gets its new name, because Bun's `FormData` shows the old one. */
function blobOf(
  content: string | ArrayBuffer | ArrayBufferView<ArrayBuffer> | Blob,
  name: string,
): Blob {
  if (!(content instanceof Blob)) return new Blob([content]);
  const isRenamed = content instanceof File && content.name !== name;
  return isRenamed ? new File([content], name, { type: content.type }) : content;
}

/**
 * Returns raw content as a body.
 *
 * @param content The content
 * @param option The name of the option in the error
 * @throws {UnexpectedValueError} If it is not content
 */
export function prepareContent(
  content: unknown,
  option = "content",
): Exclude<RequestBody, { readonly kind: "none" }> {
  if (typeof content === "function") {
    const open = content as ContentSource;
    const type = open.type === undefined ? undefined : checkedHeaderText("content.type", open.type);
    const toBlob = typeof open.toBlob === "function" ? () => open.toBlob!() : undefined;
    return { kind: "opened", open, type, toBlob, ...progressSources.get(open) };
  }
  const whole = wholeOf(content);
  if (whole !== undefined) return { kind: "whole", content: whole };
  if (isUnlockedStream(content)) return { kind: "once", content };
  throw new UnexpectedValueError(option, contentKinds, content);
}

/** Returns text, bytes or a Blob as fetch and Blob accept it; undefined for anything else. */
function wholeOf(
  content: unknown,
): string | ArrayBuffer | ArrayBufferView<ArrayBuffer> | Blob | undefined {
  if (typeof content === "string" || content instanceof Blob) return content;
  return isBytes(content) ? sendableBytes(content) : undefined;
}
