import { Library, LibraryNotFoundError } from "../generated/library/mod.ts";
import { errorOf, type Scene } from "./scene.ts";

/** Shows an SDK that the generator wrote from a document. */
export const generatedSdk: Scene = {
  title: "An SDK can be generated from an OpenAPI document",

  async play({ api, stage }) {
    stage.line("deno task generate examples/generated/library.yaml \\");
    stage.line("  --out examples/generated/library");
    stage.call("const generated = new Library({ baseUrl: api.url })");
    const generated = new Library({ baseUrl: api.url, logger: stage.logger });
    stage.call('generated.books.list({ author: "Ada Moss", size: 2 })');
    const { items, body } = await generated.books.list({ author: "Ada Moss", size: 2 });
    stage.result(`${items.length} of ${body.total} books, the first is ${items[0]?.title}`);

    stage.call("generated.books.get(999)");
    const missing = await errorOf(generated.books.get(999), LibraryNotFoundError);
    stage.error(`${missing.name}: ${missing.status}`);
    stage.details({ ".data.error": missing.data?.error });
  },
};
