import { assert } from "#test";
import process from "node:process";

/** The number of comparisons. Other work on the machine may disturb some of them. */
const ROUNDS = 5;

/** Returns the milliseconds that this process has used a processor, whatever else the machine does. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns the milliseconds that a function uses a processor. */
function timeOf(run: () => unknown): number {
  const began = cpuTime();
  run();
  return cpuTime() - began;
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

/** Returns the milliseconds that a processor is used until a promise is settled. */
async function asyncTimeOf(run: () => Promise<unknown>): Promise<number> {
  const began = cpuTime();
  await run();
  return cpuTime() - began;
}

/**
 * Fails if the time grows faster than the text. It compares one text with 16 texts of a sixteenth of its
 * length: a linear algorithm takes as long for the one text, a quadratic one 16 times as long.
 *
 * The text is not longer because Bun interprets regular expressions that repeat more than 65,535 times,
 * which takes 90 times as long.
 *
 * @param run Reads a text of the given length
 * @param length The length of the long text
 */
export function assertLinearTime(run: (length: number) => unknown, length: number = 50_000): void {
  const sixteen = () => {
    for (let count = 0; count < 16; count++) run(length / 16);
    // So that a text which is refused at once has a time to compare with, too.
    return [..."x".repeat(length)].length;
  };
  assertTakesAtMost(4, sixteen, () => run(length));
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
