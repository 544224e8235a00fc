/** Tests of the option `errorFrom`, which chooses the error of a response by its content. */
import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStrictEquals,
  it,
} from "#test";
import { z } from "zod";
import {
  APIError,
  type APISession,
  NotFoundError,
  type SessionOptions,
  TooManyRequestsError,
  UnexpectedValueError,
} from "../../mod.ts";
import {
  type ErrorFrom,
  type ErrorFromDetails,
  errorsBy,
  isErrorStatus,
  isErrorWith,
} from "../../src/entries/errors.ts";
import { element, model, string } from "../../src/models/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { describeGenerations, type SessionClass } from "../support/generations.ts";
import { type Answer, scripted } from "../support/scripted.ts";

class SlowError extends APIError {
  static override readonly retryable: boolean = true;
}
class QuotaError extends APIError {}

const coded = (code: string, status = 400, headers: HeadersInit = {}) =>
  Response.json({ error: { code } }, { status, headers });
const byCode = errorsBy("error.code", { slow: SlowError, quota: QuotaError });

const starting =
  (Usual: SessionClass) => (answers: readonly Answer[], options: SessionOptions = {}) => {
    const transport = scripted(...answers);
    const clock = fakeClock({ autoAdvance: true });
    const log = recordingLogger();
    const url = "https://api.example.com";
    const session: APISession = new Usual({
      url,
      adapter: transport,
      clock,
      logger: log,
      ...options,
    });
    return { session, transport, clock, log };
  };

describeGenerations("the option errorFrom", ({ Session }) => {
  const start = starting(Session);

  it("chooses the class of an error, for a status that has many", async () => {
    const { session } = start([coded("quota", 429), coded("lost", 429)], { errorFrom: byCode });
    const error = await assertRejects(() => session.get("x", { retries: 0 }), QuotaError);
    assertEquals([error.status, error.name], [429, "QuotaError"]);
    await assertRejects(() => session.get("x", { retries: 0 }), TooManyRequestsError);
  });

  it("decides with its error that a request is retried, with the wait of the server", async () => {
    const answers = [coded("slow", 400, { "retry-after": "7" }), coded("slow"), 200];
    const { session, transport, clock, log } = start(answers, { errorFrom: byCode });
    assertEquals((await session.get("x")).status, 200);
    assertEquals([transport.calls.length, clock.waits], [3, [7, 2]]);
    assert(log.records.some(({ message }) => message.includes("400 SlowError")));
  });

  it("decides with its error that a request is not retried, although its status would be", async () => {
    const { session, transport } = start([coded("quota", 429), 200], { errorFrom: byCode });
    const error = await assertRejects(() => session.get("x"), QuotaError);
    assertEquals([transport.calls.length, error.retries], [1, 0]);
  });

  it("can decide by the instance: a getter retryable, and a retryAfter of the body", async () => {
    class BusyError extends APIError {
      override get retryable(): boolean {
        return Object(this.data).again === true;
      }
    }
    const errorFrom: ErrorFrom = (response, details) => {
      const { wait } = Object(details.data);
      return new BusyError(response, { ...details, retryAfter: wait });
    };
    const answers = [{ again: true, wait: 4 }, { again: false }]
      .map((body) => Response.json(body, { status: 409 }));
    const { session, clock } = start(answers, { errorFrom });
    const error = await assertRejects(() => session.get("x"), BusyError);
    assertEquals([clock.waits, error.retries, error.retryable], [[4], 1, false]);
  });

  it("does not overrule retryOn", async () => {
    const { session } = start([coded("quota", 429), 200], { errorFrom: byCode });
    assertEquals((await session.get("x", { retryOn: [429] })).status, 200);
  });

  it("does not overrule retryMethods: a 503 may have been processed", async () => {
    const errorFrom = byCode;
    const { session, transport } = start([coded("slow", 503)], {
      errorFrom,
      retryMethods: ["GET"],
    });
    const error = await assertRejects(() => session.post("x"), SlowError);
    assertEquals([transport.calls.length, /not retried: POST/.test(error.message)], [1, true]);
  });

  it("works for statuses that have no class, and for those of okStatuses it is not called", async () => {
    const { session } = start([coded("quota", 418)], { errorFrom: byCode, errorMap: {} });
    await assertRejects(() => session.get("x"), QuotaError);
    assertEquals((await session.get("x", { okStatuses: [418] })).status, 418);
  });

  it("gets the response and the details, which the error has, too", async () => {
    let seen: ErrorFromDetails | undefined;
    const errorFrom: ErrorFrom = async (response, details) => {
      seen = details;
      assertEquals(await response.json(), { error: { code: "quota" } });
      return new QuotaError(response, details);
    };
    const headers = { "x-request-id": "r-1", "retry-after": "3" };
    const { session } = start([coded("quota", 400, headers)], {
      errorFrom,
      redactFields: ["token"],
      errorFunc: (_response, { data, redact }) => redact(`${Object(data).error.code} secret-1`),
    });
    const error = await assertRejects(
      () => session.get("x", { params: { token: "secret-1" } }),
      QuotaError,
    );
    assertEquals(error.message, "quota REDACTED");
    const { request, requestId, retryAfter, body, data, retries, redact, url } = seen!;
    assertEquals([request.url, url], Array(2).fill("https://api.example.com/x?token=REDACTED"));
    assertEquals([requestId, retryAfter, retries], ["r-1", 3, 0]);
    assertEquals([body, data], ['{"error":{"code":"quota"}}', { error: { code: "quota" } }]);
    assertEquals(redact("a secret-1"), "a REDACTED");
    assertStrictEquals(error.data, data);
    assertEquals([error.requestId, error.retryAfter, error.request], ["r-1", 3, request]);
  });

  it("parses the body once, and only if the hook or the error needs it", async () => {
    const { parse } = JSON;
    let parsed = 0;
    JSON.parse = (text: string) => {
      if (text.includes("quota")) parsed++;
      return parse(text);
    };
    try {
      const { session } = start([coded("quota")], { errorFrom: () => undefined });
      await assertRejects(() => session.get("x"), APIError);
      assertEquals(parsed, 0);
      const errorFrom: ErrorFrom = (response, details) =>
        Object(details.data).error && new QuotaError(response, details);
      const error = await assertRejects(() => session.get("x", { errorFrom }), QuotaError);
      assertEquals([error.data, parsed], [{ error: { code: "quota" } }, 1]);
    } finally {
      JSON.parse = parse;
    }
  });

  it("is asked for a call first, then for its client, then for the class", async () => {
    const asked: string[] = [];
    const hook = (name: string, found?: typeof APIError): ErrorFrom => (response, details) => {
      asked.push(name);
      return found && new found(response, details);
    };
    class Layered extends Session {
      static override readonly errorFrom: ErrorFrom = hook("class", QuotaError);
    }
    const url = "https://api.example.com";
    const layered: APISession = new Layered({
      url,
      adapter: scripted(400),
      logger: null,
      errorFrom: hook("client"),
    });
    await assertRejects(() => layered.get("x", { errorFrom: hook("call") }), QuotaError);
    assertEquals(asked, ["call", "client", "class"]);
    const copy = layered.withOptions({ errorFrom: hook("copy", SlowError) });
    await assertRejects(() => copy.get("x", { retries: 0 }), SlowError);
    assertEquals(asked.slice(3), ["copy"]);
  });

  it("can be a static method of the class", async () => {
    class Shop extends Session {
      static override errorFrom(response: Response, details: ErrorFromDetails): APIError {
        return new QuotaError(response, details);
      }
    }
    const adapter = scripted(409);
    const shop: APISession = new Shop({ url: "https://api.example.com", adapter });
    await assertRejects(() => shop.get("x"), QuotaError);
  });

  it("gets the value of its model, and its error is found by isErrorWith", async () => {
    const Problem = z.object({ error: z.object({ code: z.string().transform((c) => `<${c}>`) }) });
    const errorFrom: ErrorFrom = (response, details) => {
      assertEquals(details.data, { error: { code: "<quota>" } });
      return new QuotaError(response, details);
    };
    const { session } = start([coded("quota")], {
      errorFrom: Object.assign(errorFrom, { model: Problem }),
    });
    const error = await assertRejects(() => session.get("x"), QuotaError);
    assert(isErrorWith(error, Problem));
    assertEquals(error.data.error.code, "<quota>");
  });

  it("finds codes in the body as it was sent, whatever its model makes of it", async () => {
    const Problem = z.object({ error: z.object({ code: z.literal("other") }) });
    const errorFrom = errorsBy("error.code", { quota: QuotaError }, { model: Problem });
    const { session } = start([coded("quota")], { errorFrom });
    const error = await assertRejects(() => session.get("x"), QuotaError);
    assertEquals([error.data, isErrorWith(error, Problem)], [undefined, false]);
  });

  it("may choose a class with a model of its own, which decodes its data", async () => {
    const Detail = z.object({ error: z.object({ code: z.literal("quota") }) });
    class DetailedError extends APIError {
      static override readonly errorModel: typeof Detail = Detail;
      declare readonly data: z.infer<typeof Detail> | undefined;
    }
    const errorFrom = errorsBy("error.code", { quota: DetailedError, lost: DetailedError });
    const { session } = start([coded("quota"), coded("lost")], { errorFrom });
    const error = await assertRejects(() => session.get("x"), DetailedError);
    assert(isErrorWith(error, Detail));
    assertEquals(error.data.error.code, "quota");
    const other = await assertRejects(() => session.get("x"), DetailedError);
    assertEquals([other.data, isErrorWith(other, Detail)], [undefined, false]);
  });

  it("reads the codes of XML, and a model class decodes the same body", async () => {
    class S3Error extends model("Error", {
      code: element(string, { tag: "Code" }),
    }) {}
    const body = "<Error><Code>SlowDown</Code></Error>";
    const answer = new Response(body, {
      status: 503,
      headers: { "content-type": "application/xml" },
    });
    const { session, transport } = start([answer], {
      errorFrom: errorsBy("Error.Code", { SlowDown: QuotaError }, { model: S3Error }),
    });
    const error = await assertRejects(() => session.get("x"), QuotaError);
    assert(isErrorWith(error, S3Error));
    assertEquals([error.data.code, transport.calls.length], ["SlowDown", 1]);
  });

  it("keeps the response readable: for itself, for the error and for the hook before a retry", async () => {
    const texts: string[] = [];
    class Hooked extends Session {
      protected override async _retryRequest(response: Response): Promise<undefined> {
        texts.push(await response.text());
      }
    }
    const errorFrom: ErrorFrom = async (response, details) => {
      texts.push(await response.text());
      return details.retries === 0 ? new SlowError(response, details) : undefined;
    };
    const adapter = scripted(new Response("one", { status: 400 }));
    const clock = fakeClock({ autoAdvance: true });
    const url = "https://api.example.com";
    const session: APISession = new Hooked({ url, adapter, clock, logger: null, errorFrom });
    const error = await assertRejects(() => session.get("x"), APIError);
    assertEquals([...texts, await error.response.text()], ["one", "one", "one", "one"]);
  });

  it("ends the call with the error that it throws, without a retry", async () => {
    const errorFrom = () => {
      throw new TypeError("fetch failed");
    };
    const { session, transport } = start([503], { errorFrom });
    await assertRejects(() => session.get("x"), TypeError, "fetch failed");
    assertEquals(transport.calls.length, 1);
  });

  it("is ended by a signal while it waits", async () => {
    const controller = new AbortController();
    const errorFrom = () => {
      queueMicrotask(() => controller.abort(new Error("enough")));
      return new Promise<undefined>(() => {});
    };
    const { session } = start([503], { errorFrom });
    const { signal } = controller;
    await assertRejects(() => session.get("x", { signal }), Error, "enough");
  });

  const wrong: readonly (readonly [string, unknown])[] = [
    ["another error", new Error("no")],
    ["the class in place of an instance", NotFoundError],
    ["null", null],
    ["a promise of a text", Promise.resolve("no")],
    [
      "an error with a wait that is not a number",
      new QuotaError(new Response(), { retryAfter: NaN }),
    ],
  ];
  for (const [name, returned] of wrong) {
    it(`must return an APIError or undefined: ${name}`, async () => {
      const { session, transport } = start([503], { errorFrom: () => returned as APIError });
      const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
      assert(error.option?.startsWith("errorFrom"));
      assertEquals(transport.calls.length, 1);
    });
  }
});

describeGenerations("isErrorStatus", ({ Session }) => {
  const start = starting(Session);

  it("reports if an error is that of a response with one of some statuses, and types its data", async () => {
    const { session } = start([coded("quota", 404)]);
    const error: unknown = await session.get("x").catch((reason: unknown) => reason);
    assert(isErrorStatus<{ readonly error: { readonly code: string } }>(error, 404));
    const code: string | undefined = error.data?.error.code;
    assertEquals(code, "quota");
    assertInstanceOf(error, NotFoundError);
    assertEquals([isErrorStatus(error, 410), isErrorStatus(error, 410, 404)], [false, true]);
    assertEquals([isErrorStatus({ status: 404 }, 404), isErrorStatus(null, 404)], [false, false]);
  });
});
