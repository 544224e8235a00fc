/** The SDK as a client with resources, as the SDKs of Stainless have them. */

export { resources } from "./resources_output.ts";
