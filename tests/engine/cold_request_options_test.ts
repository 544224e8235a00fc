import process from "node:process";
import { after, assertEquals, assertRejects, before, describe, it } from "#test";
import { APISession, type RequestOptions, UnexpectedValueError } from "../../mod.ts";
import { recordingLogger } from "../support/recording_logger.ts";
import { scripted } from "../support/scripted.ts";
import { turn } from "../support/until.ts";

/** Fields of a class of the caller's own. */
class Form {
  a = "1";
}

describe("mistakes in a first call", () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  before(() => void process.on("unhandledRejection", note));
  after(() => void process.off("unhandledRejection", note));

  it("are told one by one, and none of them is left to nobody", async () => {
    const session = new APISession({ url: "https://a.example", adapter: scripted(200) });
    const twoBad: readonly RequestOptions[] = [
      { data: 5 as never, headers: { "x y": "1" } },
      { files: { f: "text" as never }, boxAttrs: 5 as never },
      { redactFields: 7 as never, cookies: 7 as never },
    ];
    for (const options of twoBad) {
      await assertRejects(() => session.post("x", options), UnexpectedValueError);
    }
    await turn();
    assertEquals(unhandled, []);
  });
});

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

  it("is what it was when the call was made", async () => {
    const transport = scripted(200);
    const session = new APISession({ url: "https://a.example", adapter: transport });
    const data = new URLSearchParams("a=1");
    const form = new Form();
    const bare = Object.assign(Object.create(null), { a: ["1"] });
    const auth: [string, string] = ["ada", "one"];
    const calls = [
      session.post("x", { data }),
      session.post("x", { data: form as never }),
      session.post("x", { data: bare }),
      session.post("x", { auth, data: { a: "1" } }),
    ];
    data.set("a", "2");
    form.a = "2";
    bare.a[0] = "2";
    auth[1] = "two";
    await Promise.all(calls);
    assertEquals(transport.calls.map(({ init: { body } }) => String(body)), Array(4).fill("a=1"));
    const sent = transport.calls.map(({ init: { headers } }) => headers["authorization"]);
    assertEquals(sent.filter((value) => value !== undefined), [`Basic ${btoa("ada:one")}`]);
  });

  it("is what it was when a session was made that shares another's", async () => {
    const transport = scripted(200);
    const home = new APISession({ url: "https://a.example", adapter: transport });
    const auth: [string, string] = ["ada", "one"];
    const options = { url: "https://a.example", session: home.session, auth };
    const session = new APISession(options);
    auth[1] = "two";
    await session.get("x");
    const { headers } = transport.calls[0]!.init;
    assertEquals(headers["authorization"], `Basic ${btoa("ada:one")}`);
  });
});

describe("the log of a call", () => {
  it("begins with the attempt before which it is switched on", async () => {
    let isOn = false;
    const recorded = recordingLogger();
    const logger = { ...recorded, isLevelEnabled: () => isOn };
    const transport = scripted(503, 200);
    const session = new APISession({
      url: "https://a.example",
      adapter: (url, init) => {
        isOn = true;
        return transport(url, init);
      },
      backoff: 0,
      logger,
    });
    await session.get("x");
    assertEquals([transport.calls.length, recorded.of("debug").length], [2, 1]);
  });
});
