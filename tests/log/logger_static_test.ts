import { assertEquals, assertThrows, it } from "#test";
import { type Logger, UnexpectedValueError } from "../../mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { describeGenerations } from "../support/generations.ts";
import { scripted } from "../support/scripted.ts";

describeGenerations("a logger of a class", ({ Session }) => {
  const url = "https://api.example.com";

  it("gets the records of its sessions, and gives way to the option and the request option", async () => {
    const [ofClass, ofSession, ofCall] = [recordingLogger(), recordingLogger(), recordingLogger()];
    class Library extends Session {
      static override readonly logger: Logger = ofClass;
      warn(text: string): void {
        this._log.warn(text);
      }
    }
    const fetch = scripted(200);
    const [plain, own] = [
      new Library({ url, fetch }),
      new Library({ url, fetch, logger: ofSession }),
    ];
    await plain.get("a");
    await plain.withOptions({ retries: 0 }).get("b");
    await own.get("c");
    await own.withOptions({ retries: 0 }).get("d");
    await plain.get("e", { logger: ofCall });
    await plain.withOptions({ logger: ofSession }).get("f");
    plain.warn("from the SDK");

    const paths = (log: { json(): Record<string, unknown>[] }) =>
      log.json().map(({ url }) => String(url).slice(-1));
    assertEquals(ofClass.messages("warn"), ["from the SDK"]);
    assertEquals(ofClass.messages("debug").length, 2);
    assertEquals([paths(ofSession), paths(ofCall)], [["c", "d", "f"], ["e"]]);
  });

  it("can be null, so that a class writes no records, unless a session has a logger", async () => {
    class Silent extends Session {
      static override readonly logger: Logger | null = null;
    }
    const log = recordingLogger();
    const clock = fakeClock({ autoAdvance: true });
    const { warn } = console;
    const written: unknown[] = [];
    console.warn = (...args: unknown[]) => void written.push(args);
    try {
      await new Silent({ url, clock, fetch: scripted(503, 200) }).get("a");
      await new Silent({ url, clock, fetch: scripted(503, 200), logger: log }).get("b");
    } finally {
      console.warn = warn;
    }
    assertEquals([written, log.messages("warn").length], [[], 1]);
  });

  it("leaves the records to _log, if a class overrides that", async () => {
    const log = recordingLogger();
    class Library extends Session {
      static override readonly logger: Logger = recordingLogger();
      protected override get _log(): Logger {
        return log;
      }
    }
    await new Library({ url, fetch: scripted(200) }).get("a");
    assertEquals(log.messages("debug").length, 1);
  });

  it("can be the name of a field of an SDK, too, without a warning", async () => {
    const log = recordingLogger();
    class Library extends Session {
      readonly logger: string = "mine";
    }
    await new Library({ url, fetch: scripted(200), logger: log }).get("a");
    assertEquals(log.messages("warn"), []);
  });

  it("bad input: anything else is refused, unless an option replaces it", () => {
    class Wrong extends Session {
      static override readonly logger: Logger = { warn() {} } as never;
    }
    const error = assertThrows(() => new Wrong({ url }), UnexpectedValueError);
    assertEquals(error.option, "logger");
    new Wrong({ url, logger: null });
  });
});
