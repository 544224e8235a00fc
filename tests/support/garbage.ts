import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns a function that collects garbage, on any runtime. */
export function garbageCollector(): () => void {
  const { Bun, gc } = globalThis as {
    readonly Bun?: { gc(isSynchronous: boolean): void };
    readonly gc?: () => void;
  };
  if (Bun !== undefined) return () => Bun.gc(true);
  if (gc !== undefined) return gc;
  setFlagsFromString("--expose_gc");
  return runInNewContext("gc");
}
