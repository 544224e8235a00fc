/** The outputs that users choose beside the SDK. A new one adds its folder, and a line here. */

export { docs, type DocsOptions } from "./docs/mod.ts";
export { tests } from "./tests/mod.ts";
