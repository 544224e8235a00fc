/** The tests of an SDK: a call of each method with samples. */

export { tests } from "./tests_output.ts";
