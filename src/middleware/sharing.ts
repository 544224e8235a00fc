/** Decides which requests may share a response. */
import { check } from "../base/checks.ts";
import type { SentRequest } from "../call/sent_request.ts";
import type { MiddlewareRequest } from "../options/middleware.ts";
import { requestToKey } from "./limit_options.ts";

const checkedFunction: <T>(option: string, value: unknown) => T = check(
  "a function that returns a string or undefined",
  (value) => value === undefined || typeof value === "function",
);

const checkedUser: <T>(option: string, value: unknown) => T = check(
  "a string or undefined",
  (value) => value === undefined || typeof value === "string",
);

/** Requests that may share a response. */
export interface Sharing {
  /** Stands for everything by which they differ from others, in this process. */
  readonly key: string;
  /** The text that the program has for their user; undefined without its function. */
  readonly user: string | undefined;
}

/**
 * Returns a function that finds the requests with which one may share a response; undefined if there
 * are none.
 *
 * @param identity The option `identity`
 * @throws {UnexpectedValueError} If it is not a function, and later if it returns something else than
 * a string
 */
export function sharingBy(
  identity: ((request: MiddlewareRequest) => string | undefined) | undefined,
): (sent: SentRequest, request: MiddlewareRequest) => Sharing | undefined {
  if (checkedFunction<typeof identity>("identity", identity) === undefined) {
    return ({ identity: key }) => key === undefined ? undefined : { key, user: undefined };
  }
  return (sent, request) => {
    const result = identity!(requestToKey(sent, request));
    const user = checkedUser<string | undefined>("the result of identity", result);
    const key = sent.currentIdentity;
    return user === undefined || key === undefined
      ? undefined
      : { key: JSON.stringify([key, user]), user };
  };
}
