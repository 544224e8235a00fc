/** Replaces the secrets in all parts of a cassette, by the rules of the program and by default. */
import { checkedOptions, checkedTexts } from "../../base/checks.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { isHarmless } from "../../http/credentials.ts";
import type { SchemeChanges } from "../../http/scheme_changes.ts";
import { signatureParameters } from "../../http/signed_url.ts";
import { commonSecretFields } from "../../call/redact.ts";
import { binaryText, bodyBytes, bodyText, textBody, textBytes } from "./body_format.ts";
import type {
  CassetteData,
  Interaction,
  RecordedBody,
  RecordedHeaders,
  RecordedMessage,
} from "./cassette_data.ts";
import { checkedCassette } from "./parse_cassette.ts";
import { Secrets } from "./placeholders.ts";
import {
  redactCredentials,
  redactJson,
  redactPairs,
  redactText,
  redactUrl,
  secretPath,
  type SecretRules,
} from "./redact_text.ts";
import { isSecretField, isSecretName } from "./secret_names.ts";

/**
 * The options that find the secrets of a cassette.
 *
 * @category Cassettes
 */
export interface RedactionOptions {
  /**
   * Names of fields with secrets: keys of JSON, parameters of a query, fields of a form, elements and
   * attributes of XML, headers and cookies. They are added to `commonSecretFields`, to the usual
   * parameters of signed URLs, and to all names with words such as password, token or API key. Upper
   * and lower case do not matter. Default: none
   */
  readonly redactFields?: readonly string[] | undefined;
  /**
   * Paths with secrets, such as `/reset/:token`: each `:name` is a secret, and `*` is any text without
   * a slash. A pattern matches at any place of a path, in any case. Default: none
   */
  readonly redactPaths?: readonly string[] | undefined;
  /**
   * Secrets that the test knows, by names of your own. Each is replaced by its name wherever it
   * occurs, and put back when the cassette is replayed. So it may have another value then. Default:
   * none
   */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
}

/** Other names of secrets, in lower case: of parameters that sign URLs, and of fields in pages. */
const otherFields: readonly string[] = [
  ...signatureParameters,
  "authenticity_token",
  "aws_secret_access_key",
  "csrf",
  "csrf-token",
  "csrf_token",
  "csrfmiddlewaretoken",
  "csrftoken",
  "hmac",
  "jwt",
  "secretaccesskey",
  "secret_access_key",
  "security_token",
  "xsrf-token",
];

/** Names of response headers with secrets. */
const secretHeader =
  /(?:^|-)(?:authorization|token|secret|password|api-?key|session(?:-?id)?|[cx]srf|signature|credentials?)(?:-|$)/;

/** Checked options. */
export interface Redaction {
  /** The names of fields, in lower case. */
  readonly fields: ReadonlySet<string>;
  /** The patterns of paths. */
  readonly paths: readonly RegExp[];
  /** The secrets that the test knows. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** The names of the options. */
export const redactionOptions: readonly string[] = ["redactFields", "redactPaths", "secrets"];

/**
 * Checks the options.
 *
 * @throws {UnexpectedValueError} If one of them is not valid
 */
export function checkedRedaction(options: RedactionOptions): Redaction {
  const { redactFields = [], redactPaths = [], secrets = {} } = options;
  const names = [...commonSecretFields, ...otherFields];
  for (const [index, path] of checkedTexts("redactPaths", redactPaths).entries()) {
    if (/^\/[^?#]*:[a-z_]/i.test(path)) continue;
    const expected = "a path with the name of a secret, as in /reset/:token";
    throw new UnexpectedValueError(`redactPaths[${index}]`, expected, path);
  }
  for (const [name, value] of Object.entries(secrets)) {
    if (!/^[a-z]\w*$/i.test(name)) {
      throw new UnexpectedValueError(`secrets.${name}`, "a name of letters, digits and _", name);
    }
    if (typeof value === "string" && value !== "") continue;
    throw new UnexpectedValueError(`secrets.${name}`, "a string that is not empty", value);
  }
  return {
    fields: new Set(
      [...names, ...checkedTexts("redactFields", redactFields)].map((name) => name.toLowerCase()),
    ),
    paths: redactPaths.map(secretPath),
    secrets,
  };
}

/**
 * Replaces the secrets of a cassette by placeholders, such as `REDACTED-1`. Placeholders that are
 * there already stay as they are.
 *
 * It hides the headers of requests that could be credentials, cookies, credentials in URLs, the
 * values of fields with secret names, private keys, and each of these secrets wherever else it occurs,
 * also in Base64, in hexadecimal digits and percent-encoded.
 *
 * @example Redact a recording of a browser before it is stored
 * ```ts
 * import { readHar, redactCassette } from "@restwright/restwright/testing";
 *
 * const request = { method: "GET", url: "https://api.example.com/a?api_key=k-4711", headers: [] };
 * const response = { status: 204, headers: [] };
 * const recorded = await readHar({ log: { entries: [{ request, response }] } });
 * console.log(redactCassette(recorded).interactions[0]?.request.url); // https://api.example.com/a?api_key=REDACTED-1
 * ```
 *
 * @param data The cassette
 * @param options Names and values of secrets
 * @throws {CassetteError} If the value is not a cassette
 * @throws {UnexpectedValueError} If an option is not valid
 *
 * @category Cassettes
 */
export function redactCassette(data: CassetteData, options: RedactionOptions = {}): CassetteData {
  checkedOptions(options, redactionOptions);
  return redact(checkedCassette(data, "the value"), checkedRedaction(options));
}

/**
 * Redacts a checked cassette.
 *
 * @param data The cassette
 * @param redaction The checked options
 * @param added The parts of each request that its authentication scheme added, if they are known
 * @param isAnonymous True if the placeholders have no numbers
 */
export function redact(
  { interactions }: CassetteData,
  { fields, paths, secrets: named }: Redaction,
  added: readonly (SchemeChanges | undefined)[] = [],
  isAnonymous: boolean = false,
): CassetteData {
  const used = JSON.stringify(
    interactions,
    (key, value: unknown) =>
      key === "base64" && typeof value === "string" ? decodedBase64(value) : value,
  );
  const secrets = new Secrets(named, used, isAnonymous);
  const add = (value: string, isWeak: boolean) => {
    // The value "password" would be found in the names of fields.
    secrets.add(value, isWeak || fields.has(value.toLowerCase()));
  };
  // A secret may occur elsewhere before it occurs at a place that shows it to be one.
  const collect: SecretRules = {
    fields,
    paths,
    secret(value, _form, isWeak = false) {
      add(value, isWeak);
      return value;
    },
    text: (text) => text,
  };
  const redactAll = (rules: SecretRules) =>
    interactions.map((each, index) => redactInteraction(each, { ...rules, added: added[index] }));
  redactAll(collect);
  const replace: SecretRules = {
    fields,
    paths,
    secret(value, form, isWeak = false) {
      add(value, isWeak);
      return secrets.placeholder(value, form);
    },
    text: (text) => secrets.replace(text),
  };
  return { version: 1, interactions: redactAll(replace) };
}

/** Returns the bytes of Base64. A field of a JSON body that is called base64 may be anything. */
function decodedBase64(value: string): string {
  try {
    return atob(value);
  } catch {
    return value;
  }
}

/** Redacts the parts in the order in which they are written, which numbers the placeholders. */
function redactInteraction({ request, response }: Interaction, rules: SecretRules): Interaction {
  const { method, url, headers, ...body } = request;
  const { status, statusText, url: answered, headers: fields, ...content } = response;
  const redactedRequest = {
    method,
    url: redactUrl(url, rules),
    headers: mapHeaders(headers, (name, value) => requestHeader(name, value, rules)),
    ...redactBody(body, headers, rules),
  };
  const shown = {
    status,
    ...(statusText !== undefined && { statusText: redactText(statusText, rules) }),
    ...(answered !== undefined && { url: redactUrl(answered, rules) }),
  };
  const responseHeaders = mapHeaders(fields, (name, value) => responseHeader(name, value, rules));
  const redactedBody = redactBody(content, fields, rules);
  const length = withLength(responseHeaders, redactedBody);
  return { request: redactedRequest, response: { ...shown, headers: length, ...redactedBody } };
}

function mapHeaders(
  headers: RecordedHeaders,
  change: (name: string, value: string) => string,
): RecordedHeaders {
  return Object.fromEntries(
    Object.entries(headers).sort(([one], [other]) => one < other ? -1 : 1)
      .map(([name, value]) => [
        name,
        typeof value === "string"
          ? change(name.toLowerCase(), value)
          : value.map((each) => change(name.toLowerCase(), each)),
      ]),
  );
}

function requestHeader(name: string, value: string, rules: SecretRules): string {
  if (/^(?:proxy-)?authorization$/.test(name)) return redactCredentials(value, rules);
  if (name === "cookie") {
    return value.split("; ").map((pair) => redactCookie(pair, rules)).join("; ");
  }
  if (isSecretField(name, value, rules)) return value && rules.secret(value);
  if (rules.added?.headers.has(name)) {
    return value && rules.secret(value, undefined, isHarmless(name));
  }
  if (isHarmless(name) || value === "") return redactText(value, rules);
  // Any other header may be a credential. But a date or a short word also occurs in other texts.
  const isStrong = secretHeader.test(name) || /^(?=.*[a-z])\S{8,}$/i.test(value);
  return rules.secret(value, undefined, !isStrong);
}

function responseHeader(name: string, value: string, rules: SecretRules): string {
  if (name === "set-cookie") {
    const [, pair = "", attributes = ""] = /^([^;]*)([^]*)/.exec(value) ?? [];
    return redactCookie(pair, rules) + rules.text(attributes);
  }
  if (value !== "" && (isSecretField(name, value, rules) || secretHeader.test(name))) {
    return redactCredentials(value, rules);
  }
  return /location$/.test(name) ? redactUrl(value, rules) : redactText(value, rules);
}

function redactCookie(pair: string, rules: SecretRules): string {
  const [, start = "", value = "", end = ""] = /^([^=]*="?)([^]*?)("?)$/.exec(pair) ?? [];
  if (value === "") return pair;
  const isWeak = !isSecretName(start.replace(/="?$/, "").trim(), rules);
  return start + rules.secret(value, undefined, isWeak) + end;
}

function redactBody(
  body: RecordedBody,
  headers: RecordedHeaders,
  rules: SecretRules,
): RecordedBody {
  const { json, text, base64, parts } = body;
  if (json !== undefined) return { json: JSON.parse(redactJson(JSON.stringify(json), rules)) };
  if (text !== undefined) {
    const whole = bodyText(text);
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(String(headers["content-type"]));
    return textBody(isForm ? rules.text(redactPairs(whole, rules)) : redactText(whole, rules));
  }
  if (base64 !== undefined) return { base64: btoa(redactBytes(base64, rules)) };
  return parts === undefined ? {} : { parts: parts.map((part) => redactPart(part, rules)) };
}

/** Redacts binary content. Each byte is a character, so that ASCII in it is found. */
function redactBytes(base64: string, rules: SecretRules): string {
  const binary = atob(base64);
  const isLittle = binary.startsWith("\xff\xfe");
  if (!isLittle && !binary.startsWith("\xfe\xff")) return redactText(binary, rules);
  // Text in UTF-16, as some programs write XML.
  const text = new TextDecoder(isLittle ? "utf-16le" : "utf-16be").decode(textBytes(binary));
  const redacted = redactText(text, rules);
  if (redacted === text) return binary;
  return binary.slice(0, 2) + Array.from({ length: redacted.length }, (_, index) => {
    const code = redacted.charCodeAt(index);
    const bytes = [code >> 8, code & 0xff];
    return String.fromCharCode(...(isLittle ? bytes.reverse() : bytes));
  }).join("");
}

function redactPart({ headers, ...body }: RecordedMessage, rules: SecretRules): RecordedMessage {
  const shown = mapHeaders(headers, (_, value) => redactText(value, rules));
  const [, name = ""] = /;\s*name="([^"]*)"/i.exec(String(headers["content-disposition"])) ?? [];
  if (!isSecretName(name, rules)) {
    return { headers: shown, ...redactBody(body, headers, rules) };
  }
  const bytes = bodyBytes(body);
  if (bytes.length === 0) return { headers: shown, ...body };
  const content = body.base64 === undefined ? new TextDecoder().decode(bytes) : binaryText(bytes);
  const placeholder = rules.secret(content);
  if (placeholder === content) return { headers: shown, ...body };
  return { headers: shown, text: placeholder };
}

/** Sets content-length, if it is there, to the length of the body. */
export function withLength(headers: RecordedHeaders, body: RecordedBody): RecordedHeaders {
  if (headers["content-length"] === undefined || Object.keys(body).length === 0) return headers;
  return { ...headers, "content-length": String(bodyBytes(body).length) };
}
