/** Reads HAR files, which the network panels of browsers export, as cassettes. */
import { isPlain } from "../../base/checks.ts";
import { textBytes } from "./body_format.ts";
import type { CassetteData, Interaction } from "./cassette_data.ts";
import { CassetteError } from "./cassette_error.ts";
import { recordedRequest, recordedResponse, utf8Headers } from "./record_message.ts";

/** A name with a value, as HAR has headers and parameters. */
interface HarField {
  readonly name: string;
  readonly value?: string;
  readonly fileName?: string;
  readonly contentType?: string;
}

/** The part of an entry that is read (HAR 1.2, `entries`). */
interface HarEntry {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers?: readonly HarField[];
    readonly postData?: {
      readonly mimeType?: string;
      readonly text?: string;
      readonly encoding?: string;
      readonly params?: readonly HarField[];
    };
  };
  readonly response: {
    readonly status: number;
    readonly statusText?: string;
    readonly headers?: readonly HarField[];
    readonly content?: {
      readonly mimeType?: string;
      readonly text?: string;
      readonly encoding?: string;
    };
  };
}

/**
 * Reads a HAR file (HTTP Archive 1.2), as the network panels of browsers export it.
 *
 * Requests that got no response, such as blocked ones, and those of other schemes than http and https
 * are left out. The secrets stay: a cassette hides them from messages, and
 * {@linkcode redactCassette} removes them.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { openCassette, readHar } from "@restwright/restwright/testing";
 *
 * const har = JSON.stringify({
 *   log: {
 *     entries: [{
 *       request: { method: "GET", url: "https://api.example.com/books/7", headers: [] },
 *       response: {
 *         status: 200,
 *         headers: [{ name: "content-type", value: "application/json" }],
 *         content: { text: '{"title":"Indigo"}' },
 *       },
 *     }],
 *   },
 * }); // the text of the file
 * const session = new APISession({
 *   url: "https://api.example.com",
 *   fetch: await openCassette(await readHar(har)),
 * });
 * console.log(await session.get("books/7", { convJson: true })); // { title: "Indigo" }
 * ```
 *
 * @param har The text of the file, or its parsed JSON
 * @throws {CassetteError} If it is not a HAR file, or if a body cannot be decoded
 *
 * @category Cassettes
 */
export async function readHar(har: unknown): Promise<CassetteData> {
  const interactions: Interaction[] = [];
  for (const [index, entry] of entriesOf(har).entries()) {
    const { request, response } = Object(entry) as HarEntry;
    if (typeof request?.url !== "string" || typeof response?.status !== "number") {
      throw notHar(`log.entries[${index}] must have a request and a response`);
    }
    // The status 0 is that of a request without a response, 101 that of a WebSocket.
    if (!/^https?:/i.test(request.url) || response.status < 200) continue;
    interactions.push(await interactionOf({ request, response }));
  }
  return { version: 1, interactions };
}

function entriesOf(har: unknown): readonly unknown[] {
  let value = har;
  if (typeof har === "string") {
    try {
      value = JSON.parse(har.replace(/^\ufeff/, ""));
    } catch (cause) {
      throw notHar("it is not JSON", cause);
    }
  }
  const entries: unknown = Object(Object(value).log).entries;
  if (!isPlain(entries) || !Array.isArray(entries)) throw notHar("log.entries must be an array");
  return entries;
}

function notHar(problem: string, cause?: unknown): CassetteError {
  return new CassetteError(`this is not a HAR file: ${problem}`, { reason: "invalid", cause });
}

async function interactionOf({ request, response }: HarEntry): Promise<Interaction> {
  const { postData } = request;
  const sent = postData === undefined ? { bytes: new Uint8Array() } : postBody(postData);
  const { status, statusText, content = {} } = response;
  const bytes = contentBytes(content.text, content.encoding);
  const fields = fieldsOf(response.headers);
  return {
    request: await recordedRequest(request.method, request.url, {
      headers: decodedFields(
        withType(fieldsOf(request.headers), sent.type ?? postData?.mimeType, sent.type),
        postData,
      ),
      bytes: sent.bytes,
      isFetched: true,
    }),
    response: await recordedResponse({ status, ...(statusText && { statusText }) }, {
      headers: decodedFields(
        withType(fields, bytes.length > 0 ? content.mimeType : undefined),
        content,
      ),
      bytes,
      isFetched: true,
    }),
  };
}

/** Returns the headers of content, which is decoded text unless it is Base64. */
function decodedFields(
  fields: [string, string][],
  { text, encoding }: { readonly text?: string; readonly encoding?: string } = {},
): [string, string][] {
  return text !== undefined && !isBase64(encoding) ? utf8Headers(fields, text) : fields;
}

/** Returns headers with a content type, unless they have one that need not be replaced. */
function withType(
  fields: [string, string][],
  type: string | undefined,
  replacement?: string,
): [string, string][] {
  const others = fields.filter(([name]) => name !== "content-type");
  if (replacement === undefined && others.length < fields.length || !type) return fields;
  return [...others, ["content-type", type]];
}

function fieldsOf(headers: readonly HarField[] = []): [string, string][] {
  return headers.flatMap(({ name, value = "" }) =>
    // Some browsers write repeated headers as lines of one.
    name.startsWith(":") ? [] : value.split("\n").map((line): [string, string] => [
      name.toLowerCase(),
      line,
    ])
  );
}

function isBase64(encoding: string | undefined): boolean {
  return encoding?.toLowerCase() === "base64";
}

function contentBytes(text = "", encoding?: string): Uint8Array {
  return isBase64(encoding) ? textBytes(atob(text)) : new TextEncoder().encode(text);
}

/** Returns the body of a request. If the file has only its parameters, it is written from them. */
function postBody(
  { mimeType = "", text, encoding, params = [] }: NonNullable<HarEntry["request"]["postData"]>,
): { readonly bytes: Uint8Array; readonly type?: string } {
  if (text || params.length === 0) return { bytes: contentBytes(text, encoding) };
  const encoder = new TextEncoder();
  if (!/^multipart\//i.test(mimeType)) {
    const pairs = params.map(({ name, value = "" }) => [name, value]);
    return { bytes: encoder.encode(new URLSearchParams(pairs).toString()) };
  }
  const boundary = "har-boundary-7d1f5e0a9c4b";
  const parts = params.map(({ name, value = "", fileName, contentType }) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"` +
    (fileName === undefined ? "" : `; filename="${fileName}"`) +
    (contentType === undefined ? "" : `\r\ncontent-type: ${contentType}`) +
    `\r\n\r\n${value}\r\n`
  );
  const type = `multipart/form-data; boundary=${boundary}`;
  return { bytes: encoder.encode(`${parts.join("")}--${boundary}--\r\n`), type };
}
