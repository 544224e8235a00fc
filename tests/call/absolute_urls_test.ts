import { UnexpectedValueError } from "../../mod.ts";
import { RedirectError } from "../../src/entries/errors.ts";
import type { Transport } from "../../src/http/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows, it } from "#test";
import { describeGenerations } from "../support/generations.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

describeGenerations("absoluteUrls", ({ Session }) => {
  function start(absoluteUrls?: "any" | "trusted") {
    const transport = scripted(() => new Response(null));
    const session = new Session({
      url: "https://api.example.com/v1",
      fetch: transport,
      logger: recordingLogger(),
      trustedOrigins: ["https://eu.example.com"],
      absoluteUrls,
    });
    return { session, transport };
  }

  it("allows every full URL by default", async () => {
    const { session, transport } = start();
    await session.get("https://other.example.com/x");
    assertEquals(transport.calls[0]?.url, "https://other.example.com/x");
  });

  for (
    const path of [
      "users/7",
      "https://api.example.com/v2/x",
      "HTTPS://API.EXAMPLE.COM:443/x",
      "https://eu.example.com/x",
    ]
  ) {
    it(`allows a path, and a full URL of a trusted origin, if it is trusted: ${path}`, async () => {
      const { session, transport } = start("trusted");
      await session.get(path);
      assertEquals(transport.calls.length, 1);
    });
  }

  for (
    const path of [
      "https://other.example.com/x?token=secret",
      "http://api.example.com/x",
      "https://api.example.com:8443/x",
      "https://api.example.com@other.example.com/x",
      "https://api.example.com.evil.example/x",
    ]
  ) {
    // contract: reading-18
    it(`rejects a full URL of another origin, if it is trusted: ${path}`, async () => {
      const { session, transport } = start("trusted");
      const error = await assertRejects(() => session.get(path), UnexpectedValueError);
      assertEquals([error.option, transport.calls.length], ["path", 0]);
      assert(!error.message.includes("secret"), error.message);
    });
  }

  it("does not concern redirects, whose target the server chooses", async () => {
    const seen: string[] = [];
    const redirectTo = (location: string) => {
      const fetch: Transport = (url, { headers }) => {
        seen.push(`${url} ${headers["authorization"] ?? "-"}`);
        const isFirst = url.startsWith("https://api.example.com/");
        const init = isFirst ? { status: 302, headers: { location } } : {};
        return Promise.resolve(new Response(null, init));
      };
      const options = { url: "https://api.example.com", fetch, auth: ["ada", "b"] as const };
      const quiet = {
        logger: recordingLogger(),
        absoluteUrls: "trusted",
        followRedirects: true,
      } as const;
      return new Session({ ...options, ...quiet }).get("x");
    };
    await redirectTo("https://other.example.com/x");
    assertEquals(seen, [
      `https://api.example.com/x Basic ${btoa("ada:b")}`,
      "https://other.example.com/x -",
    ]);
    for (
      const location of [
        "ftp://other.example.com/x",
        "http://[",
        "https://other.example.com:99999/",
      ]
    ) {
      await assertRejects(() => redirectTo(location), RedirectError);
    }
  });

  it("is a default of the class, too, and a copy keeps it", async () => {
    class Strict extends Session {
      static override readonly absoluteUrls: "any" | "trusted" = "trusted";
    }
    const strict = new Strict({ url: "https://api.example.com", logger: recordingLogger() });
    const copy = strict.withOptions({ timeout: 5 });
    const get = () => copy.get("https://other.example.com/x");
    await assertRejects(get, UnexpectedValueError, "absoluteUrls");
  });

  it("must be one of the two", () => {
    const wrong = { url: "https://api.example.com", absoluteUrls: "none" } as never;
    assertEquals(
      assertThrows(() => new Session(wrong), UnexpectedValueError).option,
      "absoluteUrls",
    );
  });
});
