import { inspect } from "node:util";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { RedirectError } from "../../src/errors/redirect_error.ts";
import { oneShotBody, openedBody } from "../support/bodies.ts";
import { checkedHeaders } from "../../src/http/headers.ts";
import type { HttpRequest } from "../../src/http/send.ts";
import { nextStep } from "../../src/http/redirect.ts";
import type { RequestBody } from "../../src/http/request_body.ts";
import { isRedirect } from "../../src/http/response.ts";
import { exchanging, redirectTo } from "../support/exchanging.ts";

const text: RequestBody = { kind: "whole", content: "hello", type: "text/plain" };

function step(part: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: "POST",
    url: "https://a.example/v1/x?q=1",
    headers: checkedHeaders({ "X-Id": "7", "Content-Type": "text/plain" }),
    body: text,
    ...part,
  };
}

describe("the method of a redirected request (RFC 9110 section 15.4)", () => {
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE", "get"];
  const rows: readonly (readonly [number, readonly string[]])[] = [
    [301, ["GET", "HEAD", "GET", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE", "get"]],
    [302, ["GET", "HEAD", "GET", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE", "get"]],
    [303, ["GET", "HEAD", "GET", "GET", "GET", "GET", "GET", "GET", "GET"]],
    [307, methods],
    [308, methods],
  ];
  for (const [status, expected] of rows) {
    for (const [index, method] of methods.entries()) {
      it(`${status} after ${method} is followed with ${expected[index]}`, () => {
        const isBodiless = method === "GET" || method === "HEAD";
        const body: RequestBody = isBodiless ? { kind: "none" } : text;
        const next = nextStep(step({ method, body }), redirectTo("/y", status));
        assertEquals(next?.method, expected[index]);
        const isKept = expected[index] === method && status !== 303;
        assertEquals(next?.body, isKept ? body : { kind: "none" });
        assertEquals(next?.headers["content-type"], isKept ? "text/plain" : null);
        assertEquals(next?.headers["x-id"], "7");
      });
    }
  }

  for (const status of [200, 204, 300, 304, 305, 306, 309, 399, 400, 404, 500]) {
    it(`${status} is not a redirect, even with a Location`, () => {
      const response = { status, headers: new Headers({ location: "/y" }) } as Response;
      assertEquals(isRedirect(response), false);
    });
  }
});

describe("the headers of a redirected request", () => {
  const content = {
    "Content-Encoding": "gzip",
    "Content-Language": "de",
    "Content-Location": "/z",
    "Content-Type": "text/plain",
  };

  // contract: http-7
  it("headers that describe a body are removed with the body, all others stay", () => {
    const others = { "x-id": "7", "content-security-policy": "none", "accept": "*/*" };
    const headers = checkedHeaders({ ...content, ...others });
    const next = nextStep(step({ headers }), redirectTo("/y", 303));
    // Null, so that those of the session are not sent either.
    const cleared = Object.keys(content).map((name) => [name.toLowerCase(), null]);
    assertEquals<unknown>({ ...next?.headers }, { ...others, ...Object.fromEntries(cleared) });
  });

  it("headers that describe a body stay if the body stays", () => {
    const headers = checkedHeaders(content);
    for (const status of [307, 308]) {
      const next = nextStep(step({ headers }), redirectTo("/y", status));
      assertEquals({ ...next?.headers }, { ...headers });
    }
  });

  it("a header that was removed stays removed", () => {
    const headers = checkedHeaders({ "X-Id": null, "Authorization": null });
    const next = nextStep(step({ headers }), redirectTo("/y", 303));
    assertEquals([next?.headers["x-id"], next?.headers["authorization"]], [null, null]);
  });

  it("the previous request is not changed", () => {
    const before = Object.freeze(step({ headers: Object.freeze(checkedHeaders(content)) }));
    nextStep(before, redirectTo("/y", 303));
    assertEquals(before.headers["content-type"], "text/plain");
    assertEquals(before.body, text);
  });
});

describe("the target of a redirect (RFC 9110 section 10.2.2)", () => {
  const places: readonly (readonly [string, string, string])[] = [
    ["a full URL", "https://b.example/y", "https://b.example/y"],
    ["a path", "/y", "https://a.example/y"],
    ["a path below", "y", "https://a.example/v1/y"],
    ["a path above", "../y", "https://a.example/y"],
    ["a path with too many .. segments", "../../../y", "https://a.example/y"],
    ["a query alone", "?p=2", "https://a.example/v1/x?p=2"],
    ["another host with the same scheme", "//b.example/y", "https://b.example/y"],
    ["another host after backslashes", "\\\\b.example/y", "https://b.example/y"],
    ["a downgrade to http", "http://a.example/y", "http://a.example/y"],
    ["a scheme in upper case", "HTTPS://B.Example:443/y", "https://b.example/y"],
    ["a space in the path", "/a b", "https://a.example/a%20b"],
    ["credentials, which are left out", "https://ada:pw@b.example/y", "https://b.example/y"],
    ["a user name alone, which is left out", "//ada@b.example/y", "https://b.example/y"],
    ["an @ in the path, which stays", "/@ada:pw@x", "https://a.example/@ada:pw@x"],
    ["spaces around it", "  /y  ", "https://a.example/y"],
    ["a scheme without slashes", "https:y", "https://a.example/v1/y"],
    ["the same URL", "https://a.example/v1/x?q=1", "https://a.example/v1/x?q=1"],
  ];
  for (const [what, location, url] of places) {
    it(`is resolved (${what}): ${location}`, () => {
      assertEquals(nextStep(step(), redirectTo(location))?.url, url);
    });
  }

  const fragments: readonly (readonly [string, string, string, string])[] = [
    ["is kept if the Location has none", "#top", "/y", "https://a.example/y#top"],
    ["is kept at another origin", "#top", "//b.example/y", "https://b.example/y#top"],
    ["of the Location wins", "#top", "/y#end", "https://a.example/y#end"],
    ["of the Location wins even if it is empty", "#top", "/y#", "https://a.example/y#"],
    ["of the Location is used if there was none", "", "/y#end", "https://a.example/y#end"],
    ["is absent if neither has one", "", "/y", "https://a.example/y"],
  ];
  for (const [what, before, location, url] of fragments) {
    // contract: http-14
    it(`a fragment ${what}`, () => {
      const from = step({ url: `https://a.example/v1/x${before}` });
      assertEquals(nextStep(from, redirectTo(location))?.url, url);
    });
  }

  // contract: http-14
  it("does not exist without a Location, or with an empty one", () => {
    for (const headers of [{}, { location: "" }, { location: "  " }]) {
      assertEquals(isRedirect(new Response(null, { status: 302, headers })), false);
    }
  });

  const refused = [
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/plain,t0ken",
    "file:///etc/passwd",
    "ftp://a.example/t0ken",
    "blob:https://a.example/t0ken",
    "mailto:t0ken@a.example",
    "ws://a.example/t0ken",
    "about:blank",
    "https://",
    "https://t0ken:x@",
    "http://[t0ken",
    "https://a.example:99999/t0ken",
    "//",
    "https://a b.example/t0ken",
  ];
  for (const location of refused) {
    // contract: http-14
    it(`is refused, and not shown: ${location}`, () => {
      for (const status of [301, 302, 303, 307, 308]) {
        const error = assertThrows(
          () => nextStep(step(), redirectTo(location, status)),
          RedirectError,
        );
        assertEquals(error.status, status);
        assert(!inspect(error).includes("t0ken"), inspect(error));
      }
    });
  }

  it("may have a length of 1 MB", () => {
    const path = `/${"a".repeat(2 ** 20)}`;
    assertEquals(nextStep(step(), redirectTo(path))?.url, `https://a.example${path}`);
  });
});

describe("the body of a redirected request", () => {
  const stream = () => new Response("hello").body!;
  const bodies: readonly (readonly [string, RequestBody, boolean])[] = [
    ["empty", { kind: "none" }, true],
    ["a string", text, true],
    ["bytes", { kind: "whole", content: new Uint8Array([0, 1]) }, true],
    ["a function that opens a stream", openedBody(stream), true],
    ["a stream that can be read once", oneShotBody(stream()), false],
  ];
  for (const [what, body, isReplayed] of bodies) {
    it(`${isReplayed ? "is sent again" : "is refused"} if it is ${what}`, () => {
      const cases = [[307, "POST"], [308, "PUT"], [307, "DELETE"], [301, "PUT"], [302, "PATCH"]];
      for (const [status, method] of cases as [number, string][]) {
        const follow = () => nextStep(step({ method, body }), redirectTo("/y", status));
        if (isReplayed) assert(follow()?.body === body);
        else assertEquals(assertThrows(follow, RedirectError).status, status);
      }
    });
  }

  it("is dropped by 303, and by 301 and 302 after POST, so that a stream is accepted", () => {
    for (const [status, method] of [[303, "PUT"], [301, "POST"], [302, "POST"]] as const) {
      const next = nextStep(
        step({ method, body: oneShotBody(stream()) }),
        redirectTo("/y", status),
      );
      assertEquals([next?.method, next?.body], ["GET", { kind: "none" }]);
    }
  });

  // contract: http-8
  it("is refused with an error that names what to pass instead", () => {
    const body: RequestBody = oneShotBody(stream());
    const error = assertThrows(
      () => nextStep(step({ body }), redirectTo("/y", 307)),
      RedirectError,
    );
    assert(error.message.includes("function"), error.message);
  });
});

describe("a redirect of the HTTP session", () => {
  it("drops the session's content headers after a 303", async () => {
    const { send, transport } = exchanging({
      answers: [redirectTo("/y", 303), 200],
      session: { headers: { "Content-Type": "application/json" } },
    });
    await send({ method: "POST", body: { kind: "whole", content: "{}" } });
    assertEquals(transport.calls[1]!.init.headers["content-type"], undefined);
  });

  it("accepts a Location in raw UTF-8", async () => {
    const { send, transport } = exchanging({ answers: [redirectTo("/caf\xc3\xa9"), 200] });
    await send();
    assertEquals(transport.calls[1]!.url, "https://a.example/caf%C3%A9");
  });

  it("cancels the body if it cannot be followed, which frees the socket", async () => {
    for (const location of ["javascript:alert(1)", "https://"]) {
      let cancelled = 0;
      const body = () => new ReadableStream({ cancel: () => void cancelled++ });
      const { send } = exchanging({
        answers: [() => new Response(body(), { status: 302, headers: { location } })],
      });
      await assertRejects(() => send(), RedirectError);
      assertEquals(cancelled, 1);
    }
  });
});
