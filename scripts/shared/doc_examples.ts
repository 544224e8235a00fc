/** Programs that call each method of a generated SDK as its doc comment shows it. */

/** A block of code after `@example` in a doc comment, and the lines before which it stands. */
const EXAMPLE = /^ *\* @example\n *\* ```ts\n((?: *\*.*\n)*?) *\* ```\n/gm;

/** Returns the examples in the doc comments of a file. */
export function examplesIn(text: string): string[] {
  return Array.from(text.matchAll(EXAMPLE), ([, lines = ""]) => lines.replace(/^ *\* ?/gm, ""));
}

/**
 * Returns a module that has all examples of an SDK, each in a function of its own.
 *
 * @param files The texts of the SDK by their paths
 * @param client The name of the client's class
 * @param specifier The specifier of the SDK
 */
export function exampleModule(
  files: ReadonlyMap<string, string>,
  client: string,
  specifier: string,
): string {
  const examples = [...files.values()].flatMap(examplesIn);
  const models = examples.flatMap((code) =>
    Array.from(code.matchAll(/(?<![\w."])([A-Z]\w*)\.fromJson\(/g), ([, name]) => name!)
  );
  const names = [...new Set([client, ...models])].join(", ");
  const functions = examples.map((code, index) =>
    `export async function example${index}(): Promise<void> {\n${code}}\n`
  );
  return `import { ${names} } from "${specifier}";\n\ndeclare const client: ${client};\n\n` +
    functions.join("\n");
}
