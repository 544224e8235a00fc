/** The tests of an SDK, and what its mock server sends. This is the room's one way in. */

export { CallPlanner } from "./call_planner.ts";
export type { TestedMethod } from "./requests.ts";
export { TestPlanner } from "./test_planner.ts";
