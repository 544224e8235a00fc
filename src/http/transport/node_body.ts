/** The body of a request as `node:http` takes it. */
export interface OutgoingBody {
  /** What fetch would say of it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its bytes. */
  readonly chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** Makes a body ready to be sent: all but a stream and a Blob is taken into memory. */
export async function outgoingBody(
  body: BodyInit | null | undefined,
): Promise<OutgoingBody | undefined> {
  if (body === null || body === undefined) return undefined;
  if (body instanceof ReadableStream) {
    // node:http frames no body of a DELETE or OPTIONS by itself: it would be read as a request.
    return { headers: { "transfer-encoding": "chunked" }, chunks: chunksOf(body) };
  }
  // The rules for its type, and for the boundary of a form, are those of fetch.
  const response = new Response(body);
  const type = response.headers.get("content-type");
  const typed: Record<string, string> = type === null ? {} : { "content-type": type };
  if (body instanceof Blob) {
    const length = { "content-length": `${body.size}` };
    return { headers: { ...typed, ...length }, chunks: chunksOf(body.stream()) };
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { headers: { ...typed, "content-length": `${bytes.length}` }, chunks: [bytes] };
}

/** A stream as an iterator, which not every type library makes of it; leaving it early cancels. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader();
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isDone = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isDone) await reader.cancel().catch(() => {});
  }
}
