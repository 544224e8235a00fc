/** A scene of a user's program on the web, and how it is played. */

/** What a scene is given. */
export interface Place {
  /** Where the example API is: of another origin than the program. */
  readonly url: string;
}

/** One thing that a user does. It rejects where something else happens. */
export type Scene = (place: Place) => Promise<void>;

/** What the API saw of a request. */
export interface Echo {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What became of a scene. */
export interface Played {
  readonly scene: string;
  /** What went wrong; empty where nothing did. */
  readonly fault: string;
}

/** Says what is wrong by the error that it throws. */
export function check(what: string, holds: boolean): asserts holds {
  if (!holds) throw new Error(`not so: ${what}`);
}

/** The error of a class that a call is to fail with. */
export async function errorOf<E extends Error>(
  call: PromiseLike<unknown>,
  expected: abstract new (...args: never[]) => E,
): Promise<E> {
  let value: unknown;
  try {
    value = await call;
  } catch (error) {
    if (error instanceof expected) return error;
    throw error;
  }
  throw new Error(`not so: it fails with ${expected.name}; it gave ${JSON.stringify(value)}`);
}

/** Plays scenes one after another, so that each has the API to itself. */
export async function play(
  scenes: Readonly<Record<string, Scene>>,
  place: Place,
): Promise<Played[]> {
  const played: Played[] = [];
  for (const [name, scene] of Object.entries(scenes)) {
    let fault = "";
    try {
      await scene(place);
    } catch (error) {
      fault = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
    played.push({ scene: name, fault });
  }
  return played;
}
