/**
 * The model of an SDK: every decision about its names, types and calls, as plain data without functions.
 * The planner makes it of a document, and each output prints files from it. This is the one way in.
 */

export type * from "./client.ts";
export type * from "./paging.ts";
export type * from "./requests.ts";
export type * from "./results.ts";
export type * from "./samples.ts";
export type * from "./schemas.ts";
export type * from "./sdk.ts";
export type * from "./signatures.ts";
export * from "./tests.ts";
export type * from "./types.ts";
