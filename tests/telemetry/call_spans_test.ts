import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import { context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { isTracingSuppressed } from "@opentelemetry/core";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import {
  type APISession,
  NotFoundError,
  path,
  type SessionOptions,
  TransportError,
} from "../../mod.ts";
import { DecodeError } from "../../src/entries/errors.ts";
import { type Middleware, RequestContext } from "../../src/middleware/mod.ts";
import { telemetry, type TelemetryOptions, urlTemplate } from "../../src/telemetry/mod.ts";
import { type RecordedTelemetry, recordTelemetry } from "../support/recorded_telemetry.ts";
import { type Answer, refusedConnection } from "../support/scripted.ts";
import { startSession } from "../support/start_session.ts";

let recorded: RecordedTelemetry;

function start(
  answers: readonly Answer[],
  options: SessionOptions = {},
  telemetryOptions: TelemetryOptions = {},
) {
  const callMiddleware = [telemetry({ spans: "call", ...telemetryOptions })];
  return startSession(answers, { callMiddleware, ...options });
}

/** Makes a call, and returns its span. */
async function spanOf(
  call: (session: APISession) => Promise<unknown>,
  answers: readonly Answer[],
  options: SessionOptions = {},
): Promise<ReadableSpan> {
  await call(start(answers, options).session).catch(() => {});
  const [span, ...others] = recorded.spans();
  assertEquals(others, []);
  return span!;
}

const redirectTo = (location: string) => new Response("x", { status: 307, headers: { location } });

describe("the span of a call", () => {
  before(() => {
    recorded = recordTelemetry();
  });
  after(() => recorded.stop());

  it("is an INTERNAL span with the template, and the number of requests that were sent again", async () => {
    const call = (session: APISession) => session.get(path`users/${7}`);
    const answers = [503, redirectTo("/v1/b"), 200];
    const { name, kind, attributes, status } = await spanOf(call, answers);
    assertEquals([name, kind, status.code], ["GET /v1/users/{}", SpanKind.INTERNAL, 0]);
    assertEquals({ ...attributes }, {
      "http.request.method": "GET",
      "url.template": "/v1/users/{}",
      "http.request.resend_count": 2,
    });
  });

  it("has no count if the request was sent once, and no template for a plain path", async () => {
    const { name, attributes } = await spanOf((session) => session.post("users"), [200]);
    assertEquals([name, { ...attributes }], ["POST", { "http.request.method": "POST" }]);
  });

  it("has a template that is set for the call", async () => {
    const template = () => ({ context: new RequestContext().set(urlTemplate, "/v1/users/{id}") });
    const { name } = await spanOf((session) => session.get("users/7", template()), [200]);
    assertEquals(name, "GET /v1/users/{id}");
  });

  it("is active during the call, for all that the call does", async () => {
    const active: (Span | undefined)[] = [];
    const middleware: readonly Middleware[] = [(request, next) => {
      active.push(trace.getActiveSpan());
      return next(request);
    }];
    const { session } = start([() => {
      active.push(trace.getActiveSpan());
      return new Response();
    }], { middleware });
    await session.get("a");
    const [span] = recorded.spans();
    const { spanId } = span!.spanContext();
    assertEquals(active.map((each) => each?.spanContext().spanId), [spanId, spanId]);
  });

  it("has the status of the error as its error.type, or the class of the error", async () => {
    const notFound = await spanOf((session) => session.get("a"), [404]);
    assertEquals(notFound.attributes["error.type"], "404");
    assertEquals([notFound.status, notFound.events], [{ code: SpanStatusCode.ERROR }, []]);

    const options = { retries: 0, finalWait: false };
    const failed = await spanOf((session) => session.get("a"), [refusedConnection()], options);
    assertEquals(failed.attributes["error.type"], "TransportError");
    assertEquals(failed.events.map(({ name }) => name), ["exception"]);

    const text = () => new Response("no JSON");
    const unread = await spanOf((session) => session.get("a", { convJson: true }), [text]);
    assertEquals(unread.attributes["error.type"], "DecodeError");
  });

  it("has no error if the caller has aborted the call", async () => {
    const controller = new AbortController();
    const hanging = () => {
      controller.abort();
      return new Promise<Response>(() => {});
    };
    const { signal } = controller;
    const { status, attributes } = await spanOf((session) => session.get("a", { signal }), [
      hanging,
    ]);
    assertEquals([status.code, attributes["error.type"]], [0, undefined]);
  });

  it("does not change results and errors", async () => {
    const { session } = start([
      () => Response.json([7]),
      404,
      refusedConnection(),
      refusedConnection(),
    ]);
    assertEquals(await session.get("a", { convJson: true }), [7]);
    await assertRejects(() => session.get("a"), NotFoundError);
    await assertRejects(() => session.get("a", { retries: 1 }), TransportError);
    const text = start([() => new Response("no JSON")]);
    await assertRejects(() => text.session.get("a", { convJson: true }), DecodeError);
    recorded.spans();
  });

  it("leaves trace context to the runtime, but suppresses it for other origins", async () => {
    const isSuppressed: boolean[] = [];
    const note = (response: Response) => () => {
      isSuppressed.push(isTracingSuppressed(context.active()));
      return response;
    };
    const location = "https://other.example.com/b";
    const answers = [note(redirectTo(location)), note(new Response())];
    const { session, transport } = start(answers);
    await session.get("a");
    assertEquals(isSuppressed, [false, true]);
    assert(transport.calls.every(({ init }) => init.headers["traceparent"] === undefined));
    await start([note(new Response())], {}, { propagate: false }).session.get("a");
    assertEquals(isSuppressed.at(-1), true);
    recorded.spans();
  });
});
