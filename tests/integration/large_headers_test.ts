import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import { APISession, RestwrightError, TransportError } from "../../mod.ts";
import { RequestHeaderFieldsTooLargeError } from "../../src/errors/mod.ts";
import { drained } from "../support/drained.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { startServer, type TestServer } from "../support/server.ts";

describe("a header of 1 MB", () => {
  const large = "x".repeat(2 ** 20);
  let server: TestServer;

  before(async () => {
    server = await startServer((request, response) => {
      response.setHeader("x-length", String(request.headers["x-large"]?.length ?? 0));
      if (request.url === "/large") response.setHeader("x-large", large);
      response.end("done");
    });
  });

  after(async () => {
    await server.stop();
  });

  function start(): APISession {
    const logger = recordingLogger();
    return new APISession({ url: server.url, retries: 0, finalWait: false, logger });
  }

  it("in a response arrives complete or causes a TransportError, whatever limit the runtime has", async () => {
    const session = start();
    const outcome = await drained(session.get("large")).then(
      (response) => response.headers.get("x-large")?.length,
      (error: unknown) => error,
    );
    if (typeof outcome === "number") assertEquals(outcome, large.length);
    else assert(outcome instanceof TransportError, String(outcome));
    // The session still works.
    assertEquals((await drained(session.get("small"))).status, 200);
  });

  it("in a request causes status 431 or a lost connection", async () => {
    const session = start();
    const error = await assertRejects(
      () => session.get("x", { headers: { "x-large": large } }),
      RestwrightError,
    );
    const isExpected = error instanceof RequestHeaderFieldsTooLargeError ||
      error instanceof TransportError;
    assert(isExpected, error.name);
    assert(error.message.length < 1000, "the message does not repeat the header");
    assertEquals((await drained(session.get("small"))).status, 200);
  });
});
