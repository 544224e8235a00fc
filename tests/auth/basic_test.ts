import { inspect } from "node:util";
import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { UnexpectedValueError } from "../../mod.ts";
import { BasicAuth } from "../../src/auth/mod.ts";
import { changesOf } from "../support/auth_changes.ts";
import { exchanging } from "../support/exchanging.ts";

describe("Basic authentication (RFC 7617)", () => {
  // contract: auth-2
  it("sends user name and password in UTF-8 with every request", async () => {
    assertEquals(await changesOf(new BasicAuth("test", "123£")), {
      headers: { authorization: "Basic dGVzdDoxMjPCow==" },
    });
  });

  it("is the same as a pair of user name and password", async () => {
    const { http, send, transport } = exchanging({
      answers: [200],
      session: { auth: new BasicAuth("ada", "pw") },
    });
    await send();
    http.auth = ["ada", "pw"];
    await send();
    const [one, other] = transport.calls.map(({ init }) => init.headers["authorization"]);
    assertEquals([one, other], [`Basic ${btoa("ada:pw")}`, one]);
  });

  const bad: readonly (readonly [string, unknown, unknown])[] = [
    ["username", "ada:x", "hunter2"],
    ["username", undefined, "hunter2"],
    ["username", 7, "hunter2"],
    ["password", "hunter2", undefined],
    ["password", "hunter2", null],
  ];
  for (const [index, [option, username, password]] of bad.entries()) {
    it(`bad input: an invalid ${option} is refused at once, and not shown (${index + 1})`, () => {
      const error = assertThrows(
        () => new BasicAuth(username as string, password as string),
        UnexpectedValueError,
      );
      assertEquals(error.option, option);
      assert(!inspect(error).includes("hunter2"), inspect(error));
    });
  }

  it("shows no secret when it is printed", () => {
    const auth = new BasicAuth("ada", "hunter2");
    const shown = inspect(auth, { depth: 20, showHidden: true }) + JSON.stringify(auth) + auth;
    assert(!shown.includes("hunter2") && !shown.includes(btoa("ada:hunter2")), shown);
  });
});
