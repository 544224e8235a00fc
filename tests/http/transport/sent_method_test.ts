import { afterEach, assert, assertEquals, assertRejects, beforeEach, describe, it } from "#test";
import { UnsupportedOptionError } from "../../../src/entries/errors.ts";
import type { Transport } from "../../../src/http/mod.ts";
import * as browser from "../../../src/http/transport/browser.ts";
import { openBunTransport } from "../../../src/http/transport/bun.ts";
import * as transport from "../../../src/http/transport/mod.ts";
import { isSentAsWritten } from "../../../src/http/transport/sent_method.ts";

/** Ways in which a runtime's Request changes a method or refuses it. */
const changes: readonly (readonly [string, (method: string) => string])[] = [
  ["converts it to upper case", (method) => method.toUpperCase()],
  ["sends GET instead", () => "GET"],
  [
    "refuses it",
    () => {
      throw new TypeError("no such method");
    },
  ],
];

const init = { method: "brew", headers: {}, redirect: "manual" } as const;
const route = { proxy: undefined, cert: undefined, ca: [], verify: true };

/** All transports that pass a request to fetch. */
const transports: readonly (readonly [string, Transport])[] = [
  ["the plain fetch", transport.plainFetch],
  ["the plain fetch of browsers", browser.plainFetch],
  ["the transport on Bun", openBunTransport(route).carry],
];

describe("a method that fetch does not send as it is written", () => {
  const { fetch, Request } = globalThis;
  let sent: unknown[] = [];

  beforeEach(() => {
    sent = [];
    globalThis.fetch = (...request) => {
      sent.push(request);
      return Promise.resolve(new Response());
    };
  });
  afterEach(() => {
    Object.assign(globalThis, { fetch, Request });
  });

  function changing(change: (method: string) => string): void {
    const changed = class {
      readonly method: string;
      constructor(_url: string, { method }: { method: string }) {
        this.method = change(method);
      }
    };
    Object.assign(globalThis, { Request: changed });
  }

  for (const [what, change] of changes) {
    it(`is detected if fetch ${what}`, () => {
      changing(change);
      assertEquals(isSentAsWritten("brew"), false);
      // Every fetch sends these unchanged.
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]) {
        assertEquals(isSentAsWritten(method), true);
      }
    });

    for (const [name, carry] of transports) {
      // contract: reading-35
      it(`causes an error in ${name} if fetch ${what}, and nothing is sent`, async () => {
        changing(change);
        const error = await assertRejects(
          () => carry("http://a.example", init),
          UnsupportedOptionError,
        );
        assertEquals([error.option, sent.length], ["method", 0]);
        assert(error.message.includes("brew"), error.message);
        await carry("http://a.example", { ...init, method: "GET" });
        assertEquals(sent.length, 1);
      });
    }
  }

  it("is not reported if the Request keeps it as it is written", () => {
    changing((method) => method);
    for (const method of ["brew", "FOO", "query"]) assert(isSentAsWritten(method));
  });
});
