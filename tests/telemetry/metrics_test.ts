import { after, assert, assertEquals, before, describe, it } from "#test";
import type { SessionOptions } from "../../mod.ts";
import { path } from "../../mod.ts";
import { telemetry, type TelemetryOptions } from "../../src/telemetry/mod.ts";
import {
  type RecordedDurations,
  type RecordedTelemetry,
  recordTelemetry,
} from "../support/recorded_telemetry.ts";
import { type Answer, refusedConnection } from "../support/scripted.ts";
import { startSession } from "../support/start_session.ts";

let recorded: RecordedTelemetry;

/** Returns the durations of the requests of a call. */
async function durationsOf(
  answers: readonly Answer[],
  telemetryOptions: TelemetryOptions = {},
  options: SessionOptions = {},
): Promise<RecordedDurations[]> {
  const callMiddleware = [telemetry(telemetryOptions)];
  const { session } = startSession(answers, { callMiddleware, ...options });
  const response = await session.get(path`users/${7}`).catch(() => undefined);
  await response?.text();
  return await recorded.durations();
}

const server = { "server.address": "api.example.com", "server.port": 443 };

for (const spans of ["attempt", "call"] as const) {
  describe(`the metric of requests, with spans of ${spans}`, () => {
    before(() => {
      recorded = recordTelemetry();
    });
    after(() => recorded.stop());

    it("has the unit and the buckets of the conventions", async () => {
      const [{ scope, unit, value }] = await durationsOf([200], { spans }) as [RecordedDurations];
      assertEquals([scope, unit, value.count], ["restwright", "s", 1]);
      assertEquals(value.buckets.boundaries, [
        ...[0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
      ]);
    });

    it("has a value for each request, with the attributes of the conventions", async () => {
      const durations = await durationsOf([503, 503, 200], { spans });
      assertEquals(durations.map(({ attributes, value }) => [attributes, value.count]), [
        [{
          "http.request.method": "GET",
          ...server,
          "http.response.status_code": 503,
          "error.type": "503",
        }, 2],
        [{ "http.request.method": "GET", ...server, "http.response.status_code": 200 }, 1],
      ]);
    });

    it("has the class of an error", async () => {
      const options = { retries: 0, finalWait: false };
      const [{ attributes }] = await durationsOf([refusedConnection()], { spans }, options) as [
        RecordedDurations,
      ];
      assertEquals(attributes, {
        "http.request.method": "GET",
        ...server,
        "error.type": "TransportError",
      });
    });

    it("has further attributes if they are asked for", async () => {
      const optIn = ["url.scheme", "url.template"] as const;
      const [{ attributes }] = await durationsOf([200], { spans, optIn }) as [RecordedDurations];
      assertEquals([attributes["url.scheme"], attributes["url.template"]], [
        "https",
        "/v1/users/{}",
      ]);
    });

    it("can be turned off", async () => {
      assertEquals(await durationsOf([200], { spans, metrics: false }), []);
    });
  });
}

describe("the duration of a request", () => {
  before(() => {
    recorded = recordTelemetry();
  });
  after(() => recorded.stop());

  it("is that of its span", async () => {
    recorded.spans();
    const [{ value }] = await durationsOf([() => new Response("text")]) as [RecordedDurations];
    const [{ duration: [seconds, nanoseconds] }] = recorded.spans() as unknown as [
      { duration: [number, number] },
    ];
    assert(value.sum! > 0);
    assert(Math.abs(value.sum! - (seconds + nanoseconds / 1e9)) < 1e-6, "another duration");
  });

  it("is recorded by a provider that the program registers later", async () => {
    const callMiddleware = [telemetry({ spans: "attempt" })];
    await recorded.stop();
    const { session } = startSession([200], { callMiddleware });
    await session.get("a");
    recorded = recordTelemetry();
    await session.get("a");
    assertEquals((await recorded.durations()).map(({ value }) => value.count), [1]);
    assertEquals(recorded.spans().length, 1);
  });
});
