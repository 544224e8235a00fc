import { assert, assertEquals, assertInstanceOf, assertRejects, describe, it } from "#test";
import { APISession, type SessionOptions, TransportError } from "../../mod.ts";
import { ApiKeyAuth, type Auth } from "../../src/auth/mod.ts";
import type { Middleware, NetworkMiddleware, NetworkRequest } from "../../src/middleware/mod.ts";
import { type Answer, refusedConnection } from "../support/scripted.ts";
import { startSession } from "../support/start_session.ts";

/** Returns middleware that sets a function around each HTTP request. */
function around(network: NetworkMiddleware): Middleware {
  return (request, next) => {
    request.network = network;
    return next(request);
  };
}

/** Sends a request, and returns what a function around each HTTP request saw. */
async function seenBy(
  answers: readonly Answer[],
  options: SessionOptions = {},
  path = "books",
): Promise<{ seen: NetworkRequest[]; statuses: number[] }> {
  const seen: NetworkRequest[] = [];
  const statuses: number[] = [];
  const watching = around(async (request, next) => {
    seen.push(request);
    const response = await next();
    statuses.push(response.status);
    return response;
  });
  const { session } = startSession(answers, { middleware: [watching], ...options });
  await session.get(path);
  return { seen, statuses };
}

const redirectTo = (location: string) => new Response(null, { status: 307, headers: { location } });

describe("middleware around each HTTP request", () => {
  it("sees the request as it is sent, with the headers of the session", async () => {
    const auth: Auth = new ApiKeyAuth("key-7d1f", { query: "key" });
    const { seen } = await seenBy([200], { auth, headers: { "X-Own": "a" } }, "books?page=2");
    const [{ url, init: { method, headers, signal }, isTrusted, shownUrl }] = seen as [
      NetworkRequest,
    ];
    assertEquals([method, isTrusted, signal, seen.length], ["GET", true, undefined, 1]);
    assertEquals(url, "https://api.example.com/v1/books?page=2&key=key-7d1f");
    assertEquals(shownUrl, "https://api.example.com/v1/books?page=2&key=REDACTED");
    assertEquals(headers["x-own"], "a");
  });

  it("runs again for a retry and for the answer to a challenge", async () => {
    const challenged: Auth = {
      async authenticate(_request, send) {
        const response = await send();
        return response.status === 401 ? await send({ headers: { authorization: "b" } }) : response;
      },
    };
    const { seen, statuses } = await seenBy([401, 503, 200], { auth: challenged });
    assertEquals(statuses, [401, 503, 200]);
    assertEquals(seen.map(({ init }) => init.headers["authorization"]), [
      undefined,
      "b",
      undefined,
    ]);
  });

  it("runs again for each redirect, and learns if its origin gets credentials", async () => {
    const answers = [
      redirectTo("https://files.example.com/a?token=abcdef"),
      redirectTo("https://api.example.com/v1/b"),
      200,
    ];
    const options = { redactFields: ["token"], headers: { authorization: "Bearer t-456" } };
    const { seen, statuses } = await seenBy(answers, options);

    assertEquals(statuses, [307, 307, 200]);
    assertEquals(seen.map(({ shownUrl, isTrusted }) => [shownUrl, isTrusted]), [
      ["https://api.example.com/v1/books", true],
      ["https://files.example.com/a?token=REDACTED", false],
      // Credentials that were dropped do not come back.
      ["https://api.example.com/v1/b", false],
    ]);
    assertEquals(seen.map(({ init }) => init.headers["authorization"]), [
      "Bearer t-456",
      undefined,
      undefined,
    ]);
  });

  it("can add headers to one request, which a redirect does not keep", async () => {
    const { session, transport } = startSession([redirectTo("/v1/b"), 200], {
      middleware: [
        around((request, next) => next(request.url.endsWith("/b") ? {} : { "x-span": "1" })),
      ],
    });
    await session.get("books");
    assertEquals(transport.calls.map(({ init }) => init.headers["x-span"]), ["1", undefined]);
    assert(transport.calls.every(({ init }) => init.headers["user-agent"] !== undefined));
  });

  it("can answer itself, and gets the errors of the transport", async () => {
    const answering = around(() => Promise.resolve(Response.json([7])));
    const { session, transport } = startSession([200], { middleware: [answering] });
    assertEquals(await session.get("x", { convJson: true }), [7]);
    assertEquals(transport.calls, []);

    const seen: unknown[] = [];
    const watching = around((_request, next) =>
      next().catch((error: unknown) => {
        seen.push(error);
        throw error;
      })
    );
    const failed = startSession([refusedConnection()], { middleware: [watching], retries: 1 });
    const error = await assertRejects(() => failed.session.get("x"), TransportError);
    assertEquals([error.kind, seen.length], ["refused", 2]);
    assertInstanceOf(seen[0], TypeError);
  });

  it("runs for every middleware that sets it, with the outermost first", async () => {
    const order: string[] = [];
    const named = (name: string): Middleware => (request, next) => {
      assertEquals(request.network, undefined);
      request.network = async (sent, send) => {
        order.push(`${name} ${sent.init.headers["x-names"] ?? ""}`);
        return await send({ "x-names": `${sent.init.headers["x-names"] ?? ""}${name}` });
      };
      // A copy has the function, too.
      return next(name === "b" ? { ...request } : request);
    };
    const middleware = [named("a"), named("b"), named("c")];
    const { session, transport } = startSession([503, 200], { middleware });
    await session.get("books");
    assertEquals(order, ["a ", "b a", "c ab", "a ", "b a", "c ab"]);
    assertEquals(transport.calls[0]!.init.headers["x-names"], "abc");
  });

  it("gets the same identity for requests that send the same", async () => {
    const { seen } = await seenBy([503, 200], { auth: new ApiKeyAuth("key-1", { query: "key" }) });
    assertEquals(seen.length, 2);
    assert(seen[0]!.identity !== undefined && seen[0]!.identity === seen[1]!.identity);
    const { seen: others } = await seenBy([503, 200], { headers: { "x-own": "a" } });
    assert(seen[0]!.identity !== others[0]!.identity);
  });

  it("gets no identity for a request that changes something, has a body or is a stream", async () => {
    const seen: (string | undefined)[] = [];
    const watching = around((request, next) => {
      seen.push(request.identity);
      return next();
    });
    const { session } = startSession([200, 200, 200], { middleware: [watching] });
    await session.post("a");
    await session.delete("a");
    await session.get("a", { format: { accept: "*/*", stream: (response) => response } });
    assertEquals(seen, [undefined, undefined, undefined]);
  });

  it("does not show credentials if it prints the request", async () => {
    const { seen } = await seenBy([200], { auth: new ApiKeyAuth("key-7d1f", { query: "key" }) });
    const { url: _url, ...shown } = seen[0]!;
    assertEquals(Object.keys(shown).sort(), ["init", "isTrusted"]);
  });

  it("is not used for a call without it", async () => {
    const passing: Middleware = (request, next) => {
      assertEquals(request.network, undefined);
      return next(request);
    };
    const session = new APISession({
      url: "https://api.example.com",
      fetch: () => Promise.resolve(new Response("ok")),
      middleware: [passing],
    });
    assertEquals(await (await session.get("x")).text(), "ok");
  });
});
