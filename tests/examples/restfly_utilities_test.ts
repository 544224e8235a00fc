import { assertEquals, describe, it } from "#test";
import {
  dictClean,
  dictFlatten,
  dictMerge,
  isUrl,
  redactValues,
  trunc,
} from "../../examples/restfly_utilities.ts";

describe("the functions in place of restfly.utils", () => {
  it("merge mappings at every depth, and replace lists", () => {
    const settings = { scan: { name: "weekly", policy: { id: 7 } }, tags: ["a", "b"] };

    assertEquals(dictMerge(settings, { scan: { policy: { level: 2 } } }, { tags: ["c"] }), {
      scan: { name: "weekly", policy: { id: 7, level: 2 } },
      tags: ["c"],
    });
    assertEquals(settings.scan.policy, { id: 7 });
  });

  it("remove null and empty mappings, but no nulls in lists", () => {
    assertEquals(
      dictClean({ a: 1, b: { c: null }, d: [{ e: null }, { f: 2, g: null }, null] }),
      { a: 1, d: [{ f: 2 }, null] },
    );
  });

  it("flatten mappings, also those in lists", () => {
    assertEquals(dictFlatten({ a: 1, b: { c: { d: 2 } }, e: [{ f: { g: 3 } }] }), {
      "a": 1,
      "b.c.d": 2,
      "e": [{ "f.g": 3 }],
    });
  });

  it("redact the values of keys at every depth, lists included", () => {
    assertEquals(
      redactValues([{ user: { password: { old: "x" }, name: "ada" } }], ["password"]),
      [{ user: { password: "REDACTED", name: "ada" } }],
    );
  });

  it("shorten texts that reach the limit", () => {
    assertEquals(
      [trunc("this is a test", 6), trunc("this is a test", 6, ""), trunc("six", 3)],
      ["thi...", "this i", "..."],
    );
    assertEquals([trunc("no", 3), trunc("\u{1F600}\u{1F600}", 3)], ["no", "\u{1F600}\u{1F600}"]);
  });

  it("recognize URLs by their parts", () => {
    assertEquals(
      ["https://localhost:8834", "localhost:8834", "google.com"].map((url) => isUrl(url)),
      [true, false, false],
    );
    assertEquals(isUrl("https://httpbin.com/404", ["scheme", "netloc", "path"]), true);
    assertEquals(isUrl("https://httpbin.com", ["scheme", "netloc", "path"]), false);
  });
});
