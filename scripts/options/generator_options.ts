/** Writes the names of the toolkit's options into the generator, which is installed without the toolkit. */
import { type Definition, definitions } from "../../src/options/definitions.ts";
import { secondGeneration } from "../../src/options/generation.ts";

/** The module of the generator with the names, relative to the root. */
export const GENERATOR_OPTIONS = "generate/src/names/toolkit_options.ts";

/** Returns the text of the module. */
export function generatorOptionsModule(): string {
  const ofClient = Object.entries<Definition>(definitions)
    .filter(([, { levels }]) => levels.includes("client")).map(([name]) => name);
  const names = [...secondGeneration.ownOptions, ...ofClient].sort();
  return "/** The options that every client has: written by `deno task options` from the toolkit's table. */\n" +
    "// deno-fmt-ignore-file\n\n" +
    "/** The names. No option that a document adds to a client may have one of them. */\n" +
    `export const TOOLKIT_OPTIONS: readonly string[] = [\n${
      names.map((name) => `  ${JSON.stringify(name)},\n`).join("")
    }];\n`;
}
