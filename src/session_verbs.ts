import { Caller } from "./caller.ts";
import type { Verb } from "./verb.ts";

/** The verbs of a session, each the method of HTTP of its name. */
export abstract class SessionVerbs extends Caller {
  /** Sends a GET request. */
  declare readonly get: Verb;
  /** Sends a POST request. */
  declare readonly post: Verb;
  /** Sends a PUT request. */
  declare readonly put: Verb;
  /** Sends a PATCH request. */
  declare readonly patch: Verb;
  /** Sends a DELETE request. */
  declare readonly delete: Verb;
  /**
   * Sends a HEAD request. Its response has no body, which a conversion makes null (rule 10): where
   * the class converts, `convJson: false` gives the response.
   */
  declare readonly head: Verb;

  static {
    this.giveVerbs({
      get: "GET",
      post: "POST",
      put: "PUT",
      patch: "PATCH",
      delete: "DELETE",
      head: "HEAD",
    });
  }
}
