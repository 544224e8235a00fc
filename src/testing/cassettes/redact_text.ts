/** Finds the secrets in a text: JSON, XML, URLs, forms, tokens and private keys. */
import type { SchemeChanges } from "../../http/scheme_changes.ts";
import { credentialsIn } from "../../http/url.ts";
import { isSecret } from "../../call/redact.ts";
import { countsTokens, isMeasure, isSecretField, isSecretName } from "./secret_names.ts";

/** Handles the parts of a text: those at the places of secrets, and all others. */
export interface SecretRules {
  /** Names, in lower case, of the fields with secrets. */
  readonly fields: ReadonlySet<string>;
  /** Matches paths with secrets. Each second group is a secret. */
  readonly paths: readonly RegExp[];
  /** The parts of this request that its authentication scheme added. */
  readonly added?: SchemeChanges | undefined;
  /**
   * Handles a secret.
   *
   * @param value The secret, decoded
   * @param form The encoding that the placeholder names
   * @param isWeak True if the value may also be harmless
   * @returns The placeholder, or the value itself
   */
  secret(value: string, form?: string, isWeak?: boolean): string;
  /** Replaces known secrets in a text. */
  text(text: string): string;
}

/** The beginning of XML and HTML, but not of a URL in angle brackets. */
const looksLikeXml = /^\s*<(?:[?!]|[a-z][\w.-]*(?::[\w.-]+)?[\s/>])/i;

/**
 * Redacts a text: JSON, XML, or text with URLs, tokens, events and lines of JSON in it.
 *
 * @param text The text
 * @param rules Handle the parts
 */
export function redactText(text: string, rules: SecretRules): string {
  if (text === "") return text;
  const [mark = ""] = /^\ufeff+/.exec(text) ?? []; // the byte order mark, which is not JSON
  if (mark !== "") return mark + redactText(text.slice(mark.length), rules);
  return redactDocument(text, rules) ?? rules.text(redactEvents(text, rules));
}

/** Redacts JSON or XML; undefined for another text. */
function redactDocument(text: string, rules: SecretRules): string | undefined {
  if (isJson(text)) return redactJson(text, rules);
  return looksLikeXml.test(text) ? rules.text(redactXml(text, rules)) : undefined;
}

/** A line with its end. */
const linesWithEnds = /[^\r\n]+(?:\r\n?|\n)?|\r\n?|\n/g;

/** A line with data of an event: the name of the field, the data, and the end of the line. */
const dataLine = /^(data(?:: ?|(?![^\r\n])))([^\r\n]*)([\r\n]*)$/;

/** Redacts a text with server-sent events, some of which may have several lines of data, or without. */
function redactEvents(text: string, rules: SecretRules): string {
  let redacted = "";
  let others = "";
  let event: string[] = [];
  const lines = text.match(linesWithEnds) ?? [];
  for (const [index, line] of lines.entries()) {
    event.push(line);
    // An empty line ends an event.
    if (index < lines.length - 1 && !/^[\r\n]/.test(line)) continue;
    if (event.filter((each) => dataLine.test(each)).length < 2) others += event.join("");
    else {
      redacted += redactLines(others, rules) + redactEvent(event, rules);
      others = "";
    }
    event = [];
  }
  return redacted + redactLines(others, rules);
}

/** Redacts an event with several lines of data, which are one document or text. */
function redactEvent(event: readonly string[], rules: SecretRules): string {
  const data = event.flatMap((line) => dataLine.exec(line)?.[2] ?? []).join("\n");
  const shown = (redactDocument(data, rules) ?? redactLines(data, rules)).split("\n");
  let used = 0;
  return event.map((line) => {
    const [, start, , end] = dataLine.exec(line) ?? [];
    if (start === undefined) return redactLines(line, rules);
    const content = shown[used++];
    return content === undefined ? "" : start + content + end; // a key becomes one line
  }).join("");
}

/** Redacts a text line by line. */
function redactLines(text: string, rules: SecretRules): string {
  return redactKeys(text, rules).split(/([\r\n]+)/)
    .map((part, index) => index % 2 === 0 ? redactLine(part, rules) : part).join("");
}

/** Redacts private keys in PEM (RFC 7468), also one whose end is cut off. */
function redactKeys(text: string, rules: SecretRules): string {
  return text.replace(
    /(-----BEGIN [A-Z\d ]*PRIVATE KEY(?: BLOCK)?-----)([^]*?)(?=-----END |$)/g,
    (_, begin: string, content: string) => {
      const key = content.trim();
      return begin + (key === "" ? content : content.replace(key, () => rules.secret(key)));
    },
  );
}

function redactLine(line: string, rules: SecretRules): string {
  const [, field = "", content = ""] = /^((?:data:)?\s*)([{[].*)$/.exec(line) ?? [];
  if (isJson(content)) return field + redactJson(content, rules);
  return line
    // Each scheme, such as postgres. Its characters are read once.
    .replace(/(?<![\w+.-])[\w+.-]+:\/\/[^\s"'<>\\]+/g, (url) => redactUrl(url, rules))
    // The query of a relative URL, and cookies or forms in a text.
    .replace(
      /([?&;#,\s]|^)([\w.[\]%-]+)=([^\s&;#,"'<>]+)/g,
      (pair, start, name, value) =>
        isSecretField(decoded(name), value, rules)
          ? `${start}${name}=${redactEncoded(value, rules)}`
          : pair,
    )
    // Fields in JavaScript, GraphQL and the like.
    .replace(
      /(?<![\w.[\]-])(["']?)([\w.[\]-]{1,64})\1(\s{0,9}[:=]\s{0,9})(["'])((?:\\.|(?!\4)[^\\])*)\4/g,
      (pair, quote, name, between, mark, value) =>
        isSecretField(name, value, rules) && value !== ""
          ? `${quote}${name}${quote}${between}${mark}${redactHidden(value, rules)}${mark}`
          : pair,
    )
    // A header or a field of YAML on a line of its own.
    .replace(
      /^(\s*(?:- )?([\w.-]+):[ \t]+)([^\s"'{[].*)$/,
      (pair, start, name, value) =>
        isSecretField(name, value, rules) ? start + redactHidden(value, rules, true) : pair,
    )
    .replace(
      /\b(Bearer|Basic|Token)( +)((?=\S*\d|\S{20})[\w.~+/-]{8,}=*)/gi,
      (_, scheme, blanks, token) => `${scheme}${blanks}${rules.secret(token)}`,
    )
    .replace(/\beyJ[\w-]{4,}\.[\w-]+\.[\w-]+/g, (token) => rules.secret(token));
}

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Redacts a URL: the user name and password, the path, the query and the fragment. */
export function redactUrl(url: string, rules: SecretRules): string {
  const [, start = "", userInfo, rest = ""] =
    /^(?:([\w+.-]+:\/\/)(?:([^/?#]*)@)?)?([^]*)/.exec(url) ?? [];
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#[^]*)?$/.exec(rest) ?? [];
  const shown = userInfo === undefined
    ? ""
    : `${
      userInfo.split(":").map((part, index) => redactEncoded(part, rules, index === 0)).join(":")
    }@`;
  const redacted = rules.paths.reduce((text, pattern) => redactPath(text, pattern, rules), path);
  const segments = redacted.split("/").map((segment, index) => {
    // A host has no placeholder, because upper case does not last in it.
    if (start !== "" && index === 0) return segment;
    const isAdded = rules.added?.segments.has(segment);
    return isAdded ? redactAdded(segment, rules) : redactPart(segment, rules);
  });
  return start + shown + segments.join("/") +
    query.slice(0, 1) + redactPairs(query.slice(1), rules) +
    fragment.slice(0, 1) + redactPairs(fragment.slice(1), rules);
}

function redactPath(path: string, pattern: RegExp, rules: SecretRules): string {
  return path.replace(pattern, (...match: unknown[]) => {
    const groups = match.slice(1, match.findIndex((each) => typeof each === "number"));
    return (groups as string[]).map((group, index) =>
      index % 2 === 1 ? redactEncoded(group, rules) : group
    ).join("");
  });
}

/**
 * Returns a pattern for paths with secrets. It matches at any place of a path, in any case, and with
 * repeated slashes.
 *
 * @param path A path such as `/reset/:token`, in which each `:name` is a secret, and `*` is any text
 * without a slash
 */
export function secretPath(path: string): RegExp {
  const [first = "", ...rest] = path.split(/:[a-z_]\w*/i).map((literal) =>
    `(${
      literal.replace(/[\\^$.+?()[\]{}|-]/g, "\\$&").replace(/\/+/g, "/{1,9}")
        .replaceAll("*", "[^/]*")
    })`
  );
  return new RegExp(`${[first, ...rest].join("([^/]+)")}(?![^/])`, "gi");
}

/** Names of parameters that are often secrets in queries and forms, but harmless in JSON. */
const querySecrets = /^(?:code|key)$/i;

/** Redacts a query or a form. The spelling of the other pairs does not change. */
export function redactPairs(query: string, rules: SecretRules): string {
  if (query === "") return query;
  return query.split("&").map((pair) => {
    const [, name = "", equals = "", value = ""] = /^([^=]*)(=?)([^]*)/.exec(pair) ?? [];
    if (equals === "") return redactPart(pair, rules);
    const plain = decoded(name);
    if (rules.added?.params.has(plain)) return `${name}=${redactAdded(value, rules)}`;
    const isWeak = !isSecretField(plain, decoded(value), rules);
    const isHidden = !isWeak || querySecrets.test(plain);
    const shown = isHidden ? redactEncoded(value, rules, isWeak) : redactPart(value, rules);
    return `${redactPart(name, rules)}=${shown}`;
  }).join("&");
}

/** Redacts a part that a scheme added to a URL. A short one, such as a version, may be harmless. */
function redactAdded(value: string, rules: SecretRules): string {
  return redactEncoded(value, rules, value.length < 8);
}

/** Redacts a secret with percent-encoding. */
function redactEncoded(value: string, rules: SecretRules, isWeak: boolean = false): string {
  const plain = decoded(value);
  if (plain === "") return value;
  const shown = rules.secret(plain, undefined, isWeak);
  return shown === plain ? value : shown;
}

/** Redacts the secrets in a text with percent-encoding. */
function redactPart(part: string, rules: SecretRules): string {
  const plain = decoded(part);
  const shown = redactText(plain, rules);
  return shown === plain ? rules.text(part) : encodeURIComponent(shown.toWellFormed());
}

/** Decodes a part of a query or a form. Text that is not valid stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** The treatment of a value of JSON. */
interface Hiding {
  readonly isHidden: boolean;
  /** True if its numbers are counts of tokens, which are shown. */
  readonly isCounting: boolean;
}

/** An object or an array of JSON whose end has not been reached. */
interface OpenValue extends Hiding {
  readonly isArray: boolean;
  /** The key of the current value; undefined before it. */
  key: string | undefined;
  /** True after a name such as `"name": "password"`. Then the field `value` is a secret. */
  isLabelled: boolean;
}

/** A token of JSON. */
const jsonTokens = /"[^"\\]*(?:\\[^][^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+|\s+|"/g;

/**
 * Redacts JSON. Only the tokens that hold secrets change, so that big numbers, repeated keys and
 * whitespace stay as they are.
 */
export function redactJson(text: string, rules: SecretRules): string {
  const open: OpenValue[] = [];
  const tokens = (text.match(jsonTokens) ?? []).map((token) => {
    const parent = open.at(-1);
    const hiding = hidingIn(parent, rules);
    if (token === "{" || token === "[") {
      const isArray = token === "[";
      open.push({ isArray, ...hiding, key: undefined, isLabelled: false });
    } else if (token === "}" || token === "]") {
      open.pop();
    } else if (token === ",") {
      if (parent !== undefined) parent.key = undefined;
    } else if (token.startsWith('"')) {
      return redactJsonString(token, parent, hiding, rules);
    } else if (/^-?\d/.test(token)) {
      const isSecret = hiding.isHidden && !hiding.isCounting || rules.text(token) !== token;
      return isSecret ? jsonString(token, token, rules.secret(token, "number")) : token;
    }
    return token;
  });
  return tokens.join("");
}

/** Reports if the next value in an object or an array is hidden, and if its numbers are not. */
function hidingIn(parent: OpenValue | undefined, rules: SecretRules): Hiding {
  if (parent === undefined) return { isHidden: false, isCounting: false };
  const { key } = parent;
  const isHidden = parent.isHidden || key !== undefined && isSecretName(key, rules) ||
    parent.isLabelled && key === "value";
  const isCounting = isHidden && (parent.isCounting || key !== undefined && countsTokens(key));
  return { isHidden, isCounting };
}

/** Redacts a string of JSON, which is a key or a value. Remembers keys, and names in values. */
function redactJsonString(
  token: string,
  parent: OpenValue | undefined,
  { isHidden, isCounting }: Hiding,
  rules: SecretRules,
): string {
  const value = stringIn(token);
  if (parent !== undefined && !parent.isArray && parent.key === undefined) {
    parent.key = value;
    return isSecret(value, rules.fields) ? token : jsonString(token, value, rules.text(value));
  }
  if (parent?.key !== undefined && /^(?:field|header|key|name)$/i.test(parent.key)) {
    parent.isLabelled = isSecretName(value, rules);
  }
  const isOpen = !isHidden || isCounting && isMeasure(value);
  return jsonString(token, value, isOpen ? redactText(value, rules) : redactHidden(value, rules));
}

/** Redacts a string below the name of a secret, which may be the value of an Authorization header. */
function redactHidden(value: string, rules: SecretRules, isWeak: boolean = false): string {
  if (value === "") return value;
  const isHeader = /^(?:bearer|basic|digest|token) /i.test(value);
  return isHeader ? redactCredentials(value, rules) : rules.secret(value, undefined, isWeak);
}

function stringIn(token: string): string {
  try {
    return JSON.parse(token);
  } catch {
    return token;
  }
}

function jsonString(token: string, value: string, shown: string): string {
  return shown === value ? token : JSON.stringify(shown);
}

/** Elements of HTML that have no end tag. */
const voidElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

/** A comment, a section, a tag whose quotes are closed, or text. */
const xmlTokens =
  /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<[^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*)*>|[^<]+|</g;

/** An element of XML whose end has not been reached. */
interface OpenElement {
  readonly name: string;
  readonly isHidden: boolean;
  /** True after a child such as `<name>password</name>`. Then the value beside it is a secret. */
  isLabelled: boolean;
}

/** Elements that name the element beside them, as in XML-RPC and property lists. */
const labels = /^(?:key|name)$/i;

/** Elements with the value that such an element names. */
const labelledValues = /^(?:data|integer|string|value)$/i;

/** Redacts XML and HTML: the text of elements and the values of attributes with secret names. */
export function redactXml(text: string, rules: SecretRules): string {
  const open: OpenElement[] = [];
  const hide = (content: string) => {
    const plain = unescapeXml(content).trim();
    const { name = "", isHidden = false } = open.at(-1) ?? {};
    const parent = open.at(-2);
    if (parent !== undefined && plain !== "" && labels.test(localName(name))) {
      parent.isLabelled = isSecretName(plain, rules);
    }
    const isOpen = !isHidden || countsTokens(localName(name)) && isMeasure(plain);
    const shown = isOpen ? redactText(plain, rules) : redactHidden(plain, rules);
    return shown === plain
      ? content
      : content.replace(/\S[^]*\S|\S/, (whole) => escapedLike(whole, plain, shown));
  };
  return (text.match(xmlTokens) ?? []).map((token) => {
    if (token.startsWith("<![CDATA[")) {
      const content = token.slice(9, -3);
      const isHidden = open.at(-1)?.isHidden && content.trim() !== "";
      return `<![CDATA[${isHidden ? rules.secret(content) : redactText(content, rules)}]]>`;
    }
    if (token.startsWith("<!--")) return `<!--${redactText(token.slice(4, -3), rules)}-->`;
    if (!token.startsWith("<")) return hide(token);
    const [, slash, name = "", rest = ""] = /^<(\/?)([\w:.-]+)(?![\w:.-])([^]*)>$/.exec(token) ??
      [];
    if (name === "") return token;
    if (slash === "/") {
      const index = open.findLastIndex((element) => element.name === name);
      if (index >= 0) open.length = index;
      return token;
    }
    const isLabelled = [...rest.matchAll(/\b(name|key|id|type)\s*=\s*["']([^"']*)["']/gi)]
      .some(([, attribute, label]) => isSecretLabel(attribute!, label!, rules));
    if (!rest.endsWith("/") && !voidElements.test(name.toLowerCase())) {
      const parent = open.at(-1);
      const isHidden = (parent?.isHidden ?? false) || isLabelled ||
        isSecretName(localName(name), rules) ||
        (parent?.isLabelled ?? false) && labelledValues.test(localName(name));
      open.push({ name, isHidden, isLabelled: false });
    }
    const attributes = rest.replace(
      /(?<![\w:.-])([\w:.-]+)(\s*=\s*)(["'])([^]*?)\3/g,
      (pair: string, attribute: string, equals: string, quote: string, value: string) => {
        const plain = unescapeXml(value);
        const isHidden = isSecretField(localName(attribute), plain, rules) ||
          isLabelled && /^(?:value|content)$/i.test(attribute);
        const shown = isHidden ? redactHidden(plain, rules) : redactText(plain, rules);
        const written = escapedLike(value, plain, shown);
        return shown === plain ? pair : `${attribute}${equals}${quote}${written}${quote}`;
      },
    );
    return `<${name}${attributes}>`;
  }).join("");
}

/**
 * Reports if an attribute names its element as one with a secret. An id such as `reset-password` may be
 * that of any element, so only whole names count there.
 */
function isSecretLabel(attribute: string, label: string, rules: SecretRules): boolean {
  return /^(?:id|type)$/i.test(attribute)
    ? isSecret(label, rules.fields)
    : isSecretName(label, rules);
}

function localName(name: string): string {
  return name.replace(/^.*:/, "");
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** Replaces the references to characters, and the entities of XML. */
function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (
    found,
    hex: string | undefined,
    decimal: string | undefined,
    name: string | undefined,
  ) => {
    if (name !== undefined) return entities[name.toLowerCase()]!;
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : found;
  });
}

/** Escapes a text if it was escaped before. The content of a script, for example, was not. */
function escapedLike(content: string, plain: string, shown: string): string {
  return content === plain ? shown : escapeXml(shown);
}

/** Escapes a text for an element or an attribute. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Redacts the value of an Authorization header. The scheme stays readable.
 *
 * @param value The value
 * @param rules Handle the credentials
 */
export function redactCredentials(value: string, rules: SecretRules): string {
  const [, scheme, rest] = /^([\w-]+) +([^]+)/.exec(value) ?? [];
  if (scheme === undefined || rest === undefined) return value && rules.secret(value);
  // The password of Basic credentials may also be in other places.
  if (scheme.toLowerCase() === "basic") {
    for (const secret of credentialsIn(value).slice(2)) if (secret !== "") rules.secret(secret);
  }
  return `${scheme} ${rules.secret(rest)}`;
}
