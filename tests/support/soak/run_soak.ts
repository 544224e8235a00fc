/**
 * A program that `deno task soak` runs on each runtime: `run_soak.ts MINUTES URL`. It makes calls for
 * some minutes, and prints its report as JSON.
 */
import process from "node:process";
import { type Residue, Soak } from "./soak.ts";

const [minutes, url] = process.argv.slice(2);
// Longer than a busy machine pauses a process, so that only the server's silence runs into it.
const soak = new Soak(url!, 3);
const residues: Residue[] = [];
for (let minute = 0; minute < Number(minutes); minute++) {
  const end = performance.now() + 60_000;
  while (performance.now() < end) await soak.round(6400);
  residues.push(await soak.residue());
}
await soak.close();
console.log(JSON.stringify({ counts: soak.counts, wrong: soak.wrong, residues }));
