/** The plan of an SDK: every decision about its names, types and calls, as plain data. This is the room's one way in. */

export type * from "../model/sdk.ts";
export type * from "../model/types.ts";
export { planSdk } from "./plan_sdk.ts";
