/** Media types: which one a method sends or asks for, and what kind of body it is. */

import type { Node, Source } from "./source.ts";
import { entriesAt } from "./fields.ts";

/** The kinds of bodies. */
export type MediaKind =
  | "json"
  | "form"
  | "multipart"
  | "text"
  | "xml"
  | "bytes"
  /** Server-sent events and lines of JSON, which arrive one by one. */
  | "stream";

/** A media type of a body. */
export interface Media {
  /** The media type in lower case, without its parameters. It can be a range, such as `image/*`. */
  readonly type: string;
  /** The media type as it is sent, with its parameters: `application/vnd.pets+json; version=2`. */
  readonly sent: string;
  readonly kind: MediaKind;
  readonly node: Node;
  /** The schema, if there is one. */
  readonly schema: Node | undefined;
  /** The schema of an item of a stream. */
  readonly itemSchema: Node | undefined;
}

const JSON_TYPE = "application/json";

/** Lists the media types of a body or response. */
export function mediaOf(source: Source, parent: Node | undefined): Media[] {
  return entriesAt(source, parent, "content").flatMap(([key, child]) => {
    const [name = ""] = key.split(/[;,]/, 1);
    const rest = key.slice(name.length);
    const type = name.trim().toLowerCase();
    if (!/^(?:[!#$&^_.+\w-]+\/(?:[!#$&^_.+\w-]+|\*(?:\+[\w.-]+)?)|\*\/\*)$/.test(type)) {
      const message = `${JSON.stringify(key.slice(0, 200))} is not a media type`;
      source.problem(child, "operation", message, "left out");
      return [];
    }
    const parameters = parametersOf(type, rest);
    if (parameters === undefined) {
      const message = `${JSON.stringify(key.slice(0, 200))} is not a media type`;
      source.problem(child, "operation", message, `taken as ${type}`);
    }
    const sent = [type, ...parameters ?? []].join("");
    const node = source.resolve(child);
    if (node === undefined) return [];
    const schema = source.child(node, "schema");
    const itemSchema = source.child(node, "itemSchema");
    return [{ type, sent, kind: kindOf(type, source, schema), node, schema, itemSchema }];
  });
}

/**
 * Returns the parameters of a media type (RFC 9110, section 5.6.6) as the document writes them, each
 * with its semicolon; undefined if they are not parameters. A charset is left out of JSON, which has
 * none, and others than UTF-8, which is that of all texts that are sent.
 */
function parametersOf(type: string, text: string): string[] | undefined {
  const parts = text.match(/;(?:[^;"]|"(?:[^"\\]|\\.)*")*/g) ?? [];
  if (parts.join("") !== text.trimStart()) return undefined;
  const parameters = parts.map((each) => each.trimEnd()).filter((each) => each !== ";");
  const isRight = parameters.every((each) =>
    /^;\s*[!#$%&'*+.^_`|~\w-]+=(?:[!#$%&'*+.^_`|~\w-]+|"(?:[ !#-[\]-~]|\\[ -~])*")$/.test(each)
  );
  const isKept = (each: string) =>
    !/^;\s*charset=/i.test(each) || !/[/+]json$/.test(type) && /=["']?utf-?8["']?$/i.test(each);
  return isRight ? parameters.filter(isKept) : undefined;
}

/**
 * Returns the first media type of the first kind that there is.
 *
 * @param sent The type to choose if it is one of them, with its parameters
 */
export function preferred(
  all: readonly Media[],
  kinds: readonly MediaKind[],
  sent?: string,
): Media | undefined {
  for (const kind of kinds) {
    const own = all.filter((each) => each.kind === kind);
    const found = own.find((each) => each.sent === sent) ??
      own.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the place of a media type among those of its kind. A type of the API itself says less than
 * plain JSON, and differs only in its version. Bytes that could be JSON come last.
 */
function rankOf({ type, sent, kind }: Media): number {
  if (kind !== "json") return type === JSON_TYPE ? 1 : 0;
  return sent === JSON_TYPE ? 0 : type === JSON_TYPE ? 1 : 2;
}

/** Reports if the toolkit's own headers for JSON are right for a media type. */
export function isPlainJson({ type, sent }: Media): boolean {
  return sent === JSON_TYPE || type.includes("*");
}

function kindOf(type: string, source: Source, schema: Node | undefined): MediaKind {
  if (/[/+](?:ndjson|x-ndjson|jsonl|x-jsonl|jsonlines|x-jsonlines|json-seq)$/.test(type)) {
    return "stream";
  }
  if (type === "text/event-stream") return "stream";
  if (/[/+]json$/.test(type)) return anyKind(source, schema);
  if (/[/+]xml$/.test(type)) return "xml";
  if (type === "application/x-www-form-urlencoded") return "form";
  if (type.startsWith("multipart/")) return "multipart";
  if (type === "*/*" || type === "application/*") return anyKind(source, schema);
  return /^text\/|[/+](?:yaml|x-yaml|javascript|graphql|toml|csv|pem-certificate-chain)$/.test(type)
    ? "text"
    : "bytes";
}

/** A body of any type is JSON, unless its schema says that it is bytes, which JSON cannot have. */
function anyKind(source: Source, schema: Node | undefined): MediaKind {
  const value = schema === undefined ? undefined : source.resolve(schema)?.value;
  if (typeof value !== "object" || value === null) return "json";
  const { type, format } = value as Readonly<Record<string, unknown>>;
  if (format === "binary" || type === "file") return "bytes";
  return "json";
}
