/**
 * `deno task versions OLD NEW`: compares the call sites of SDKs of two versions of an OpenAPI document: with
 * one names file, and without it. With `--api-md`, the SDKs have the call sites of that list.
 */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { Changes } from "../generate/src/diff/changes.ts";
import { comparePlans } from "../generate/src/diff/diff.ts";
import { methodsOf, type NamedMethod } from "../generate/src/diff/methods.ts";
import { planSdk } from "../generate/src/plan/mod.ts";
import type { Plan } from "../generate/src/model/sdk.ts";
import { readSource } from "../generate/src/read/read.ts";
import { readApiMd } from "../generate/src/sdk/api_md.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "api-md": { type: "string" }, verbose: { type: "boolean", default: false } },
});
const [oldPath, newPath] = positionals.map((each) => resolve(each));
if (oldPath === undefined || newPath === undefined) {
  console.error("usage: deno task versions OLD NEW [--api-md FILE] [--verbose]");
  process.exit(2);
}
const shape = values["api-md"] === undefined
  ? undefined
  : readApiMd(await readFile(values["api-md"], "utf8")).shape;

async function planOf(path: string, pins: ReadonlyMap<string, string>): Promise<Plan> {
  const text = await readFile(path, "utf8");
  const source = await readSource(text, { file: path });
  return planSdk(source, { pins, shape, name: "Client" });
}

/** Returns the call of a method without its types: its name, and its arguments in their order. */
function callSite(
  { name, method: { body, call, parameters, pathParameters } }: NamedMethod,
): string {
  if (call !== undefined) {
    const args = [...call.positional.map(() => "_"), ...call.params === undefined ? [] : ["{}"]];
    return `${name}(${args.join(", ")})`;
  }
  const args = [
    ...pathParameters.map(() => "_"),
    ...body === undefined ? [] : ["body"],
    ...parameters.length === 0 ? [] : ["params"],
  ];
  return `${name}(${args.join(", ")})`;
}

/** Counts the methods of operations in both plans, and lists those with another call. */
function report(title: string, before: Plan, after: Plan): void {
  const olds = methodsOf(before);
  const news = new Map(methodsOf(after).map((each) => [`${each.key} ${each.name}`, each]));
  const byKey = Map.groupBy(methodsOf(after), ({ key }) => key);
  const both = olds.filter(({ key }) => byKey.has(key));
  const renamed = both.filter(({ key, name }) => !news.has(`${key} ${name}`));
  const moved = both.flatMap((old) => {
    const now = news.get(`${old.key} ${old.name}`);
    if (now === undefined || callSite(old) === callSite(now)) return [];
    return [`${old.operation}: ${callSite(old)} → ${callSite(now)}`];
  });
  console.log(
    `${title}: ${olds.length} methods before, ${news.size} now, ${both.length} of operations in both: ` +
      `${renamed.length} renamed, ${moved.length} with other arguments`,
  );
  for (const { operation, name, key } of renamed) {
    console.log(`  ${operation}: ${name} → ${byKey.get(key)!.map((each) => each.name).join()}`);
  }
  for (const line of moved) console.log(`  ${line}`);
}

const before = await planOf(oldPath, new Map());
const after = await planOf(newPath, before.pins);
report(shape === undefined ? "with the names file" : "with the list of methods", before, after);
if (shape === undefined) {
  report("without it", before, await planOf(newPath, new Map()));
}
const changes = new Changes();
comparePlans(before, after, changes);
const kinds = Map.groupBy(changes.list(), ({ kind }) => kind);
console.log("what breaks callers, by `generate diff`:");
for (const [kind, all] of kinds) {
  console.log(`  ${kind}: ${all.length}`);
  if (values.verbose) {
    for (const { place, message } of all) console.log(`    ${place}: ${message}`);
  }
}
