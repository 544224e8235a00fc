/** A user's program that runs webpack: `node webpacked.mjs TARGET FOLDER`. It prints each problem. */
import { resolve } from "node:path";
import webpack from "webpack";

const [target, folder] = process.argv.slice(2);
webpack({
  target,
  mode: "production",
  entry: "./taken.js",
  output: { path: resolve(folder) },
  optimization: { minimize: false },
  performance: { hints: false },
}, (error, stats) => {
  const { errors = [], warnings = [] } =
    stats?.toJson({ all: false, errors: true, warnings: true }) ??
      {};
  const problems = [...error === null ? [] : [error], ...errors, ...warnings];
  for (const { message } of problems) console.error(message);
  process.exitCode = problems.length > 0 ? 1 : 0;
});
