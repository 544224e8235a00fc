/** Finds what the texts of a document state, apart from what they deny. */

/** Matches the beginning of a sentence that denies what follows. */
const denialBefore =
  /\b(?:cannot|instead of|neither|never|no|nor|not|rather than|without)\b|n['’]t\b/i;

const denials = new RegExp(denialBefore, "gi");

/** Matches the rest of a sentence that denies what it is about. */
const denialAfter =
  /^[`"'*\])]*(?: \w+)? (?:(?:is|are|was|were|do|does|can|will) )?(?:not|never|cannot)\b|^[`"'*\])]*(?: \w+)? \w+n['’]t\b/i;

/** Matches what separates sentences, or parts of them that can deny different things. */
const separator = /[.!?:;](?=\s|$)|\n|\bbut\b/i;

/** Matches a condition, which can deny without a word about the rest: "if there is no cursor, …". */
const condition = /\b(?:if|once|unless|until|when|where)\b[^,]{0,200},/gi;

/**
 * Lists the parts of a text that match a pattern, without those that their sentence denies: "there is
 * no header `Link`".
 */
export function statedIn(text: string, pattern: RegExp): string[] {
  if (!pattern.test(text)) return [];
  const all = new RegExp(pattern, `g${pattern.flags}`);
  const sentences = text.split(separator).map((each) =>
    each.replace(condition, (part) => part.replace(denials, ""))
  );
  return sentences.flatMap((sentence) =>
    [...sentence.matchAll(all)].filter(({ 0: { length }, index }) =>
      !denialBefore.test(sentence.slice(0, index)) &&
      !denialAfter.test(sentence.slice(index + length))
    ).map(([found]) => found)
  );
}
