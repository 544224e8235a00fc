// What `#cookies` is in a browser, which keeps cookies by itself and shows no Set-Cookie.

/** There is no jar to make. */
export const CookieJar: undefined = undefined;
