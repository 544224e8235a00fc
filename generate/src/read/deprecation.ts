/** Reads what a document says about deprecated parts: the reason, and what to use instead. */

/** The extensions that state a text. */
const MESSAGES = [
  "x-stainless-deprecation-message",
  "x-speakeasy-deprecation-message",
  "x-deprecation-message",
  "x-deprecation-reason",
  "x-deprecated-reason",
];

/** The extension that states the `operationId` of the operation to use instead. */
const REPLACEMENT = "x-speakeasy-deprecation-replacement";

/** The longest text, and the most sentences of a description. */
const [MAX_TEXT, MAX_SENTENCES] = [400, 3];

/** Words of a sentence that says what to use. */
const ADVICE =
  /\binstead\b|\bin favou?r of\b|\b(?:replaced|superseded|succeeded) (?:by|with)\b|\b(?:migrat\w+|switch\w*|mov\w+) (?:\S+ ){0,4}to\b/i;

/** Words by which a sentence says what to use, if it also says that something is deprecated. */
const USE = /\b(?:use|using|see|call|prefer)\b/i;

const DEPRECATED = /\bdeprecat|\bobsolete\b|\bclosing down\b/i;

/** A part of the document. */
type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the text of a part that is deprecated: that of an extension, or else the sentences of its
 * description that say what to use. Empty if nothing does.
 *
 * @param methodOf Returns the method of an operation by its `operationId`, such as `pets.list`
 */
export function deprecationText(
  value: unknown,
  methodOf: (operationId: string) => string | undefined = () => undefined,
): string {
  if (typeof value !== "object" || value === null) return "";
  const part = value as Json;
  const stated = MESSAGES.map((name) => textOf(part[name])).find((text) => text !== "");
  const successor = methodOf(textOf(part[REPLACEMENT]));
  const use = successor === undefined ? "" : `Use \`${successor}\` instead.`;
  if (stated !== undefined) return [stated, use].filter((text) => text !== "").join(" ");
  if (use !== "") return use;
  return [part["description"], part["summary"]].map((text) => adviceIn(textOf(text)))
    .find((text) => text !== "") ?? "";
}

/** Returns the sentences of a text that say what to use instead. */
function adviceIn(text: string): string {
  const sentences = sentencesOf(text);
  const found = sentences.filter((sentence, index) =>
    ADVICE.test(sentence) || DEPRECATED.test(sentence) && USE.test(sentence) ||
    // "This is deprecated. Use the other one."
    /^\W*(?:please )?(?:use|see|call|prefer)\b/i.test(sentence) &&
      DEPRECATED.test(sentences[index - 1] ?? "")
  );
  const advice = found.slice(0, MAX_SENTENCES).join(" ");
  if (advice.length > MAX_TEXT) return "";
  // The tag says that it is deprecated.
  const start = /^\W{0,4}deprecated\W{1,4}(?=use |please |see |in fav|replaced|superseded)/i;
  return capitalized(advice.replace(start, ""));
}

/** Returns the sentences of a Markdown text, without the marks of quotes. */
function sentencesOf(text: string): string[] {
  return text.split("\n").map((line) => line.replace(/^\s*(?:>\s*)+/, "").trim()).join("\n")
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.replace(/\s+/g, " ").split(/(?<=[.!?][)"'*_`]{0,3}) (?=\S)/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "" && !/^\[!\w+\]$/.test(sentence))
    .map((sentence) => sentence.replace(/^\[!\w+\]\s*/, ""));
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
