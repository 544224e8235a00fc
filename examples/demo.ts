// Run this with `deno run --allow-net=127.0.0.1 examples/demo.ts` or `bun examples/demo.ts`. It
// starts a small API and a client, and shows the calls between them. The scenes are in
// examples/demo/.

import process from "node:process";
import { runDemo } from "./demo/run_demo.ts";

// Deno reads the variable NO_COLOR itself, so that the demo needs no permission for it.
const { Deno } = globalThis as { readonly Deno?: { readonly noColor: boolean } };
const colours = process.stdout.isTTY === true && !(Deno?.noColor ?? process.env["NO_COLOR"]);

try {
  await runDemo({ print: (line) => console.log(line), colours });
} catch (error) {
  console.error("\nThe demo failed, and has stopped its API:");
  console.error(error);
  process.exitCode = 1;
}
