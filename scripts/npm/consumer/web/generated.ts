/** Calls of an SDK that `@restwright/generate` made of a document. */
import { impatient } from "./impatient.ts";
import { check, errorOf, type Scene } from "./scene.ts";
import { Card, Front, FrontInvalidContentError } from "./sdk/mod.ts";

/** The scenes of a generated SDK. */
export const generated: Readonly<Record<string, Scene>> = {
  async "a generated client reads JSON"({ url }) {
    const { id, title } = await new Front({ baseUrl: url }).books.get(1);
    check("the book", id === 1 && title !== "");
  },

  async "a generated client throws an error with typed data"({ url }) {
    const { books } = new Front({ baseUrl: url });
    const adding = books.create({ title: "", author: "A", year: 1 });
    const { status, data } = await errorOf(adding, FrontInvalidContentError);
    check("the status", status === 422);
    check("the data", data?.problems[0]?.field === "title");
  },

  async "a generated client retries a 503"({ url }) {
    // The clock that does not wait would skip the client's time limit, too.
    const front = new Front({ ...impatient, timeout: null, baseUrl: url });
    const { times } = await front.calls.wait({ times: 3 });
    check("there were four requests", times === 3);
  },

  async "a generated client sends a form"({ url }) {
    const { calls } = new Front({ baseUrl: url });
    const { body } = await calls.sendForm({ book: "a & b", days: ["mo", "tu"] });
    check("the form", body === "book=a+%26+b&days=mo&days=tu");
  },

  async "a generated client sends and reads XML"({ url }) {
    const { calls } = new Front({ baseUrl: url });
    const card = await calls.sendCard({ id: 7, shelf: "<A>", tags: ["x", "y"] });
    check("the card is a model", card instanceof Card);
    check("its parts", card.id === 7 && card.shelf === "<A>" && card.tags.join() === "x,y");
  },
};
