import { fileURLToPath } from "node:url";
import ts from "typescript";
import { sourceRoot } from "./contract_page.ts";

/** The options that users are advised to set, with the libraries of Node 22. */
export const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  types: [],
  noEmit: true,
};

/**
 * Compiles a program and returns the errors in it, as the compiler prints them.
 *
 * It checks only this program and the parts of the toolkit that it uses, which takes 1 to 2 s.
 *
 * @param program The program; its imports are relative to `tests/types/`
 */
export function typeErrors(program: string): string[] {
  const path = fileURLToPath(new URL("tests/types/program.ts", sourceRoot()));
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (file) => file === path || fileExists(file);
  host.getSourceFile = (file, ...rest) =>
    file === path
      ? ts.createSourceFile(file, program, rest[0])
      : getSourceFile.call(host, file, ...rest);
  const compilation = ts.createProgram([path], OPTIONS, host);
  const source = compilation.getSourceFile(path);
  return [
    ...compilation.getSyntacticDiagnostics(source),
    ...compilation.getSemanticDiagnostics(source),
  ]
    .map(({ code, messageText }) =>
      `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`
    );
}
