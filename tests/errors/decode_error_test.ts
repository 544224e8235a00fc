import { inspect } from "node:util";
import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { APISession, type SessionOptions } from "../../mod.ts";
import { DecodeError } from "../../src/entries/errors.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

describe("a decode error", () => {
  it("has status, request, headers and body, and the response can still be read", async () => {
    const transport = scripted(
      new Response("<p>hello</p>", { status: 201, headers: { "content-type": "text/html" } }),
    );
    const session = new APISession({
      url: "https://api.example.com",
      adapter: transport,
      logger: recordingLogger(),
    });
    const error = await assertRejects(
      () => session.get("x?token=t0ken", { convJson: true, redactFields: ["token"] }),
      DecodeError,
    );
    assertEquals([error.status, error.body], [201, "<p>hello</p>"]);
    assertEquals(error.headers.get("content-type"), "text/html");
    assertEquals(error.request?.url, "https://api.example.com/x?token=REDACTED");
    assertEquals(await error.response.text(), "<p>hello</p>");
    assert(error.cause instanceof SyntaxError);
    assertEquals(
      error.message,
      "the response to GET https://api.example.com/x?token=REDACTED is not JSON " +
        "(status 201, text/html); error.body has the text",
    );
    assertEquals(transport.calls.length, 1, "a decode error is not retried");
  });

  it("can be created from a response and its body", () => {
    const response = new Response("no", { status: 200 });
    const error = new DecodeError("no such thing", { response, body: "no" });
    assertEquals([error.message, error.status, error.request, error.body], [
      "no such thing",
      200,
      undefined,
      "no",
    ]);
    assert(error.response === response);
    assert(!("cause" in error));
  });
});

describeGenerations("a decode error of a session or client", ({ Session }) => {
  function start(options: SessionOptions = {}) {
    const log = recordingLogger();
    const defaults = {
      url: "https://a.example",
      logger: log,
      clock: fakeClock({ autoAdvance: true }),
      retries: 1,
    };
    return { session: new Session({ ...defaults, ...options }), log };
  }

  it("does not show the body when it is printed", async () => {
    const { session } = start({
      adapter: scripted(new Response("hunter2 t0ken")),
    });
    const error = await assertRejects(() => session.get("x", { convJson: true }), DecodeError);
    const shown = inspect(error, { depth: 10 });
    assert(!/t0ken|hunter2/.test(shown), shown);
  });
});
