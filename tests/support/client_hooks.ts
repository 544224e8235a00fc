import { describe } from "#test";
import { APIClient, APISession, type ClientOptions, type SessionOptions } from "../../mod.ts";

/** What the suites that both generations share ask of a face: what a session has. */
export type SessionClass = typeof APISession;

/** One of the two faces of the engine. */
export interface Face {
  /** The class; that of generation 2 is open, and takes its base URL as `url`. */
  readonly Session: SessionClass;
  /** What stands behind the titles of its groups, so that each full name is there once. */
  readonly mark: string;
}

/** A client that can be tested as a session is: its verbs are public, its base URL is `url`. */
class OpenClient extends APIClient {
  static readonly url: string = "";

  static {
    this.defineMethods("", ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]);
  }

  // A base path is left out: generation 2 has none.
  constructor({ url, basePath: _, ...options }: SessionOptions & ClientOptions = {}) {
    super({ ...options, baseUrl: url ?? options.baseUrl ?? new.target.url });
  }
}

/** The two faces. The one of generation 1 leaves the titles as docs/contract.md quotes them. */
export const faces: readonly Face[] = [
  { Session: APISession, mark: "" },
  { Session: OpenClient as unknown as SessionClass, mark: " (APIClient)" },
];

/** A group of tests that runs once for each face. */
export function describeFaces(title: string, body: (face: Face) => void): void {
  for (const face of faces) describe(`${title}${face.mark}`, () => body(face));
}
