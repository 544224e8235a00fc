import type { Clock } from "../../mod.ts";
import type { LibraryApi } from "../library_api.ts";
import type { LibraryClient } from "../library_api_client.ts";
import type { Library } from "../library_client.ts";
import type { Stage } from "./stage.ts";

/** The objects that a scene uses. */
export interface Props {
  /** The client of generation 1. */
  readonly library: Library;
  /** The client of generation 2. */
  readonly client: LibraryClient;
  /** The API that the clients call. */
  readonly api: LibraryApi;
  /** The output of the scene. */
  readonly stage: Stage;
  /** The clock that measures the clients' waits; undefined for the system's clock. */
  readonly clock: Clock | undefined;
}

/** One part of the demo, which shows one feature of the toolkit. */
export interface Scene {
  /** The feature that the scene shows. */
  readonly title: string;
  /** Plays the scene. Rejects if a call does not behave as the scene expects. */
  play(props: Props): Promise<void>;
}

/** Returns the error that a call is expected to reject with. */
export async function errorOf<E extends Error>(
  call: Promise<unknown>,
  expected: abstract new (...args: never[]) => E,
): Promise<E> {
  try {
    await call;
  } catch (error) {
    if (error instanceof expected) return error;
    throw error;
  }
  throw new Error(`expected the call to fail with ${expected.name}, but it succeeded`);
}
