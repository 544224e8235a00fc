// The errors of the API: the model of their body, and a class for each code that a program may want
// to catch.

import { APIError, NotFoundError, TooManyRequestsError } from "../../mod.ts";
import {
  BadRequestError,
  type ErrorFrom,
  type ErrorFunction,
  errorsBy,
} from "../../src/entries/errors.ts";
import { element, model, nullable, string } from "../../src/models/mod.ts";

/** The reason for an error. */
export class Problem extends model("error", {
  message: element(string),
  type: element(string),
  code: element(nullable(string), { optional: true }),
  param: element(nullable(string), { optional: true }),
}) {}

/** The body of an error: `isErrorWith(error, ErrorBody)` narrows the type of `error.data`. */
export class ErrorBody extends model("body", { error: element(Problem) }) {}

/** 429: too many requests, or too many tokens. It is retried. */
export class RateLimitError extends TooManyRequestsError {}

/** 429: the account has no credit left. It is not retried, because waiting does not help. */
export class QuotaError extends APIError {}

/** 400: the messages and the answer are longer than the model can read. */
export class ContextLengthError extends BadRequestError {}

/** 404: the model does not exist, or the key may not use it. */
export class UnknownModelError extends NotFoundError {}

/** Chooses the class of an error by its code, and reads its body. A stream has the status of a success. */
export const errorFrom: ErrorFrom = errorsBy("error.code", {
  rate_limit_exceeded: RateLimitError,
  insufficient_quota: QuotaError,
  context_length_exceeded: ContextLengthError,
  model_not_found: UnknownModelError,
}, { model: ErrorBody, otherwise: APIError, otherwiseAt: "error" });

/** Returns the message of an error: the status, and the explanation of the API. */
export const errorFunc: ErrorFunction = ({ status }, { data, redact }) =>
  data instanceof ErrorBody ? `${status}: ${redact(data.error.message)}` : undefined;
