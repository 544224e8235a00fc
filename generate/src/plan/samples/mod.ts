/** Samples of types, and of schemas. This is the room's one way in. */

export { Sampler } from "./sampler.ts";
export { exampleOf, sampleOf } from "./schema_samples.ts";
