/** Tests of formats that read a response while it arrives: the interface `StreamFormat`. */
import { assert, assertEquals, assertInstanceOf, assertRejects, it } from "#test";
import {
  type APISession,
  type CallOptions,
  DeadlineExceededError,
  type LoginRequests,
  NotFoundError,
  type RequestOptions,
  type SessionOptions,
  TransportError,
  UnexpectedValueError,
} from "../../mod.ts";
import { BearerAuth } from "../../src/auth/mod.ts";
import { SessionStateError } from "../../src/entries/errors.ts";
import type { StreamCall, StreamFormat } from "../../src/streams/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { describeGenerations } from "../support/generations.ts";
import { type Answer, scripted } from "../support/scripted.ts";
import { countedBody, readAll } from "../support/streamed.ts";
import { turn } from "../support/until.ts";

/** A format whose items are the chunks as text. */
const chunks: StreamFormat<AsyncGenerator<string>> = {
  accept: "text/x-chunks",
  async *stream(response, call) {
    try {
      const decoder = new TextDecoder();
      for await (const chunk of response.body!) yield decoder.decode(chunk);
    } catch (error) {
      throw call.toTransportError(error);
    }
  },
};

/** A format whose result is the response and the call. */
const inspect: StreamFormat<{ response: Response; call: StreamCall }> = {
  stream: (response, call) => ({ response, call }),
};

describeGenerations("a stream as the option format", ({ Session }) => {
  function start(
    answers: readonly Answer[],
    options: SessionOptions = {},
    SessionClass: new (options: SessionOptions) => APISession = Session,
  ) {
    const fetch = scripted(...answers);
    const clock = fakeClock({ autoAdvance: true });
    const quiet = { clock, logger: recordingLogger(), finalWait: false };
    const session = new SessionClass({
      url: "https://api.example.com",
      fetch,
      ...quiet,
      ...options,
    });
    return { session, fetch, clock };
  }
  const headerOf = (fetch: ReturnType<typeof scripted>, name: string, call = 0) =>
    new Headers(fetch.calls[call]?.init.headers).get(name);

  it("returns the result of the format, also if the format returns a promise", async () => {
    const { session } = start([() => new Response("abc")]);
    assertEquals((await readAll(await session.get("x", { format: chunks }))).items, ["abc"]);
    const later: StreamFormat<number> = {
      stream: async ({ status }) => await Promise.resolve(status),
    };
    assertEquals(await session.get("x", { format: later }), 200);
  });

  it("retries, and throws errors by status, before the format gets a response", async () => {
    const lost = new TransportError("connection lost", { kind: "reset" });
    const { session, fetch } = start([503, lost, () => new Response("abc"), 404]);
    assertEquals((await readAll(await session.get("x", { format: chunks }))).items, ["abc"]);
    assertEquals(fetch.calls.length, 3);
    await assertRejects(() => session.get("x", { format: chunks }), NotFoundError);
  });

  it("sends the credentials, the Accept header of the format, or that of the call", async () => {
    const { session, fetch } = start([() => new Response("a")], { auth: new BearerAuth("t-1") });
    await session.get("x", { format: chunks });
    await session.get("x", { format: chunks, headers: { Accept: "text/plain" } });
    await session.get("x", { format: inspect });
    assertEquals(headerOf(fetch, "authorization"), "Bearer t-1");
    assertEquals(headerOf(fetch, "accept"), "text/x-chunks");
    assertEquals(headerOf(fetch, "accept", 1), "text/plain");
    assertEquals(
      ["text/x-chunks", "text/plain"].includes(headerOf(fetch, "accept", 2) ?? ""),
      false,
    );
  });

  it("takes precedence over box and convJson", async () => {
    class Converting extends Session {
      override readonly _box = true;
      override readonly _convJson = true;
    }
    const session = new Converting({
      url: "https://api.example.com",
      fetch: scripted(() => Response.json({})),
    });
    assertEquals((await readAll(await session.get("x", { format: chunks }))).items, ["{}"]);
    const options: RequestOptions = { format: chunks, box: true };
    assertInstanceOf(await session.get("x", options), Object);
  });

  it("cannot be combined with responseModel, and has to be a format", async () => {
    const { session, fetch } = start([200]);
    const both = { format: chunks, responseModel: {} } as unknown as RequestOptions;
    const error = await assertRejects(() => session.get("x", both), UnexpectedValueError);
    assert(error.message.includes("responseModel"), error.message);
    for (const wrong of [{}, "sse", () => {}, null]) {
      const options = { format: wrong } as unknown as RequestOptions;
      await assertRejects(() => session.get("x", options), UnexpectedValueError);
    }
    assertEquals(fetch.calls.length, 0);
  });

  it("is an option of calls only", async () => {
    const options = { format: chunks } as unknown as SessionOptions;
    assertInstanceOf(await start([200], options).session.get("x"), Response);
    // @ts-expect-error An SDK decides about the format, not its users.
    const _: CallOptions = { format: chunks };
  });

  it("works in sessions of withOptions", async () => {
    const { session, fetch } = start([() => new Response("abc")]);
    const derived = session.withOptions({ headers: { "x-own": "1" } });
    assertEquals((await readAll(await derived.get("x", { format: chunks }))).items, ["abc"]);
    assertEquals(headerOf(fetch, "x-own"), "1");
  });

  it("passes middleware, and shows the unread response to the hook", async () => {
    const seen: string[] = [];
    class Checked extends Session {
      protected override _respErrorCheck(response: Response): Response {
        seen.push(`hook ${response.status} ${response.bodyUsed}`);
        return response;
      }
    }
    const { session } = start([() => new Response("abc")], {
      middleware: [async (request, next) => {
        const response = await next(request);
        seen.push("middleware");
        return response;
      }],
      callMiddleware: [async (call, next) => {
        const result = await next(call);
        seen.push(`call ${typeof (result as AsyncIterable<string>)[Symbol.asyncIterator]}`);
        return result;
      }],
    }, Checked);
    assertEquals((await readAll(await session.get("x", { format: chunks }))).items, ["abc"]);
    assertEquals(seen, ["middleware", "hook 200 false", "call function"]);
  });

  it("works for the requests of a login", async () => {
    const items: unknown[] = [];
    class Vault extends Session {
      protected override async _authenticate(
        _: SessionOptions,
        login: LoginRequests,
      ): Promise<void> {
        items.push(...(await readAll(await login.get("login", { format: chunks }))).items);
      }
    }
    const { session } = start([() => new Response("token"), () => new Response("abc")], {}, Vault);
    items.push(...(await readAll(await session.get("x", { format: chunks }))).items);
    assertEquals(items, ["token", "abc"]);
    await session.close();
  });

  it("leaves the response to asResponse, and returns it with withResponse", async () => {
    const { session } = start([() => new Response("abc", { headers: { "x-id": "7" } })]);
    const call = session.get("x", { format: chunks });
    call.catch(() => {});
    assertEquals(await (await call.asResponse()).text(), "abc");
    await assertRejects(() => call, SessionStateError);
    const { data, response } = await session.get("x", { format: chunks }).withResponse();
    assertEquals(response.headers.get("x-id"), "7");
    assertEquals((await readAll(data)).items, ["abc"]);
  });

  it("throws a TransportError if the body breaks, which is not retried", async () => {
    for (const timeout of [null, 5]) {
      const { body } = countedBody(["abc"], new TypeError("terminated"));
      const { session, fetch } = start([() => new Response(body)], { timeout });
      const { items, error } = await readAll(await session.get("x?key=secret", { format: chunks }));
      assertEquals(items, ["abc"]);
      assertInstanceOf(error, TransportError);
      assertEquals(error.request?.method, "GET");
      assertEquals(fetch.calls.length, 1);
    }
  });

  it("returns the reason of an abort as it is, and mistakes", async () => {
    const { session } = start([() => new Response("abc")]);
    const controller = new AbortController();
    const options = { format: inspect, signal: controller.signal };
    const { call } = await session.get("x", options);
    const mistake = new RangeError("a mistake");
    assert(call.toTransportError(mistake) === mistake);
    const lost = new TypeError("terminated");
    assertInstanceOf(call.toTransportError(lost), TransportError);
    controller.abort(lost);
    assert(call.toTransportError(lost) === lost);
  });

  it("ends the body by the signal of the session, too", async () => {
    const controller = new AbortController();
    const { body, seen } = countedBody(["abc"], "stay");
    const { session } = start([() => new Response(body)], { signal: controller.signal });
    const reading = readAll(await session.get("x", { format: chunks }));
    await turn();
    controller.abort("enough");
    assertEquals(await reading, { items: ["abc"], error: "enough" });
    assert(seen.isCancelled);
  });

  it("has a deadline for the response, and not for its body", async () => {
    const clock = fakeClock();
    const { body } = countedBody(["a", "b"]);
    const { session } = start([() => new Response(body)], { clock });
    const stream = await session.get("x", { format: chunks, deadline: 5 });
    await clock.advance(60);
    assertEquals((await readAll(stream)).items, ["a", "b"]);
    const never = start([() => new Promise<never>(() => {})], { clock }).session;
    const late = assertRejects(
      () => never.get("x", { format: chunks, deadline: 5 }),
      DeadlineExceededError,
    );
    await turn();
    await clock.advance(5);
    await late;
  });

  it("shows the format the request without secrets, and the details for errors", async () => {
    const headers = { "x-request-id": "r-7" };
    const { session } = start([() => new Response("abc", { headers })], {
      redactFields: ["key"],
      requestIdHeader: "x-request-id",
    });
    const { response, call } = await session.post("x", {
      params: { key: "secret" },
      format: inspect,
    });
    assertEquals(call.request.method, "POST");
    assertEquals(call.request.url.includes("secret"), false);
    const details = call.errorDetails(response, "part");
    assertEquals([details.body, details.requestId, details.request], ["part", "r-7", call.request]);
    assertEquals(await details.response.text(), "part");
  });

  it("makes the call again for the format, with retries, its body and other headers", async () => {
    const { session, fetch } = start([200, 503, () => new Response("again")]);
    const { call } = await session.post("x", {
      json: { a: 1 },
      headers: { "X-Own": "1", "x-id": "old" },
      params: { page: 2 },
      format: { ...inspect, accept: "text/x-own" },
    });
    const response = await call.reopen({ "X-Id": "7" });
    assertEquals(await response.text(), "again");
    assertEquals(fetch.calls.length, 3);
    assertEquals(fetch.calls[2]?.url, fetch.calls[0]?.url);
    assertEquals(fetch.calls[2]?.init.body, fetch.calls[0]?.init.body);
    assertEquals(
      ["x-own", "x-id", "accept"].map((name) => headerOf(fetch, name, 2)),
      ["1", "7", "text/x-own"],
    );
  });

  it("does not send a body again that can be read once", async () => {
    const { session, fetch } = start([() => new Response("a")]);
    const content = new Response("abc").body!;
    const { call } = await session.post("x", { content, format: inspect });
    await new Response(fetch.calls[0]?.init.body as BodyInit).text();
    await assertRejects(() => call.reopen({}), UnexpectedValueError);
    assertEquals(fetch.calls.length, 1);
  });

  it("waits for the format by the clock of the session, and not after an abort", async () => {
    const { session, clock } = start([200]);
    const controller = new AbortController();
    const { call } = await session.get("x", { format: inspect, signal: controller.signal });
    await call.wait(7.5);
    assertEquals(clock.waits, [7.5]);
    controller.abort("enough");
    assertEquals(await call.wait(1).catch((reason: unknown) => reason), "enough");
    assertEquals(clock.pending, 0);
  });

  it("rejects if the format throws", async () => {
    const mistake = new Error("a mistake");
    const { session, fetch } = start([200]);
    const throwing: StreamFormat<never> = {
      stream() {
        throw mistake;
      },
    };
    assert(await assertRejects(() => session.get("x", { format: throwing })) === mistake);
    assertEquals(fetch.calls.length, 1);
  });
});
