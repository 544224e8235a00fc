import { APIError, NotFoundError, type RequestOptions, UnexpectedValueError } from "../../mod.ts";
import { assertEquals, assertRejects, it } from "#test";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted } from "../support/scripted.ts";

describeGenerations("okStatuses", ({ Session }) => {
  function start(...answers: Answer[]) {
    const transport = scripted(...answers);
    const session = new Session({
      url: "https://api.example.com",
      adapter: transport,
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
    });
    return { session, transport };
  }

  // contract: attempts-4, errors-4
  it("makes a status outside 200 to 298 a success", async () => {
    const { session } = start(304, 304);
    const options = { headers: { "If-None-Match": '"a"' }, okStatuses: [304] };
    assertEquals((await session.get("x", options)).status, 304);
    const error = await assertRejects(() => session.get("x"), APIError);
    assertEquals(error.status, 304);
  });

  it("takes precedence over the error map, and is not retried", async () => {
    const { session, transport } = start(503);
    assertEquals((await session.get("x", { okStatuses: [503] })).status, 503);
    assertEquals(transport.calls.length, 1);
  });

  it("does not change other statuses", async () => {
    const { session } = start(404);
    await assertRejects(() => session.get("x", { okStatuses: [304] }), NotFoundError);
  });

  it("converts the body like that of any success", async () => {
    const body = () => Response.json({ reason: "gone" }, { status: 410 });
    const { session } = start(body, 304);
    const options = { okStatuses: [304, 410], convJson: true } as const;
    assertEquals(await session.get("x", options), { reason: "gone" });
    assertEquals(await session.get("x", options), null);
  });

  it("does not stop a redirect from being followed", async () => {
    const redirect = () => new Response(null, { status: 302, headers: { location: "/y" } });
    const { session, transport } = start(redirect, 200);
    const options = { okStatuses: [302], followRedirects: true };
    assertEquals((await session.get("x", options)).status, 200);
    assertEquals(transport.calls.length, 2);
  });

  for (const wrong of [304, ["304"], [304.5], null]) {
    it(`must be a list of whole numbers, not ${JSON.stringify(wrong).replaceAll('"', "'")}`, async () => {
      const { session, transport } = start(200);
      const options = { okStatuses: wrong } as unknown as RequestOptions;
      const error = await assertRejects(() => session.get("x", options), UnexpectedValueError);
      assertEquals([error.option.replace(/\[\d+\]/, ""), transport.calls.length], [
        "okStatuses",
        0,
      ]);
    });
  }
});
