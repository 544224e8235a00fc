/**
 * The `#cookies` import in browsers. They store cookies themselves and hide the Set-Cookie header.
 */

/** Undefined, because there is no cookie jar in browsers. */
export const CookieJar: undefined = undefined;
