/** Reading responses: JSON, XML, boxes and lists, with sessions and clients. */
import { APIEndpoint, APISession } from "@restwright/restwright";
import { toXml } from "@restwright/restwright/models";
import { openCassette } from "@restwright/restwright/testing";
import { Book, Library, Reading } from "./library.ts";
import { check, type Scene } from "./scene.ts";

class Shelf extends APIEndpoint<Reading> {
  protected override readonly _path: string = "books";

  get(id: number): Promise<{ readonly title: string }> {
    return this._get<{ title: string }>(id);
  }
}

/** The scenes about reading responses. */
export const reading: Readonly<Record<string, Scene>> = {
  async "a session returns the response of fetch"({ url }) {
    const response = await new APISession({ url }).get("books/1");
    check("it is a Response", response instanceof Response && response.status === 200);
    check("its body can be read", (await response.json()).title === "The Amber Almanac");
  },

  async "a session's endpoint parses JSON"({ url }) {
    const shelf = new Shelf(new Reading({ url }));
    check("the title is right", (await shelf.get(1)).title === "The Amber Almanac");
  },

  async "a cassette records and replays without a file"({ url }) {
    const recording = await openCassette({ version: 1, interactions: [] }, { mode: "record" });
    const read = async (fetch: typeof recording) => {
      const session = new APISession({ url, fetch });
      return await session.get<{ title: string }>("books/1", { convJson: true });
    };
    const { title } = await read(recording);
    const replaying = await openCassette(await recording.save());
    check("the title is right", title === "The Amber Almanac");
    check("the recorded title is the same", (await read(replaying)).title === title);
    replaying.assertDone();
  },

  async "a session boxes JSON"({ url }) {
    const options = { box: true, params: { size: 1 } } as const;
    const page = await new Reading({ url }).get<{ items: { title: string }[] }>("books", options);
    check("a nested object is a box too", page.items[0]?.title === "The Amber Almanac");
    check("a box inherits no fields", !("toString" in page));
  },

  async "a client reads JSON with a model"({ url }) {
    const book = await new Library({ baseUrl: url }).books.get(1);
    check("it is an instance of its class", book instanceof Book);
    check("its fields are right", book.id === 1 && book.onLoan === false);
  },

  async "a client reads XML with a model"({ url }) {
    const { data, response } = await new Library({ baseUrl: url }).books.get(1, "xml")
      .withResponse();
    const type = response.headers.get("content-type");
    check("it was XML", type === "application/xml");
    check("it is an instance of its class", data instanceof Book && data.year === 1900);
  },

  async "a client writes XML and JSON with a model"({ url }) {
    const { books } = new Library({ baseUrl: url });
    const book = await books.get(4);
    for (const format of ["xml", "json"] as const) {
      const title = `Räuber & <${format}>`;
      const sent = Book.of({ ...book, title });
      check(`it is stored as ${format}`, (await books.replace(sent, format)).title === title);
      check("it can be read again", (await books.get(4, format)).title === title);
    }
    check(
      "XML can be read without a request",
      (await Book.fromXml(toXml(book))).title === book.title,
    );
  },

  async "withResponse returns the response with the headers that CORS exposes"({ url }) {
    const { data, response } = await new Library({ baseUrl: url }).books.get(2).withResponse();
    check("the data and the response are right", data.id === 2 && response.ok);
    check("it has the request id", /^r-\d+$/.test(response.headers.get("x-request-id") ?? ""));
  },

  async "an iterator returns all elements, with and without prefetch"({ url }) {
    const { books } = new Library({ baseUrl: url });
    for (const prefetch of [0, 2]) {
      const ids = new Set<number>();
      for await (const { id } of books.all({ prefetch })) ids.add(id);
      check(`all books with prefetch: ${prefetch}`, ids.size === 250);
    }
  },

  async "a loop over an iterator can end early"({ url }) {
    const all = new Library({ baseUrl: url }).books.all();
    for await (const { id } of all) if (id === 3) break;
    check("one page was enough", all.pageCount === 1 && all.count === 3);
  },
};
