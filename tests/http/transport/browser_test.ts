import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { UnexpectedValueError } from "../../../mod.ts";
import { UnsupportedOptionError } from "../../../src/entries/errors.ts";
import type { TransportErrorKind } from "../../../src/errors/transport_error.ts";
import * as browser from "../../../src/http/transport/browser.ts";
import * as transport from "../../../src/http/transport/mod.ts";
import type { ConnectionOptions, TransportPort } from "../../../src/http/transport/port.ts";
import { checkRuntime } from "../../../src/http/transport/runtime_transport.ts";
import {
  browserFailures,
  failures,
  made,
  mistakes,
  underFetchFailed,
} from "../../support/transport_errors.ts";

const branches: Readonly<Record<"browser" | "transport", TransportPort>> = { browser, transport };

describe("the routes in bundles for browsers", () => {
  const refused: readonly ConnectionOptions[] = [
    { proxies: { all: "http://127.0.0.1:2" } },
    { proxies: {} },
    { cert: ["cert.pem", "key.pem"] },
    { ca: "authority.pem" },
    { sslVerify: false },
  ];
  for (const options of refused) {
    it(`refuse connection options with the same error as in a browser: ${named(options)}`, () => {
      const [option] = Object.keys(options);
      const routes = new browser.Routes();
      const error = assertThrows(() => routes.setOptions(options), UnsupportedOptionError);
      const usual = assertThrows(() => checkRuntime(option!, "Browser"), UnsupportedOptionError);
      assertEquals([error.option, error.message], [option, usual.message]);
    });
  }

  it("accept options that request nothing", () => {
    const routes = new browser.Routes();
    routes.setOptions({});
    routes.setOptions({ proxies: null, cert: null, ca: null, sslVerify: true });
    routes.setOptions({ proxies: undefined, cert: undefined, ca: undefined, sslVerify: undefined });
    const none = { http: null, https: null };
    assertEquals([routes.proxies, routes.cert, routes.ca], [none, null, []]);
    assertEquals(routes.verify, true);
  });

  it("refuse an sslVerify that is not true or false", () => {
    const set = () => new browser.Routes().setOptions({ sslVerify: 1 as unknown as boolean });
    assertEquals(assertThrows(set, UnexpectedValueError).option, "sslVerify");
  });

  it("do not find a route, and cannot turn off the verification of TLS", () => {
    const routes = new browser.Routes();
    assertEquals(routes.find("https://a.example/", true), undefined);
    assertEquals(routes.find("http://a.example/", false), undefined);
    const unverified = () => routes.find("https://a.example/", false);
    assertEquals(assertThrows(unverified, UnsupportedOptionError).option, "verify");
    routes.close();
    assertEquals(routes.find("https://a.example/", true), undefined);
  });
});

describe("fetch in bundles for browsers", () => {
  it("is looked up at each call, so that a mock is used", async () => {
    const before = globalThis.fetch;
    const asked: unknown[] = [];
    globalThis.fetch = (...request) => {
      asked.push(request);
      return Promise.resolve(new Response("mocked"));
    };
    try {
      const init = { method: "GET", headers: {}, redirect: "follow" } as const;
      const response = await browser.plainFetch("https://a.example/x", init);
      assertEquals([await response.text(), asked], ["mocked", [["https://a.example/x", init]]]);
    } finally {
      globalThis.fetch = before;
    }
  });
});

describe("a failed connection in bundles for browsers", () => {
  const recognized = browserFailures.filter(([, { name }]) =>
    !/^T(?:imeout|ransport)Error$/.test(name)
  );
  for (
    const [what, error, kind] of [...recognized, [
      "Node",
      made({ message: "terminated" }),
      "reset",
    ]] as const
  ) {
    it(`has the same kind as in any other program: ${what} is ${kind}`, () => {
      for (const { failureKind } of Object.values(branches)) assertEquals(failureKind(error), kind);
    });
  }

  const lost: readonly (readonly [string, TransportErrorKind])[] = [
    ["Failed to fetch (api.example.com)", "other"],
    ["Load failed (api.example.com)", "other"],
  ];
  for (const [message, kind] of lost) {
    it(`is recognized by the browser's message alone: ${message}`, () => {
      assertEquals(browser.failureKind(new TypeError(message)), kind);
      assertEquals(browser.failureKind(new Error(message)), kind);
    });
  }

  const onNode = failures.filter(([what]) => what.startsWith("Node"));
  for (const [what, error, kind] of onNode) {
    it(`is recognized on Node too, where test runners run browser bundles: ${what}`, () => {
      assertEquals(browser.failureKind(error), kind === "reset" ? "reset" : "other");
    });
  }

  it("can be a body that is shorter than its length, on Node", () => {
    const cause = { code: "UND_ERR_RES_CONTENT_LENGTH_MISMATCH", message: "does not match" };
    const error = made({ message: "terminated", cause });
    for (const { failureKind } of Object.values(branches)) {
      assertEquals(failureKind(error), "reset");
    }
  });

  it("does not depend on words in the host name", () => {
    for (const host of ["redirect.example", "scheme.example", "lost.stream.example"]) {
      const error = underFetchFailed(`getaddrinfo ENOTFOUND ${host}`, "ENOTFOUND");
      assertEquals(browser.failureKind(error), "other", host);
    }
  });

  it("can have a cause of any type", () => {
    for (const cause of [undefined, null, "why", 7, { code: "ECONNRESET" }]) {
      const kind = cause === Object(cause) ? "reset" : "other";
      assertEquals(browser.failureKind(new TypeError("fetch failed", { cause })), kind);
    }
  });
});

describe("a mistake in bundles for browsers", () => {
  const others: readonly (readonly [string, Error])[] = [
    ["a URL with credentials, Chrome", made({ message: "Failed to execute 'fetch' on 'Window'" })],
    ["an invalid URL, Firefox", made({ message: "Window.fetch: http:// is not a valid URL." })],
    [
      "an invalid URL, Safari",
      made({ message: "URL is not valid or contains user credentials." }),
    ],
    ["a redirect that was refused, Node", underFetchFailed("unexpected redirect")],
    [
      "a length that does not fit, Node",
      underFetchFailed("length", "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH"),
    ],
  ];
  for (const [what, error] of [...mistakes, ...others]) {
    // The session itself recognizes aborts, and values that are not errors.
    if (!(error instanceof Error) || error.name === "AbortError") continue;
    it(`is not a failed connection, as in any other program: ${what}`, () => {
      for (const [branch, { failureKind }] of Object.entries(branches)) {
        assert(failureKind(error) === undefined, branch);
      }
    });
  }
});

function named(options: ConnectionOptions): string {
  return JSON.stringify(options).replaceAll('"', "");
}
