import { APISession, type SessionOptions } from "../../mod.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted, type ScriptedTransport } from "./scripted.ts";

/** Creates a session below `/v1` whose requests to any URL get these answers, and that does not wait. */
export function startSession(
  answers: readonly Answer[],
  options: SessionOptions = {},
  Session: new (options: SessionOptions) => APISession = APISession,
): { session: APISession; transport: ScriptedTransport; clock: FakeClock } {
  const transport = scripted(...answers);
  const clock = fakeClock({ autoAdvance: true });
  const session = new Session({
    url: "https://api.example.com/v1",
    adapter: transport,
    adapterPath: "https://",
    clock,
    logger: recordingLogger(),
    ...options,
  });
  return { session, transport, clock };
}
