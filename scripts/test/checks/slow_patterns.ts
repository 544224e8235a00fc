/**
 * The check of regular expressions that may take quadratic time, by two rules of eslint-plugin-regexp.
 * `/ +$/` is one: it is tried again at each space, so a header of 60,000 spaces takes seconds.
 * `/(?<! ) +$/` is tried once. If a report is wrong, explain it beside the code:
 *
 * ```ts
 * // It matches at each position, so it never goes back.
 * // eslint-disable-next-line regexp/no-super-linear-move
 * ```
 */
import { writeFile } from "node:fs/promises";
import { runChild, succeeded } from "../../shared/child.ts";
import { installInto } from "../../shared/npm_packages.ts";
import { GENERATOR } from "../../shared/source_files.ts";
import type { Check } from "./check.ts";

/** The folder with ESLint, relative to the root. Deno would download it before any task otherwise. */
const TOOLS = ".tools/eslint";

/** The configuration of ESLint. The packages are those beside it. */
const config = `import parser from "@typescript-eslint/parser";
import regexp from "eslint-plugin-regexp";

export default [{
  files: ["**/*.ts"],
  languageOptions: { parser },
  linterOptions: { reportUnusedDisableDirectives: "error" },
  plugins: { regexp },
  rules: { "regexp/no-super-linear-backtracking": "error", "regexp/no-super-linear-move": "error" },
}];
`;

/** Returns the check of the sources of the toolkit and of the generator. */
export function slowPatternCheck(root: string): Check {
  return {
    name: "regular expressions in linear time (ESLint)",
    async run() {
      const npm = await installInto(
        `${root}/scripts/test/checks/eslint`,
        `${root}/${TOOLS}`,
      );
      if (npm !== undefined && !succeeded(npm)) return npm;
      await writeFile(`${root}/${TOOLS}/eslint.config.js`, config);
      const program = `${root}/${TOOLS}/node_modules/eslint/bin/eslint.js`;
      const folders = ["mod.ts", "src", `${GENERATOR}/mod.ts`, `${GENERATOR}/cli.ts`];
      const args = [program, "--config", `${TOOLS}/eslint.config.js`, "--format", "stylish"];
      return await runChild("node", [...args, ...folders, `${GENERATOR}/src`], {
        cwd: root,
        limit: 600,
      });
    },
  };
}
