import { ValidationError } from "../../mod.ts";
import { Book } from "../library_models.ts";
import { errorOf, type Scene } from "./scene.ts";

/** Shows models of generation 2: responses are validated, and results are instances. */
export const checkedModels: Scene = {
  title: "A client of generation 2 returns models and validates responses",

  async play({ client, stage }) {
    stage.call("client.books.get(4)");
    const book = await client.books.get(4);
    stage.result(`a Book, instanceof Book: ${book instanceof Book}`);
    stage.details({ ".year": book.year, ".summary()": book.summary() });

    stage.call("client.books.get(4), after the API has changed its format");
    const changed = () => Promise.resolve(Response.json({ id: "4", title: "The Distant Almanac" }));
    const broken = client.withOptions({ fetch: changed });
    const error = await errorOf(broken.books.get(4), ValidationError);
    stage.error(`${error.name}: an incomplete Book is never returned`);
    stage.details(Object.fromEntries(
      error.issues.slice(0, 2).map(({ path, message }) => [path.join("."), message]),
    ));
  },
};
