/** The format of cassettes, and their text. */
import { quotedText } from "../../errors/message_text.ts";

/**
 * A recorded message, or a part of a recorded multipart form. It has at most one of `json`, `text`,
 * `base64` and `parts`; without a body, it has none.
 *
 * @category Cassettes
 */
export interface RecordedMessage {
  /** The headers, with names in lower case. A repeated one has an array. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The body as JSON. */
  readonly json?: unknown;
  /** The body as text, or its lines without their line feeds. */
  readonly text?: string | readonly string[];
  /** Any other body, as Base64 (RFC 4648 §4). */
  readonly base64?: string;
  /** The parts of a multipart form. */
  readonly parts?: readonly RecordedMessage[];
}

/**
 * A request with its response.
 *
 * @category Cassettes
 */
export interface Interaction {
  /** The request: its method as it was sent, and its full URL. */
  readonly request: RecordedMessage & { readonly method: string; readonly url: string };
  /** The response. */
  readonly response: RecordedMessage & {
    /** The status. */
    readonly status: number;
    /** The reason phrase. Default: empty */
    readonly statusText?: string;
    /** The URL that answered, if fetch has followed redirects, as it does in browsers. */
    readonly url?: string;
  };
}

/**
 * The content of a cassette, which can be written as JSON.
 *
 * @category Cassettes
 */
export interface CassetteData {
  /** The version of the format. */
  readonly version: 1;
  /** The requests with their responses, in the order in which the requests were sent. */
  readonly interactions: readonly Interaction[];
}

/** The body of a recorded message, by the field for its form. */
export type RecordedBody = Omit<RecordedMessage, "headers">;
/** The headers of a recorded message. */
export type RecordedHeaders = RecordedMessage["headers"];
/** A recorded request. */
export type RecordedRequest = Interaction["request"];
/** A recorded response. */
export type RecordedResponse = Interaction["response"];

/** Returns the text of a cassette: indented JSON with the keys in a fixed order. */
export function cassetteText({ interactions }: CassetteData): string {
  const data = {
    version: 1,
    interactions: interactions.map(({ request, response }) => {
      const { method, url, headers, ...body } = request;
      const { status, statusText, url: answered, headers: fields, ...content } = response;
      return {
        request: { method, url, headers: sorted(headers), ...body },
        response: { status, statusText, url: answered, headers: sorted(fields), ...content },
      };
    }),
  };
  return `${JSON.stringify(data, null, 2)}\n`;
}

function sorted(headers: RecordedHeaders): RecordedHeaders {
  return Object.fromEntries(
    Object.entries(headers).sort(([one], [other]) => one < other ? -1 : 1),
  );
}

/** Returns a request for a message, as in `POST https://api.example.com/books`. */
export function describeRequest({ method, url }: RecordedRequest): string {
  return /[\s"]/.test(url) ? `${method} ${quotedText(url, 1000)}` : `${method} ${url}`;
}
