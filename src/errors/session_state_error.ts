import { brand, RestwrightError } from "./base_error.ts";

/**
 * A session was asked for what does not fit where it is in its life: a request after `close`, or
 * one in `_authenticate` that would wait for the login it is part of.
 */
export class SessionStateError extends RestwrightError {
  static {
    brand("SessionStateError", this);
  }
}
