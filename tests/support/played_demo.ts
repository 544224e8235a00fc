import { assert, assertEquals, assertMatch, assertRejects, it } from "#test";
import { PAUSE } from "../../examples/demo/demo_options.ts";
import type { StageOptions } from "../../examples/demo/stage.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake_clock.ts";

/** A function that plays all scenes of a demo. */
export type Demo = (options: StageOptions) => Promise<void>;

/** Plays a demo, and returns its clock and the lines that it printed. */
export async function playDemo(
  demo: Demo,
  { colours = false, slow = false } = {},
): Promise<{ lines: string[]; clock: FakeClock }> {
  const lines: string[] = [];
  const clock = fakeClock({ autoAdvance: true });
  await demo({ print: (line) => lines.push(line), colours, slow, clock });
  return { lines, clock };
}

/** Tests the colours and the pauses of a demo with a number of scenes. */
export function testStage(demo: Demo, scenes: number): void {
  it("prints colours if they are on, and the same text", async () => {
    const plain = (await playDemo(demo)).lines;
    const coloured = (await playDemo(demo, { colours: true })).lines;

    // deno-lint-ignore no-control-regex -- the pattern matches control characters
    const codes = /\x1b\[\d+m/g;
    const unported = (line: string) => line.replace(/127\.0\.0\.1:\d+/, "127.0.0.1");
    assert(!plain.some((line) => line.includes("\x1b")));
    assert(coloured.filter((line) => line.match(codes)).length > 20);
    assertEquals(coloured.map((line) => unported(line.replace(codes, ""))), plain.map(unported));
  });

  it("pauses after each scene if it is slow, and never otherwise", async () => {
    const pauses = async (slow: boolean) =>
      (await playDemo(demo, { slow })).clock.waits.filter((seconds) => seconds === PAUSE).length;

    assertEquals(await pauses(true), scenes);
    assertEquals(await pauses(false), 0);
  });
}

/** The function of a scene. */
export type Play = (stage: { readonly api: { readonly url: string } }) => Promise<never>;

/**
 * Tests that a demo stops its API if a scene fails.
 *
 * @param playFailing Plays a demo whose only scene has this function
 */
export function testFailingScene(playFailing: (play: Play) => Promise<void>): void {
  it("stops the API when a scene fails, and rejects with its error", async () => {
    let url = "";
    const play: Play = ({ api }) => {
      url = api.url;
      return Promise.reject(new Error("stage fright"));
    };

    await assertRejects(() => playFailing(play), Error, "stage fright");

    assertMatch(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    await assertRejects(() => fetch(url));
  });
}
