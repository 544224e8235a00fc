/**
 * What `#transport` is on Deno, Node and Bun, and wherever nobody says that it is a browser.
 *
 * @module
 */

export { failureKind } from "./failure_kind.ts";
export { plainFetch } from "./node_407.ts";
export { Routes } from "./routes.ts";
