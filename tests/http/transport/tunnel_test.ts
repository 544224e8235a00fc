import { assertEquals, describe, it } from "#test";
import { proxyRefusal, TunnelRefusal } from "../../../src/http/transport/tunnel.ts";
import { transportErrorKind } from "../../../src/http/transport_failure.ts";

describe("a proxy that opens no tunnel", () => {
  it("asks for credentials with a 407, which becomes a response", () => {
    const fields = ["Proxy-Authenticate", "Basic", "Set-Cookie", "a=1", "Set-Cookie", "b=2"];
    const { response } = new TunnelRefusal(407, "Who are you?", fields);
    assertEquals([response?.status, response?.statusText], [407, "Who are you?"]);
    assertEquals(response?.headers.get("proxy-authenticate"), "Basic");
    assertEquals(response?.headers.getSetCookie(), ["a=1", "b=2"]);
  });

  it("is a failure of the kind proxy for any other status", () => {
    for (const status of [200, 302, 403, 503]) {
      const refusal = new TunnelRefusal(status, "No", []);
      assertEquals([refusal.response, refusal.message], [
        undefined,
        `the proxy did not open a tunnel: ${status} No`,
      ]);
      assertEquals(transportErrorKind(refusal), "proxy");
      const fetched = new TypeError("fetch failed", { cause: refusal });
      assertEquals(transportErrorKind(fetched), "proxy");
    }
  });

  it("may have a reason phrase that a Response refuses, which is left out", () => {
    assertEquals(new TunnelRefusal(407, "a\0b", []).response?.statusText, "");
    assertEquals(proxyRefusal().statusText, "Proxy Authentication Required");
  });
});
