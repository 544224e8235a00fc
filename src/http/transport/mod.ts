/**
 * The implementation of `#transport` on Deno, Node and Bun, and in every other environment that
 * does not set the `browser` condition.
 *
 * @module
 */

export { explainBlockedPort } from "./blocked_port.ts";
export { failureKind } from "./failure_kind.ts";
export { plainFetch } from "./node_407.ts";
export { idleTimerFor, readerOf } from "./receive.ts";
export { Routes } from "./routes.ts";
