import { assertEquals, assertStrictEquals, assertThrows, describe, it } from "#test";
import { APIClient, APIEndpoint, APISession, UnexpectedValueError } from "../../mod.ts";
import { APIIterator } from "../../src/paging/mod.ts";
import {
  firstGeneration,
  type Generation,
  secondGeneration,
} from "../../src/options/generation.ts";
import { joinPaths } from "../../src/http/url.ts";

/** Returns the statics of a class that an SDK may override. */
function statics(target: object): string[] {
  const hidden = ["length", "name", "prototype", "open"];
  return Object.getOwnPropertyNames(target).filter((name) => !hidden.includes(name)).sort();
}

describe("the differences between the generations", () => {
  // contract: version-3
  it("are the seven entries of the table", () => {
    const { joinSuffix: one, ...first } = firstGeneration;
    const { joinSuffix: other, ...second } = secondGeneration;
    assertEquals(first, {
      baseUrl: "url",
      ownOptions: ["url", "basePath"],
      followRedirects: true,
      maxRetryAfter: null,
      waitsForReset: false,
      backReference: "_api",
    });
    assertEquals(second, {
      baseUrl: "baseUrl",
      ownOptions: ["baseUrl"],
      followRedirects: false,
      maxRetryAfter: 3600,
      waitsForReset: true,
      backReference: "_client",
    });
    assertEquals(typeof one, typeof other);
    assertEquals(Object.keys(firstGeneration).length, 7);
  });

  it("include the statics for the base URL, the base path, redirects and Retry-After", () => {
    assertEquals(statics(APISession), ["basePath", "followRedirects", "maxRetryAfter", "url"]);
    assertEquals(statics(APIClient), ["baseUrl", "followRedirects", "maxRetryAfter"]);
    assertEquals([APISession.followRedirects, APIClient.followRedirects], [true, false]);
    assertEquals([APISession.maxRetryAfter, APIClient.maxRetryAfter], [null, 3600]);
  });

  it("include no other static: both classes inherit the rest", () => {
    const shared = Object.getPrototypeOf(APISession);
    assertStrictEquals(Object.getPrototypeOf(APIClient), shared);
    for (const name of statics(shared).filter((each) => !statics(APIClient).includes(each))) {
      const [one, other] = [Reflect.get(APISession, name), Reflect.get(APIClient, name)];
      assertStrictEquals(one, other, name);
    }
  });

  // contract: version-3
  it("version-3: need two separate interfaces, and neither class extends the other", () => {
    const session = new APISession({ url: "https://a.example" });
    const client = new APIClient({ baseUrl: "https://a.example" });
    assertEquals([session instanceof APIClient, client instanceof APISession as boolean], [
      false,
      false,
    ]);
    // The author of a client chooses its public names.
    for (const method of ["get", "post", "put", "patch", "delete", "head"]) {
      assertEquals([method in session, method in client], [true, false], method);
      assertEquals([`_${method}` in session, `_${method}` in client], [false, true], method);
    }
  });

  it("do not affect _api and _client: endpoints and iterators have both", async () => {
    class Known extends APIEndpoint<APISession | APIClient> {
      owners(): unknown[] {
        return [this._api, this._client];
      }
    }
    class Pages extends APIIterator<unknown, object> {
      readonly seen: unknown[] = [];
      protected override _getPage(): Promise<void> {
        this.seen.push(this._api, this._client);
        this.page = [];
        return Promise.resolve();
      }
    }
    const session = new APISession({ url: "https://a.example" });
    const client = new APIClient({ baseUrl: "https://a.example" });
    for (const owner of [session, client]) {
      for (const each of new Known(owner).owners()) assertStrictEquals(each, owner);
      const pages = new Pages({ client: owner });
      await pages.next();
      for (const each of pages.seen) assertStrictEquals(each, owner);
    }
  });
});

describe("the path of an endpoint", () => {
  // The prefix, the suffix, and the path in each generation.
  const joined: readonly (readonly [string, string, string, string])[] = [
    ["users", "7", "users/7", "users/7"],
    ["users", "/7", "users/7", "users/7"],
    ["/users", "/7", "/users/7", "/users/7"],
    ["users/", "7", "users/7", "users/7"],
    ["users/", "/7", "users/7", "users//7"],
    ["users", "//7", "users/7", "users//7"],
    ["users//", "7", "users/7", "users//7"],
    ["users", "/", "users/", "users/"],
    ["users", "7/", "users/7/", "users/7/"],
    ["users", "?page=2", "users/?page=2", "users?page=2"],
    ["users", "#top", "users/#top", "users#top"],
    ["users/", "?page=2", "users/?page=2", "users/?page=2"],
    ["users", "/?page=2", "users/?page=2", "users/?page=2"],
    ["users", "7?next=../../x", "users/7?next=../../x", "users/7?next=../../x"],
    ["users", "7/../8", "users/7/../8", "users/7/../8"],
    ["users", "./7", "users/./7", "users/./7"],
    ["users", "..7", "users/..7", "users/..7"],
    ["users", "7%2F8", "users/7%2F8", "users/7%2F8"],
    ["users", "a b", "users/a b", "users/a b"],
    ["users", ":batch", "users/:batch", "users/:batch"],
    ["users", "", "users", "users"],
    ["users/", "", "users/", "users/"],
    ["", "7", "7", "7"],
    ["", "/7", "/7", "/7"],
    ["", "", "", ""],
  ];
  for (const [index, [prefix, suffix, first, second]] of joined.entries()) {
    // contract: reading-2
    it(`is joined with the suffix by the rule of its generation, case ${index + 1}`, () => {
      assertEquals(joinPaths(firstGeneration, prefix, suffix), first);
      assertEquals(joinPaths(secondGeneration, prefix, suffix), second);
    });
  }

  const escaping = [
    "..",
    "/..",
    "//..",
    "../admin",
    "/../admin",
    "7/../../admin",
    "/7/../../admin",
    "./../admin",
    "%2e%2e/admin",
    "/.%2E/admin",
    "..\\admin",
    "/\\..\\..\\admin",
    "\t../admin",
    "/.\n./admin",
    ".. ",
    "../?page=2",
    "..#top",
    // These resolve to the endpoint's path. An id must not address the whole collection.
    ".",
    "./",
    "%2e",
    ".?page=2",
    ".#top",
    "7/..",
    "7/../",
    "7/%2E.",
    "7\\..",
    "7/./..",
    ". ",
    "7/..\\",
    "7/../\t",
    "7/..\\\n?page=2",
  ];
  for (const [index, suffix] of escaping.entries()) {
    it(`cannot be left or reached by dot segments of the suffix, case ${index + 1}`, () => {
      const generations: readonly Generation[] = [firstGeneration, secondGeneration];
      for (const generation of generations) {
        for (const prefix of ["users", "/users", "users/", "/a/b"]) {
          const error = assertThrows(
            () => joinPaths(generation, prefix, suffix),
            UnexpectedValueError,
            "dot segments",
          );
          assertEquals(error.option, "path");
        }
      }
    });
  }

  it("cannot be left in the second generation when the URL parser resolves the joined path", () => {
    const pieces = ["..", ".", "", "%2e", "%2E%2e", "a", "\\", "/", "?", "\t"];
    let allowed = 0;
    for (const one of pieces) {
      for (const two of pieces) {
        for (const three of pieces) {
          for (const joint of ["/", "\\", ""]) {
            const suffix = [one, two, three].join(joint);
            let path: string;
            try {
              path = joinPaths(secondGeneration, "/users", suffix);
            } catch (error) {
              if (!(error instanceof UnexpectedValueError)) throw error;
              continue;
            }
            allowed++;
            const { pathname } = new URL(`https://a.example/v1${path}`);
            const isBelow = pathname === "/v1/users" || pathname.startsWith("/v1/users/");
            assertEquals([suffix, pathname, isBelow], [suffix, pathname, true]);
          }
        }
      }
    }
    assertEquals(allowed > 500, true, String(allowed));
  });

  for (const [index, suffix] of ["/.", "/%2e", "/./", "/a/..", "/a/../", "/a/b/../.."].entries()) {
    it(`cannot be reached by dot segments after a slash, case ${index + 1}`, () => {
      assertThrows(
        () => joinPaths(secondGeneration, "/codes", suffix),
        UnexpectedValueError,
        "dot",
      );
    });
  }

  it("may be followed by a dot segment that stays below it", () => {
    const url = new URL(`https://a.example${joinPaths(secondGeneration, "/codes", "/a/.?x=1")}`);
    assertEquals(url.pathname, "/codes/a/");
  });
});
