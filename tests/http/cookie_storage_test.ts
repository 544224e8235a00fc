import { assertEquals, assertRejects, describe, it } from "#test";
import { APISession } from "../../mod.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { AbortScope } from "../../src/http/abort.ts";
import { checkedHeaders } from "../../src/http/headers.ts";
import { CookieJar } from "../../src/http/cookies/mod.ts";
import { exchanging } from "../support/exchanging.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { turn, until } from "../support/until.ts";

/** Creates a response that sets a cookie. */
const setting = (cookie: string) => new Response("hello", { headers: { "set-cookie": cookie } });

describe("the cookie storage of an HTTP session", () => {
  it("is abandoned when the call is aborted while it hangs", async () => {
    let calls = 0;
    const hang = () => {
      calls++;
      return new Promise<never>(() => {});
    };
    for (
      const cookies of [
        { cookieHeader: hang, keep: () => {} },
        { cookieHeader: () => "", keep: hang },
      ]
    ) {
      calls = 0;
      const { send, clock } = exchanging({ answers: [setting("a=1")], session: { cookies } });
      const c = new AbortController();
      const ended = assertRejects(() => send({}, new AbortScope([c.signal], undefined, clock)));
      await until(() => calls === 1);
      c.abort("x");
      assertEquals(await ended, "x");
    }
  });

  it("does not prevent the cancellation of the body if the call is aborted while it works", async () => {
    const controller = new AbortController();
    let cancelled = 0;
    const cookies = {
      cookieHeader: () => "",
      keep: async () => {
        controller.abort("x");
        await turn();
      },
    };
    const session = new HttpSession({
      cookies,
      fetch: () =>
        Promise.resolve(
          new Response(new ReadableStream({ cancel: () => void cancelled++ }), {
            headers: { "set-cookie": "a=1" },
          }),
        ),
    });
    const api = new APISession({ url: "https://a.example", session, logger: recordingLogger() });
    assertEquals(await assertRejects(() => api.get("x", { signal: controller.signal })), "x");
    await until(() => cancelled === 1);
  });

  it("causes the body to be cancelled if it throws", async () => {
    let cancelled = 0;
    const cookies = {
      cookieHeader: () => "",
      keep: () => {
        throw new Error("disk full");
      },
    };
    const { send } = exchanging({
      answers: [() =>
        new Response(
          new ReadableStream({ cancel: () => void cancelled++ }),
          { headers: { "set-cookie": "a=1" } },
        )],
      session: { cookies },
    });
    await assertRejects(() => send(), Error, "disk full");
    assertEquals(cancelled, 1);
  });

  it("is kept if it is set while the default jar is loading", async () => {
    const { http, send } = exchanging({ answers: [setting("a=1")] });
    const p = send();
    for (let i = 0; i < 6; i++) await Promise.resolve();
    http.cookies = null;
    await p;
    assertEquals(http.cookies, null);
  });

  it("is replaced by an empty jar when it is set to undefined", async () => {
    const { http, send } = exchanging({ answers: [setting("a=1"), setting("b=2")] });
    await send();
    http.cookies = undefined;
    await send();
    assertEquals(await http.cookieHeader("https://a.example/"), "b=2");
  });

  it("is not used for a request with the header Cookie: null", async () => {
    const { send, transport } = exchanging({ answers: [setting("a=1"), 200] });
    await send();
    await send({ headers: checkedHeaders({ Cookie: null }) });
    assertEquals(transport.calls[1]!.init.headers["cookie"], undefined);
  });

  it("may contain a value beyond Latin-1, which is not sent", async () => {
    const { send, http, transport } = exchanging({ answers: [200] });
    const jar = new CookieJar();
    await jar.keep(["a=€", "b=1"], "https://a.example/");
    http.cookies = jar;
    await send();
    assertEquals(transport.calls[0]!.init.headers["cookie"], "b=1");
  });
});
