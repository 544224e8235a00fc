/** Tests of the option `errorsInSuccess`: errors in responses with a success status. */
import { assert, assertEquals, assertInstanceOf, assertRejects, it } from "#test";
import { z } from "zod";
import {
  APIError,
  type APISession,
  type SessionOptions,
  textFormat,
  UnexpectedValueError,
} from "../../mod.ts";
import { type ErrorFrom, errorsBy, isErrorWith } from "../../src/entries/errors.ts";
import { element, model, string } from "../../src/models/mod.ts";
import { ndjson } from "../../src/streams/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { describeGenerations, type SessionClass } from "../support/generations.ts";
import { type Answer, scripted } from "../support/scripted.ts";
import { countedBody, readAll } from "../support/streamed.ts";

class QueryError extends APIError {}
class LimitedError extends QueryError {
  static override readonly retryable: boolean = true;
}

const byTable = errorsBy("errors.extensions.code", { LIMITED: LimitedError }, {
  otherwise: QueryError,
});
const failed = (code: string) =>
  Response.json({ data: null, errors: [{ message: "no", extensions: { code } }] });
const done = () => Response.json({ data: { id: 7 } });

const starting =
  (Usual: SessionClass) => (answers: readonly Answer[], options: SessionOptions = {}) => {
    const transport = scripted(...answers);
    const clock = fakeClock({ autoAdvance: true });
    const log = recordingLogger();
    const session: APISession = new Usual({
      url: "https://api.example.com",
      adapter: transport,
      clock,
      logger: log,
      errorFrom: byTable,
      errorsInSuccess: true,
      ...options,
    });
    return { session, transport, clock, log };
  };

describeGenerations("the option errorsInSuccess", ({ Session }) => {
  const start = starting(Session);

  it("throws the error of a response with status 200, and returns the others", async () => {
    const { session } = start([failed("BAD"), done]);
    const error = await assertRejects(
      () => session.post("graphql", { convJson: true }),
      QueryError,
    );
    assertEquals([error.status, error.retries], [200, 0]);
    assertEquals(
      error.message,
      "200: POST https://api.example.com/graphql: the body reports an error",
    );
    assertEquals(Object(error.data).errors[0].message, "no");
    assertEquals(await session.post("graphql", { convJson: true }), { data: { id: 7 } });
  });

  it("is off by default: then only error statuses are errors", async () => {
    const { session } = start([failed("BAD")], { errorsInSuccess: undefined });
    assertEquals((await session.post("graphql")).status, 200);
  });

  it("retries an error that is retryable, in the attempts of the call", async () => {
    const { session, transport, clock, log } = start([failed("LIMITED"), 503, done]);
    assertEquals(await session.post("graphql", { convJson: true }), { data: { id: 7 } });
    assertEquals([transport.calls.length, clock.waits], [3, [1, 2]]);
    assert(log.records.some(({ message }) => message.includes("200 LimitedError")));
    const limited = start([failed("LIMITED")]);
    const error = await assertRejects(
      () => limited.session.post("x", { retries: 1 }),
      LimitedError,
    );
    assertEquals([error.retries, limited.transport.calls.length], [1, 2]);
  });

  it("does not retry a method that is not in retryMethods, because the server has processed it", async () => {
    const { session, transport } = start([failed("LIMITED"), done], { retryMethods: ["GET"] });
    const error = await assertRejects(() => session.post("x"), LimitedError);
    assert(error.message.endsWith("(not retried: POST is not one of retryMethods)"), error.message);
    assertEquals(transport.calls.length, 1);
  });

  const Data = z.object({ data: z.object({ id: z.number() }) });
  class Answer extends model("answer", { data: element(string) }) {}
  const conversions: readonly (readonly [string, object])[] = [
    ["the response itself", {}],
    ["JSON", { convJson: true }],
    ["a box", { box: true }],
    ["a schema", { responseModel: Data }],
    ["a model class", { responseModel: Answer }],
    ["a format", { format: textFormat }],
  ];
  for (const [name, options] of conversions) {
    it(`works with every result of a call: ${name}`, async () => {
      const { session } = start([failed("BAD")]);
      await assertRejects(() => session.get("x", options), QueryError);
    });
  }

  it("changes no result of a success", async () => {
    const { session } = start([done]);
    const response = await session.get("x");
    assertEquals(await response.json(), { data: { id: 7 } });
    assertEquals(await session.get("x", { box: true }), { data: { id: 7 } });
    assertEquals(await session.get("x", { responseModel: Data }), { data: { id: 7 } });
    assertEquals(await session.get("x", { format: textFormat }), '{"data":{"id":7}}');
    const { data, response: again } = await session.get("x", { convJson: true }).withResponse();
    assertEquals([data, await again.json()], [{ data: { id: 7 } }, { data: { id: 7 } }]);
  });

  it("reads XML, also if the call returns the response or a box, and keeps its bytes", async () => {
    const xml = (text: string) => () =>
      new Response(text, { headers: { "content-type": "application/xml; charset=iso-8859-1" } });
    const options = { errorFrom: errorsBy("Error.Code", { Slow: LimitedError, "é": QueryError }) };
    const { session, clock } = start([
      xml("<Error><Code>Slow</Code></Error>"),
      xml("<CopyObjectResult/>"),
    ], options);
    const response = await session.put("copy");
    assertEquals([await response.text(), clock.waits], ["<CopyObjectResult/>", [1]]);
    const latin = Uint8Array.from("<Error><Code>é</Code></Error>", (each) => each.charCodeAt(0));
    const encoded = start([
      () => new Response(latin, { headers: { "content-type": "text/xml; charset=iso-8859-1" } }),
    ], options);
    await assertRejects(() => encoded.session.put("copy", { box: true }), QueryError);
  });

  it("does not read a body that is neither JSON nor XML, if the call returns the response", async () => {
    const { body, seen } = countedBody(["a", "b"]);
    const headers = { "content-type": "application/zip" };
    const adapter = () => Promise.resolve(new Response(body, { headers }));
    const { session } = start([], { adapter });
    const response = await session.get("x");
    assertEquals([seen.pulls, await response.text()], [0, "ab"]);
  });

  it("does not read the response of asResponse()", async () => {
    const { body, seen } = countedBody(["[1]"]);
    const headers = { "content-type": "application/json" };
    const adapter = () => Promise.resolve(new Response(body, { headers }));
    const { session } = start([], { adapter });
    const response = await session.get("x", { convJson: true }).asResponse();
    assertEquals([seen.pulls, await response.json()], [0, [1]]);
  });

  it("is not applied to a status of okStatuses, nor to an empty body", async () => {
    const asked: number[] = [];
    const { session } = start([() => Response.json({}, { status: 404 }), 200, 204], {
      errorFrom: (response) => void asked.push(response.status) as undefined,
    });
    for (const status of [404, 200, 204]) {
      assertEquals((await session.get("x", { okStatuses: [404] })).status, status);
    }
    assertEquals(asked, []);
  });

  it("can be set for one call, and needs an errorFrom", async () => {
    const { session, transport } = start([failed("BAD")], { errorsInSuccess: false });
    await assertRejects(() => session.get("x", { errorsInSuccess: true }), QueryError);
    const bare = start([done], { errorFrom: undefined });
    const error = await assertRejects(() => bare.session.get("x"), UnexpectedValueError);
    assertEquals([error.option, bare.transport.calls.length], ["errorsInSuccess", 0]);
    await assertRejects(
      () => session.get("x", { errorsInSuccess: 1 as never }),
      UnexpectedValueError,
    );
    assertEquals(transport.calls.length, 1);
  });

  it("runs before the hook _respErrorCheck, which sees no error that was found", async () => {
    const seen: number[] = [];
    class Hooked extends Session {
      protected override async _respErrorCheck(response: Response): Promise<Response> {
        seen.push((await response.text()).length);
        return response;
      }
    }
    const adapter = scripted(failed("BAD"), done());
    const url = "https://api.example.com";
    const session: APISession = new Hooked({
      url,
      adapter,
      errorFrom: byTable,
      errorsInSuccess: true,
    });
    await assertRejects(() => session.get("x"), QueryError);
    assertEquals(await session.get("x", { convJson: true }), { data: { id: 7 } });
    assertEquals(seen, ['{"data":{"id":7}}'.length]);
  });

  it("types the data of its error by a model, which other bodies do not match", async () => {
    const Failed = z.object({ errors: z.array(z.object({ message: z.string() })) });
    const errorFrom = errorsBy("errors.extensions.code", {}, {
      model: Failed,
      otherwise: QueryError,
    });
    const { session } = start([failed("BAD"), done], { errorFrom });
    const error = await assertRejects(() => session.get("x"), QueryError);
    assert(isErrorWith(error, Failed));
    assertEquals(error.data.errors[0]?.message, "no");
    assertEquals(await session.get("x", { convJson: true }), { data: { id: 7 } });
  });

  it("retries a body that breaks off, and the error of the hook is not taken for such a failure", async () => {
    const broken = () => {
      const reset = Object.assign(new Error("cut"), { code: "ECONNRESET" });
      const { body } = countedBody(["{"], new TypeError("terminated", { cause: reset }));
      return new Response(body, { headers: { "content-type": "application/json" } });
    };
    const { session, transport } = start([broken, done]);
    assertEquals((await session.get("x")).status, 200);
    assertEquals(transport.calls.length, 2);
    const failing = start([done], {
      errorFrom: () => {
        throw new TypeError("fetch failed");
      },
    });
    await assertRejects(() => failing.session.get("x"), TypeError, "fetch failed");
    assertEquals(failing.transport.calls.length, 1);
  });

  it("ends at the first item of a stream that reports an error, and repeats the call", async () => {
    const lines = (...items: object[]) => () =>
      new Response(items.map((item) => JSON.stringify(item) + "\n").join(""));
    const error = { errors: [{ extensions: { code: "LIMITED" } }] };
    const { session, clock } = start([lines(error), lines({ id: 1 }, error)]);
    const read: unknown[] = [];
    const thrown = await assertRejects(async () => {
      for await (const item of session.get("x", { format: ndjson() })) read.push(item);
    }, LimitedError);
    assertEquals([read, clock.waits], [[{ id: 1 }], [1]]);
    assert(thrown.message.includes("(not retried: items of the stream have been delivered)"));
  });

  it("builds no response and decodes nothing for an item, unless the hook reads it", async () => {
    let decoded = 0;
    class Item extends model("item", { id: element(string) }) {
      static override readonly check = () => void decoded++ as undefined;
    }
    let built = 0;
    class Counted extends Response {
      constructor(...args: ConstructorParameters<typeof Response>) {
        super(...args);
        built++;
      }
    }
    const lines = () => new Response('{"id":"a"}\n{"id":"b"}\n');
    const readBy = async (errorFrom: ErrorFrom): Promise<[items: number, ...counts: number[]]> => {
      decoded = built = 0;
      const withItems = Object.assign(errorFrom.bind(undefined), { model: Item });
      const { session } = start([lines], { errorFrom: withItems });
      const stream = await session.get("x", { format: ndjson() });
      const { Response: original } = globalThis;
      globalThis.Response = Counted;
      try {
        return [(await readAll(stream)).items.length, built, decoded];
      } finally {
        globalThis.Response = original;
      }
    };
    assertEquals(await readBy(byTable), [2, 0, 0]);
    assertEquals(await readBy((response) => void response.status as undefined), [2, 0, 0]);
    const texts: string[] = [];
    const reader: ErrorFrom = async (response, { data }) => {
      texts.push(await response.text());
      if (data instanceof Item) texts.push(data.id);
      return undefined;
    };
    assertEquals(await readBy(reader), [2, 2, 2]);
    assertEquals(texts, ['{"id":"a"}', "a", '{"id":"b"}', "b"]);
  });

  for (const kind of ["a model class", "a schema"] as const) {
    it(`types the data of an error in an item by ${kind}, also in a copy of the details`, async () => {
      const Problem = kind === "a schema"
        ? z.object({ code: z.string() })
        : class extends model("problem", { code: element(string) }) {};
      const errorFrom: ErrorFrom = (response, details) =>
        details.data === undefined
          ? undefined
          : new QueryError(response, { ...details, retryAfter: 7 });
      const lines = () => new Response('{"id":1}\n{"code":"no"}\n');
      const { session } = start([lines], {
        errorFrom: Object.assign(errorFrom, { model: Problem }),
      });
      const { items, error } = await readAll(await session.get("x", { format: ndjson() }));
      assertEquals(items, [{ id: 1 }]);
      assertInstanceOf(error, QueryError);
      assert(isErrorWith(error, Problem));
      assertEquals([error.data.code, error.retryAfter], ["no", 7]);
      assertEquals(await error.response.text(), '{"code":"no"}');
    });
  }
});
