import { assertEquals, assertThrows, describe, it } from "#test";
import { PagingError } from "../../src/errors/paging_error.ts";
import { parseNextLink } from "../../src/paging/link_header.ts";
import { assertLinearTime } from "../support/linear_time.ts";

const BASE = "https://api.example.com/v1/issues?page=1";

/** A response whose Link header may be longer than a runtime allows. */
function responseWith(...links: readonly string[]): Response {
  const headers = new Headers();
  for (const link of links) headers.append("link", link);
  return new Response("[]", { headers });
}

describe("parseNextLink", () => {
  const found: Readonly<Record<string, readonly [links: readonly string[], next: string]>> = {
    "the usual link": [
      ['<https://api.example.com/issues?page=2>; rel="next"'],
      "https://api.example.com/issues?page=2",
    ],
    "a token in place of a quoted string": [["</x>;rel=next"], "https://api.example.com/x"],
    "blanks around each part": [
      [' < /x > ;  rel = "next" ; title = "a" '],
      "https://api.example.com/x",
    ],
    "a relation among others, in any case": [
      ['</x>; rel="prefetch  NEXT"'],
      "https://api.example.com/x",
    ],
    "the second link of a header": [
      ['</1>; rel="prev", </3>; rel="next"'],
      "https://api.example.com/3",
    ],
    "the link of a second header": [
      ['</1>; rel="prev"', '</3>; rel="next"'],
      "https://api.example.com/3",
    ],
    "the first of two": [['</2>; rel="next", </3>; rel="next"'], "https://api.example.com/2"],
    "empty elements of the list": [[', ,</2>; rel="next",'], "https://api.example.com/2"],
    "a comma and a semicolon in the URL": [
      ["<?ids=1,2;3>; rel=next"],
      "https://api.example.com/v1/issues?ids=1,2;3",
    ],
    "a comma, a semicolon and a quote in a quoted string": [
      ['</1>; title="a, <b>; rel=next \\" c"; rel=prev, </2>; rel="next"'],
      "https://api.example.com/2",
    ],
    "an escaped letter in the relation": [['</2>; rel="n\\ext"'], "https://api.example.com/2"],
    "a parameter without a value": [["</2>; crossorigin; rel=next"], "https://api.example.com/2"],
    "an empty parameter": [["</2>;; rel=next;"], "https://api.example.com/2"],
    "a quoted string without an end": [['</2>; rel="next'], "https://api.example.com/2"],
    "text after the parameters": [["</2>; rel=next ???"], "https://api.example.com/2"],
    "a relative URL without a slash": [["<two>; rel=next"], "https://api.example.com/v1/two"],
    "an empty URL": [["<>; rel=next"], BASE],
    "another origin": [["<//eu.example.com/x>; rel=next"], "https://eu.example.com/x"],
    "credentials and a fragment, which it removes": [
      ["<https://ada:pass@api.example.com/x#top>; rel=next"],
      "https://api.example.com/x",
    ],
    "an anchor that is the page itself": [
      ['</2>; rel=next; anchor="?page=1#top"'],
      "https://api.example.com/2",
    ],
  };
  for (const [name, [links, next]] of Object.entries(found)) {
    it(`finds ${name}`, () => {
      assertEquals(parseNextLink(responseWith(...links), BASE), next);
    });
  }

  const missing: Readonly<Record<string, readonly string[]>> = {
    "no header": [],
    "an empty header": [""],
    "only other relations": ['</1>; rel="prev", </9>; rel="last"'],
    "a relation that contains the word": ['</1>; rel="next-archive"'],
    "a second rel parameter, which does not count": ["</1>; rel=prev; rel=next"],
    "another parameter with the value": ["</1>; rev=next"],
    "no relation": ["</1>"],
    "a link of another page": ['</2>; rel=next; anchor="/other"'],
  };
  for (const [name, links] of Object.entries(missing)) {
    it(`returns undefined for ${name}`, () => {
      assertEquals(parseNextLink(responseWith(...links), BASE), undefined);
    });
  }

  const invalid: Readonly<Record<string, readonly [link: string, message: string]>> = {
    "a link without brackets": ["/x; rel=next", "at character 1 there is none"],
    "a URL without an end": ["</1>; rel=prev, </x; rel=next", "at character 17 there is none"],
    "another scheme": ["<javascript:alert(1)>; rel=next", "must be an http or https URL"],
    "a URL that is not valid": ["<https://a b/>; rel=next", "must be an http or https URL"],
    "a header of 500 kB": [
      `<https://api.example.com/?q=${"x".repeat(500_000)}>; rel=next`,
      "has 500039 characters; at most 65536 are parsed",
    ],
  };
  for (const [name, [link, message]] of Object.entries(invalid)) {
    it(`throws for ${name}`, () => {
      const error = assertThrows(
        () => parseNextLink(responseWith(link), BASE),
        PagingError,
        message,
      );
      assertEquals((error as Error).message.length < 300, true);
    });
  }

  it("resolves a relative link against the URL of the response by default", () => {
    const response = responseWith("<?page=2>; rel=next");
    Object.defineProperty(response, "url", { value: BASE });
    assertEquals(parseNextLink(response), "https://api.example.com/v1/issues?page=2");
  });

  it("names the missing URL if it cannot resolve a relative link", () => {
    const response = responseWith("</x>; rel=next");
    assertThrows(() => parseNextLink(response), PagingError, "pass the URL of the page");
  });

  it("finds another relation", () => {
    assertEquals(
      parseNextLink(responseWith("</2>; rel=next, </0>; rel=older"), BASE, "Older"),
      "https://api.example.com/0",
    );
  });

  const hostile: Readonly<Record<string, (length: number) => string>> = {
    "links": (length) => "</x>;rel=prev,".repeat(length / 14),
    "blanks": (length) => `</x>;${" ".repeat(length)}`,
    "blanks that no semicolon follows": (length) => `</x>${" ".repeat(length)}x`,
    "semicolons": (length) => `</x>${";".repeat(length)}`,
    "quoted strings without an end": (length) => '</x>;a="'.repeat(length / 8),
    "backslashes": (length) => `</x>;a="${"\\".repeat(length)}`,
    "commas": (length) => ",".repeat(length),
    "opening brackets": (length) => `${"<".repeat(length)}>`,
  };
  for (const [name, build] of Object.entries(hostile)) {
    it(`takes linear time for ${name}`, () => {
      assertLinearTime((length) => parseNextLink(responseWith(build(length / 4)), BASE));
    });
  }
});
