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
  const essence = contentType.split(";", 1)[0]!.trim().toLowerCase();
  const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType);
  return { format: formatOf(essence), charset: charset?.[1] ?? charset?.[2] };
}

function formatOf(essence: string): BodyFormat | undefined {
  if (/^(?:(?:application|text)\/json|[^/\s]+\/[^/\s]+\+json)$/.test(essence)) return "json";
  if (/^(?:(?:application|text)\/xml|[^/\s]+\/[^/\s]+\+xml)$/.test(essence)) return "xml";
  return undefined;
}
