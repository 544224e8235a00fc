/** The error of a mock transport, such as a request that no route matches. */
import { brand, RestwrightError } from "../errors/base_error.ts";

/**
 * The error of a mock transport: no route matches a request, the replies of a route are used up, or
 * an assertion fails.
 *
 * It is a mistake in a test or in the tested code, not a failed connection. So the toolkit does not
 * retry the request, and the call throws this error.
 *
 * @category Errors
 */
export class MockError extends RestwrightError {
  static {
    brand("MockError", this);
  }
}
