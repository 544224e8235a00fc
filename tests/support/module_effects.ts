/** Side effects of every kind that import_effects.ts finds. Only its own test imports this module. */
import process from "node:process";

Object.defineProperty(globalThis, "leakedName", { value: 1, configurable: true });
Object.defineProperty(Array.prototype, "leakedMethod", { value: () => 1 });
Object.assign(Promise, { all: Promise.all.bind(Promise) });
process.on("warning", () => {});
setTimeout(() => {}, 0);
console.debug("imported");
fetch("data:,").catch(() => {});
try {
  // Deno writes this to its log, even if it is refused.
  void process.env["RESTWRIGHT_EXAMPLE"];
} catch { /* no permission */ }
