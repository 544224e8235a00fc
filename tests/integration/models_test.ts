import { after, assert, assertEquals, before, describe, it } from "#test";
import { APIClient, APIEndpoint, APISession } from "../../mod.ts";
import { attr, element, elements, model, string, text, toXml } from "../../src/models/mod.ts";
import { type Httpbin, httpbinMissing, startHttpbin } from "../support/httpbin.ts";

/** A line of a slide. `words` has its text without the text of nested elements. */
class Line extends model("item", { words: text(string, { default: "" }) }) {}

/** A slide of httpbin's sample. */
class Slide extends model("slide", {
  title: element(string),
  lines: elements(Line, { tag: "item" }),
  kind: attr(string, { tag: "type" }),
}) {}

class Slideshow extends model("slideshow", {
  title: attr(string),
  author: attr(string),
  slides: elements(Slide, { tag: "slide" }),
}) {
  titles(): string[] {
    return this.slides.map(({ title }) => title);
  }
}

/** The request as httpbin echoes it. */
class Echo extends model("echo", { url: element(string), json: element(Slideshow) }) {}

class Formats extends APIEndpoint<APISession | APIClient> {
  xml(): Promise<Slideshow> {
    return this._get("/xml", { responseModel: Slideshow });
  }
  echo(show: Slideshow): Promise<Echo> {
    return this._post("/post", { json: show, responseModel: Echo });
  }
}

describe("typed models against httpbin", () => {
  const missing = httpbinMissing();
  let httpbin: Httpbin;

  const test = (name: string, body: () => Promise<void>) => it(name, body, { ignore: missing });

  before(async () => {
    if (missing === undefined) httpbin = await startHttpbin();
  });
  after(async () => {
    await httpbin?.stop();
  });

  const generations = {
    "generation 1": () =>
      new (class extends APISession {
        readonly formats: Formats = new Formats(this);
      })({ url: httpbin.url }),
    "generation 2": () =>
      new (class extends APIClient {
        readonly formats: Formats = new Formats(this);
      })({ baseUrl: httpbin.url }),
  };

  for (const [generation, start] of Object.entries(generations)) {
    test(`${generation}: parses the sample slide show in XML into model instances`, async () => {
      const show = await start().formats.xml();
      assert(show.slides[1] instanceof Slide);
      assertEquals(show.titles(), ["Wake up to WonderWidgets!", "Overview"]);
      assertEquals([show.author, show.slides[1].kind], ["Yours Truly", "all"]);
      assertEquals(show.slides[1].lines.length, 3);
    });

    test(`${generation}: sends in JSON a model that was read from XML, and parses the echo`, async () => {
      const { formats } = start();
      const show = await formats.xml();
      const echo = await formats.echo(show);
      assert(echo.json instanceof Slideshow);
      assertEquals(toXml(echo.json), toXml(show));
    });
  }
});
