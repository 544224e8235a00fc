/**
 * A type without values. As a member of `Params` and `HeadersInput`, it makes `{ ...options.params }` and
 * `{ ...options.headers }` type errors.
 *
 * Params and headers can be pairs, `URLSearchParams` or `Headers`, of which a spread loses everything.
 * Merge them with {@linkcode mergeParams} and {@linkcode mergeHeaders}.
 *
 * @internal
 */
export type NotSpreadable = symbol & { readonly "~use": "mergeParams or mergeHeaders" };
