import type { BodyFormat } from "./model_class.ts";

/** What a content type says. */
export interface MediaType {
  /** The format; undefined where it is neither JSON nor XML. */
  readonly format: BodyFormat | undefined;
  /** The charset, where one is named. */
  readonly charset: string | undefined;
}

/**
 * Reads a content type (RFC 9110 §8.3.1): `application/json`, `text/json` and `+json` are JSON,
 * `application/xml`, `text/xml` and `+xml` are XML (RFC 6839, RFC 7303).
 */
export function mediaTypeOf(contentType: string): MediaType {
  const format = /^\s*(?:(?:application|text)\/|[^/;\s]+\/[^/;\s]+\+)(json|xml)\s*(?:;|$)/i
    .exec(contentType)?.[1]?.toLowerCase() as BodyFormat | undefined;
  const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType);
  return { format, charset: charset?.[1] ?? charset?.[2] };
}
