/** Parses the Link header, and resolves the link of the next page. */
import { PagingError } from "../errors/paging_error.ts";
import { pathForMessage } from "../errors/message_text.ts";

/** The longest Link header that is parsed, in characters. Servers and runtimes send less. */
const LENGTH_LIMIT = 65_536;

/** A link of a Link header. */
interface Link {
  /** The URL, which may be relative. */
  readonly target: string;
  /** The parameters with their names in lower case. Of those with the same name, the first counts. */
  readonly params: ReadonlyMap<string, string>;
}

/** The comma between two links. Lists may have empty elements (RFC 9110 §5.6.1). */
const separators = /[\s,]*/y;

/** A parameter: a name, and perhaps a token or a quoted string. */
const parameter = /\s*;\s*([^\s=;,]*)\s*(?:=\s*(?:"([^"\\]*(?:\\[^][^"\\]*)*)"?|([^\s;,]*)))?/y;

/**
 * Parses a Link header (RFC 8288 §3, Appendix B.2), in linear time. Several headers are one, joined by
 * commas.
 *
 * @throws {PagingError} If it is longer than 65,536 characters, or if a link does not begin with a URL
 * in angle brackets
 */
function parseLinks(header: string): Link[] {
  const invalid = (problem: string) => new PagingError(`the Link header ${problem}`, 0);
  if (header.length > LENGTH_LIMIT) {
    throw invalid(`has ${header.length} characters; at most ${LENGTH_LIMIT} are parsed`);
  }
  const links: Link[] = [];
  let position = 0;
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(header);
    if (match !== null) position = pattern.lastIndex;
    return match;
  };
  for (;;) {
    read(separators);
    if (position === header.length) return links;
    const end = header.indexOf(">", position);
    if (header[position] !== "<" || end < 0) {
      const wanted = 'links such as <https://api.example.com/?page=2>; rel="next"';
      throw invalid(`must have ${wanted}, but at character ${position + 1} there is none`);
    }
    const target = header.slice(position + 1, end).trim();
    position = end + 1;
    const params = new Map<string, string>();
    for (let match = read(parameter); match !== null; match = read(parameter)) {
      const [, name = "", quoted, token = ""] = match;
      const key = name.toLowerCase();
      if (!params.has(key)) params.set(key, quoted?.replace(/\\([^])/g, "$1") ?? token);
    }
    links.push({ target, params });
    read(/[^,]*/y);
  }
}

/**
 * Returns the link of a response to the next page, from its `Link` header (RFC 8288).
 *
 * Links with an `anchor` are about another page than the response, and are left out.
 *
 * @param response The response
 * @param base The URL that a relative link is resolved against. Default: that of the response, which
 * is empty if no network was involved
 * @param rel The relation of the link; case does not matter. Default: next
 * @returns An absolute URL without credentials and fragment; undefined if there is no such link
 * @throws {PagingError} If the header is not valid or longer than 65,536 characters, or if the link is
 * not an `http:` or `https:` URL
 *
 * @example
 * ```ts
 * import { parseNextLink } from "@restwright/restwright/paging";
 *
 * const link = '<https://api.example.com/issues?page=2>; rel="next"';
 * console.log(parseNextLink(new Response("[]", { headers: { link } })));
 * // https://api.example.com/issues?page=2
 * ```
 *
 * @category Paging
 */
export function parseNextLink(
  response: Response,
  base: string = response.url,
  rel = "next",
): string | undefined {
  const header = response.headers.get("link");
  if (header === null) return undefined;
  const wanted = rel.toLowerCase();
  const page = withoutHash(base);
  const link = parseLinks(header).find(({ params }) => {
    const anchor = params.get("anchor");
    return (params.get("rel") ?? "").toLowerCase().split(/\s+/).includes(wanted) &&
      (anchor === undefined || withoutHash(anchor, base) === page);
  });
  return link && resolveLink(link.target, base);
}

/**
 * Resolves the link of the next page.
 *
 * @param link The link, which may be relative
 * @param base The URL of the page; empty if it is not known
 * @returns The URL without credentials and fragment
 * @throws {PagingError} If it is not an `http:` or `https:` URL
 */
export function resolveLink(link: string, base: string): string {
  const url = URL.parse(link, base || undefined);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new PagingError(
      `the link to the next page must be an http or https URL, but is "${pathForMessage(link)}"` +
        (base === "" ? "; pass the URL of the page to resolve a relative link" : ""),
      0,
    );
  }
  url.username = url.password = url.hash = "";
  return url.href;
}

function withoutHash(text: string, base?: string): string | undefined {
  const url = URL.parse(text, base || undefined);
  if (url === null) return undefined;
  url.hash = "";
  return url.href;
}
