/** The toolkit's own name, as the User-Agent tells it. */
export const TOOLKIT_NAME = "restwright";

/** The toolkit's version; a test holds it against deno.json. */
export const TOOLKIT_VERSION = "0.1.0";
