import { inspect } from "node:util";
import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { basicScheme } from "../../src/http/auth.ts";
import { changesOf } from "../support/auth_changes.ts";

describe("the Basic scheme (RFC 7617)", () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ["the example of section 2", "Aladdin", "open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="],
    ["the example of section 2.1, in UTF-8", "test", "123£", "dGVzdDoxMjPCow=="],
    ["beyond Latin-1", "ada", "pässwörd€", "YWRhOnDDpHNzd8O2cmTigqw="],
    ["a colon in the password", "ada", "a:b", "YWRhOmE6Yg=="],
    ["an empty password", "ada", "", "YWRhOg=="],
    ["an empty user name", "", "key", "OmtleQ=="],
    ["both empty", "", "", "Og=="],
  ];
  for (const [what, username, password, encoded] of cases) {
    it(`encodes the credentials in UTF-8: ${what}`, async () => {
      assertEquals(await changesOf(basicScheme(username, password)), {
        headers: { authorization: `Basic ${encoded}` },
      });
    });
  }

  const bad: readonly (readonly [string, string, unknown, unknown])[] = [
    ["a user name with a colon", "username", "hunter2:x", "pw"],
    ["no user name", "username", undefined, "hunter2"],
    ["null as a user name", "username", null, "hunter2"],
    ["a number as a user name", "username", 7, "hunter2"],
    ["no password", "password", "hunter2", undefined],
    ["null as a password", "password", "hunter2", null],
    ["a list as a password", "password", "ada", ["hunter2"]],
  ];
  for (const [what, option, username, password] of bad) {
    it(`bad input: ${what} is refused, and not shown`, () => {
      const error = assertThrows(
        () => basicScheme(username as string, password as string),
        UnexpectedValueError,
      );
      assertEquals(error.option, option);
      assert(!inspect(error).includes("hunter2"), inspect(error));
    });
  }

  it("shows no secret when it is printed", () => {
    const scheme = basicScheme("ada", "hunter2");
    const shown = inspect(scheme, { depth: 20, showHidden: true }) + JSON.stringify(scheme);
    assert(!shown.includes("hunter2") && !shown.includes(btoa("ada:hunter2")), shown);
  });
});
