import { assertEquals, describe, it } from "#test";
import { Reports } from "../../examples/oauth_client.ts";
import type { OAuthToken } from "../../src/auth/oauth/mod.ts";
import { fakeClock, mockTransport, replies, silentLogger } from "../../src/testing/mod.ts";

const client = { clientId: "reports", clientSecret: "s3cret", logger: silentLogger };

describe("the OAuth client of the examples", () => {
  it("gets one token for concurrent calls, and renews it before it expires", async () => {
    const clock = fakeClock();
    const fetch = mockTransport({
      "POST https://login.example.com/oauth2/token": replies(
        { access_token: "a-1", expires_in: 600 },
        { access_token: "a-2", expires_in: 600 },
      ),
      "GET https://reports.example.com/titles": ({ headers }) => [headers["authorization"]],
    });
    const reports = new Reports({ ...client, fetch, clock });
    assertEquals(await Promise.all([reports.titles(), reports.titles()]), [
      ["Bearer a-1"],
      ["Bearer a-1"],
    ]);
    await clock.advance(575);
    assertEquals(await reports.titles(), ["Bearer a-2"]);
    fetch.assertDone();
    await reports.close();
  });

  it("uses a stored token after a restart", async () => {
    let saved: OAuthToken | undefined;
    const store = { load: () => saved, save: (token: OAuthToken) => void (saved = token) };
    const fetch = mockTransport({
      "POST https://login.example.com/oauth2/token": replies({ access_token: "a-1" }),
      "GET https://reports.example.com/titles": replies([], []),
    });
    for (let starts = 0; starts < 2; starts++) {
      const reports = new Reports({ ...client, fetch, store });
      assertEquals(await reports.titles(), []);
      await reports.close();
    }
    fetch.assertDone();
  });
});
