import { assertEquals, describe, it } from "#test";
import { replaceSecrets } from "../../src/call/replace_secrets.ts";
import { assertLinearTime } from "../support/linear_time.ts";

describe("replacing secrets in a text", () => {
  const secrets = ["a secret", 'wi"th', "plain", "ab.cd", "cd.ef"];
  const rows: readonly (readonly [what: string, text: string, shown: string])[] = [
    ["none", "nothing", "nothing"],
    ["the whole text", "a secret", "***"],
    ["several in a row", "plainplaina secret", "*********"],
    ["two that overlap", "ab.cd.ef", "***"],
    ["several encodings", 'wi\\"th wi%22th wi&quot;th', "*** *** ***"],
    ["escapes that are none", "%zz %e2%82 &nope; &#9999999; \\", "%zz %e2%82 &nope; &#9999999; \\"],
    ["an escape that is too long", "%C0%80%ED%A0%80a+secret", "%C0%80%ED%A0%80***"],
    ["a part of a secret", "a secre", "a secre"],
    ["another case", "A Secret", "A Secret"],
  ];
  for (const [what, text, shown] of rows) {
    it(`handles ${what}`, () => assertEquals(replaceSecrets(text, secrets, "***"), shown));
  }

  it("inserts the value as it is", () => {
    assertEquals(replaceSecrets("plain", secrets, "$&"), "$&");
  });

  it("handles a text that consists of secrets", () => {
    const text = replaceSecrets("a%20secret".repeat(300_000), secrets, "-");
    assertEquals(text, "-".repeat(300_000));
  });

  const hostile = ["%20", "\\u0020", "&#32;", "+", "\\\\", "%2525", "\xc3\xa9", "&amp;amp;", "a"];
  for (const [index, unit] of hostile.entries()) {
    it(`takes linear time for escapes, case ${index + 1}`, () => {
      assertLinearTime((length) =>
        replaceSecrets(unit.repeat(length / unit.length / 4), secrets, "*")
      );
    });
  }
});
