import { fileURLToPath } from "node:url";
import ts from "typescript";
import { sourceRoot } from "./contract_page.ts";
import { OPTIONS } from "./type_errors.ts";

/**
 * Returns the names that an editor suggests at a place in a program.
 *
 * @param program The program, with `/*here*\/` at the place; its imports are relative to
 * `tests/types/`
 */
export function completionsIn(program: string): string[] {
  const path = fileURLToPath(new URL("tests/types/program.ts", sourceRoot()));
  const service = ts.createLanguageService({
    getCompilationSettings: () => OPTIONS,
    getScriptFileNames: () => [path],
    getScriptVersion: () => "1",
    getScriptSnapshot: (file) => {
      const text = file === path ? program : ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => fileURLToPath(sourceRoot()),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => file === path || ts.sys.fileExists(file),
    readFile: ts.sys.readFile,
  });
  const found = service.getCompletionsAtPosition(path, program.indexOf("/*here*/"), undefined);
  service.dispose();
  return found?.entries.map(({ name }) => name) ?? [];
}
