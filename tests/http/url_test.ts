import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { barePath, joinPath, pathText } from "../../src/http/url.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { firstGeneration } from "../../src/options/generation.ts";
import { assertLinearTime } from "../support/linear_time.ts";

const BASE = "https://api.example.com/v1";

describe("joining a path to the base URL", () => {
  const placed: readonly (readonly [string, string])[] = [
    ["users", `${BASE}/users`],
    ["/users", `${BASE}/users`],
    ["users/", `${BASE}/users/`],
    ["/users/", `${BASE}/users/`],
    ["users/7", `${BASE}/users/7`],
    ["users//7", `${BASE}/users//7`],
    ["", `${BASE}/`],
    ["/", `${BASE}/`],
    ["///", `${BASE}/`],
    ["//other.example.com/x", `${BASE}/other.example.com/x`],
    ["//user:pass@other.example.com/x", `${BASE}/user:pass@other.example.com/x`],
    ["?q=1", `${BASE}/?q=1`],
    ["users?q=1/2&r=//x", `${BASE}/users?q=1/2&r=//x`],
    ["users#top", `${BASE}/users#top`],
    ["users?next=../../x", `${BASE}/users?next=../../x`],
    ["users#../../x", `${BASE}/users#../../x`],
    ["mailto:ada@example.com", `${BASE}/mailto:ada@example.com`],
    ["urn:isbn:0451450523", `${BASE}/urn:isbn:0451450523`],
    ["a.b/c..d/...", `${BASE}/a.b/c..d/...`],
    [".well-known/x", `${BASE}/.well-known/x`],
    [".", `${BASE}/.`],
    ["./users", `${BASE}/./users`],
    ["a/../b", `${BASE}/a/../b`],
    ["a/b/../..", `${BASE}/a/b/../..`],
    ["a//../..", `${BASE}/a//../..`],
    ["a/%2e%2e/b", `${BASE}/a/%2e%2e/b`],
    ["a/%252e%252e/../b", `${BASE}/a/%252e%252e/../b`],
    ["\\other.example.com\\x", `${BASE}/\\other.example.com\\x`],
  ];
  for (const [path, url] of placed) {
    // contract: req-2, req-3, reading-1, reading-20
    it(
      `rules 2 and 3: ${JSON.stringify(path).slice(1, -1)} is placed below it`.replaceAll("&", "+"),
      () => {
        assertEquals(joinPath(BASE, path), url);
        // The runtime resolves it to the same host, below the base.
        const parsed = new URL(url);
        assertEquals(parsed.host, "api.example.com");
        assert(parsed.pathname.startsWith("/v1/"), parsed.pathname);
      },
    );
  }

  const refused: readonly (readonly [string, string])[] = [
    ["at the beginning", "../x"],
    ["after a slash", "/../x"],
    ["nothing else", ".."],
    ["in the middle", "a/../../x"],
    ["at the beginning, with a way back", "../v1/x"],
    ["with a single dot between", "a/./../../x"],
    ["at the end", "a/../.."],
    ["with encoded dots", "%2e%2e/x"],
    ["with encoded dots in upper case", "%2E%2E/x"],
    ["with a dot and an encoded dot", ".%2e/x"],
    ["with an encoded dot and a dot", "%2E./x"],
    ["with encoded single dots between", "a/%2e/../../x"],
    ["with backslashes", "..\\x"],
    ["with backslashes after a segment", "a\\..\\..\\x"],
    ["with a tab between the dots", ".\t./x"],
    ["with a tab before the dots", "\t../x"],
    ["with a line break between the dots", ".\n./x"],
    ["with a carriage return between the dots", ".\r./x"],
    ["before a query", "..?x=1"],
    ["before a fragment", "..#x"],
    ["before a query with slashes", "../x?y=a/b/c"],
    ["before a query with a line break", "../x?y=\n"],
  ];
  for (const [what, path] of refused) {
    // contract: reading-1
    it(`dot segments that lead above the base are refused: ${what}`, () => {
      const error = assertThrows(() => joinPath(BASE, path), UnexpectedValueError);
      assertEquals(error.option, "path");
      assert(!new URL(`${BASE}/${path}`).pathname.startsWith("/v1/x/"));
    });
  }

  it("a path that is accepted never leaves the base, for all combinations of dots and slashes", () => {
    const pieces = ["a", ".", "..", "%2e", "%2E", "/", "\\", "\t", "\n"];
    let paths = [""];
    for (let length = 1; length <= 5; length++) {
      paths = paths.flatMap((path) => pieces.map((piece) => path + piece));
      for (const path of paths) {
        let url: string;
        try {
          url = joinPath(BASE, path);
        } catch {
          continue;
        }
        const { host, pathname } = new URL(url);
        if (host === "api.example.com" && pathname.startsWith("/v1/")) continue;
        assertEquals([path, url], [path, "a URL below the base"]);
      }
    }
  });

  it("a path that stays below the base is accepted, for all combinations of dots and slashes", () => {
    const pieces = ["a", "..", ".", "/", "\\", "%2e"];
    let paths = [""];
    for (let length = 1; length <= 6; length++) {
      paths = paths.flatMap((path) => pieces.map((piece) => path + piece));
    }
    for (const path of paths) {
      // If the depth is negative after any segment, the path leaves the base.
      const below = path.replace(/^\/+/, "");
      const levels = below.split(/[/\\]/).map((segment) => segment.replaceAll("%2e", "."));
      let depth = 0;
      const leaves = levels.some((segment) => {
        depth += segment === ".." ? -1 : segment === "." ? 0 : 1;
        return depth < 0;
      });
      if (leaves) assertThrows(() => joinPath(BASE, path), UnexpectedValueError);
      else assertEquals(joinPath(BASE, path), `${BASE}/${below}`);
    }
  });

  it("dot segments that only the URL parser recognizes do not leave the base: a space at the end", () => {
    for (const path of [".. ", "a/../.. ", "..\x1f", "%2e%2e\0"]) {
      let url: string;
      try {
        url = joinPath("https://a.example/v1", path);
      } catch {
        continue;
      }
      assert(new URL(url).pathname.startsWith("/v1/"), JSON.stringify(path));
    }
  });

  it("dot segments that only the URL parser recognizes do not leave the base: a tab in an encoded dot", () => {
    const path = "%2\te%2\te/x";
    let url: string | undefined;
    try {
      url = joinPath("https://a.example/v1", path);
    } catch {
      return;
    }
    assert(new URL(url).pathname.startsWith("/v1/"), url);
  });
});

describe("a path that is passed as a string or number", () => {
  for (
    const [path, text] of [
      ["users", "users"],
      ["", ""],
      [7, "7"],
      [0, "0"],
      [-1, "-1"],
      [1.5, "1.5"],
    ] as const
  ) {
    it(`${JSON.stringify(path).replaceAll('"', "'")} is written as ${text === "" ? "an empty string" : text}`, () => {
      assertEquals(pathText(path), text);
    });
  }

  for (
    const [what, path] of [
      ["undefined", undefined],
      ["null", null],
      ["NaN", NaN],
      ["an infinite number", Infinity],
      ["a boolean", true],
      ["a URL object", new URL(BASE)],
      ["an array", ["users"]],
      ["an object", { path: "users" }],
      ["a bigint", 7n],
      ["a symbol", Symbol("users")],
    ] as const
  ) {
    it(`a path that is not a string or number is refused: ${what}`, () => {
      const error = assertThrows(() => pathText(path), UnexpectedValueError);
      assertEquals([error.option, error.expected], ["path", "a string or a finite number"]);
    });
  }
});

describe("joining two parts of a URL", () => {
  for (
    const [before, after, joined] of [
      ["a", "b", "a/b"],
      ["a/", "b", "a/b"],
      ["a", "/b", "a/b"],
      ["a/", "/b", "a/b"],
      ["a//", "//b", "a/b"],
      ["a", "", "a/"],
      ["", "b", "/b"],
      ["", "", "/"],
      ["/a/b/", "/c/d/", "/a/b/c/d/"],
    ] as const
  ) {
    it(`puts one slash between '${before}' and '${after}'`, () => {
      assertEquals(firstGeneration.joinSuffix(before, after), joined);
    });
  }
});

describe("the path that is compared with restricted paths", () => {
  for (
    const [path, bare] of [
      ["auth/login", "auth/login"],
      ["/auth/login/", "auth/login"],
      ["//auth/login//", "auth/login"],
      ["auth//login", "auth/login"],
      ["///auth////login", "auth/login"],
      ["Auth/LOGIN", "auth/login"],
      ["%41uth%2f/login", "auth/login"],
      ["auth/login?user=ada/", "auth/login"],
      ["auth/login/?user=ada", "auth/login"],
      ["auth/login#top", "auth/login"],
      ["?q", ""],
      ["/", ""],
      ["", ""],
      ["auth/login?a\n=b", "auth/login"],
    ] as const
  ) {
    // contract: reading-17
    it(`is in lower case, without needless slashes and without a query: '${JSON.stringify(path).slice(1, -1)}'`, () => {
      assertEquals(barePath(path), bare);
    });
  }

  it("is found in linear time for any number of slashes", () => {
    assertLinearTime((length) => {
      const path = `x${"/".repeat(length)}x`;
      assertEquals(barePath(`/${path}/`), "x/x");
    });
  });
});

describe("a path that contains spaces", () => {
  it("is joined to the base in linear time", () => {
    assertLinearTime((length) => {
      const path = `.${" ".repeat(length)}x`;
      assertEquals(joinPath("https://a.example", path), `https://a.example/${path}`);
    });
  });
});
