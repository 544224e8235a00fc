/** The SDK as a client with classes of endpoints. */

export { classes } from "./classes_output.ts";
