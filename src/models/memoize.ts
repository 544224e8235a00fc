/**
 * A function that makes something once, and gives the same from then on.
 *
 * @param make Makes it
 * @param known What was made; by default it goes with the object that it was made of
 */
export function memoize<K, V extends object>(
  make: (of: K) => V,
  known: { get(of: K): V | undefined; set(of: K, made: V): unknown } = new WeakMap<K & object, V>(),
): (of: K) => V {
  return (of) => {
    let made = known.get(of);
    if (made === undefined) known.set(of, made = make(of));
    return made;
  };
}
