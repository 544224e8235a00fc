import type { BodyStream, RequestBody } from "../../src/http/request_body.ts";

/** Returns a body whose stream can be read once. */
export function oneShotBody(content: BodyStream): RequestBody {
  return { kind: "once", content };
}

/** Returns a body whose stream is opened for each attempt. */
export function openedBody(open: () => BodyStream): RequestBody {
  return { kind: "opened", open };
}
