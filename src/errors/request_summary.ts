import { messageText } from "./message_text.ts";

/** What an error tells of the request that led to it; it never holds a credential. */
export interface RequestSummary {
  /** The HTTP method, as it is sent. */
  readonly method: string;
  /** The URL, without user name and password, redacted as the log is. */
  readonly url: string;
}

/** The longest URL of a request in a message, in UTF-16 code units. */
export const URL_LIMIT = 1000;

/** Returns a request as messages show it, as in `GET https://api.example.com/users/7`. */
export function requestText({ method, url }: RequestSummary): string {
  return `${messageText(method)} ${messageText(url, URL_LIMIT)}`;
}
