/** Checks which credentials a request to a link of the server has. */
import { assertEquals, assertRejects, describe, it } from "#test";
import { APISession, type RequestOptions, UnexpectedValueError } from "../../mod.ts";
import { ApiKeyAuth, type Auth, BearerAuth } from "../../src/auth/mod.ts";
import { PagingError } from "../../src/entries/errors.ts";
import type { Transport } from "../../src/http/mod.ts";
import type { Middleware } from "../../src/middleware/mod.ts";
import { linkHeader, type PageOptions, type PagePromise } from "../../src/paging/mod.ts";
import {
  hasCredentials,
  type OriginName,
  origins,
  type Owner,
  paths,
} from "../support/credential_paths.ts";
import { redirectTo } from "../support/exchanging.ts";
import { scripted } from "../support/scripted.ts";

class Api extends APISession {
  list(path: string, options: Partial<PageOptions<number>> = {}): PagePromise<number> {
    return this._pages<number>(path, { next: linkHeader(), ...options });
  }

  protected override _retryRequest(): RequestOptions {
    return { headers: { "x-call": "own", accept: "text/json" }, auth: new BearerAuth("of-call") };
  }
}

function start(link: string, absoluteUrls: "any" | "trusted" = "any", pages = 2) {
  const linked = () => Response.json([1], { headers: { link: `<${link}>; rel="next"` } });
  const fetch = scripted(...Array.from({ length: pages - 1 }, () => linked), Response.json([2]));
  const api = new Api({
    ...{ url: "https://api.example.com/v1", fetch, absoluteUrls, retries: 0, logger: null },
    ...{ headers: { "x-session": "own" }, auth: new BearerAuth("of-session"), backoff: 0 },
    ...{ params: { key: "of-session" }, cookies: { sid: "of-session" } },
    trustedOrigins: ["https://eu.example.com"],
  });
  const sent = (index: number) => {
    const { url, init } = fetch.calls[index]!;
    const { "user-agent": _, ...headers } = init.headers as Record<string, string>;
    return { url, headers };
  };
  return { api, fetch, sent };
}

const options = {
  headers: { "x-call": "own", accept: "text/json" },
  auth: new BearerAuth("of-call"),
};
const all = {
  "x-session": "own",
  "x-call": "own",
  accept: "text/json",
  authorization: "Bearer of-call",
  cookie: "sid=of-session",
};

/** A step from one request to the next one. */
type Step = "link" | "saved link" | "redirect";

/** Returns all sequences of steps of a length. */
function sequences(length: number): Step[][] {
  if (length === 0) return [[]];
  return (["link", "saved link", "redirect"] as const).flatMap((step) =>
    sequences(length - 1).map((others) => [step, ...others])
  );
}

/** Reads a list along a path, and returns the last request. */
async function lastRequest(path: readonly OriginName[], steps: readonly Step[], auth?: Auth) {
  const urlOf = (index: number) => `${origins[path[index]!]}/n/${index}`;
  const requests: { url: URL; headers: Readonly<Record<string, string>> }[] = [];
  const fetch: Transport = (url, { headers }) => {
    const index = requests.push({ url: new URL(url), headers });
    assertEquals(url.replace(/\?.*/, ""), urlOf(index - 1));
    if (steps[index - 1] === "redirect") return Promise.resolve(redirectTo(urlOf(index)));
    const link = index === path.length ? {} : { link: `<${urlOf(index)}>; rel="next"` };
    return Promise.resolve(Response.json([index], { headers: link }));
  };
  const api = new Api({
    ...{ url: origins.api, fetch, logger: null, trustedOrigins: [origins.eu] },
    ...{ headers: { "x-session": "own" }, auth: new ApiKeyAuth("k-1", { header: "x-scheme" }) },
    ...{ params: { key: "of-session" }, cookies: { sid: "of-session" } },
  });
  const given = { headers: { "x-call": "own", "accept": "text/json" }, ...auth && { auth } };
  let page = await api.list(urlOf(0), given);
  for (const step of steps) {
    if (step === "link") page = await page.nextPage();
    if (step !== "saved link") continue;
    page = await api.list(urlOf(0), { ...given, from: JSON.parse(JSON.stringify(page.state)) });
  }
  return requests.at(-1)!;
}

describe("the last request after links, saved links and redirects", () => {
  for (
    const [path, owner] of paths.flatMap((each) => [[each, "session"], [each, "call"]] as const)
  ) {
    it(`has only the credentials that may go there: ${path.join(" → ")}, scheme of the ${owner}`, async () => {
      const auth = owner === "call" ? new ApiKeyAuth("k-2", { header: "x-scheme" }) : undefined;
      const [found, expected]: Record<string, unknown>[] = [{}, {}];
      for (const steps of sequences(path.length - 1)) {
        const { url, headers: { "user-agent": _, ...headers } } = await lastRequest(
          path,
          steps,
          auth,
        );
        found![steps.join()] = [url.search, ...Object.keys(headers).sort()];
        const ofSession = hasCredentials(path, "session");
        const kinds = {
          cookie: "session",
          "x-call": "call",
          "x-scheme": owner,
          "x-session": "session",
        };
        const names = Object.entries(kinds)
          .filter(([, of]) => hasCredentials(path, of as Owner)).map(([name]) => name);
        // A Location names the whole URL; a link gets the parameters of the session.
        const search = ofSession && steps.at(-1) !== "redirect" ? "?key=of-session" : "";
        expected![steps.join()] = [search, "accept", ...names];
      }
      assertEquals(found, expected);
    });
  }
});

describe("the request to a link", () => {
  it("has all credentials, and no parameter twice, at the origin of the session", async () => {
    const { api, sent } = start("/v1/n?page=2&key=of-session");
    await api.list("n", options).collect();
    assertEquals(sent(1), {
      url: "https://api.example.com/v1/n?page=2&key=of-session",
      headers: all,
    });
  });

  it("has all credentials at a trusted origin", async () => {
    const { api, sent } = start("https://eu.example.com/n?page=2");
    await api.list("n", options).collect();
    assertEquals(sent(1), {
      url: "https://eu.example.com/n?page=2&key=of-session",
      headers: all,
    });
  });

  for (
    const [name, link] of [
      ["another origin", "https://evil.example.com/n?page=2"],
      ["another port", "https://api.example.com:8443/n?page=2"],
      ["the same host over http", "http://api.example.com/n?page=2"],
    ] as const
  ) {
    it(`has only harmless headers at ${name}`, async () => {
      const { api, sent } = start(link);
      await api.list("n", options).collect();
      assertEquals(sent(1), { url: link, headers: { accept: "text/json" } });
    });
  }

  it("has only harmless headers if a saved state leads to another origin", async () => {
    const { api, sent } = start("https://evil.example.com/n?page=2");
    const { state } = await api.list("n", options);
    await api.list("n", { ...options, from: state }).collect();
    assertEquals(sent(1).headers, { accept: "text/json" });
  });

  it("does not get them back when a retry hook returns options", async () => {
    const link = "https://evil.example.com/n?page=2";
    const first = Response.json([1], { headers: { link: `<${link}>; rel="next"` } });
    const fetch = scripted(first, 503, Response.json([2]));
    const api = new Api({ url: "https://api.example.com/v1", fetch, backoff: 0, logger: null });
    await api.list("n", options).collect();
    const headers = fetch.calls.map(({ init }) => init.headers as Record<string, string>);
    assertEquals(headers.map((each) => each["x-call"]), ["own", undefined, undefined]);
    assertEquals(headers.map((each) => each["authorization"]), [
      ...["Bearer of-call", undefined, undefined],
    ]);
  });

  it("has those of the options if the first page was at the same foreign origin", async () => {
    const { api, sent } = start("https://other.example.com/n?page=2");
    await api.list("https://other.example.com/n", options).collect();
    const { authorization, accept } = all;
    assertEquals(sent(1), {
      url: "https://other.example.com/n?page=2",
      headers: { "x-call": "own", accept, authorization },
    });
  });

  it("has only harmless headers if fetch, as in a browser, followed a redirect to the page", async () => {
    const { api, fetch, sent } = start("https://api.example.com/v1/n?page=2");
    const followed: Transport = async (url, init) =>
      Object.defineProperty(await fetch(url, init), "url", { value: "https://evil.example.com/n" });
    await api.withOptions({ fetch: followed }).list("n", options).collect();
    assertEquals(sent(1), {
      url: "https://api.example.com/v1/n?page=2",
      headers: { accept: "text/json" },
    });
  });

  it("shares no response with requests that have credentials, if it has none", async () => {
    const link = "https://evil.example.com/n?page=2";
    const identities = new Map<string, (string | undefined)[]>();
    const middleware: Middleware = (request, next) => {
      request.network = (sent, send) => {
        identities.set(sent.url, [...identities.get(sent.url) ?? [], sent.identity]);
        return send();
      };
      return next(request);
    };
    const headers = { "x-call": "own" };
    const { api } = start(link);
    await api.list("n", { headers, middleware: [middleware] }).collect();
    await api.get(link, { headers, middleware: [middleware] });
    const [linked, direct] = identities.get(link)!;
    assertEquals([typeof linked, typeof direct, linked === direct], ["string", "string", false]);
  });

  it("has no credentials that the link itself contains", async () => {
    const { api, sent } = start("https://ada:pass@evil.example.com/n?page=2");
    await api.list("n").collect();
    assertEquals(sent(1), {
      url: "https://evil.example.com/n?page=2",
      headers: { accept: "application/json" },
    });
  });

  it("is not sent to another origin if absoluteUrls is trusted: that is an error of the server", async () => {
    const link = "https://evil.example.com/n?page=2&token=secret";
    const { api, fetch } = start(link, "trusted");
    const list = api.list("n");
    const error = await assertRejects(() => list.collect(), PagingError);
    assertEquals([error.message, error.currentPage], [
      "the link to the next page must be a path, or a full URL of the base URL's origin or of " +
      'trustedOrigins, because absoluteUrls is "trusted", but is "https://evil.example.com/n?…"',
      1,
    ]);
    assertEquals(fetch.calls.length, 1);
    const first = await list;
    await assertRejects(() => first.nextPage(), PagingError, "trustedOrigins");
    assertEquals(fetch.calls.length, 1);
  });

  it("differs from a URL of the caller: that is a mistake in the program", async () => {
    const { api, fetch } = start("https://evil.example.com/n?page=2", "trusted");
    for (const path of ["https://evil.example.com/n", "../n", "ftp://api.example.com/n"]) {
      const error = await assertRejects(() => api.list(path).collect(), UnexpectedValueError);
      assertEquals(error.option, "path");
    }
    assertEquals(fetch.calls.length, 0);
  });

  it("leaves other mistakes in the options to the caller, also at a link", async () => {
    const { api } = start("/n?page=2");
    let calls = 0;
    const middleware: Middleware = (request, next) => {
      if (calls++ > 0) throw new UnexpectedValueError("size", "a number", "a");
      return next(request);
    };
    const list = api.list("n", { middleware: [middleware] });
    const error = await assertRejects(() => list.collect(), UnexpectedValueError);
    assertEquals(error.option, "size");
  });
});
