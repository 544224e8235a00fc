/** The name and the version of the toolkit, as the User-Agent header and loggers have them. */

/** The name of the toolkit in the User-Agent header. */
export const TOOLKIT_NAME = "restwright";

/** The version of the toolkit. A test compares it with deno.json. */
export const TOOLKIT_VERSION = "0.1.0";
