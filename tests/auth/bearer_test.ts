import { inspect } from "node:util";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { UnexpectedValueError } from "../../mod.ts";
import { BearerAuth } from "../../src/auth/mod.ts";
import { changesOf } from "../support/auth_changes.ts";
import { exchanging, redirectTo } from "../support/exchanging.ts";

describe("a bearer token (RFC 6750 section 2.1)", () => {
  it("is sent with every request", async () => {
    assertEquals(await changesOf(new BearerAuth("mF_9.B5f-4.1JqM")), {
      headers: { authorization: "Bearer mF_9.B5f-4.1JqM" },
    });
  });

  // contract: auth-8
  it("can be looked up for each request, also asynchronously", async () => {
    let count = 0;
    for (const look of [() => `t${++count}`, () => Promise.resolve(`t${++count}`)]) {
      const auth = new BearerAuth(look);
      for (const token of [`t${count + 1}`, `t${count + 2}`]) {
        assertEquals((await changesOf(auth)).headers, { authorization: `Bearer ${token}` });
      }
    }
  });

  it("is not looked up before the first request, or for another origin", async () => {
    let count = 0;
    const auth = new BearerAuth(() => `t${++count}`);
    const { send } = exchanging({
      answers: [redirectTo("https://b.example/y"), 200],
      session: { auth },
    });
    assertEquals(count, 0);
    await send();
    assertEquals(count, 1);
    await send({ url: "https://b.example/x" });
    assertEquals(count, 1);
  });

  const bad = [
    "hunter2\n",
    "hunter2\r\nX-Evil: 1",
    "hunter2 €",
    "hunter2\0",
    undefined,
    null,
    7,
    {},
  ];
  for (const [index, token] of bad.entries()) {
    it(`bad input: a token that a header cannot contain is refused, and not shown (${index + 1})`, async () => {
      const error = assertThrows(() => new BearerAuth(token as string), UnexpectedValueError);
      const lookedUp = new BearerAuth(() => token as string);
      const later = await assertRejects(() => changesOf(lookedUp), UnexpectedValueError);
      for (const each of [error, later]) {
        assertEquals(each.option, "token");
        assert(!inspect(each).includes("hunter2"), inspect(each));
      }
    });
  }

  it("is not sent if the look-up throws, and its error is passed on", async () => {
    const mistake = new Error("the vault is closed");
    for (
      const look of [() => Promise.reject(mistake), () => {
        throw mistake;
      }]
    ) {
      const { send, transport } = exchanging({
        answers: [200],
        session: { auth: new BearerAuth(look) },
      });
      assert(await assertRejects(() => send()) === mistake);
      assertEquals(transport.calls.length, 0);
    }
  });

  it("shows no secret when it is printed", () => {
    const auth = new BearerAuth("hunter2");
    const shown = inspect(auth, { depth: 20, showHidden: true }) + JSON.stringify(auth) + auth;
    assert(!shown.includes("hunter2"), shown);
  });
});
