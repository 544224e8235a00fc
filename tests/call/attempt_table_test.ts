/** Compares the attempt loop with a model of the contract's table, for random answers of a server. */
import { readFileSync } from "node:fs";
import { assert, assertEquals, it } from "#test";
import fc from "fast-check";
import { type APISession, RestwrightError, TransportError } from "../../mod.ts";
import { DecodeError } from "../../src/entries/errors.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { sourceRoot, statusRows } from "../support/contract_page.ts";
import { describeGenerations } from "../support/generations.ts";
import { holds } from "../support/property.ts";
import { refusedConnection, scripted } from "../support/scripted.ts";

/** An answer of the server. */
interface Step {
  /** The status; 0 for a connection that fails. */
  readonly status: number;
  /** The body. One that is cut breaks off when it is read. */
  readonly body: "empty" | "json" | "text" | "cut";
  /** The Retry-After header: a text and its seconds, or a date in some seconds. */
  readonly retryAfter: readonly [text: string, seconds: number | undefined] | { date: number };
}

interface Settings {
  readonly retries: number;
  readonly backoff: number;
  readonly retryOn?: readonly number[];
  readonly convJson: boolean;
}

/** The attempts, waits, calls of `_retryRequest`, and the result of a call. */
interface Run {
  readonly attempts: number;
  readonly waits: readonly number[];
  readonly hooks: readonly (readonly [status: number, retry: number])[];
  /** The class of the error, the value, or the status of the response. */
  readonly result: unknown;
}

const page = readFileSync(new URL("docs/project/contract.md", sourceRoot()), "utf8");
const statuses = statusRows(page);

/** The error map of the contract. */
const errorMap = new Map(statuses.map(({ status, name }) => [status, name]));
const retryable = statuses.filter(({ isRetried }) => isRetried).map(({ status }) => status);

const START = Date.UTC(2026, 0, 1);

/** Returns the run of a call according to the contract's table "Request attempt loop". */
function expectedRun(script: readonly Step[], settings: Settings): Run {
  const { retries, backoff, retryOn = [], convJson } = settings;
  const [waits, hooks]: [number[], [number, number][]] = [[], []];
  for (let counter = 0;;) {
    const { status, body, retryAfter } = script[counter++]!;
    const isSuccess = status >= 200 && status <= 298;
    const isLost = status === 0 || isSuccess && convJson && body === "cut";
    const error = isLost ? "TransportError" : errorMap.get(status) ?? "APIError";
    const isRetried = isLost || retryable.includes(status) ||
      errorMap.has(status) && retryOn.includes(status);
    if (isSuccess && !isLost) {
      return { attempts: counter, waits, hooks, result: resultOf(status, body, convJson) };
    }
    if (isLost) waits.push(1);
    else if (isRetried && counter <= retries) {
      waits.push(secondsOf(retryAfter, waits) ?? counter * backoff);
      hooks.push([status, counter]);
    }
    if (!isRetried || counter > retries) return { attempts: counter, waits, hooks, result: error };
  }
}

function resultOf(status: number, body: Step["body"], convJson: boolean): unknown {
  if (!convJson) return status;
  return body === "empty" ? null : body === "json" ? { ok: true } : "DecodeError";
}

/** Returns the seconds to wait; undefined if the header is missing or unreadable. */
function secondsOf(retryAfter: Step["retryAfter"], waits: readonly number[]): number | undefined {
  if (!("date" in retryAfter)) return retryAfter[1];
  const now = START + waits.reduce((sum, wait) => sum + wait, 0) * 1000;
  return Math.max(0, (dateAfter(now, retryAfter.date) - now) / 1000);
}

/** Returns a time in whole seconds, because an HTTP-date has no fractions. */
function dateAfter(now: number, seconds: number): number {
  return (Math.floor(now / 1000) + seconds) * 1000;
}

/** Returns the answer of a step, which is created when it is sent. */
function answerOf({ status, body, retryAfter }: Step, now: () => number): () => Response {
  return () => {
    if (status === 0) throw refusedConnection();
    const headers = new Headers({ "content-type": "application/json" });
    if ("date" in retryAfter) {
      headers.set("retry-after", new Date(dateAfter(now(), retryAfter.date)).toUTCString());
    } else if (retryAfter[0] !== "") headers.set("retry-after", retryAfter[0]);
    const isRegular = status >= 200 && status <= 599;
    const response = new Response(bodyOf(body), { status: isRegular ? status : 200, headers });
    if (!isRegular) Object.defineProperty(response, "status", { value: status });
    return response;
  };
}

function bodyOf(body: Step["body"]): BodyInit | null {
  if (body === "empty") return null;
  if (body !== "cut") return body === "json" ? '{"ok":true}' : "<p>busy</p>";
  const lost = new TransportError("connection lost", { kind: "reset" });
  return new ReadableStream({ pull: (controller) => controller.error(lost) });
}

const status: fc.Arbitrary<number> = fc.oneof(
  { arbitrary: fc.constant(0), weight: 3 },
  { arbitrary: fc.constantFrom(...retryable), weight: 4 },
  { arbitrary: fc.constantFrom(...errorMap.keys()), weight: 3 },
  { arbitrary: fc.constantFrom(200, 201, 204, 226, 298, 299, 302, 304), weight: 1 },
  { arbitrary: fc.integer({ min: 100, max: 699 }), weight: 1 },
);

const retryAfter: fc.Arbitrary<Step["retryAfter"]> = fc.oneof(
  { arbitrary: fc.constant<Step["retryAfter"]>(["", undefined]), weight: 3 },
  fc.constantFrom<Step["retryAfter"]>(
    ...[["0", 0], ["2", 2], ["1.5", 1.5], [".25", 0.25]] as const,
    ...[["-1", undefined], ["soon", undefined], ["1,5", undefined]] as const,
  ),
  fc.integer({ min: -90, max: 90 }).map((date) => ({ date })),
);

const step: fc.Arbitrary<Step> = fc.record({
  status,
  body: fc.constantFrom<Step["body"]>("empty", "json", "json", "text", "cut"),
  retryAfter,
}).map((each) => {
  const isEmpty = [204, 205, 304].includes(each.status);
  return isEmpty ? { ...each, body: "empty" } : each;
});

const settings: fc.Arbitrary<Settings> = fc.record({
  retries: fc.nat(4),
  backoff: fc.constantFrom(0, 0.5, 1, 2),
  retryOn: fc.array(fc.constantFrom(404, 409, 500, 503, 299, 302), { maxLength: 3 }),
  convJson: fc.boolean(),
}, { requiredKeys: ["retries", "backoff", "convJson"] });

describeGenerations("the attempt loop", ({ Session }) => {
  // contract: attempts-*, req-4, req-7, req-8, limit-4
  it("makes the attempts and waits of the contract's table for any answers of a server", async () => {
    const script = fc.array(step, { minLength: 5, maxLength: 5 });
    await holds(
      fc.asyncProperty(script, settings, async (steps, given) => {
        const hooks: [number, number][] = [];
        class Hooked extends Session {
          protected override _retryRequest(
            ...[response, retry, options]: Parameters<APISession["_retryRequest"]>
          ): ReturnType<APISession["_retryRequest"]> {
            hooks.push([response.status, retry]);
            return options;
          }
        }
        const clock = fakeClock({ autoAdvance: true, start: START });
        const logger = recordingLogger();
        const fetch = scripted(...steps.map((each) => answerOf(each, clock.now)));
        const session = new Hooked({ url: "https://api.example.com", fetch, clock, logger });
        const expected = expectedRun(steps, given);
        let result: unknown;
        try {
          result = await session.get("x", given);
          if (result instanceof Response) result = result.status;
        } catch (error) {
          assert(error instanceof RestwrightError, String(error));
          result = error.name;
          const retries = "retries" in error ? error.retries : undefined;
          if (!(error instanceof DecodeError)) assertEquals(retries, expected.attempts - 1);
        }
        const attempts = fetch.calls.length;
        const waits = expected.waits.filter((seconds) => seconds > 0); // 0 starts no timer
        assertEquals<Run>({ attempts, waits: clock.waits, hooks, result }, { ...expected, waits });
        const lost = steps.slice(0, attempts).filter((each) =>
          expectedRun([each], {
            ...given,
            retries: 0,
          }).result === "TransportError"
        );
        assertEquals(logger.messages("debug").length, attempts);
        assertEquals(logger.messages("error").length, lost.length);
      }),
      150,
    );
  });
});
