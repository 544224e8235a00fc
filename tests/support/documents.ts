import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { sourceRoot } from "./contract_page.ts";
import { endsInTime } from "./until.ts";

/** A block of TypeScript in a document. */
export interface CodeBlock {
  /** The heading above it. */
  readonly heading: string;
  /** The code. */
  readonly code: string;
  /** The lines that it prints, according to its comments. A loop shows "1, then 2". */
  readonly prints: readonly string[];
}

/** Returns the paths of all pages of docs/, relative to the root, sorted. */
export function docPages(): string[] {
  return readdirSync(new URL("docs/", sourceRoot()), { recursive: true, encoding: "utf8" })
    .map((path) => `docs/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md")).sort();
}

/** Returns the blocks of TypeScript in a document of the repository. */
export function codeBlocks(document: string): CodeBlock[] {
  return blocksIn(readFileSync(new URL(document, sourceRoot()), "utf8"));
}

/** Returns the blocks of TypeScript in the text of a document. */
export function blocksIn(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let heading = "";
  for (const [part] of text.matchAll(/^#+ .*$|^```ts\n[^]*?^```$/gm)) {
    if (part.startsWith("#")) heading = part.replace(/^#+ /, "");
    else {
      const code = part.slice(6, -3);
      const shows = code.matchAll(/^ *(?:for .*\) )?console\.log\(.*\); \/\/ (.*)$/gm);
      const prints = Array.from(shows, ([, lines]) => lines!.split(", then ")).flat();
      blocks.push({ heading, code, prints });
    }
  }
  return blocks;
}

/** Returns the blocks of TypeScript in the doc comments of a module. The heading is their line. */
export function blocksInComments(text: string): CodeBlock[] {
  return [...text.matchAll(/^ *\* ```ts\n(?: *\*.*\n)*? *\* ```$/gm)].flatMap((match) => {
    const line = text.slice(0, match.index).split("\n").length;
    const block = match[0].replace(/^ *\* ?/gm, "");
    return blocksIn(block).map((each) => ({ ...each, heading: `line ${line}` }));
  });
}

/**
 * Runs a block as a separate module, and returns the lines that it printed.
 *
 * @param block The block
 * @param replaced Texts to replace in the code, such as the URL of an API that does not exist
 */
export async function runBlock(
  block: CodeBlock,
  replaced: Readonly<Record<string, string>>,
): Promise<string[]> {
  let { code } = block;
  for (const [text, replacement] of Object.entries({ ...entryPoints(), ...replaced })) {
    code = code.replaceAll(text, replacement);
  }
  // The code has to be compiled, because Node 22 has no `await using`.
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const folder = new URL(`.build/documents/${crypto.randomUUID()}/`, sourceRoot());
  mkdirSync(folder, { recursive: true });
  const file = new URL("block.mjs", folder);
  writeFileSync(file, outputText);
  const printed: string[] = [];
  const { log } = console;
  console.log = (...values: unknown[]) => void printed.push(values.map(shown).join(" "));
  try {
    const program = `the program below the heading "${block.heading}"`;
    await endsInTime(import(pathToFileURL(fileURLToPath(file)).href), program);
  } finally {
    console.log = log;
    rmSync(folder, { recursive: true });
  }
  return printed;
}

/**
 * Returns the package's entry points, as documents import them, and their local URLs, both quoted.
 */
function entryPoints(): Record<string, string> {
  const manifest = readFileSync(new URL("deno.json", sourceRoot()), "utf8");
  const { name, exports }: { name: string; exports: Record<string, string> } = JSON.parse(manifest);
  const places = Object.entries(exports).map(([entry, file]) => {
    const place = new URL(file, sourceRoot());
    return [JSON.stringify(name + entry.slice(1)), JSON.stringify(place.href)];
  });
  return Object.fromEntries(places);
}

/** Formats a value in the way that the comments of the documents do. */
function shown(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value).map(([key, each]) => `${key}: ${JSON.stringify(each)}`);
  return Array.isArray(value) ? JSON.stringify(value) : `{ ${entries.join(", ")} }`;
}
