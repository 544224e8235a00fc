/** The key of a parameter in the maps of a shape. */

/** Returns the key of a parameter by its place and its name: `header x-trace`. */
export function parameterKey(place: string, name: string): string {
  return `${place} ${place === "header" ? name.toLowerCase() : name}`;
}
