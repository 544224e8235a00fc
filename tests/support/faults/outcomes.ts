import { DeadlineExceededError, TransportError } from "../../../mod.ts";
import { BadGatewayError, DecodeError } from "../../../src/entries/errors.ts";
import {
  type APIErrorClass,
  ItemTooLargeError,
  ResponseTooLargeError,
} from "../../../src/errors/mod.ts";
import { type ExpectedError, type Outcome, statusError } from "./fault.ts";

const connectionLost: ExpectedError = { error: TransportError, kinds: ["reset", "other"] };
const noData: ExpectedError = { error: TransportError, kinds: ["timeout"] };
const noJson: ExpectedError = { error: DecodeError };
const tooLong: ExpectedError = { error: ResponseTooLargeError };
const tooLate: ExpectedError = { error: DeadlineExceededError };

/** The right result: the client copes with the fault. */
export const whole: Outcome = { part: "body", result: "whole" };

/** A success without a body. */
export const empty: Outcome = { part: "body", result: "empty" };

/** The client takes another text for the body. A raw response has it, and nothing else is JSON. */
export const wrongText: Outcome = {
  part: "body",
  result: { raw: "wrong text", json: noJson, model: noJson, stream: noJson },
};

/** No response arrives. */
export const lost: Outcome = {
  part: "head",
  result: connectionLost,
  retry: "connection",
  closes: true,
};

/** The client refuses the framing of the body as soon as it has read the headers. */
export const lostFraming: Outcome = { ...lost, part: "framing" };

/** The body breaks off. */
export const lostBody: Outcome = { ...lost, part: "body" };

/** The body cannot be decompressed. The connection may be used again. */
export const notDecoded: Outcome = { ...lostBody, closes: false };

/** No response arrives, and the connection stays open. Only `timeout` ends it. */
export const stalled: Outcome = { ...lost, result: noData, needs: "timeout" };

/** The body stays away, and the connection stays open. Only `timeout` ends it. */
export const stalledBody: Outcome = { ...stalled, part: "body" };

/** The body never ends and never pauses for the timeout. Only `deadline` ends it, or the caller. */
export const endless: Outcome = {
  part: "body",
  result: { raw: "left", json: tooLate, model: tooLate, stream: "left" },
  needs: "deadline",
  closes: true,
};

/** The body is longer than `maxResponseBytes`. Its items are not too long. */
export const tooLarge: Outcome = {
  part: "body",
  result: { raw: "left", json: tooLong, model: tooLong, stream: "left" },
  closes: true,
};

/** The body is longer than `maxResponseBytes`, and its only item than `maxItemLength`. */
export const tooLargeItem: Outcome = {
  ...tooLarge,
  result: { raw: "left", json: tooLong, model: tooLong, stream: { error: ItemTooLargeError } },
};

/** Returns the outcome of an error status. */
export function status(error: APIErrorClass, retry?: "status" | number): Outcome {
  return { part: "head", result: statusError(error), ...(retry !== undefined && { retry }) };
}

/** A gateway has no response to pass on. */
export const badGateway: Outcome = status(BadGatewayError, "status");
