import { inspect } from "node:util";
import { createServer } from "node:net";
import { assert, assertEquals, assertRejects, assertStringIncludes, describe, it } from "#test";
import { APISession, TransportError } from "../../mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { refusedConnection, scripted } from "../support/scripted.ts";

/** Returns the error and its causes in every form in which they are commonly printed. */
function everyPrint(error: unknown): string {
  const runtimes = globalThis as {
    Deno?: { inspect(value: unknown, options: object): string };
    Bun?: { inspect(value: unknown, options: object): string };
  };
  const shown = [
    inspect(error, { depth: 10, showHidden: true }),
    runtimes.Deno?.inspect(error, { depth: 10 }),
    runtimes.Bun?.inspect(error, { depth: 10 }),
    JSON.stringify(error),
    String(error),
  ];
  for (let each = error; each instanceof Error; each = each.cause) {
    shown.push(each.message, each.stack, JSON.stringify({ ...each }));
  }
  return shown.join("\n");
}

/** Returns a port on which no server listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  assert(typeof address === "object" && address !== null);
  return address.port;
}

describe("a transport error", () => {
  it("has the kind other and is retryable if it is created from only a message", () => {
    const error = new TransportError("the line is dead");
    assertEquals(
      [error.message, error.kind, error.retries, error.request, error.retryable],
      ["the line is dead", "other", 0, undefined, true],
    );
    assertEquals(TransportError.retryable, true);
  });

  it("has kind, retries, request and cause if a session throws it", async () => {
    const session = new APISession({
      url: "https://api.example.com",
      adapter: scripted(refusedConnection()),
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
      retries: 2,
    });
    const error = await assertRejects(() => session.put("x", { json: 1 }), TransportError);
    assertEquals([error.kind, error.retries], ["refused", 2]);
    assertEquals(error.request, { method: "PUT", url: "https://api.example.com/x" });
    assertEquals(
      error.message,
      "PUT https://api.example.com/x failed: connect ECONNREFUSED 127.0.0.1:9",
    );
    assert(error.cause instanceof TypeError);
  });

  it("is retried if an adapter throws it because no response arrived", async () => {
    const log = recordingLogger();
    const session = new APISession({
      url: "https://api.example.com",
      adapter: scripted(new TransportError("carrier pigeon lost", { kind: "reset" }), 200),
      clock: fakeClock({ autoAdvance: true }),
      logger: log,
    });
    assertEquals((await session.get("x")).status, 200);
    assertEquals(log.json("error").map(({ error }) => error), [
      "GET https://api.example.com/x failed: carrier pigeon lost",
    ]);
  });

  it("shows no secret for a refused connection, on each runtime", async () => {
    const log = recordingLogger();
    const host = `127.0.0.1:${await freePort()}`;
    const session = new APISession({
      url: `http://ada:hunter2@${host}`,
      clock: fakeClock({ autoAdvance: true }),
      logger: log,
      retries: 1,
    });
    const options = {
      redactFields: ["token"],
      params: { token: "t0ken", page: 2 },
      headers: { authorization: "Bearer b3arer" },
    };
    for (const path of ["x?token=0wn", `http://bob:hunter2@${host}/x?token=0wn`]) {
      const error = await assertRejects(() => session.get(path, options), TransportError);
      assertEquals([error.kind, error.retries], ["refused", 1]);
      assertEquals(
        error.request?.url,
        `http://${host}/x?token=REDACTED&token=REDACTED&page=2`,
      );
      assertStringIncludes(error.message, "failed:");
      for (const secret of ["hunter2", "aHVudGVy", "YWRhOmh1", "t0ken", "0wn", "b3arer"]) {
        assert(!everyPrint(error).includes(secret), `${secret} shows in ${everyPrint(error)}`);
        assert(
          !log.messages().join("\n").includes(secret),
          `${secret} shows in ${log.messages().join("\n")}`,
        );
      }
    }
  });
});
