/** A function that makes something of an object once, and gives the same from then on. */
export function remembered<K extends object, V extends object>(make: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, V>();
  return (of) => {
    let made = known.get(of);
    if (made === undefined) known.set(of, made = make(of));
    return made;
  };
}
