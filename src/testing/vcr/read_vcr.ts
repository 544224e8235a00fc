import { parseDocument } from "yaml";
import { isPlain } from "../../checks.ts";
import { textBytes } from "../cassettes/body_format.ts";
import type { CassetteData, Interaction } from "../cassettes/cassette_data.ts";
import { CassetteError } from "../cassettes/cassette_error.ts";
import { recordedRequest, recordedResponse } from "../cassettes/record_message.ts";

/** A mapping of a cassette. All scalars are strings, bytes or null. */
type VcrMapping = Readonly<Record<string, unknown>>;

/**
 * Reads a cassette of VCR.py (`interactions`), also with responses of httpx, or of VCR for Ruby
 * (`http_interactions`).
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
  const read: Interaction[] = [];
  for (const [index, each] of http_interactions.entries()) {
    read.push(await interactionOf(each, `interactions[${index}]`));
  }
  return { version: 1, interactions: read };
}

function mappingIn(text: string): VcrMapping {
  // Scalars are read as strings, because YAML 1.1 of Python and YAML 1.2 differ in numbers.
  const document = parseDocument(text, {
    schema: "failsafe",
    customTags: ["null", "binary"],
    logLevel: "silent",
  });
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

async function interactionOf(interaction: unknown, place: string): Promise<Interaction> {
  const { request, response } = isMapping(interaction) ? interaction : {};
  if (!isMapping(request) || !isMapping(response)) {
    throw notVcr(`${place} must have a request and a response`);
  }
  const { method, uri } = request;
  const { status, status_code, content, body = content } = response;
  const { code = status_code, message = "" } = isMapping(status) ? status : {};
  if (typeof method !== "string" || typeof uri !== "string" || !URL.canParse(uri)) {
    throw notVcr(`${place}.request must have a method and a full uri`);
  }
  if (!/^\d{3}$/.test(String(code))) throw notVcr(`${place}.response must have a status code`);
  return {
    request: await recordedRequest(method.toUpperCase(), uri, {
      headers: fieldsOf(request["headers"]),
      bytes: bytesOf(request["body"]),
      isFetched: true,
    }),
    response: await recordedResponse(
      { status: Number(code), statusText: String(message ?? "") },
      // httpx decodes the content, and text is never encoded.
      {
        headers: fieldsOf(response["headers"]),
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
