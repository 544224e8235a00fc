import { assert } from "#test";

/** How often two times are compared: other work on the machine may disturb some of the rounds. */
const ROUNDS = 5;

/** The milliseconds that something takes. */
function timeOf(run: () => unknown): number {
  const began = performance.now();
  run();
  return performance.now() - began;
}

/**
 * Fails if one thing takes much longer than another. It compares the shortest times of several
 * rounds, so the speed of the machine does not matter.
 *
 * @param atMost How many times as long it may take
 * @param one The other thing
 * @param other The thing that may not take much longer
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

/**
 * Fails if the time grows faster than the text: a quadratic way would take a hundred times as long
 * for one text as for a hundred texts of a hundredth of its length. A linear way may take a few
 * times as long: from some length on, Bun interprets regular expressions that it compiles before.
 *
 * @param run Reads a text of some length
 */
export function assertLinearTime(run: (length: number) => unknown): void {
  const hundred = () => {
    for (let count = 0; count < 100; count++) run(2000);
  };
  assertTakesAtMost(20, hundred, () => run(200_000));
}

/**
 * Fails if the time grows faster than the number of pieces. It compares two times of the same run, so
 * the speed of the machine does not matter; a round that something else disturbed is repeated.
 *
 * @param run Reads a document of so many pieces
 * @param few The smaller number of pieces
 * @param many The larger number, ten times as many or more
 */
export async function assertLinearGrowth(
  run: (count: number) => Promise<unknown>,
  few: number,
  many: number,
): Promise<void> {
  const timeOf = async (count: number): Promise<number> => {
    const began = performance.now();
    await run(count);
    return performance.now() - began;
  };
  const growth = many / few;
  // A single short time may miss all of what slows down the long one, or catch too much of it.
  const shortTime = async (): Promise<number> => {
    let [total, runs] = [0, 0];
    for (; runs < growth && (runs === 0 || total < 300); runs++) total += await timeOf(few);
    return total / runs;
  };
  const rounds: string[] = [];
  await run(few); // warms it up
  for (let round = 0; round < 5; round++) {
    const [short, long] = [await shortTime(), await timeOf(many)];
    // A quadratic way takes the square of the growth.
    if (long < growth ** 1.5 * short) return;
    rounds.push(`${short} ms and ${long} ms`);
  }
  assert(false, `the time for ${many} pieces against ${few}: ${rounds.join(", ")}`);
}
