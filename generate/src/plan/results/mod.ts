/** The results of operations: errors and their classes, and streams. This is the room's one way in. */

export {
  baseClasses,
  type ErrorClasses,
  planErrors,
  responsesOf,
  type StatedError,
  statedErrors,
} from "./errors.ts";
export { choiceOf, choiceParameter, planStream } from "./streams.ts";
