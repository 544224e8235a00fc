import { startLibraryApi } from "../library_api.ts";
import { LibraryClient } from "../library_api_client.ts";
import { Library } from "../library_client.ts";
import { allBooks } from "./all_books.ts";
import { badCard } from "./bad_card.ts";
import { bookInBothFormats } from "./book_in_both_formats.ts";
import { booksByLoop } from "./books_by_loop.ts";
import { checkedModels } from "./checked_models.ts";
import { errorsAsClasses } from "./errors_as_classes.ts";
import { generatedSdk } from "./generated_sdk.ts";
import { hastyClient } from "./hasty_client.ts";
import { login } from "./login.ts";
import { readsAndWrites } from "./reads_and_writes.ts";
import { redactedLog } from "./redacted_log.ts";
import { retried } from "./retried.ts";
import type { Scene } from "./scene.ts";
import { makeStage, type StageOptions } from "./stage.ts";
import { typedErrorData } from "./typed_error_data.ts";
import { withItsResponse } from "./with_its_response.ts";

/** All scenes in order: first generation 1, then generation 2, then models, then a generated SDK. */
export const allScenes: readonly Scene[] = [
  readsAndWrites,
  allBooks,
  retried,
  errorsAsClasses,
  redactedLog,
  login,
  checkedModels,
  withItsResponse,
  typedErrorData,
  booksByLoop,
  hastyClient,
  bookInBothFormats,
  badCard,
  generatedSdk,
];

/**
 * Starts the library's API, plays scenes with its clients, and stops the API again. The API is also
 * stopped if a scene fails.
 *
 * @param options The options of the stage. Their clock also measures the clients' waits.
 * @param scenes The scenes. Default: all
 */
export async function runDemo(
  options: StageOptions,
  scenes: readonly Scene[] = allScenes,
): Promise<void> {
  const stage = makeStage(options);
  const api = await startLibraryApi();
  try {
    const { logger } = stage;
    const { clock } = options;
    const library = new Library({ url: api.url, logger, clock });
    const client = new LibraryClient({ baseUrl: api.url, logger, clock });
    stage.open("Restwright: a client and the API of a lending library", [
      `The API runs at ${api.url} (examples/library_api.ts).`,
      "library is an SDK of generation 1 (examples/library_client.ts), and",
      "client is one of generation 2, with models (examples/library_api_client.ts).",
    ]);
    for (const scene of scenes) {
      stage.scene(scene.title);
      await scene.play({ library, client, api, stage, clock });
      await stage.pause();
    }
    await client.close();
    await library.close();
  } finally {
    await api.stop();
  }
  stage.close(`${scenes.length} scenes, ${api.requests.length} requests. The API is stopped.`);
}
