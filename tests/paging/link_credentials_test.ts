/** Checks which credentials a request to a link of the server has. */
import { assertEquals, assertRejects, describe, it } from "#test";
import { APISession, BearerAuth, type RequestOptions, UnexpectedValueError } from "../../mod.ts";
import { linkHeader, type PageOptions, type PagePromise } from "../../src/paging/mod.ts";
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

  it("has no credentials that the link itself contains", async () => {
    const { api, sent } = start("https://ada:pass@evil.example.com/n?page=2");
    await api.list("n").collect();
    assertEquals(sent(1), { url: "https://evil.example.com/n?page=2", headers: {} });
  });

  it("is not sent to another origin if absoluteUrls is trusted", async () => {
    const { api, fetch } = start("https://evil.example.com/n?page=2", "trusted");
    await assertRejects(() => api.list("n").collect(), UnexpectedValueError, "trustedOrigins");
    assertEquals(fetch.calls.length, 1);
  });
});
