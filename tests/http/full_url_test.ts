import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { basicCredentials, isFullUri, splitUrl } from "../../src/http/url.ts";

describe("rule 1: a path that has a network location component", () => {
  for (
    const [path, isFull] of [
      ["https://api.example.com/x", true],
      ["http://api.example.com", true],
      ["HTTPS://API.EXAMPLE.COM", true],
      ["ftp://example.com", true],
      ["git+ssh://example.com", true],
      ["https://", true],
      ["//api.example.com/x", false],
      ["///x", false],
      ["/https://api.example.com", false],
      ["x/https://api.example.com", false],
      ["https:/api.example.com", false],
      ["https:api.example.com", false],
      ["https:\\\\api.example.com", false],
      ["mailto:ada@example.com", false],
      [" https://api.example.com", false],
      ["1http://api.example.com", false],
      ["://x", false],
      ["", false],
    ] as const
  ) {
    // contract: req-1, reading-20
    it(`'${path}' ${isFull ? "is a full URI" : "is a path"}`, () => {
      assertEquals(isFullUri(path), isFull);
    });
  }
});

describe("splitting a URL into the URL and its credentials", () => {
  const cases: readonly (readonly [string, string, [string, string] | undefined])[] = [
    ["https://a.example", "https://a.example/", undefined],
    ["https://a.example/x?q=1#top", "https://a.example/x?q=1#top", undefined],
    ["HTTPS://A.EXAMPLE:443/x", "https://a.example/x", undefined],
    ["http://a.example:8080", "http://a.example:8080/", undefined],
    ["https://u:p@a.example/x", "https://a.example/x", ["u", "p"]],
    ["https://u@a.example/x", "https://a.example/x", ["u", ""]],
    ["https://:p@a.example/x", "https://a.example/x", ["", "p"]],
    ["https://u:p:q@a.example/", "https://a.example/", ["u", "p:q"]],
    ["https://u%40x:p%2Fq@a.example/", "https://a.example/", ["u@x", "p/q"]],
    ["https://ü:€@a.example/", "https://a.example/", ["ü", "€"]],
    ["https://u:100%@a.example/", "https://a.example/", ["u", "100%"]],
    ["https://u:p@b@a.example/", "https://a.example/", ["u", "p@b"]],
    ["https://a.example/u:p@x", "https://a.example/u:p@x", undefined],
    ["https://[::1]:8080/x", "https://[::1]:8080/x", undefined],
    ["https://münchen.example/", "https://xn--mnchen-3ya.example/", undefined],
  ];
  for (const [text, url, pair] of cases) {
    it(`'${text}' becomes ${url}${pair === undefined ? "" : " and credentials"}`, () => {
      const authorization = pair && basicCredentials(...pair);
      assertEquals(splitUrl(text, "url"), { url, authorization });
    });
  }

  const refused: readonly (readonly [string, unknown])[] = [
    ["undefined", undefined],
    ["null", null],
    ["a number", 7],
    ["a URL object", new URL("https://a.example")],
    ["an empty string", ""],
    ["a relative URL", "/v1"],
    ["a host alone", "a.example"],
    ["a host with a port alone", "localhost:8080"],
    ["a URL without a scheme", "//a.example"],
    ["a URL without a host", "https://"],
    ["a URL with a wrong port", "https://hunter2:hunter2@a.example:99999"],
    ["a URL with a space in its host", "https://hunter2:hunter2@a b.example"],
    ["another scheme", "ftp://hunter2:hunter2@a.example"],
    ["a javascript: URL", "javascript://hunter2"],
    ["a file: URL", "file:///etc/hunter2"],
  ];
  for (const [what, text] of refused) {
    it(`${what} is refused, and the value is not shown`, () => {
      const error = assertThrows(() => splitUrl(text, "url"), UnexpectedValueError);
      assertEquals(error.option, "url");
      assert(!`${error.message} ${error.stack} ${error.cause}`.includes("hunter2"));
    });
  }
});

describe("credentials in an Authorization header", () => {
  for (
    const [username, password, header] of [
      ["Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="], // RFC 7617 §2
      ["test", "123£", "Basic dGVzdDoxMjPCow=="], // RFC 7617 §2.1
      ["", "", "Basic Og=="],
      ["u", "p:q", "Basic dTpwOnE="],
    ] as const
  ) {
    it(`RFC 7617: '${username}' and '${password}' become ${header}`, () => {
      assertEquals(basicCredentials(username, password), header);
    });
  }

  it("a password of 10,000 characters is encoded too", () => {
    const header = basicCredentials("u", "p".repeat(10_000));
    assertEquals(atob(header.slice(6)).length, 10_002);
  });
});
