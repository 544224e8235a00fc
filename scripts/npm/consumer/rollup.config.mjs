/**
 * A user's configuration of Rollup. It bundles a program and each entry point of the package, for
 * browsers and for Node, with and without its condition.
 */
import { readFile } from "node:fs/promises";
import commonjs from "@rollup/plugin-commonjs";
import { nodeResolve } from "@rollup/plugin-node-resolve";

const name = "@restwright/restwright";
const description = JSON.parse(await readFile(`node_modules/${name}/package.json`, "utf8"));
const entries = Object.keys(description.exports).filter((entry) => entry !== "./package.json");

function build(folder, options) {
  return {
    input: {
      program: "rolled.mjs",
      ...Object.fromEntries(entries.map((entry) => [`all/${entry}`, name + entry.slice(1)])),
    },
    // The optional ones are not installed.
    external: Object.keys(description.peerDependencies),
    plugins: [nodeResolve(options), commonjs()],
    output: { dir: `by_rollup/${folder}` },
    // TypeScript's helper for dynamic imports reads it. The build that is published has no such helper.
    onLog: (level, log, next) => log.code === "THIS_IS_UNDEFINED" || next(level, log),
  };
}

export default [
  build("browser", { browser: true }),
  build("node", { preferBuiltins: true }),
  // With the condition of Node, it takes the bundled modules.
  build("server", { preferBuiltins: true, exportConditions: ["node"] }),
];
