/** The code in documents, as modules that a compiler reads. */

/** A module that is one block of code. */
export interface DocumentModule {
  /** Its file's name, made of the document's path and the number of the block. */
  readonly name: string;
  /** The code, each line where it stands in the document, so that a compiler names that line. */
  readonly code: string;
}

/**
 * Every block of TypeScript in a document: ```` ```ts ```` and ```` ```typescript ````.
 *
 * @param path The document's path from the root
 * @param text Its text
 */
export function documentModules(path: string, text: string): DocumentModule[] {
  const stem = path.replace(/\.md$/, "").replaceAll("/", "_");
  return [...text.matchAll(/^```(?:ts|typescript)\n([^]*?)^```$/gm)].map((match, index) => {
    const linesBefore = text.slice(0, match.index).split("\n").length;
    return { name: `${stem}_block_${index + 1}.ts`, code: "\n".repeat(linesBefore) + match[1]! };
  });
}
