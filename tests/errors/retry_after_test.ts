import { assertEquals, describe, it } from "#test";
import { readRetryAfter } from "../../src/errors/retry_after.ts";

const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);

describe("reading a Retry-After header", () => {
  const valid: readonly (readonly [string, number])[] = [
    ["0", 0],
    ["120", 120],
    ["1.5", 1.5],
    ["1.", 1],
    ["1e-1", 0.1],
    ["1E+3", 1000],
    ["2.5e1", 25],
    [".5e1", 5],
    ["5.e1", 50],
    ["1e-400", 0],
    ["+1", 1],
    ["+.5e-1", 0.05],
    [".5", 0.5],
    ["0.0", 0],
    ["007", 7],
    [" 5 ", 5],
    ["31536000000", 31536000000],
    ["Fri, 20 Nov 2026 12:00:30 GMT", 30],
    ["Friday, 20-Nov-26 12:00:30 GMT", 30],
    ["Fri Nov 20 12:00:30 2026", 30],
    ["Thu Dec  3 12:00:00 2026", 13 * 86400],
    ["Thu, 03 Dec 2026 12:00:00 GMT", 13 * 86400],
    ["Fri, 20 Nov 2026 12:00:00 GMT", 0],
    ["Fri, 20 Nov 2026 11:59:59 GMT", 0],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 0],
    ["Sun Nov  6 08:49:37 1994", 0],
    ["Thu, 31 Dec 2026 23:59:60 GMT", (Date.UTC(2027, 0, 1) - NOW) / 1000], // a leap second
    ["Friday, 20-Nov-76 12:00:00 GMT", (Date.UTC(2076, 10, 20, 12) - NOW) / 1000],
    ["Saturday, 20-Nov-77 12:00:00 GMT", 0],
  ];
  it("returns undefined without a header", () => {
    assertEquals(readRetryAfter(null, NOW), undefined);
  });

  for (const [header, seconds] of valid) {
    // contract: decision-3
    it(`returns ${seconds} s for '${header}'`, () => {
      assertEquals(readRetryAfter(header, NOW), seconds);
    });
  }

  const invalid = [
    "",
    " ",
    "-1",
    "-0.5",
    "-0",
    "+-1",
    "++1",
    "+",
    "e3",
    ".e3",
    "1e",
    "1e+",
    "1e1.5",
    "1e400",
    "9".repeat(400),
    "0x10",
    "0x1p4",
    "0b11",
    "10n",
    "1_000",
    "1,5",
    "1 2",
    "5s",
    "5, 10",
    "NaN",
    "Infinity",
    "inf",
    "+inf",
    "nan",
    "infinity",
    "soon",
    ".",
    "١٢",
    "2026-11-20T12:00:30Z",
    "Fri, 20 Nov 2026 12:00:30",
    "Fri, 20 Nov 2026 12:00:30 UTC",
    "Fri, 20 Nov 2026 12:00:30 +0000",
    "Fri, 20 Foo 2026 12:00:30 GMT",
    "fri, 20 nov 2026 12:00:30 gmt",
    "20 Nov 2026 12:00:30 GMT",
    "Fri, 32 Nov 2026 12:00:30 GMT",
    "Fri, 20 Nov 2026 25:00:30 GMT",
    "Friday, 20-Foo-26 12:00:30 GMT",
    "Fri Foo 20 12:00:30 2026",
    "Fri, 20 Nov 2026 12:00:30 GMT, 5",
  ];
  for (const header of invalid) {
    // contract: decision-3
    it(`returns undefined for the invalid value '${header.slice(0, 40)}'`, () => {
      assertEquals(readRetryAfter(header, NOW), undefined);
    });
  }
});
