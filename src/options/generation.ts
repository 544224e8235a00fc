/** The table of differences between the two generations of the interface. */
import { joinAsWritten, joinBySlash } from "../http/url.ts";

/**
 * The differences between the two generations of the interface.
 *
 * @internal
 */
export interface Generation {
  /** The name of the static and the option for the base URL. */
  readonly baseUrl: "url" | "baseUrl";
  /** The options that only this generation has. */
  readonly ownOptions: readonly string[];
  /** True if redirects are followed by default. */
  readonly followRedirects: boolean;
  /** The longest wait in seconds for a Retry-After header by default; null for no limit. */
  readonly maxRetryAfter: number | null;
  /** True if a 429 without Retry-After waits until the reset of its rate limit. */
  readonly waitsForReset: boolean;
  /** The property of endpoints and iterators with their session or client. */
  readonly backReference: "_api" | "_client";
  /** Joins the path of an endpoint, which is not empty, and the path of a call. */
  readonly joinSuffix: (prefix: string, suffix: string) => string;
}

/** The first generation: `APISession`. */
export const firstGeneration: Generation = {
  baseUrl: "url",
  ownOptions: ["url", "basePath"],
  followRedirects: true,
  maxRetryAfter: null,
  waitsForReset: false,
  backReference: "_api",
  joinSuffix: joinBySlash,
};

/** The second generation: `APIClient`. */
export const secondGeneration: Generation = {
  baseUrl: "baseUrl",
  ownOptions: ["baseUrl"],
  followRedirects: false,
  maxRetryAfter: 3600,
  waitsForReset: true,
  backReference: "_client",
  joinSuffix: joinAsWritten,
};
