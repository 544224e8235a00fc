/** The options of the generator. */

export type { GenerateOptions, Step } from "./generate_options.ts";
