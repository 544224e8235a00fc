/** Cuts chunks into slices that `@std/xml` parses in linear time, and at safe places. */

/**
 * The length of a slice, in UTF-16 units. `@std/xml` searches for line breaks and "<" up to the end
 * of a chunk, many times. 5.9 MB without line breaks took 53 s in one chunk, and 0.8 s in slices.
 */
const LENGTH = 16 * 1024;

/**
 * Cuts chunks into slices that `@std/xml` parses in linear time.
 *
 * No slice ends within a surrogate pair, or in "]", "-" or "?". If a chunk ends there and the next
 * one is short, the tokenizer loses a character of a CDATA section.
 *
 * @param chunks The chunks; none may end within a surrogate pair
 */
export async function* slicesOf(
  chunks: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  let held = "";
  for await (const chunk of chunks) {
    let end = chunk.length;
    while (end > 0 && !canEndAt(chunk, end)) end--;
    if (end === 0) {
      held += chunk;
      continue;
    }
    const text = held + chunk.slice(0, end);
    held = chunk.slice(end);
    for (let from = 0, to = LENGTH; from < text.length; from = to, to += LENGTH) {
      while (to < text.length && !canEndAt(text, to)) to++;
      yield text.slice(from, to);
    }
  }
  if (held !== "") yield held;
}

/** Reports if a slice can end before an index. */
function canEndAt(text: string, index: number): boolean {
  const last = text.charCodeAt(index - 1);
  return last !== 0x5d && last !== 0x2d && last !== 0x3f && (last < 0xd800 || last > 0xdbff);
}
