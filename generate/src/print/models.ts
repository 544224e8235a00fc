/** Prints `models.ts`: the types of the document's schemas, conversions of their dates, and model classes. */

import type { Declaration } from "../model/mod.ts";
import { WIDTH } from "./comments.ts";
import { modelImportsOf, printConversionOf } from "./conversion_code.ts";
import { quoted } from "./literals.ts";
import { classImportsOf, printModelClass } from "./model_classes.ts";
import { haveUploads } from "../algebra/references.ts";
import { printDeclaration } from "./types.ts";

/**
 * Prints the declarations of `models.ts`, with the imports that they need.
 *
 * @param declarations The declarations, in their order
 * @param toolkit The specifier of the toolkit
 */
export function printModels(declarations: readonly Declaration[], toolkit: string): string {
  const parts: string[] = [];
  const names = new Set<string>();
  for (const declaration of declarations) {
    const { model, conversion } = declaration;
    if (model !== undefined) {
      parts.push(printModelClass({ ...declaration, model }));
      for (const name of classImportsOf(model)) names.add(name);
      continue;
    }
    parts.push(printDeclaration(declaration) + printConversionOf(declaration));
    if (conversion === undefined) continue;
    for (const name of ["type Document", "document", ...modelImportsOf([conversion])]) {
      names.add(name);
    }
  }
  if (haveUploads(declarations)) {
    parts.unshift(`import type { Uploadable } from "${toolkit}/resources";\n`);
  }
  if (names.size > 0) parts.unshift(printImport(names, `${toolkit}/models`));
  return parts.join("\n");
}

/** Prints an import. Types have `type` before their names. */
function printImport(names: Iterable<string>, specifier: string): string {
  const key = (name: string) => name.replace("type ", "").toLowerCase();
  const sorted = [...names].sort((a, b) => key(a) < key(b) ? -1 : 1);
  const end = `from ${quoted(specifier)};\n`;
  const line = `import { ${sorted.join(", ")} } ${end}`;
  if (line.length <= WIDTH + 1) return line;
  return `import {\n${sorted.map((name) => `  ${name},\n`).join("")}} ${end}`;
}
