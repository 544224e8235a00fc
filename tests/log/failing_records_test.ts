import { assert, assertEquals, it } from "#test";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

/** Returns a value with a secret at some depth. */
function nested(depth: number): unknown {
  let value: unknown = { password: "secret" };
  for (let level = 0; level < depth; level++) value = { a: value };
  return value;
}

function canSerialise(value: unknown): boolean {
  try {
    return JSON.stringify(value).length > 0;
  } catch {
    return false;
  }
}

describeGenerations("a log record that cannot be written", ({ Session }) => {
  it("does not fail the call if the params cannot be written as JSON, and is reported", async () => {
    const log = recordingLogger();
    const session = new Session({
      url: "https://api.example.com",
      adapter: scripted(200),
      logger: log,
      redactFields: ["password"],
    });
    const params = { a: "b" };
    Object.defineProperty(params, "toJSON", {
      value: () => {
        throw new RangeError("too deep");
      },
    });
    assertEquals((await session.get("x", { params })).status, 200);
    assertEquals(log.messages("warn"), [
      "a debug record could not be written: RangeError: too deep",
    ]);
  });

  it("does not fail the call if a body is too deep to be redacted", async () => {
    const log = recordingLogger();
    const adapter = scripted(200);
    const session = new Session({
      url: "https://api.example.com",
      adapter,
      logger: log,
      redactFields: ["password"],
    });
    // Deno serialises values of any depth, but calls a replacer only to some depth.
    const json = canSerialise(nested(100_000)) ? nested(100_000) : nested(1_000);
    assertEquals((await session.post("x", { json })).status, 200);
    assertEquals(adapter.calls.length, 1);
    assert(!log.messages().join("\n").includes("secret"));
  });

  it("does not fail the call if the logger throws, on any level", async () => {
    const fail = () => {
      throw new Error("the disk is full");
    };
    const session = new Session({
      url: "https://api.example.com",
      adapter: scripted(503, new TypeError("fetch failed"), 200),
      clock: fakeClock({ autoAdvance: true }),
      logger: { debug: fail, info: fail, warn: fail, error: fail },
    });
    assertEquals((await session.get("x")).status, 200);
  });
});
