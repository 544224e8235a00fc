// Run this with `deno run -A examples/demo.ts` or `bun examples/demo.ts`. It starts a small API and
// a client, and shows the calls between them. The scenes are in examples/demo/.

import process from "node:process";
import { runDemo } from "./demo/run_demo.ts";

const colours = process.stdout.isTTY === true && !process.env["NO_COLOR"];

try {
  await runDemo({ print: (line) => console.log(line), colours });
} catch (error) {
  console.error("\nThe demo failed, and has stopped its API:");
  console.error(error);
  process.exitCode = 1;
}
