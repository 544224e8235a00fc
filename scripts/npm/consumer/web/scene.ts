/** Defines and plays scenes: the test cases of a user's program on the web. */

/** The environment of a scene. */
export interface Place {
  /** The URL of the example API. Its origin differs from the program's. */
  readonly url: string;
}

/** The environment of a scene in a browser. */
export interface BrowserPlace extends Place {
  /** The URL of a server that receives uploads over HTTPS with HTTP/2. */
  readonly http2: string;
  /** The URL of a server that receives uploads over HTTPS with HTTP/1.1. */
  readonly http1: string;
}

/** A test case: something that a user does. It rejects if the outcome is not the expected one. */
export type Scene<P extends Place = Place> = (place: P) => Promise<void>;

/** A request as the API received it. */
export interface Echo {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The result of a scene. */
export interface Played {
  readonly scene: string;
  /** The error's name and message; empty if the scene passed. */
  readonly fault: string;
}

/** Throws an error with the description if the condition is false. */
export function check(what: string, holds: boolean): asserts holds {
  if (!holds) throw new Error(`check failed: ${what}`);
}

/** Returns the error of a call that must fail with an error of a class. Throws if it does not. */
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
  throw new Error(`expected a ${expected.name}, but the call resolved to ${JSON.stringify(value)}`);
}

/** Plays scenes one after another, so that they do not affect each other through the API. */
export async function play<P extends Place>(
  scenes: Readonly<Record<string, Scene<P>>>,
  place: P,
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
