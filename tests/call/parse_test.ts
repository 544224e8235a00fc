import { assert, assertEquals, assertRejects, it } from "#test";
import {
  type RequestOptions,
  type SessionOptions,
  TransportError,
  UnexpectedValueError,
} from "../../mod.ts";
import { DecodeError } from "../../src/entries/errors.ts";
import { describeGenerations, type SessionClass } from "../support/generations.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted } from "../support/scripted.ts";

type Check = (response: Response, options: RequestOptions) => Response | Promise<Response>;

const starting = (Session: SessionClass) => (answers: readonly Answer[], check?: Check) => {
  const transport = scripted(...answers);
  const options: SessionOptions = {
    url: "https://a.example",
    adapter: transport,
    clock: fakeClock({ autoAdvance: true }),
    logger: recordingLogger(),
  };
  class Checked extends Session {
    protected override _respErrorCheck(response: Response, options: RequestOptions) {
      return check!(response, options);
    }
  }
  return { transport, session: check ? new Checked(options) : new Session(options) };
};

/** Creates a response whose body breaks off. */
function broken(): Response {
  return new Response(
    new ReadableStream({
      pull: (controller) => controller.error(new TypeError("terminated")),
    }),
  );
}

describeGenerations("the result of a call", ({ Session }) => {
  const start = starting(Session);

  it("rule 10: by default the raw response object, with its body unread", async () => {
    const own = new Response('{"a":1}');
    const { session } = start([() => own]);
    const response = await session.get("x");
    assert(response === own);
    assertEquals(response.bodyUsed, false);
  });

  const bodies: readonly (readonly [string, string | null, unknown])[] = [
    ["an object", '{"a":[1]}', { a: [1] }],
    ["an array", "[1,2]", [1, 2]],
    ["null", "null", null],
    ["a scalar", " 7 ", 7],
    ["text", '"€"', "€"],
    ["a byte order mark before it", "\ufeff{}", {}],
    ["an empty body, the value none", "", null],
    ["no body, the value none", null, null],
  ];
  for (const [what, body, value] of bodies) {
    // contract: reading-5
    it(`rule 10: with conv_json true, native data: ${what}`, async () => {
      const check = (response: Response) => response;
      const bytes = body === null ? null : new TextEncoder().encode(body);
      for (
        const { session } of [start([new Response(bytes)]), start([new Response(bytes)], check)]
      ) {
        assertEquals(await session.get("x", { convJson: true }), value);
      }
    });
  }

  it("convJson does not require a content type", async () => {
    const headers = { "content-type": "text/html" };
    const { session } = start([new Response("[1]", { headers })]);
    assertEquals(await session.get("x", { convJson: true }), [1]);
  });

  it("a 204 with convJson is null", async () => {
    const { session } = start([204]);
    assertEquals(await session.delete("x", { convJson: true }), null);
  });

  for (const body of ["<p>", "{", "undefined", " ", "NaN", "{'a':1}"]) {
    it(`a body that cannot be parsed causes a DecodeError with the response: ${body.replace("<", "[")}`, async () => {
      const { session, transport } = start([new Response(body, { status: 203 })]);
      const error = await assertRejects(() => session.get("x", { convJson: true }), DecodeError);
      assertEquals([error.body, error.status, error.response.status], [body, 203, 203]);
      assertEquals(await error.response.text(), body);
      assertEquals(transport.calls.length, 1);
    });
  }

  it("head returns the response, or null if a conversion is requested anyway", async () => {
    const { session } = start([200]);
    assert(await session.head("x") instanceof Response);
    assertEquals(await session.head("x", { convJson: true } as never), null as never);
  });

  it("a body that breaks off while it is converted is retried like any transport error", async () => {
    const { session, transport } = start([() => broken(), () => broken(), new Response("[1]")]);
    assertEquals(await session.get("x", { convJson: true }), [1]);
    assertEquals(transport.calls.length, 3);
  });

  it("a body that always breaks off causes a TransportError", async () => {
    const { session } = start([() => broken()]);
    const error = await assertRejects(() => session.get("x", { convJson: true }), TransportError);
    assertEquals([error.kind, error.retries], ["reset", 3]);
  });
});

describeGenerations("rule 9, the hook for a success status", ({ Session }) => {
  const start = starting(Session);

  it("receives the response and the request options", async () => {
    const seen: unknown[] = [];
    const passed = { params: { a: 1 } };
    const { session } = start(
      [new Response("hello", { status: 201 })],
      async (response, options) => {
        seen.push(response.status, await response.text(), options);
        return response;
      },
    );
    await session.post("x", passed);
    assertEquals(seen, [201, "hello", passed]);
  });

  it("may read the response, and the caller still receives an unread one", async () => {
    const { session } = start([new Response("hello", { headers: { "x-id": "7" } })], async (r) => {
      await r.text();
      return r;
    });
    const response = await session.get("x");
    assertEquals([await response.text(), response.headers.get("x-id")], ["hello", "7"]);
  });

  it("may return another response, which is converted", async () => {
    const { session } = start([new Response("[1]")], () => new Response("[2]"));
    assertEquals(await session.get("x", { convJson: true }), [2]);
    assertEquals(await (await session.get("x")).text(), "[2]");
  });

  it("may return another response, which a raw call returns unchanged and unread", async () => {
    const other = new Response("[2]");
    const { session } = start([new Response("[1]")], () => other);
    assert(await session.get("x") === other);
    assertEquals(other.bodyUsed, false);
  });

  it("may receive a response whose bytes are not text, and they are not changed", async () => {
    const bytes = new Uint8Array([0, 255, 128, 10]);
    const { session } = start([new Response(bytes)], (response) => response);
    assertEquals(new Uint8Array(await (await session.get("x")).arrayBuffer()), bytes);
  });

  it("passes on the error that it throws, without a retry", async () => {
    class Refused extends Error {}
    const refused = new Refused("the body reports an error");
    const { session, transport } = start([200], () => {
      throw refused;
    });
    assert(await assertRejects(() => session.get("x")) === refused);
    assertEquals(transport.calls.length, 1);
  });

  it("is not called for an error status", async () => {
    let calls = 0;
    const { session } = start([503, 404], (response) => {
      calls++;
      return response;
    });
    await assertRejects(() => session.get("x"));
    assertEquals(calls, 0);
  });

  it("is named in an error if it returns no response", async () => {
    const { session } = start([200], () => undefined as never);
    const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
    assertEquals(error.option, "_respErrorCheck");
  });

  it("is called after a body that breaks off has been retried", async () => {
    const { session } = start([() => broken(), new Response("[1]")], (response) => response);
    assertEquals(await session.get("x", { convJson: true }), [1]);
  });

  it("keeps url, redirected and type of the response", async () => {
    const answer = () => {
      const response = new Response("hello");
      Object.defineProperty(response, "url", { value: "https://a.example/x" });
      Object.defineProperty(response, "redirected", { value: true });
      return response;
    };
    const { session } = start([answer], (response) => response);
    const { url, redirected } = await session.get("x");
    assertEquals([url, redirected], ["https://a.example/x", true]);
  });
});
