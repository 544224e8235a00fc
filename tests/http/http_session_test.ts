import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { Cancellation } from "../../src/http/cancellation.ts";
import { headerOverlay } from "../../src/http/headers.ts";
import { type HttpRequest, HttpSession } from "../../src/http/http_session.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { type Answer, scripted } from "../support/scripted.ts";

const request: HttpRequest = {
  method: "POST",
  url: "https://a.example/x",
  headers: headerOverlay({}),
  fetchOptions: undefined,
  timeout: undefined,
};

function start(...answers: readonly Answer[]) {
  const clock = new FakeClock({ jumps: false });
  const http = new HttpSession(clock);
  const transport = scripted(...answers);
  http.adapters.mount("https://", transport);
  const send = (
    part: Partial<HttpRequest> = {},
    body?: BodyInit,
    cancellation?: Cancellation,
  ) => http.send({ ...request, ...part }, body, cancellation, (error) => error);
  return { http, transport, clock, send };
}

describe("the HTTP session beneath", () => {
  it("gives the transport method, headers, body and a redirect mode that follows nothing", async () => {
    const { http, transport, send } = start(200);
    http.headers["user-agent"] = "x";
    await send({ headers: headerOverlay({ "X-Key": "a" }) }, "hello");
    const { url, init } = transport.calls[0]!;
    assertEquals(url, "https://a.example/x");
    assertEquals({ ...init, headers: { ...init.headers } }, {
      method: "POST",
      headers: { "user-agent": "x", "x-key": "a" },
      redirect: "manual",
      body: "hello",
    });
  });

  it("without a body there is none in the init", async () => {
    const { transport, send } = start(200);
    await send();
    assert(!("body" in transport.calls[0]!.init));
    assert(!("duplex" in transport.calls[0]!.init));
  });

  it("an empty text is a body", async () => {
    const { transport, send } = start(200);
    await send({}, "");
    assertEquals(transport.calls[0]!.init.body, "");
  });

  it("a stream is sent with duplex half", async () => {
    const { transport, send } = start(200);
    await send({}, new Response("hello").body!);
    assertEquals(Reflect.get(transport.calls[0]!.init, "duplex"), "half");
  });

  it("what else fetch is given goes to the transport, and cannot replace what the session decides", async () => {
    const { transport, send } = start(200);
    const fetchOptions = { keepalive: true, redirect: "follow", method: "DELETE" } as const;
    await send({ fetchOptions });
    const { init } = transport.calls[0]!;
    assertEquals([init.keepalive, init.redirect, init.method], [true, "manual", "POST"]);
  });

  it("without timeout, signal and deadline the response is the transport's own", async () => {
    const own = new Response("hello");
    const { transport, clock, send } = start(() => own);
    assert(await send() === own);
    assert(!("signal" in transport.calls[0]!.init));
    assertEquals(clock.waits, []);
  });

  it("with a timeout the transport is given a signal, and the body is watched", async () => {
    const own = new Response("hello");
    const { transport, clock, send } = start(() => own);
    const response = await send({ timeout: 5 });
    assert(response !== own);
    assert(transport.calls[0]!.init.signal instanceof AbortSignal);
    assertEquals(await response.text(), "hello");
    assertEquals(clock.pending, 0);
  });

  it("with a signal of the caller the transport is given another, so that none gathers listeners", async () => {
    const { transport, clock, send } = start(() => new Response("hello"));
    const { signal } = new AbortController();
    const cancellation = new Cancellation(signal, undefined, clock);
    const response = await send({}, undefined, cancellation);
    assert(transport.calls[0]!.init.signal !== signal);
    assertEquals(await response.text(), "hello");
  });

  it("headers of one request do not stay for the next", async () => {
    const { http, transport, send } = start(200);
    http.headers["x-key"] = "a";
    await send({ headers: headerOverlay({ "x-key": null, "x-own": "b" }) });
    await send();
    assertEquals(transport.calls.map(({ init }) => ({ ...init.headers })), [
      { "x-own": "b" },
      { "x-key": "a" },
    ]);
  });

  it("a transport that rejects does so as it is", async () => {
    const broken = new TypeError("fetch failed");
    const { send } = start(broken);
    assert(await assertRejects(() => send()) === broken);
    assert(await assertRejects(() => send({ timeout: 5 })) === broken);
  });

  it("where no adapter is mounted fetch is called, read late so that one put in its place is used", async () => {
    const own = globalThis.fetch;
    const called: unknown[] = [];
    globalThis.fetch = (...args: unknown[]) => {
      called.push(args[0]);
      return Promise.resolve(new Response());
    };
    try {
      const http = new HttpSession(new FakeClock());
      await http.send(request, undefined, undefined, (error) => error);
    } finally {
      globalThis.fetch = own;
    }
    assertEquals(called, ["https://a.example/x"]);
  });
});
