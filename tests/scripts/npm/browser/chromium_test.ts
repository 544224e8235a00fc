/** Tests of the search for Chromium. */
import { delimiter, join } from "node:path";
import { assertEquals, describe, it } from "#test";
import { findChromium } from "../../../../scripts/npm/browser/chromium.ts";

describe("the executable of Chromium", () => {
  it("is searched in each folder of PATH by each of its names", () => {
    const [one, other] = ["one", "other"];
    const path = [one, other].join(delimiter);
    const found = (...files: string[]) => findChromium(path, (file) => files.includes(file));
    assertEquals(found(join(other, "chromium")), join(other, "chromium"));
    const chrome = join(one, "google-chrome");
    assertEquals(found(chrome), chrome);
    assertEquals(found(chrome, join(other, "chromium")), join(other, "chromium"));
    assertEquals(found(), undefined);
    assertEquals(findChromium("", () => true), undefined);
  });
});
