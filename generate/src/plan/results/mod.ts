/** The results of operations: what calls return, errors and their classes, and streams. This is the room's one way in. */

export {
  type ErrorClasses,
  planErrors,
  responsesOf,
  type StatedError,
  statedErrors,
} from "./errors.ts";
export { planResult, withOneBody } from "./results.ts";
export { choiceOf, choiceParameter } from "./streams.ts";
