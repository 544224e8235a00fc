import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { sourceRoot } from "./contract_page.ts";

/** One block of TypeScript in a document. */
export interface CodeBlock {
  /** The heading that it stands below. */
  readonly heading: string;
  /** The code. */
  readonly code: string;
  /** What its comments say that it prints, a line each. */
  readonly prints: readonly string[];
}

/** The blocks of TypeScript in a document of the repository. */
export function codeBlocks(document: string): CodeBlock[] {
  return blocksIn(readFileSync(new URL(document, sourceRoot()), "utf8"));
}

/** The blocks of TypeScript in the text of a document. */
export function blocksIn(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let heading = "";
  for (const [part] of text.matchAll(/^#+ .*$|^```ts\n[^]*?^```$/gm)) {
    if (part.startsWith("#")) heading = part.replace(/^#+ /, "");
    else {
      const code = part.slice(6, -3);
      const prints = [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(([, said]) =>
        said!
      );
      blocks.push({ heading, code, prints });
    }
  }
  return blocks;
}

/**
 * Runs a block as a module of its own and gives what it printed.
 *
 * @param block The block
 * @param replaced Texts to be replaced before, such as the URL of an API that is not there
 */
export async function runBlock(
  block: CodeBlock,
  replaced: Readonly<Record<string, string>>,
): Promise<string[]> {
  let { code } = block;
  for (const [text, replacement] of Object.entries({ ...entryPoints(), ...replaced })) {
    code = code.replaceAll(text, replacement);
  }
  // Not as it stands: Node 22 has no `await using`.
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
    await import(pathToFileURL(fileURLToPath(file)).href);
  } finally {
    console.log = log;
    rmSync(folder, { recursive: true });
  }
  return printed;
}

/** The package's entry points as documents import them, and where they are here, both quoted. */
function entryPoints(): Record<string, string> {
  const manifest = readFileSync(new URL("deno.json", sourceRoot()), "utf8");
  const { name, exports }: { name: string; exports: Record<string, string> } = JSON.parse(manifest);
  const places = Object.entries(exports).map(([entry, file]) => {
    const place = new URL(file, sourceRoot());
    return [JSON.stringify(name + entry.slice(1)), JSON.stringify(place.href)];
  });
  return Object.fromEntries(places);
}

/** A value as the comments of our documents write it. */
function shown(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value).map(([key, each]) => `${key}: ${JSON.stringify(each)}`);
  return Array.isArray(value) ? JSON.stringify(value) : `{ ${entries.join(", ")} }`;
}
