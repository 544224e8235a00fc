/** Decides if a content type is JSON or XML, and finds its charset. */

/** The format and the charset of a content type. */
export interface MediaType {
  /** The format; undefined if it is neither JSON nor XML. */
  readonly format: "json" | "xml" | undefined;
  /** The charset, if the content type has one. */
  readonly charset: string | undefined;
}

/**
 * Parses a content type (RFC 9110 §8.3.1): `application/json`, `text/json` and `+json` are JSON,
 * `application/xml`, `text/xml` and `+xml` are XML (RFC 6839, RFC 7303).
 */
export function mediaTypeOf(contentType: string): MediaType {
  const format = /^\s*(?:(?:application|text)\/|[^/;\s]+\/[^/;\s]+\+)(json|xml)\s*(?:;|$)/i
    .exec(contentType)?.[1]?.toLowerCase() as "json" | "xml" | undefined;
  const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType);
  return { format, charset: charset?.[1] ?? charset?.[2] };
}
