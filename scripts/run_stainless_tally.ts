/**
 * Counts which settings of public `stainless.yml` files have an effect: `deno run -A
 * scripts/run_stainless_tally.ts FOLDER`. It reads all files of the folder, which is not part of the
 * repository, and prints a line for each file and for each key that has none. A file can also be an
 * `api.md`, whose methods are counted.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { ShapeError } from "../generate/mod.ts";
import type { ResourceShape } from "../generate/src/sdk/shape.ts";
import { readApiMd } from "../generate/src/sdk/api_md.ts";
import { readStainless } from "../generate/src/sdk/config.ts";
import { shown } from "../generate/src/write/terminal.ts";

/** The numbers of settings: with an effect, about other things, and lost for the client. */
interface Counts {
  used: number;
  nothing: number;
  client: number;
}

function methodsIn(resources: readonly ResourceShape[]): number {
  return resources.reduce(
    (sum, { methods, resources }) => sum + methods.length + methodsIn(resources),
    0,
  );
}

function share(part: number, all: number): string {
  return `${(100 * part / Math.max(all, 1)).toFixed(1)} %`;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: deno run -A scripts/run_stainless_tally.ts FOLDER");
  process.exit(2);
}
const all: Counts = { used: 0, nothing: 0, client: 0 };
const keys = new Map<string, number>();
let [files, refused, methods] = [0, 0, 0];
for (const name of (await readdir(folder)).toSorted()) {
  const text = await readFile(join(folder, name), "utf8");
  try {
    if (name.endsWith(".md")) {
      const { shape, ignored } = readApiMd(text, name);
      const stated = text.match(/<code title="/g)?.length ?? 0;
      console.log(
        shown(`${name}: ${methodsIn(shape.resources)} of ${stated} methods, `) +
          `${ignored.length} lines without effect`,
      );
      continue;
    }
    const { shape, used, ignored } = readStainless(text, name);
    const own: Counts = { used, nothing: 0, client: 0 };
    for (const { key, count, lost } of ignored) {
      own[lost] += count;
      keys.set(`${lost} ${key}`, (keys.get(`${lost} ${key}`) ?? 0) + count);
    }
    for (const kind of ["used", "nothing", "client"] as const) all[kind] += own[kind];
    files++;
    methods += methodsIn(shape.resources);
    console.log(
      shown(`${name}: ${methodsIn(shape.resources)} methods, `) +
        `${own.used} settings used, ${own.client} lost, ${own.nothing} about other things`,
    );
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    refused++;
    console.log(shown(`refused: ${error.message}`));
  }
}
const ofClient = all.used + all.client;
console.log(`
${files} files, ${refused} refused, ${methods} methods
${all.used} of ${ofClient} settings of the client have an effect: ${share(all.used, ofClient)}
${all.used} of ${ofClient + all.nothing} settings have an effect: ${
  share(all.used, ofClient + all.nothing)
}
`);
for (const kind of ["client", "nothing"] as const) {
  console.log(kind === "client" ? "lost for the client:" : "about other things:");
  const own = [...keys].filter(([key]) => key.startsWith(`${kind} `));
  for (const [key, count] of own.toSorted(([, a], [, b]) => b - a)) {
    console.log(shown(`  ${count} ${key.slice(kind.length + 1)}`));
  }
}
