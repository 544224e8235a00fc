/** The types of schemas, and questions about them. This is the room's one way in. */

export { isRecord, type StatedNames } from "./schema_index.ts";
export { TypePlanner } from "./type_planner.ts";
