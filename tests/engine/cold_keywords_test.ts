import { assertEquals, describe, it } from "#test";
import { APISession } from "../../mod.ts";
import { recordingLogger } from "../support/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

describe("a keyword that a part reads which is not loaded yet", () => {
  it("a store for cookies is the caller's own, though it is a plain object", async () => {
    const store = {
      kept: "",
      cookieHeader: (): string => store.kept,
      keep(setCookies: readonly string[]): void {
        this.kept = setCookies.join();
      },
    };
    const answer = () => new Response(null, { headers: { "set-cookie": "a=1" } });
    const session = new APISession({
      url: "https://a.example",
      adapter: scripted(answer),
      logger: recordingLogger(),
    });
    await session.get("x", { cookies: store });
    assertEquals(store.kept, "a=1");
  });
});
