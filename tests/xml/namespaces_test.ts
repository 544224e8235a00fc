import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { NamespaceFault, Namespaces } from "../../src/xml/namespaces.ts";
import { assertTakesAtMost } from "../support/linear_time.ts";

describe("namespace prefixes", () => {
  it("are valid from the start to the end of the element that declares them", () => {
    const names = new Namespaces();
    names.enter(["xmlns", "u", "xmlns:p", "v", "id", "7"]);
    assertEquals([names.element("a").key, names.attribute("a").key], ["{u}a", "a"]);
    names.enter(["xmlns", "", "xmlns:p", "w"]);
    assertEquals([names.element("a").key, names.attribute("p:a").key], ["a", "{w}a"]);
    names.leave();
    assertEquals([names.element("a").key, names.attribute("p:a").key], ["{u}a", "{v}a"]);
    names.leave();
    assertEquals(names.element("a").key, "a");
    assertThrows(() => names.element("p:a"), NamespaceFault, "is not declared");
  });

  it("are resolved once for each set of declarations", () => {
    const names = new Namespaces();
    names.enter(["xmlns:p", "u"]);
    names.enter([]);
    assert(names.element("p:a") === names.element("p:a"));
  });

  it("can be added and removed in constant time, even among many others", () => {
    const churning = (count: number) => {
      const names = new Namespaces();
      names.enter(Array.from({ length: count }, (_, index) => [`xmlns:p${index}`, "u"]).flat());
      return () => {
        for (let round = 0; round < 20_000; round++) {
          names.enter(["xmlns:q", "v"]);
          names.leave();
        }
      };
    };
    assertTakesAtMost(10, churning(10), churning(40_000));
  });
});
