import { assert, assertEquals, describe, it } from "#test";
import { fullProduct, pairwise } from "../support/pairwise.ts";
import { allCases, allFaults, pairwiseCases } from "../support/faults/matrix.ts";

/** Returns all pairs of values of two dimensions that some rows have. */
function pairsOf(rows: readonly Readonly<Record<string, unknown>>[]): Set<string> {
  return new Set(
    rows.flatMap((row) => {
      const values = Object.entries(row).map(([name, value]) => `${name}=${value}`);
      return values.flatMap((one) => values.map((other) => `${one} ${other}`));
    }),
  );
}

describe("pairwise combinations", () => {
  const products: readonly Readonly<Record<string, readonly unknown[]>>[] = [
    { a: [1, 2], b: [1, 2] },
    { a: [1, 2, 3], b: [1, 2], c: [1] },
    { a: [1, 2, 3, 4, 5], b: [1, 2, 3], c: [1, 2, 3], d: [1, 2], e: [1, 2], f: [1, 2] },
    { a: [1, 2], b: Array.from({ length: 40 }, (_, value) => value), c: [1, 2, 3, 4] },
  ];

  for (const product of products) {
    const sizes = Object.values(product).map(({ length }) => length);

    it(`have all pairs of the full product, in fewer rows: ${sizes.join(" x ")}`, () => {
      const rows = pairwise(product);
      const all = fullProduct(product);
      assertEquals(all.length, sizes.reduce((one, other) => one * other));
      assertEquals(pairsOf(rows), pairsOf(all));
      const [first = 1, second = 1] = sizes.toSorted((one, other) => other - one);
      assert(rows.length >= first * second && rows.length <= 1.5 * first * second);
    });
  }

  it("are the same each time", () => {
    assertEquals(pairwise(products[2]!), pairwise(products[2]!));
  });
});

describe("the cases of the fault matrix", () => {
  /** Every eighth fault, to save time. */
  const some = allFaults.filter((_, index) => index % 8 === 0)
    .map((fault) => ({ ...fault, toString: () => fault.name }));
  const rowsOf = (cases: readonly object[]) => cases.map((each) => ({ ...each }));

  it("have different names of faults", () => {
    assertEquals(new Set(allFaults.map(({ name }) => name)).size, allFaults.length);
  });

  it("have the same pairs in the short and in the long form", () => {
    const routes = ["direct", "nginx", "squid"] as const;
    const short = pairwiseCases(some, routes);
    const long = allCases(some, routes);
    assertEquals(pairsOf(rowsOf(short)), pairsOf(rowsOf(long)));
    assert(short.length * 10 < long.length, `${short.length} and ${long.length}`);
  });
});
