/** Extracts the code of documents, as modules to compile. */

/** A module that contains one block of code. */
export interface DocumentModule {
  /** The name of the file, made from the document's path and the number of the block. */
  readonly name: string;
  /** The code, with the same line numbers as in the document, so that compiler errors match. */
  readonly code: string;
}

/**
 * Returns every TypeScript block (```` ```ts ```` or ```` ```typescript ````) in a document.
 *
 * @param path The path of the document, relative to the root
 * @param text The text of the document
 */
export function documentModules(path: string, text: string): DocumentModule[] {
  const stem = path.replace(/\.md$/, "").replaceAll("/", "_");
  return [...text.matchAll(/^```(?:ts|typescript)\n([^]*?)^```$/gm)].map((match, index) => {
    const linesBefore = text.slice(0, match.index).split("\n").length;
    return { name: `${stem}_block_${index + 1}.ts`, code: "\n".repeat(linesBefore) + match[1]! };
  });
}
