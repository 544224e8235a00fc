/** The style of queries with indices or dots, which some servers expect. */
import { isDate } from "../base/foreign_objects.ts";
import { nestedIn } from "../base/nesting.ts";

/**
 * Returns a function for the option `paramsStyle`, which writes lists and objects at any depth.
 *
 * It throws an `UnexpectedValueError` for a value that is in itself, or more than 100 levels deep.
 *
 * @param settings The form of lists: `a=1,2`, `a=1&a=2`, `a[]=1&a[]=2` or `a[0]=1&a[1]=2`, by default
 * the last one; and of objects: `a[b]=1` or `a.b=1`, by default the first one
 *
 * @example
 * ```ts
 * import { nestedQuery, ResourceClient } from "@restwright/restwright/resources";
 *
 * const fetch = (url: string | URL | Request) => Promise.resolve(Response.json(String(url)));
 * const client = new ResourceClient({
 *   baseURL: "https://api.example.com",
 *   paramsStyle: nestedQuery({ objects: "dots" }),
 *   fetch,
 * });
 * console.log(await client.get("/pets", { query: { age: { min: 3 }, tags: ["a"] } }));
 * // https://api.example.com/pets?age.min=3&tags%5B0%5D=a
 * ```
 *
 * @category Resources
 */
export function nestedQuery(
  { lists = "indices", objects = "brackets" }: {
    /** `a=1,2`, `a=1&a=2`, `a[]=1&a[]=2` or `a[0]=1&a[1]=2`. Default: "indices" */
    readonly lists?: "comma" | "repeat" | "brackets" | "indices" | undefined;
    /** `a[b]=1` or `a.b=1`. Default: "brackets" */
    readonly objects?: "brackets" | "dots" | undefined;
  } = {},
): (params: Readonly<Record<string, unknown>>) => [name: string, value: string][] {
  const add = (
    pairs: [string, string][],
    name: string,
    value: unknown,
    parents: readonly unknown[],
  ): void => {
    if (value === undefined || value === null) return;
    if (Array.isArray(value)) {
      if (lists === "comma") {
        if (value.length > 0) pairs.push([name, value.map(String).join(",")]);
        return;
      }
      const within = nestedIn(value, parents, name);
      value.forEach((each, index) => {
        const end = { repeat: "", brackets: "[]", indices: `[${index}]` }[lists];
        add(pairs, name + end, each, within);
      });
    } else if (isDate(value)) pairs.push([name, value.toISOString()]);
    else if (typeof value === "object") {
      const within = nestedIn(value, parents, name);
      for (const [key, each] of Object.entries(value)) {
        add(pairs, objects === "dots" ? `${name}.${key}` : `${name}[${key}]`, each, within);
      }
    } else pairs.push([name, String(value)]);
  };
  return (params) => {
    const pairs: [string, string][] = [];
    for (const [name, value] of Object.entries(params)) {
      // A parameter can have the brackets in its name.
      const isNamed = lists === "brackets" && Array.isArray(value) && name.endsWith("[]");
      add(pairs, isNamed ? name.slice(0, -2) : name, value, [params]);
    }
    return pairs;
  };
}
