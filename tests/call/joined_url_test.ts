import { assert, assertEquals, describe, it } from "#test";
import fc from "fast-check";
import {
  APIEndpoint,
  type APISession,
  path,
  type RequestOptions,
  UnexpectedValueError,
} from "../../mod.ts";
import { isFullUri } from "../../src/http/url.ts";
import { describeGenerations, type SessionClass } from "../support/generations.ts";
import { anyString, holds, stringOf } from "../support/property.ts";
import { scripted } from "../support/scripted.ts";
import { silentLogger } from "../../src/testing/mod.ts";

/** Sends a request, and returns its URL as the runtime parses it; undefined if the call is refused. */
async function urlOf(
  Session: SessionClass,
  url: string,
  call: (session: APISession) => Promise<unknown>,
): Promise<URL | undefined> {
  const transport = scripted(200);
  const session = new Session({ url, fetch: transport, logger: silentLogger });
  try {
    await call(session);
  } catch (error) {
    assert(error instanceof UnexpectedValueError, String(error));
    assertEquals(transport.calls, []);
    return undefined;
  }
  return new URL(transport.calls[0]!.url);
}

const base = fc.constantFrom(
  "https://api.example.com",
  "https://api.example.com/",
  "http://127.0.0.1:8080/v1",
  "https://api.example.com/a/b%2Fc/v1/",
);

/** Paths with all that the URL Standard reads in a special way. */
const hostilePath = fc.oneof(
  stringOf(
    ...["..", ".", "%2e", "%2E%2e", "/", "//", "\\", "%2f", "%5c", "a", "v1"],
    ...["\t", "\n", "\r", " ", "\0", "?", "#", ":", "@", ";", "http:", "https://x.example", "é"],
  ),
  anyString,
);

/** Values of the path tag. */
const value = fc.oneof(fc.constantFrom(".", "..", "a/b", "%2e", ""), anyString);

/** Returns the path of a base URL, which ends with a slash. */
function rootOf(url: string): string {
  return `${new URL(url).pathname.replace(/\/$/, "")}/`;
}

describeGenerations("the URL of a call", ({ Session }) => {
  // contract: req-3
  it("is below the base URL for every path, or the call is refused", async () => {
    await holds(
      fc.asyncProperty(base, hostilePath, async (url, given) => {
        const sent = await urlOf(Session, url, (session) => session.get(given));
        if (sent === undefined || isFullUri(given)) return;
        assertEquals(sent.origin, new URL(url).origin);
        assert(sent.pathname.startsWith(rootOf(url)), sent.href);
      }),
      500,
    );
  });

  it("is below the path of its endpoint, or is that path if the path of the call is blank", async () => {
    class Users extends APIEndpoint<APISession> {
      protected override readonly _path: string = "users/7";
      read(suffix: string): Promise<Response> {
        return this._get(suffix);
      }
    }
    await holds(
      fc.asyncProperty(base, hostilePath, async (url, suffix) => {
        const sent = await urlOf(Session, url, (session) => new Users(session).read(suffix));
        if (sent === undefined || isFullUri(suffix)) return;
        const own = `${rootOf(url)}users/7`;
        assertEquals(sent.origin, new URL(url).origin);
        // The runtime ignores tabs and line breaks, and controls at the end of the URL.
        const isBlank = /^[/\\\0- ]*$/.test(suffix.replace(/[?#][^]*$/, ""));
        const isBelow = sent.pathname.startsWith(`${own}/`) && sent.pathname !== `${own}/`;
        assert(isBelow || isBlank && /^\/*$/.test(sent.pathname.slice(own.length)), sent.href);
      }),
      500,
    );
  });

  it("has exactly one segment for each value of the path tag", async () => {
    await holds(fc.asyncProperty(base, value, value, async (url, one, other) => {
      const sent = await urlOf(
        Session,
        url,
        async (session) => await session.get(path`a/${one}/b/${other}`),
      );
      if (sent === undefined) return;
      const segments = sent.pathname.slice(rootOf(url).length).split("/");
      assertEquals(segments.map(decodeURIComponent), ["a", one, "b", other]);
    }));
  });

  it("has the same path with any params, and all of them in its query", async () => {
    const pairs = fc.array(fc.tuple(anyString, anyString), { maxLength: 4 });
    const start = fc.constantFrom("x", "x?q=1", "x?", "x?q=1&", "x#top", "x?q=1#top");
    await holds(fc.asyncProperty(start, pairs, async (given, params) => {
      const options: RequestOptions = { params };
      const sent = await urlOf(
        Session,
        "https://api.example.com/v1",
        (session) => session.get(given, options),
      );
      const own: [string, string][] = given.includes("q=1") ? [["q", "1"]] : [];
      const expected = params.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]);
      assertEquals(sent?.pathname, "/v1/x");
      assertEquals([...sent!.searchParams], [...own, ...expected]);
    }));
  });
});

describe("the path tag", () => {
  it("refuses only empty values, dot segments and lone surrogates", async () => {
    await holds(fc.property(value, (segment) => {
      const isRefused = ["", ".", ".."].includes(segment) || !segment.isWellFormed();
      let built: string | undefined;
      try {
        built = path`${segment}`;
      } catch (error) {
        assert(error instanceof UnexpectedValueError);
      }
      assertEquals(built === undefined, isRefused);
    }));
  });
});
