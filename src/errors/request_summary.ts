import { messageText } from "./message_text.ts";

/** The request that led to an error, without credentials. */
export interface RequestSummary {
  /** The HTTP method as it was sent. */
  readonly method: string;
  /** The URL without user name and password. Secrets are redacted as in the log. */
  readonly url: string;
}

/** The maximum length of a request's URL in a message, in UTF-16 code units. */
export const URL_LIMIT = 1000;

/** Formats a request for a message, as in `GET https://api.example.com/users/7`. */
export function requestText({ method, url }: RequestSummary): string {
  return `${messageText(method)} ${messageText(url, URL_LIMIT)}`;
}
