/** Reads the cassettes of VCR.py and of VCR for Ruby. */
import { type Document, parseDocument, type ScalarTag } from "yaml";
import { isPlain } from "../../base/checks.ts";
import { textBytes } from "../cassettes/body_format.ts";
import type { CassetteData, Interaction } from "../cassettes/cassette_data.ts";
import { CassetteError } from "../cassettes/cassette_error.ts";
import { recordedRequest, recordedResponse, utf8Headers } from "../cassettes/record_message.ts";
import { indentQuotedLines } from "./quoted_lines.ts";

/** A mapping of a cassette. All scalars are strings, bytes or null. */
type VcrMapping = Readonly<Record<string, unknown>>;

/**
 * Reads a cassette of VCR.py (`interactions`), also with requests of aiohttp and responses of httpx,
 * or of VCR for Ruby (`http_interactions`).
 *
 * Compressed bodies are decoded. The secrets stay: a cassette hides them from messages, and
 * `redactCassette()` removes them.
 *
 * @param text The text of the file: YAML, or the JSON that VCR.py writes on request
 * @throws {CassetteError} If it is not such a cassette, or if a body cannot be decoded
 *
 * @category Cassettes
 */
export async function readVcr(text: string): Promise<CassetteData> {
  const { interactions, http_interactions = interactions } = mappingIn(text);
  if (!Array.isArray(http_interactions)) throw notVcr("it has no interactions");
  const typed = http_interactions.some((each) => isValue(bodyOf(each)))
    ? [mappingIn(text, "core")["interactions"]].flat()
    : [];
  const read: Interaction[] = [];
  for (const [index, each] of http_interactions.entries()) {
    read.push(await interactionOf(each, bodyOf(typed[index]), `interactions[${index}]`));
  }
  return { version: 1, interactions: read };
}

/** The tag of bytes in Ruby: text that is not ASCII, or that is compressed. */
const rubyBinary: ScalarTag = {
  tag: "!binary",
  resolve(base64, onError) {
    try {
      return textBytes(atob(base64));
    } catch {
      onError("!binary requires Base64");
      return base64;
    }
  },
};

/**
 * Parses the text of a cassette.
 *
 * @param text The text
 * @param schema The types of scalars. By default all are strings, because numbers and booleans differ
 * in YAML 1.1, which Python writes, and YAML 1.2
 */
function mappingIn(text: string, schema: "failsafe" | "core" = "failsafe"): VcrMapping {
  const customTags = [...(schema === "failsafe" ? ["null" as const] : []), "binary" as const];
  const parse = (yaml: string): Document.Parsed =>
    parseDocument(yaml, { schema, customTags: [...customTags, rubyBinary], logLevel: "silent" });
  let document = parse(text);
  if (document.errors[0]?.code === "MISSING_CHAR") document = parse(indentQuotedLines(text));
  const [cause] = document.errors;
  if (cause !== undefined) throw notVcr("it is not YAML", cause);
  // Python writes equal parts as aliases, without a limit.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  return isMapping(value) ? value : {};
}

function notVcr(problem: string, cause?: unknown): CassetteError {
  return new CassetteError(`this is not a cassette of VCR: ${problem}`, {
    reason: "invalid",
    cause,
  });
}

function isMapping(value: unknown): value is VcrMapping {
  return isPlain(value) && !Array.isArray(value);
}

/** Returns the body of a request. */
function bodyOf(interaction: unknown): unknown {
  const { request } = isMapping(interaction) ? interaction : {};
  return isMapping(request) ? request["body"] : undefined;
}

/** Reports if the body of a request is a value, as aiohttp takes it, and not text or bytes. */
function isValue(body: unknown): boolean {
  if (!isMapping(body)) return Array.isArray(body);
  return Object.keys(body).some((key) => !["base64_string", "encoding", "string"].includes(key));
}

/**
 * Reads an interaction.
 *
 * @param interaction The interaction
 * @param typedBody The body of the request, with numbers and booleans
 * @param place The place for errors
 */
async function interactionOf(
  interaction: unknown,
  typedBody: unknown,
  place: string,
): Promise<Interaction> {
  const { request, response } = isMapping(interaction) ? interaction : {};
  if (!isMapping(request) || !isMapping(response)) {
    throw notVcr(`${place} must have a request and a response`);
  }
  const { method, uri, body: sent } = request;
  const { status, status_code, content, body = content } = response;
  const { code = status_code, message = "" } = isMapping(status) ? status : {};
  if (typeof method !== "string" || method === "") {
    throw notVcr(`${place}.request must have a method, beside its headers and not among them`);
  }
  if (typeof uri !== "string" || !URL.canParse(uri)) {
    throw notVcr(`${place}.request must have a full uri`);
  }
  if (!/^\d{3}$/.test(String(code))) throw notVcr(`${place}.response must have a status code`);
  const requestFields = fieldsOf(request["headers"]);
  const fields = fieldsOf(response["headers"]);
  return {
    request: await recordedRequest(method.toUpperCase(), uri, {
      headers: requestFields,
      bytes: isValue(sent) ? valueBytes(typedBody, requestFields) : bytesOf(sent),
      isFetched: true,
    }),
    response: await recordedResponse(
      { status: Number(code), statusText: String(message ?? "") },
      {
        // httpx decodes the content: its coding, and the charset of text.
        headers: typeof content === "string" ? utf8Headers(fields, content) : fields,
        bytes: bytesOf(body),
        isFetched: !isBinary(body),
      },
    ),
  };
}

function fieldsOf(headers: unknown): [string, string][] {
  return Object.entries(isMapping(headers) ? headers : {}).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, textOf(value)])
  );
}

/** Returns the text of a header, which Python may have written as bytes. */
function textOf(value: unknown): string {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value ?? "");
}

function isBinary(body: unknown): boolean {
  if (!isMapping(body)) return body instanceof Uint8Array;
  return body["string"] instanceof Uint8Array || body["base64_string"] !== undefined;
}

/** Returns the bytes of a body: text, bytes, nothing, or a mapping with one of them. */
function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (!isMapping(body)) return new Uint8Array();
  const { string, base64_string } = body;
  return typeof base64_string === "string" ? textBytes(atob(base64_string)) : bytesOf(string);
}

/**
 * Returns the bytes of a value. It does not show if it was sent as JSON or as a form: it is JSON unless
 * the headers name a form.
 */
function valueBytes(value: unknown, headers: readonly [string, string][]): Uint8Array {
  const isForm = headers.some(([name, type]) =>
    name.toLowerCase() === "content-type" && /^application\/x-www-form-urlencoded\b/i.test(type)
  );
  if (!isForm) return bytesOf(JSON.stringify(value));
  const pairs = Object.entries(Object(value)).flatMap(([name, values]) =>
    [values].flat().map((each) => [name, String(each)])
  );
  return bytesOf(new URLSearchParams(pairs).toString());
}
