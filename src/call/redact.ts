/**
 * Hides secrets in logs, URLs and errors. These are secret:
 *
 * 1. The signatures of presigned URLs, always.
 * 2. The values of the fields in `redactFields`, at any depth of params, JSON bodies and the query of a
 *    URL. Upper and lower case do not matter. Default: none; `commonSecretFields` is a list to start with.
 * 3. All params and the body, if the path is one of `restrictedPaths`. Default: none.
 * 4. In texts of the server that an error shows: the values of all of these, those of headers that other
 *    origins do not get, such as cookies, and those that a scheme added to the query. Values of fewer than
 *    4 characters stay.
 *
 * The text `redactValue` stands for each of them. Default: REDACTED.
 */
import { isSearchParams } from "../base/foreign_objects.ts";
import { isStyled, type StyledValue } from "../base/styled_value.ts";
import { signatureParameters, withoutSignatures } from "../http/signed_url.ts";
import { barePath, base64Text, credentialsIn, withoutFragment } from "../http/url.ts";
import type { Settings } from "../options/settings.ts";
import type { Call } from "./call.ts";
import { paramsMapping, styledKeys } from "../content/params.ts";
import { replaceSecrets } from "./replace_secrets.ts";

/** The parts of a request that logs and errors hide. */
export interface Redaction {
  /** Names, in lower case, of the fields whose values are hidden, at any depth. */
  readonly fields: ReadonlySet<string>;
  /** True if the path is restricted: then params and body are hidden. */
  readonly restricted: boolean;
  /** The text that replaces hidden values. */
  readonly value: string;
}

/** Returns the redaction of a request (rule 6). */
export function redactionOf(
  { path, urlWithoutParams, settings, params }: RedactedCall,
): Redaction {
  const { redactFields, redactValue: value } = settings;
  const fields = new Set(redactFields.map((name) => name.toLowerCase()));
  const redaction = {
    fields,
    restricted: isRestricted(path, urlWithoutParams, settings),
    value,
  };
  for (const [name, styled] of styledEntries(params)) {
    const hasSecret = redactedJson(styled, redaction) !== JSON.stringify(styled);
    // If one value of the query has all fields of the parameter, it is hidden as a whole.
    if (hasSecret && styledKeys(name, styled).includes(name)) fields.add(name.toLowerCase());
  }
  return redaction;
}

/** The parts of a call that its redaction depends on. */
export type RedactedCall =
  & Pick<Call, "path" | "urlWithoutParams" | "settings">
  & Partial<Pick<Call, "params">>;

/** Returns those of some parameters, headers or cookies that have a style of their own. */
function styledEntries(values: object | null | undefined): [name: string, StyledValue][] {
  return Object.entries(paramsMapping(values ?? {})).filter(
    (entry): entry is [string, StyledValue] => isStyled(entry[1]),
  );
}

/** Reports if a path is restricted: alone, with the base path, or as a full URL. */
function isRestricted(path: string, urlWithoutParams: string, settings: Settings): boolean {
  const { restrictedPaths, base, prefix } = settings;
  if (restrictedPaths.length === 0) return false;
  const full = new URL(urlWithoutParams);
  const whole = barePath(full.pathname);
  const relativeTo = (start: string) => {
    const root = barePath(new URL(start).pathname);
    return whole.startsWith(`${root}/`) ? whole.slice(root.length + 1) : whole;
  };
  const names = [
    barePath(path),
    whole,
    relativeTo(base),
    relativeTo(prefix),
    full.origin + full.pathname,
  ];
  return names.some((name) => restrictedPaths.includes(barePath(name)));
}

/**
 * Returns the debug record of one attempt (rule 6): a JSON object with method, url, params and body,
 * and with `verify` if TLS is not verified.
 *
 * @param call The call
 * @param verify True if TLS is verified
 */
export function debugRecord(call: Call, verify: boolean): string {
  const {
    method,
    urlWithoutParams,
    body,
    params,
    options: { json },
  } = call;
  const redaction = redactionOf(call);
  const { fields, restricted, value } = redaction;
  // The record shows what is sent: the caller may have changed the value since.
  const sent = json !== undefined && body.kind === "whole" ? String(body.content) : "{}";
  const isShownWhole = !restricted && fields.size === 0;
  const shownBody = isShownWhole ? sent : redactedJson(JSON.parse(sent), redaction);
  const ofQuery = { ...redaction, fields: new Set([...fields, ...signatureParameters]) };
  const hidden = JSON.stringify(value).slice(1, -1);
  return `{"method":${JSON.stringify(method)},` +
    `"url":${JSON.stringify(redactedUrl(urlWithoutParams, redaction))},` +
    `"params":${withoutSignatures(redactedJson(paramsMapping(params), ofQuery), hidden)},` +
    `"body":${withoutSignatures(shownBody, hidden)}${verify ? "" : ',"verify":false'}}`;
}

/**
 * Returns a value as JSON for the log, with redacted fields in nested objects and arrays.
 *
 * The value itself does not change. `toJSON` methods are called as by `JSON.stringify`.
 *
 * @param value The params or the body; undefined is shown as an empty mapping
 * @param redaction The hidden parts
 */
export function redactedJson(
  value: unknown,
  { fields, restricted, value: hidden }: Redaction,
): string {
  if (restricted) return JSON.stringify(hidden);
  const replace = function (this: unknown, key: string, inner: unknown): unknown {
    // A key of an array is an index, not a field.
    if (isSecret(key, fields) && !Array.isArray(this)) return hidden;
    return typeof inner === "bigint" ? String(inner) : inner;
  };
  return JSON.stringify(value, replace) ?? "{}";
}

/**
 * Returns a URL with redacted values in its query, or with its whole query redacted if the path is
 * restricted. Signatures are always redacted. The fragment, which is never sent, is left out.
 *
 * @param url The URL, without credentials
 * @param redaction The hidden parts
 */
export function redactedUrl(url: string, { fields, restricted, value }: Redaction): string {
  const hidden = new URLSearchParams([["", value]]).toString().slice(1);
  const unsigned = withoutSignatures(withoutFragment(url), hidden);
  if (!restricted && fields.size === 0) return unsigned;
  const shown = (pair: string, start: string, key: string, equals: string) =>
    equals !== "" && isSecret(decodedKey(key), fields) ? `${start}${key}=${hidden}` : pair;
  return unsigned.replace(
    /\?[^]*/,
    (query) => restricted ? `?${hidden}` : query.replace(/([?&])([^=&]*)(=?)[^&]*/g, shown),
  );
}

/**
 * Reports if a field is hidden. Case does not matter, because many servers ignore it. For names such
 * as `user[password]`, `password[]` and `user.password`, each part is compared.
 */
export function isSecret(name: string, fields: Redaction["fields"]): boolean {
  if (fields.size === 0) return false;
  const lower = name.toLowerCase();
  if (fields.has(lower)) return true;
  return /[[.]/.test(lower) &&
    lower.split(/[[\].]+/).some((part) => part !== "" && fields.has(part));
}

/** Decodes a key as a server does: `access%5Ftoken` is `access_token`. */
function decodedKey(key: string): string {
  return new URLSearchParams(`${key}=`).keys().next().value ?? key;
}

/** Shorter values, such as `1` or `on`, are not hidden, because they also occur in other words. */
const SECRET_LENGTH = 4;

/**
 * Returns a function that replaces the secrets of a request in a text of the server. The secrets are
 * collected when it is first called.
 *
 * If the text is a URL or a path, harmless words must stay readable: a header such as
 * `X-Tenant: users` may be a credential, but `/users/7` is none. So its host does not change, and
 * nothing that the call's own URL shows is replaced.
 *
 * @param call The call, whose request has been sent
 */
export function redactorOf(call: Call): (text: string) => string {
  const { redactValue: value } = call.settings;
  return textRedactor(() => secretsOf(call), value, () => redactedUrl(call.url, redactionOf(call)));
}

/** The beginning of a URL: its scheme, user name and password, and host; or that of a path. */
const urlStart = /^((?:https?:)?[/\\]{2})([^/\\?#]*@)?([^/\\?#]*)|^[/\\]/i;

/**
 * Returns a function that replaces secrets in a text, in any form in which a server may write them, and
 * the signatures of presigned URLs.
 *
 * @param collect Returns the secrets. It is called once, when the function is first called
 * @param value The text that replaces them
 * @param ownUrl Returns the call's own URL as the log shows it. Nothing in it is replaced in URLs.
 * Default: URLs are texts like any other
 */
export function textRedactor(
  collect: () => Iterable<string>,
  value: string,
  ownUrl?: () => string,
): (text: string) => string {
  let secrets: string[] | undefined;
  let hiddenInUrls: string[] | undefined;
  return (given) => {
    if (given.length < SECRET_LENGTH) return given;
    secrets ??= [...new Set([...collect()].flatMap(formsOf))];
    const text = withoutSignatures(given, value);
    const start = ownUrl === undefined || /\s/.test(text) ? null : urlStart.exec(text);
    if (start === null) return replaceSecrets(text, secrets, value);
    if (hiddenInUrls === undefined) {
      const own = ownUrl!();
      hiddenInUrls = secrets.filter((secret) => replaceSecrets(own, [secret], "") === own);
    }
    const [, scheme = "", userInfo = "", host = ""] = start;
    const rest = text.slice(scheme.length + userInfo.length + host.length);
    return scheme + replaceSecrets(userInfo, secrets, value) + host +
      replaceSecrets(rest, hiddenInUrls, value);
  };
}

/** Returns a secret, and the forms of it that cannot be read in a text; none if it is short. */
function formsOf(secret: string): string[] {
  if (secret.length < SECRET_LENGTH) return [];
  const base64 = base64Text(secret).replace(/={1,2}$/, "");
  // The URL parser changes some characters.
  const inUrl = secret.replace(/[\t\n\r]/g, "").replaceAll("\\", "/");
  const forms = [secret, base64, base64.replaceAll("+", "-").replaceAll("/", "_"), inUrl];
  return forms.filter(({ length }) => length >= SECRET_LENGTH);
}

/**
 * Returns the secrets of a request: the headers that would not be sent to another origin, the
 * parameters that a scheme added to the query, and the values that the log hides, also in a form.
 */
function* secretsOf(call: Call): Generator<string> {
  const { url, body, options, settings, sent: { headers = {} } } = call;
  for (const [name, value] of Object.entries(headers)) {
    if (settings.trust.isCrossOrigin(name)) continue;
    yield* name === "cookie"
      ? value.split("; ").map((pair) => pair.replace(/^[^=]*=/, ""))
      : credentialsIn(value);
  }
  for (const [, value] of addedParams(call)) yield value;
  const { searchParams } = new URL(url);
  for (const [name, value] of searchParams) {
    if (signatureParameters.has(name.toLowerCase())) yield value;
  }
  const redaction = redactionOf({ ...call, params: undefined });
  if (!redaction.restricted && redaction.fields.size === 0) return;
  yield* hiddenValues(searchParams, redaction);
  const styled = [call.params, options.data, options.headers, options.cookies].map((values) =>
    Object.fromEntries(styledEntries(values))
  );
  yield* hiddenValues(JSON.parse(JSON.stringify(styled)), redaction);
  if (body.kind !== "whole" || typeof body.content !== "string") return;
  if (options.json !== undefined) yield* hiddenValues(JSON.parse(body.content), redaction);
  else if (options.data !== undefined) {
    yield* hiddenValues(new URLSearchParams(body.content), redaction);
  }
}

/** Returns the names and values of the parameters that a scheme added to the query. */
function addedParams({ url, sent }: Call): [name: string, value: string][] {
  if (sent.url === undefined || sent.url === url) return [];
  const { searchParams } = new URL(url);
  return [...new URL(sent.url).searchParams].filter(([name, value]) =>
    !searchParams.has(name, value)
  );
}

/** Returns the strings and numbers that the log hides, at any depth. */
function* hiddenValues(content: unknown, { fields, restricted }: Redaction): Generator<string> {
  const nested: [value: unknown, isHidden: boolean][] = [[content, restricted]];
  for (const [value, isHidden] of nested) {
    if (typeof value === "object" && value !== null) {
      const isForm = isSearchParams(value);
      for (const [key, inner] of isForm ? value : Object.entries(value)) {
        nested.push([inner, isHidden || !Array.isArray(value) && isSecret(key, fields)]);
      }
    } else if (isHidden && /^(?:string|number)$/.test(typeof value)) yield String(value);
  }
}

/**
 * Returns the URL that answered a call, for its errors: redacted as in the log, and without the
 * secrets of the request.
 *
 * @param response The response
 * @param call The call
 * @param redact Replaces the secrets
 */
export function answeredUrl(
  { redirected, url }: Response,
  call: Call,
  redact: (text: string) => string,
): string {
  const answered = redirected ? URL.parse(url) : null;
  if (answered === null) return call.summary.url;
  answered.username = answered.password = "";
  return shownUrl(answered.href, call, redact);
}

/**
 * Returns a URL that was sent: redacted as in the log, and without the secrets of the request.
 *
 * @param url The URL, without credentials
 * @param call The call, whose request is sent
 * @param redact Replaces the secrets
 */
export function shownUrl(
  url: string,
  call: Call,
  redact: (text: string) => string = redactorOf(call),
): string {
  const redaction = redactionOf(call);
  // By their names, since the call's own URL may happen to contain their values.
  const added = addedParams(call).map(([name]) => name.toLowerCase());
  const fields = new Set([...redaction.fields, ...added]);
  return redact(redactedUrl(url, { ...redaction, fields }));
}

/**
 * Names of fields that usually hold a secret, for `redactFields`.
 *
 * An API rarely has all of them, and may have others: spread the list into your own. Upper and lower
 * case do not matter. Names with an underscore and without one are different, so both are listed.
 *
 * @example
 * ```ts
 * import { APISession, commonSecretFields } from "@restwright/restwright";
 *
 * class Bank extends APISession {
 *   static override readonly redactFields: readonly string[] = [...commonSecretFields, "pin"];
 * }
 * const api = new Bank({ url: "https://bank.example.com" });
 * console.log(commonSecretFields.includes("client_secret")); // true
 * await api.close();
 * ```
 *
 * @category Sessions and clients
 */
export const commonSecretFields: readonly string[] = /* @__PURE__ */ Object.freeze([
  "password",
  "passwd",
  "passphrase",
  "pwd",
  "current_password",
  "currentPassword",
  "new_password",
  "newPassword",
  "old_password",
  "oldPassword",
  "password_confirmation",
  "passwordConfirmation",
  "secret",
  "client_secret",
  "clientSecret",
  "secret_key",
  "secretKey",
  "private_key",
  "privateKey",
  "api_key",
  "api-key",
  "apiKey",
  "x-api-key",
  "api_secret",
  "apiSecret",
  "token",
  "access_token",
  "accessToken",
  "api_token",
  "apiToken",
  "auth_token",
  "authToken",
  "id_token",
  "idToken",
  "refresh_token",
  "refreshToken",
  "session_token",
  "sessionToken",
  "subject_token",
  "actor_token",
  "authorization",
  "assertion",
  "client_assertion",
  "code_verifier",
  "credentials",
]);
