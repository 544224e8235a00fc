import { assertEquals, assertInstanceOf, assertThrows, describe, it } from "#test";
import {
  APIClient,
  APIEndpoint,
  APISession,
  type Path,
  path,
  UnexpectedValueError,
} from "../../mod.ts";
import type { CallMiddleware } from "../../src/middleware/mod.ts";
import { keepTemplates, templateOf } from "../../src/telemetry/path_templates.ts";
import { scripted } from "../support/scripted.ts";

/** Returns the segments of a path as a server decodes them. */
function segments(written: string): string[] {
  const { pathname, search, hash } = new URL(`https://a.example${written}`);
  assertEquals([search, hash], ["", ""]);
  return pathname.split("/").slice(1).map(decodeURIComponent);
}

describe("the path template", () => {
  it("does not change the text between the values", () => {
    assertEquals(path`/users`, "/users");
    assertEquals(path``, "");
    assertEquals(path`/a%2Fb?x=1&y=${"z"}#top`, "/a%2Fb?x=1&y=z#top");
    assertEquals(path`${"a"}${"b"}`, "ab");
    assertEquals(path`${"a"}/${2}/${3n}`, "a/2/3");
  });

  const texts = [
    "a/b",
    "a?b=c",
    "a#b",
    "a%b",
    "%2e%2e",
    "%2F",
    "a b",
    "a\\b",
    "a;b",
    "a:b",
    "a@b",
    "a&b=c+d",
    "é€𝄞",
    "...",
    "..a",
    ".a",
    "a..",
    " ",
    "\t",
    "\n..",
    "..\r",
    "\0",
    "//evil.example/x",
    "https://evil.example/x",
    "../../admin",
    "..\\admin",
    "~!*'()",
    "\ufeff",
    "undefined",
    "null",
  ];
  for (const [index, text] of texts.entries()) {
    it(`encodes any string as one segment, case ${index + 1}`, () => {
      assertEquals(segments(path`/users/${text}/files`), ["users", text, "files"]);
      assertEquals(segments(path`/users/${text}`), ["users", text]);
      assertEquals(segments(path`/${text}`), [text]);
    });
  }

  const numbers: readonly (readonly [number | bigint, string])[] = [
    [0, "0"],
    [-0, "0"],
    [-7, "-7"],
    [1.5, "1.5"],
    [2 ** 53, "9007199254740992"],
    [12345678901234567890n, "12345678901234567890"],
    [1e21, "1e+21"],
  ];
  for (const [index, [number, text]] of numbers.entries()) {
    it(`writes a number in decimal, case ${index + 1}`, () => {
      assertEquals(segments(path`/n/${number}/x`), ["n", text, "x"]);
    });
  }

  const refused: readonly unknown[] = [
    "",
    ".",
    "..",
    undefined,
    null,
    true,
    NaN,
    Infinity,
    -Infinity,
    {},
    [],
    [""],
    ["", ""],
    new Date(0),
    Symbol("a"),
    () => "a",
    { toString: () => "a" },
    new String("a"),
    "\ud800",
    "a\udc00b",
  ];
  for (const [index, value] of refused.entries()) {
    it(`refuses a value that cannot be a segment, and names its position, case ${index + 1}`, () => {
      const error = assertThrows(() => path`/a/${"b"}/${value as never}/c`, UnexpectedValueError);
      assertEquals(error.option, "path value 2");
      assertThrows(() => path`${value as never}`, UnexpectedValueError, "path value 1");
    });
  }

  it("writes an array as several segments", () => {
    assertEquals(path`/files/${["a b", "c/d", 7, "e"]}?v=${1}`, "/files/a%20b/c%2Fd/7/e?v=1");
    assertEquals(path`/files/${"photos/2026/".split("/")}`, "/files/photos/2026/");
    assertEquals(path`/files/${"/a//b".split("/")}`, "/files//a//b");
    for (const text of texts) {
      assertEquals(segments(path`/users/${["x", text]}`), ["users", "x", text]);
    }
  });

  it("refuses a value of an array that cannot be a segment, and names its place", () => {
    for (const value of [".", "..", undefined, NaN, ["a"], "\ud800"]) {
      const error = assertThrows(
        () => path`/a/${"b"}/${["", value as never]}/c`,
        UnexpectedValueError,
      );
      assertEquals(error.option, "path value 2[1]");
    }
  });

  it("does not show a string that it refuses, and keeps the cause", () => {
    const error = assertThrows(() => path`/${"hunter2\ud800"}`, UnexpectedValueError);
    assertEquals(`${error.message}${error.stack}`.includes("hunter2"), false);
    assertInstanceOf(error.cause, URIError);
  });

  it("refuses a dot segment that is made of a dot in the text and a dot in the value", () => {
    assertThrows(() => path`/a/.${"."}`, UnexpectedValueError);
    assertThrows(() => path`/a/${"."}.`, UnexpectedValueError);
    assertThrows(() => path`/a/${"."}${"."}`, UnexpectedValueError);
    assertEquals(segments(path`/a/.${"%2e"}/b`), ["a", ".%2e", "b"]);
  });

  it("stays below the base path, whatever the value", async () => {
    class Files extends APIClient {
      static override readonly baseUrl: string = "https://a.example/v1";
      read(name: string): Promise<Response> {
        return this._get(path`/files/${name}`);
      }
    }
    for (const name of texts) {
      const fetch = scripted(200);
      await new Files({ fetch }).read(name);
      const { origin, pathname, search } = new URL(fetch.calls[0]!.url);
      assertEquals([origin, pathname.slice(0, 10), search], [
        "https://a.example",
        "/v1/files/",
        "",
      ]);
      assertEquals(pathname.slice(10).includes("/"), false, name);
    }
  });
});

describe("the templates of paths", () => {
  keepTemplates();

  /** Returns the template of the path that a call arrives with. */
  async function templateIn(call: (session: APISession) => Promise<unknown>) {
    let found: string | undefined;
    const middleware: CallMiddleware = (call, next) => {
      found = templateOf(call.path);
      return next(call);
    };
    const options = { url: "https://api.example.com", fetch: scripted(200) };
    await call(new APISession({ ...options, callMiddleware: [middleware] }));
    return found;
  }

  class Files extends APIEndpoint<APISession, Users | APISession> {
    protected override readonly _path: string = "/files/";
    read(name: Path): Promise<unknown> {
      return this._get(name);
    }
  }

  class Users extends APIEndpoint<APISession> {
    protected override readonly _path: string = path`users/${"ada"}`;
    readonly files: Files = new Files(this);
    all(): Promise<unknown> {
      return this._get();
    }
  }

  it("have braces in the place of each value", async () => {
    const get = (path: Path) => templateIn((session) => session.get(path));
    assertEquals(
      await get(path`users/${"ada"}/files/${7}?full=${"yes"}`),
      "users/{}/files/{}?full={}",
    );
    assertEquals(await get(path`books`), "books");
    assertEquals(await get(7), "{}");
    assertEquals(await get("plain/7"), undefined);
    const url = path`https://other.example.com/users/${"ada"}`;
    assertEquals(await get(url), "https://other.example.com/users/{}");
  });

  it("are joined as the paths of endpoints are", async () => {
    const read = (name: Path) => templateIn((session) => new Files(session).read(name));
    assertEquals(await read(path`${"a"}/${"b"}`), "/files/{}/{}");
    assertEquals(await read(7), "/files/{}");
    assertEquals(await read("plain"), undefined);
    assertEquals(await templateIn((session) => new Users(session).all()), "users/{}");
    const nested = (session: APISession) => new Users(session).files.read(path`${"a b"}`);
    assertEquals(await templateIn(nested), "users/{}/files/{}");
  });

  it("of the latest 1,000 paths are kept, and of those that are used", () => {
    const [used, unused] = [path`/used/${1}`, path`/unused/${1}`];
    for (let count = 0; count < 999; count++) {
      path`/many/${count}`;
      if (count === 500) templateOf(used);
    }
    assertEquals([templateOf(used), templateOf(unused)], ["/used/{}", undefined]);
    const long = path`/long/${"x".repeat(2000)}`;
    assertEquals(templateOf(long), undefined);
  });
});
