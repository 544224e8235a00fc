import { assertEquals, describe, it } from "#test";
import { streamSupport } from "../../src/http/stream_support.ts";

const secure = "https://a.example/x";
const plain = "http://localhost:5173/x";

/** A Request of a browser that streams the bodies of requests. */
class StreamingRequest {
  readonly headers = new Headers();
  constructor(_url: string, { duplex }: { readonly duplex: string }) {
    assertEquals(duplex, "half");
  }
}

/** A Request of a browser that writes a stream as text. */
class TextRequest {
  readonly headers = new Headers({ "content-type": "text/plain;charset=UTF-8" });
}

/** Returns the support in a browser with this class of requests. */
function inBrowser(requestClass: unknown, url: string, hasFailed?: boolean): string {
  const { Request } = globalThis;
  globalThis.Request = requestClass as typeof Request;
  try {
    return streamSupport(url, hasFailed, true);
  } finally {
    globalThis.Request = Request;
  }
}

describe("the support of streams as bodies of requests", () => {
  it("is complete outside of browsers, also after an attempt without a response", () => {
    for (const url of [secure, plain]) {
      assertEquals([streamSupport(url), streamSupport(url, true)], ["yes", "yes"]);
    }
  });

  it("is tried in a browser over https, until an attempt gets no response", () => {
    assertEquals(inBrowser(StreamingRequest, secure), "yes");
    assertEquals(inBrowser(StreamingRequest, secure, true), "maybe");
  });

  it("is not expected in a browser over http", () => {
    assertEquals(inBrowser(StreamingRequest, plain), "maybe");
  });

  it("does not exist in a browser that would send the text of the object", () => {
    assertEquals(inBrowser(TextRequest, secure), "no");
    assertEquals(inBrowser(TextRequest, plain), "no");
  });
});
