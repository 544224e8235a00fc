/** Replaces known secrets in a text, also where JSON, URLs, forms or HTML have escaped them. */

const hex = "[\\da-fA-F]";
/** A character in percent-encoding. */
const percent = `%[0-7]${hex}|%[c-fC-F]${hex}(?:%[89abAB]${hex}){1,3}`;

const htmlNames: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  quot: '"',
};

/** The escapes in each encoding that a text is read in. */
const encodings: readonly RegExp[] = [
  `\\\\(?:u${hex}{4}|[^u])`, // JSON
  percent, // URLs
  `\\+|${percent}`, // forms
  `&(?:#\\d+|#[xX]${hex}+|${Object.keys(htmlNames).join("|")});`, // HTML
  "[\\xc2-\\xf4][\\x80-\\xbf]{1,3}", // UTF-8 in a header, which fetch reads as Latin-1
].map((escapes) => new RegExp(escapes, "g"));

/** The most encodings that are read, one in the other, such as JSON in a URL. */
const MAX_DEPTH = 2;

/** The beginning and the end of a part of a text. */
type Place = readonly [start: number, end: number];

/**
 * Replaces secrets in a text: as they are, and as JSON, URLs, forms and HTML write them. Encoders differ
 * in the characters that they escape, so that the text is read in each of these ways.
 *
 * @param text The text
 * @param secrets The secrets
 * @param value The text that replaces them
 */
export function replaceSecrets(text: string, secrets: readonly string[], value: string): string {
  // No encoder changes the others.
  const changing = secrets.filter((secret) => /[^\w.-]/.test(secret));
  const encoded = changing.length === 0 ? [] : encodedPlacesOf(changing, text, MAX_DEPTH);
  const found = placesOf(secrets, text).concat(encoded).sort(([one], [other]) => one - other);
  let shown = "";
  let position = 0;
  for (const [start, end] of found) {
    if (start >= position) shown += text.slice(position, start) + value;
    position = Math.max(position, end);
  }
  return shown + text.slice(position);
}

/** Returns the places of secrets in a text. */
function placesOf(secrets: readonly string[], text: string): Place[] {
  const found: Place[] = [];
  for (const secret of secrets) {
    for (let start = text.indexOf(secret); start >= 0;) {
      const end = start + secret.length;
      found.push([start, end]);
      start = text.indexOf(secret, end);
    }
  }
  return found;
}

/** Returns the places of secrets in a text that is encoded up to some times. */
function encodedPlacesOf(secrets: readonly string[], text: string, depth: number): Place[] {
  return encodings.flatMap((escapes) => {
    if (text.search(escapes) < 0) return [];
    const { content, starts } = read(text, escapes);
    const inner = depth === 1 ? [] : encodedPlacesOf(secrets, content, depth - 1);
    const found = placesOf(secrets, content).concat(inner);
    return found.map(([start, end]): Place => [starts[start]!, starts[end]!]);
  });
}

/** Decodes a text. It returns the content, and the index in the text at which each character starts. */
function read(text: string, escapes: RegExp): { content: string; starts: number[] } {
  const starts: number[] = [];
  let content = "";
  let position = 0;
  for (const { 0: escape, index } of text.matchAll(escapes)) {
    const character = decode(escape);
    content += text.slice(position, index) + character;
    while (position < index) starts.push(position++);
    for (const _ of character.split("")) starts.push(index);
    position += escape.length;
  }
  content += text.slice(position);
  while (position <= text.length) starts.push(position++);
  return { content, starts };
}

/** Decodes an escape. Returns one that is not valid as it is. */
function decode(escape: string): string {
  try {
    if (escape === "+") return " ";
    if (escape.startsWith("%")) return decodeURIComponent(escape);
    if (escape.startsWith("\\")) return JSON.parse(`"${escape}"`);
    if (!escape.startsWith("&")) return decodeURIComponent(escape.replace(/[^]/g, percentByte));
    const name = escape.slice(1, -1);
    return htmlNames[name] ?? String.fromCodePoint(Number(name.slice(1).replace(/^x/i, "0x")));
  } catch {
    return escape.replace(/^\\/, ""); // such as \'
  }
}

function percentByte(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16)}`;
}
