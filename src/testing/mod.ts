/**
 * Test doubles for the tests of an SDK: a transport that replies from a list of routes, cassettes that
 * record and replay, a clock that does not wait, and loggers.
 *
 * @example
 * ```ts
 * import { APIClient } from "@restwright/restwright";
 * import { fakeClock, mockTransport, replies, silentLogger } from "@restwright/restwright/testing";
 *
 * class Library extends APIClient {
 *   static override readonly baseUrl: string = "https://api.example.com";
 *
 *   books(): Promise<{ id: number }[]> {
 *     return this._get("/books", { convJson: true });
 *   }
 * }
 *
 * const mock = mockTransport({ "GET /books": replies(503, [{ id: 7 }]) });
 * const clock = fakeClock({ autoAdvance: true });
 * const library = new Library({ fetch: mock, clock, logger: silentLogger });
 *
 * console.log((await library.books()).length, clock.waits.length); // 1 1
 * mock.assertCalled("GET /books", { times: 2 });
 * ```
 *
 * @module
 */

export { silentLogger } from "../log/logger.ts";
export { type Cassette, type CassetteOptions, openCassette } from "./cassettes/cassette.ts";
export type { CassetteData, Interaction, RecordedMessage } from "./cassettes/cassette_data.ts";
export { readHar } from "./cassettes/har.ts";
export { CassetteError } from "./cassettes/cassette_error.ts";
export type { MatchRules } from "./cassettes/match_request.ts";
export { redactCassette, type RedactionOptions } from "./cassettes/redact_cassette.ts";
export type { ExpectedCall } from "./expected_call.ts";
export { type FakeClock, fakeClock } from "./fake_clock.ts";
export type { MockCall } from "./mock_call.ts";
export { MockError } from "./mock_error.ts";
export {
  type MockHandler,
  type MockReplies,
  type MockReply,
  type MockTransport,
  mockTransport,
  replies,
} from "./mock_transport.ts";
export { type RecordingLogger, recordingLogger } from "./recording_logger.ts";
