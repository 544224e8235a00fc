import { assert } from "#test";
import { detectRuntime } from "../../src/base/runtime.ts";

/** The number of comparisons. Other work on the machine may disturb some of them. */
const ROUNDS = 5;

/** Returns the milliseconds that a function takes. */
function timeOf(run: () => unknown): number {
  const began = performance.now();
  run();
  return performance.now() - began;
}

/**
 * Fails if one function takes much longer than another. It compares the shortest times of several
 * rounds, so the speed of the machine does not matter.
 *
 * @param atMost The limit, as a multiple of the time of `one`
 * @param one The function to compare with
 * @param other The function that must not take much longer
 */
export function assertTakesAtMost(atMost: number, one: () => unknown, other: () => unknown): void {
  let [short, long] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    short = Math.min(short, timeOf(one));
    long = Math.min(long, timeOf(other));
    if (long < atMost * short) return;
  }
  assert(false, `${long} ms are more than ${atMost} times ${short} ms`);
}

/** The same for functions that return promises. */
export async function assertReadsWithin(
  atMost: number,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<void> {
  let [short, long] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    short = Math.min(short, await asyncTimeOf(one));
    long = Math.min(long, await asyncTimeOf(other));
    if (long < atMost * short) return;
  }
  assert(false, `${long} ms are more than ${atMost} times ${short} ms`);
}

/** Returns the milliseconds until a promise is settled. */
async function asyncTimeOf(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

/**
 * Fails if the time grows faster than the text. It compares one text with a hundred texts of a
 * hundredth of its length. A quadratic algorithm takes a hundred times as long for the one text. A
 * linear one takes as long, except on Bun: it compiles regular expressions for short texts, and
 * interprets them from some length on, which takes 60 times as long. A quadratic one takes thousands
 * of times as long there.
 *
 * @param run Reads a text of the given length
 */
export function assertLinearTime(run: (length: number) => unknown): void {
  const hundred = () => {
    for (let count = 0; count < 100; count++) run(2000);
  };
  assertTakesAtMost(detectRuntime().name === "Bun" ? 500 : 50, hundred, () => run(200_000));
}

/**
 * Fails if the time grows faster than the number of pieces. It compares two times of the same run,
 * so the speed of the machine does not matter. A round that other work has disturbed is repeated.
 *
 * @param run Reads a document with the given number of pieces
 * @param few The smaller number of pieces
 * @param many The larger number, at least ten times as many
 */
export async function assertLinearGrowth(
  run: (count: number) => Promise<unknown>,
  few: number,
  many: number,
): Promise<void> {
  const timeOf = (count: number) => asyncTimeOf(() => run(count));
  const growth = many / few;
  // A single short time may miss an effect that slows down the long one, or show too much of it.
  const shortTime = async (): Promise<number> => {
    let [total, runs] = [0, 0];
    for (; runs < growth && (runs === 0 || total < 300); runs++) total += await timeOf(few);
    return total / runs;
  };
  const rounds: string[] = [];
  await run(few); // warm-up
  for (let round = 0; round < 5; round++) {
    const [short, long] = [await shortTime(), await timeOf(many)];
    // A quadratic algorithm grows with the square.
    if (long < growth ** 1.5 * short) return;
    rounds.push(`${short} ms and ${long} ms`);
  }
  assert(false, `the time for ${many} pieces against ${few}: ${rounds.join(", ")}`);
}
