/** The values of each dimension of a product, by the name of the dimension. */
export type Dimensions = Readonly<Record<string, readonly unknown[]>>;

/** One combination: a value of each dimension. */
export type Combination<D extends Dimensions> = { readonly [K in keyof D]: D[K][number] };

/** Returns all combinations of the values. */
export function fullProduct<const D extends Dimensions>(dimensions: D): Combination<D>[] {
  return Object.entries(dimensions).reduce<Record<string, unknown>[]>(
    (rows, [name, values]) =>
      rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  ) as Combination<D>[];
}

/**
 * Returns few combinations in which each value of a dimension meets each value of every other
 * dimension. The same dimensions lead to the same combinations.
 *
 * Each combination begins with a pair that is missing. The other values are those that add the most
 * missing pairs.
 *
 * @param dimensions The values of each dimension
 * @param allows Returns false for a combination, or a part of one, that must not occur. Default: all
 * may occur
 */
export function pairwise<const D extends Dimensions>(
  dimensions: D,
  allows: (part: Partial<Combination<D>>) => boolean = () => true,
): Combination<D>[] {
  const names = Object.keys(dimensions);
  const all = Object.values(dimensions);
  /** Returns the values with these numbers, by the number of their dimension. */
  const partOf = (row: Iterable<readonly [number, number]>) =>
    Object.fromEntries(Array.from(row, ([c, k]) => [names[c], all[c]![k]])) as Combination<D>;
  /** A pair: the numbers of two dimensions, and those of a value of each. */
  const key = (a: number, b: number, i: number, j: number) =>
    a < b ? `${a},${b},${i},${j}` : `${b},${a},${j},${i}`;
  const missing = new Set<string>();
  for (const [a, values] of all.entries()) {
    for (const [b, others] of all.slice(0, a).entries()) {
      for (const i of values.keys()) {
        for (const j of others.keys()) {
          if (allows(partOf([[a, i], [b, j]]))) missing.add(key(a, b, i, j));
        }
      }
    }
  }
  const rows: Combination<D>[] = [];
  let state = 1;
  for (const first of missing) {
    const [a = 0, b = 0, i = 0, j = 0] = first.split(",").map(Number);
    const row = new Map([[a, i], [b, j]]);
    const gain = (c: number, k: number) =>
      [...row].filter(([d, l]) => missing.has(key(c, d, k, l))).length;
    for (const [c, values] of all.entries()) {
      if (row.has(c)) continue;
      // Of values that add as many pairs, one is picked at random, always the same one.
      state = state * 48271 % 2147483647;
      const best = Array.from(values.keys(), (k) => (k + state) % values.length)
        .filter((k) => allows(partOf([...row, [c, k]])))
        .reduce((one, other) => one < 0 || gain(c, other) > gain(c, one) ? other : one, -1);
      if (best >= 0) row.set(c, best);
    }
    missing.delete(first);
    if (row.size < all.length) continue; // no combination may have this pair
    for (const [c, k] of row) for (const [d, l] of row) if (c < d) missing.delete(key(c, d, k, l));
    rows.push(partOf(row));
  }
  return rows;
}
