/**
 * The JSONPaths of overlays, by RFC 9535. The package `json-p3` reads and evaluates them; it is loaded
 * only if there is an overlay. The paths of `stainless.yml` are others: `sdk/json_path.ts` reads them.
 */
import type { JSONValue } from "json-p3";
import type { Holder } from "../read/editing.ts";
import { MAX_DEPTH } from "../read/limits.ts";
import { pointerOf } from "../read/pointers.ts";

/** A value that a path leads to. */
export interface Match {
  readonly value: unknown;
  /** The JSON pointer of the value. */
  readonly pointer: string;
  /** The object or list that has the value, and its key there; undefined for the whole document. */
  readonly place: { readonly holder: Holder; readonly key: string | number } | undefined;
}

/** Counts a value that a path looks at, and the values that it has found. Throws if they are too many. */
export type Count = (found?: number) => void;

/** Finds the values that a path leads to, each of them once. */
export type JsonPath = (root: unknown, count: Count) => Match[];

/** A path that cannot be read, or cannot be followed. */
export class JsonPathFault extends Error {
  override readonly name = "JsonPathFault";
}

/**
 * Loads the reader of paths.
 *
 * @returns A function that reads a path. It throws a JsonPathFault if it is not one of RFC 9535
 */
export async function loadJsonPaths(): Promise<(text: string) => JsonPath> {
  const { JSONPathEnvironment, JSONPathError } = await import("json-p3");

  class CountingEnvironment extends JSONPathEnvironment {
    count: Count = () => {};

    override entries(object: { [key: string]: JSONValue }): [string, JSONValue][] {
      this.count();
      return super.entries(object);
    }
  }

  /** Calls a function of the package, whose errors become faults of the path. */
  function checked<Result>(call: () => Result): Result {
    try {
      return call();
    } catch (error) {
      // A RangeError is thrown for a filter that finds more values than a call can have arguments.
      if (!(error instanceof JSONPathError) && !(error instanceof RangeError)) throw error;
      throw new JsonPathFault(error.message, { cause: error });
    }
  }

  // The package counts the document itself, and stops one level earlier.
  const environment = new CountingEnvironment({ maxRecursionDepth: MAX_DEPTH + 2 });
  return (text) => {
    const query = checked(() => environment.compile(text));
    return (root, count) => {
      environment.count = count;
      const nodes = query.lazyQuery(root as JSONValue);
      const matches = new Map<string, Match>();
      for (;;) {
        const { done, value: node } = checked(() => nodes.next());
        if (done === true) return [...matches.values()];
        const pointer = pointerOf(node.location);
        const { value, location } = node;
        matches.set(pointer, { value, pointer, place: placeOf(root, location) });
        count(matches.size);
      }
    };
  };
}

/** Returns the object or list that has the value of a location, and its key there. */
function placeOf(root: unknown, location: readonly (string | number)[]): Match["place"] {
  const key = location.at(-1);
  if (key === undefined) return undefined;
  const holder = location.slice(0, -1).reduce<unknown>(
    (value, each) => (value as Readonly<Record<string | number, unknown>>)[each],
    root,
  );
  return { holder: holder as Holder, key };
}
