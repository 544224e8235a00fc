import type { Scene } from "./scene.ts";

/** Shows a 429 with Retry-After that is retried. */
export const retried: Scene = {
  title: "A request is retried when a busy API asks for it",

  async play({ library, api, stage }) {
    const before = api.requests.length;
    stage.call("library.librarian.tip()");
    const book = await library.librarian.tip();
    const attempts = api.requests.length - before;
    stage.result(`${book.title}, by ${book.author}: one await, no loop`);
    stage.details({
      attempts,
      waited: `${stage.elapsed().toFixed(1)} s, because each 429 came with Retry-After: 0.3`,
    });
  },
};
