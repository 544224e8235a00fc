// The errors of the store: the model of their body, and a class for each code that a program may want
// to catch. Other codes have the class of their status. Some calls send an error with the status 200.

import { APIError, NotFoundError, ServerError } from "../../mod.ts";
import {
  BadRequestError,
  defaultErrorFunction,
  type ErrorFrom,
  type ErrorFunction,
  errorsBy,
  ServiceUnavailableError,
} from "../../src/entries/errors.ts";
import { element, model, string } from "../../src/models/mod.ts";

/** The body of an error: `isErrorWith(error, StoreProblem)` narrows the type of `error.data`. */
export class StoreProblem extends model("Error", {
  code: element(string),
  message: element(string, { default: "" }),
}, { rename: "PascalCase" }) {}

/** The bucket does not exist. */
export class NoSuchBucketError extends NotFoundError {}

/** The bucket has no object with this key. A `head` has no body, and so no code: see its status. */
export class NoSuchKeyError extends NotFoundError {}

/** The upload does not exist: it was completed or aborted. */
export class NoSuchUploadError extends NotFoundError {}

/** A part of an upload, which is not the last one, is too small. */
export class PartTooSmallError extends BadRequestError {}

/** The store took too long to receive the body. It is retried, although its status is 400. */
export class BodyTimeoutError extends BadRequestError {
  static override readonly retryable: boolean = true;
}

/** The store has failed. It is retried. */
export class StoreFailureError extends ServerError {
  static override readonly retryable: boolean = true;
}

/** There were too many requests. It is retried. */
export class SlowDownError extends ServiceUnavailableError {}

/** Chooses the class of an error by its code. In a success, any code is an error. */
export const errorByCode: ErrorFrom = errorsBy("Error.Code", {
  EntityTooSmall: PartTooSmallError,
  InternalError: StoreFailureError,
  NoSuchBucket: NoSuchBucketError,
  NoSuchKey: NoSuchKeyError,
  NoSuchUpload: NoSuchUploadError,
  RequestTimeout: BodyTimeoutError,
  SlowDown: SlowDownError,
}, { model: StoreProblem, otherwise: APIError });

/** Returns the message of an error, with the code and the explanation of the store. */
export const explain: ErrorFunction = (response, details) => {
  const { data, redact } = details;
  if (!(data instanceof StoreProblem)) return undefined;
  return `${defaultErrorFunction(response, details)}: ${redact(`${data.code}: ${data.message}`)}`;
};
