/** The tests of an SDK, and what its mock server sends. This is the room's one way in. */

export { TestPlanner } from "./test_planner.ts";
