import { assert, assertEquals, describe, it } from "#test";
import { referenceOverview } from "../../../scripts/shared/pages/reference.ts";
import { boostOfName, searchedOverview } from "../../../scripts/site/search.ts";

describe("the site's search", () => {
  it("has a section for each exported name once, with the id of its first link", () => {
    const overview = referenceOverview("@ada/kit", [
      { entry: ".", summary: "All of it.", names: new Map([["Kit", "A"]]) },
      { entry: "./auth", summary: "A part.", names: new Map([["Kit", "A"], ["auth", "A"]]) },
    ], "./api/");
    assertEquals([...searchedOverview(overview).matchAll(/<h2>(.*?)<\/h2>/g)].map(([, it]) => it), [
      'Kit<a href="#name-Kit"></a>',
      'auth<a href="#name-auth"></a>',
    ]);
  });

  it("puts the section whose title is the typed term before all others", () => {
    const factor = (title: string) =>
      boostOfName("/reference#name-APIClient", "apiclient", { title });
    assert(factor("APIClient") > factor("Options of APIClient"));
    assertEquals(factor("Retries"), 1);
  });

  it("has a factor that works as a text, as the site runs it", () => {
    const text = new Function(`return (${boostOfName})`)() as typeof boostOfName;
    assertEquals(text("/reference#name-Box", "box", { title: "Box" }), 100);
    assertEquals(text("/reference#name-Box", "boxes", { title: "Box" }), 1);
  });
});
