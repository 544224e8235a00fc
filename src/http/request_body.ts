/** A raw body that can be sent once: its chunks are bytes. */
export type BodyStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** What fetch sends as it is: the web has a name for it, `BodyInit`, which Node's types lack. */
export type FetchBody = NonNullable<RequestInit["body"]>;

/** The body of a request, ready to be sent. */
export type RequestBody =
  | { readonly kind: "none" }
  | { readonly kind: "whole"; readonly content: FetchBody; readonly type?: string }
  | { readonly kind: "once"; readonly content: BodyStream; readonly source: () => UploadBody }
  | { readonly kind: "opened"; readonly open: () => BodyStream; readonly source: () => UploadBody };

/** The source of a body while it is sent, once or several times. */
export interface UploadBody {
  /** Why the caller's stream, or the function that opens it, failed; undefined where it did not. */
  readonly failure: { readonly error: unknown } | undefined;
  /** What fetch is given, for one sending. */
  open(): FetchBody | undefined;
}

/** The source of a body, for one attempt. */
export function uploadBodyOf(body: RequestBody): UploadBody {
  if (body.kind === "once" || body.kind === "opened") return body.source();
  return { failure: undefined, open: () => body.kind === "whole" ? body.content : undefined };
}

/** Whether a body can be sent again. */
export function isReplayable(body: RequestBody): boolean {
  return body.kind !== "once";
}
