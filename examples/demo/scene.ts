import type { Clock } from "../../mod.ts";
import type { LibraryApi } from "../library_api.ts";
import type { LibraryClient } from "../library_api_client.ts";
import type { Library } from "../library_client.ts";
import type { Stage } from "./stage.ts";

/** What a scene plays with. */
export interface Props {
  /** The client of generation 1. */
  readonly library: Library;
  /** The client of generation 2. */
  readonly client: LibraryClient;
  /** The API that it calls. */
  readonly api: LibraryApi;
  /** Where the scene is shown. */
  readonly stage: Stage;
  /** What a client's waits are measured by, where it is not the system's clock. */
  readonly clock: Clock | undefined;
}

/** One part of the demo, about one thing that the toolkit does. */
export interface Scene {
  /** What it shows. */
  readonly title: string;
  /** Plays it; rejects where something else happens than it tells. */
  play(props: Props): Promise<void>;
}

/** The error that a call is shown to fail with. */
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
  throw new Error(`the call was to fail with ${expected.name}, and succeeded`);
}
