import process from "node:process";
import type fc from "fast-check";

/** A parser to fuzz: a generator of inputs, and a check. */
export interface FuzzTarget<T = unknown> {
  readonly name: string;
  readonly input: fc.Arbitrary<T>;
  /** Throws if the parser does something wrong with an input. */
  readonly check: (input: T) => void | Promise<void>;
}

/** Creates a target. */
export function fuzzTarget<T>(
  name: string,
  input: fc.Arbitrary<T>,
  check: (input: T) => void | Promise<void>,
): FuzzTarget {
  return { name, input, check } as FuzzTarget;
}

/** The most milliseconds of the processor that an input may take. The longest has 64 KiB. */
const SLOWEST = 1000;

/** The most bytes by which the heap may grow while an input is checked. */
const LARGEST = 128 * 2 ** 20;

/**
 * Checks an input, and that it takes neither much time nor much memory.
 *
 * An input is only slow if it is slow each time: the runtime may have compiled or collected garbage.
 */
export async function checkBounded<T>(check: FuzzTarget<T>["check"], input: T): Promise<void> {
  let [fastest, smallest] = [Infinity, Infinity];
  for (let round = 0; round < 3; round++) {
    const heap = process.memoryUsage().heapUsed;
    const began = process.cpuUsage();
    await check(input);
    const { user, system } = process.cpuUsage(began);
    fastest = Math.min(fastest, (user + system) / 1000);
    smallest = Math.min(smallest, process.memoryUsage().heapUsed - heap);
    if (fastest <= SLOWEST && smallest <= LARGEST) return;
  }
  const mebibytes = Math.round(smallest / 2 ** 20);
  throw new Error(`it takes ${Math.round(fastest)} ms, and the heap grows by ${mebibytes} MiB`);
}
