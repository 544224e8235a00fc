/** The error of an operation that the state of a session does not allow, such as a late request. */
import { brand, RestwrightError } from "./base_error.ts";

/**
 * The error for an operation that the session's current state does not allow. Examples are a
 * request after `close()`, or a request in `_authenticate()` that would wait for the login it is
 * part of.
 *
 * @category Errors
 */
export class SessionStateError extends RestwrightError {
  static {
    brand("SessionStateError", this);
  }
}
