/** The pages for the users of an SDK: the sections of its README, and its reference. */

export { docs, type DocsOptions } from "./docs_output.ts";
