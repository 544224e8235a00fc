// Starts a small API and its clients, and shows what a call does, with the code of the call:
//
//   deno run --allow-net=127.0.0.1 --allow-read=examples examples/demo.ts
//   bun examples/demo.ts
//
// The scenes are in examples/demo/. With --verbose, all of them are played.

import process from "node:process";
import { DEMO_USAGE, type DemoOptions, readDemoOptions, usesColours } from "./demo/demo_options.ts";
import { runDemo } from "./demo/run_demo.ts";
import { runShortDemo } from "./demo/short_demo.ts";

// Deno reads the variable NO_COLOR itself, so that the demo needs no permission for it.
const { Deno } = globalThis as { readonly Deno?: { readonly noColor: boolean } };
const noColor = Deno === undefined ? process.env["NO_COLOR"] : Deno.noColor ? "1" : undefined;

async function main(): Promise<number> {
  let options: DemoOptions;
  try {
    options = readDemoOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${DEMO_USAGE}`);
    return 2;
  }
  if (options.help) {
    console.log(DEMO_USAGE);
    return 0;
  }
  const { slow, verbose } = options;
  const colours = usesColours({ isTerminal: process.stdout.isTTY === true, noColor });
  try {
    const play = verbose ? runDemo : runShortDemo;
    await play({ print: (line) => console.log(line), colours, slow });
    return 0;
  } catch (error) {
    console.error("\nThe demo failed, and has stopped its API:");
    console.error(error);
    return 1;
  }
}

process.exitCode = await main();
