/**
 * A user's program that loads every entry point with `import` and with `require`, and a generated SDK.
 * It prints the classes and functions that exist twice.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as sdk from "./web/sdk/mod.js";

const name = "@restwright/restwright";
const require = createRequire(import.meta.url);
const { exports } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
// Two entry points need optional packages, which are not installed.
const left = ["./package.json", "./telemetry", "./testing/vcr"];
const entries = Object.keys(exports).filter((entry) => !left.includes(entry));

const first = new Map();
const twice = new Set();
for (const entry of entries) {
  const specifier = name + entry.slice(1);
  for (const loaded of [await import(specifier), require(specifier)]) {
    for (const [key, value] of Object.entries(loaded)) {
      if (typeof value !== "function") continue;
      if (!first.has(key)) first.set(key, value);
      if (first.get(key) !== value) twice.add(`${specifier}: ${key}`);
    }
  }
}
const { APIClient, APIEndpoint, InvalidContentError } = Object.fromEntries(first);
const bases = [
  [sdk.Front, APIClient],
  [sdk.Books, APIEndpoint],
  [sdk.FrontInvalidContentError, InvalidContentError],
];
for (const [own, base] of bases) {
  if (!(own.prototype instanceof base)) twice.add(`the base class of ${own.name}`);
}
console.log(first.size > 100 && twice.size === 0 ? "one of each" : [first.size, ...twice].join());
