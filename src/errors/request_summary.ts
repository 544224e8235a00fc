/** What an error tells of the request that led to it; it never holds a credential. */
export interface RequestSummary {
  /** The HTTP method, as it is sent. */
  readonly method: string;
  /** The URL, without user name and password, redacted as the log is. */
  readonly url: string;
}
