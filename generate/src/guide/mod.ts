/** The guide of an SDK: what its users need to know, with programs that its tests run. */

export { type GuideOptions, packageName, type Section } from "./context.ts";
export { type Guide, guideOf } from "./guide.ts";
export type { Program } from "./program.ts";
