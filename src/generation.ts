import { pathAsGiven, UnexpectedValueError } from "./errors/unexpected_value_error.ts";
import { joinPath, resolvesToBase } from "./http/url.ts";

/**
 * What differs between the two generations of the interface; all else is the same for both.
 *
 * @category Types
 */
export interface Generation {
  /** The class's attribute, and the option, that holds the base URL. */
  readonly baseUrl: "url" | "baseUrl";
  /** The options that only it has. */
  readonly ownOptions: readonly string[];
  /** Whether redirects are followed where nobody says. */
  readonly followRedirects: boolean;
  /** What an endpoint and an iterator call the one that they belong to. */
  readonly backReference: "_api" | "_client";
  /** Joins the path of an endpoint, which is not empty, and what follows it. */
  readonly joinSuffix: (prefix: string, suffix: string) => string;
}

/** The first generation: `APISession`. */
export const firstGeneration: Generation = {
  baseUrl: "url",
  ownOptions: ["url", "basePath"],
  followRedirects: true,
  backReference: "_api",
  // By a slash, whatever each ends or begins with.
  joinSuffix: (prefix, suffix) => joinPath(prefix.replace(/\/+$/, ""), suffix),
};

/** The second generation: `APIClient`. */
export const secondGeneration: Generation = {
  baseUrl: "baseUrl",
  ownOptions: ["baseUrl"],
  followRedirects: false,
  backReference: "_client",
  // As it stands; a slash that is missing between them is put in.
  joinSuffix(prefix, suffix) {
    joinPath("", suffix); // refuses what climbs above the prefix
    const isJoined = prefix.endsWith("/") || /^[/?#]/.test(suffix);
    return `${prefix}${isJoined ? "" : "/"}${suffix}`;
  },
};

/**
 * The path of an endpoint and what follows it; without either it is the other.
 *
 * @throws {UnexpectedValueError} Where dot segments lead above the endpoint's path, or back to it:
 * an id must not delete the collection
 */
export function joinPaths(generation: Generation, prefix: string, suffix: string): string {
  if (suffix === "") return prefix;
  if (prefix !== "" && /[.%]/.test(suffix) && resolvesToBase(suffix)) {
    throw new UnexpectedValueError(
      "path",
      "a path that does not resolve to the endpoint's own path through dot segments (. or ..)",
      pathAsGiven(suffix),
    );
  }
  return prefix === "" ? suffix : generation.joinSuffix(prefix, suffix);
}
