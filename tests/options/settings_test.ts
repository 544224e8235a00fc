import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { firstGeneration } from "../../src/options/generation.ts";
import type { ClientBaseOptions } from "../../src/options/client_options.ts";
import { optionNames } from "../../src/options/definitions.ts";
import type { ClassDefaults } from "../../src/options/class_settings.ts";
import { checkedBasePath, resolveSettings, type UrlBase } from "../../src/options/resolve.ts";
import { APISession } from "../../src/client/session.ts";
import { systemClock } from "../../src/base/clock.ts";
import { APIError } from "../../src/errors/api_error.ts";
import { baseErrorMap, NotFoundError } from "../../src/errors/status_errors.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { defaults } from "../support/class_defaults.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { scripted } from "../support/scripted.ts";

class GoneError extends APIError {}

const address: UrlBase = {
  url: "https://a.example/v1",
  generation: firstGeneration,
  basePath: "",
};

function read(
  options: ClientBaseOptions = {},
  own: Partial<ClassDefaults> = {},
  base: Partial<UrlBase> = {},
): ReturnType<typeof resolveSettings> {
  return resolveSettings(options, { ...defaults, ...own }, { ...address, ...base });
}

describe("the resolved settings", () => {
  // contract: service-1, attr-3, attr-4, limit-1, limit-5
  it("are the contract's defaults if nothing is set", () => {
    const { clock, errorMap, trust, ...settings } = read();
    const { retries, backoff, timeout, maxRetryAfter, deadline } = settings;
    assertEquals([retries, backoff, timeout, maxRetryAfter, deadline], [
      3,
      1,
      undefined,
      null,
      null,
    ]);
    const { followRedirects, maxRedirects, useBase } = settings;
    assertEquals([followRedirects, maxRedirects, useBase], [true, 30, true]);
    const { base, prefix, credentials } = settings;
    assertEquals([base, prefix, credentials], [address.url, address.url, undefined]);
    assert(clock === systemClock);
    assert(trust.isCrossOrigin("accept") && !trust.isCrossOrigin("x-signature"));
    assert(trust.allows("https://a.example/x") && !trust.allows("https://b.example/x"));
    assertEquals(Object.keys(errorMap), Object.keys(baseErrorMap));
  });

  it("are those of the class if nothing is set", () => {
    const settings = read();
    const names = optionNames("class").filter((name) =>
      // A timeout of null is undefined: it keeps that of the HTTP session.
      name in settings && name !== "timeout" && name !== "errorMap"
    );
    assert(names.length > 20);
    for (const name of [...names, "libName", "libVersion", "restrictedPaths"]) {
      assertEquals(Reflect.get(settings, name), Reflect.get(defaults, name), name);
    }
  });

  // contract: attrs-2
  it("come from an option before the class, and ignore undefined", () => {
    const own = { retries: 7, backoff: 2, timeout: 30, finalWait: false, maxRetryAfter: 60 };
    const withoutOptions = read(
      { retries: undefined, timeout: undefined, finalWait: undefined },
      own,
    );
    assertEquals([withoutOptions.retries, withoutOptions.timeout, withoutOptions.finalWait], [
      7,
      30,
      false,
    ]);
    const withOptions = read({ retries: 1, backoff: 0.5, timeout: 5, finalWait: true }, own);
    assertEquals(
      [
        withOptions.retries,
        withOptions.backoff,
        withOptions.timeout,
        withOptions.finalWait,
        withOptions.maxRetryAfter,
      ],
      [1, 0.5, 5, true, 60],
    );
  });

  // contract: fault-6
  it("can have 0 retries and a backoff of 0", () => {
    const { retries, backoff } = read({ retries: 0, backoff: 0 });
    assertEquals([retries, backoff], [0, 0]);
  });

  it("have no limit of the class if the option is null", () => {
    const own = { timeout: 30, deadline: 60, maxRetryAfter: 90 };
    const { timeout, deadline, maxRetryAfter } = read(
      { timeout: null, deadline: null, maxRetryAfter: null },
      own,
    );
    // A timeout of null also removes that of the HTTP session. Undefined keeps it.
    assertEquals([timeout, deadline, maxRetryAfter], [null, null, null]);
  });

  it("can have null for no trusted origins", () => {
    const { trust } = read({ trustedOrigins: null as never });
    assert(!trust.allows("https://b.example/x"));
  });

  it("can have another clock", () => {
    const clock = fakeClock({ autoAdvance: true });
    assert(read({ clock }).clock === clock);
  });

  const bad: readonly (readonly [keyof ClientBaseOptions, readonly unknown[]])[] = [
    ["retries", [-1, 1.5, NaN, Infinity, "3", null, true, 3n, {}]],
    ["backoff", [-1, NaN, Infinity, "1", null, true]],
    ["maxRetryAfter", [-1, NaN, -Infinity, "1", true]],
    ["timeout", [0, -1, NaN, -Infinity, "30", true]],
    ["deadline", [0, -1, NaN, -Infinity, "30", true]],
    ["finalWait", [0, 1, "true", null]],
    ["errorFunc", ["a string", 7, null, {}]],
    ["errorFrom", ["a string", 7, null, {}]],
    ["followRedirects", [0, 1, "true", null]],
    ["maxRedirects", [-1, 1.5, NaN, -Infinity, "30"]],
    ["trustedOrigins", ["https://b.example", [7], [""], ["b.example"], ["ftp://b.example"], [
      "https://b.example",
      "https://b.example/path",
    ], {}]],
    ["clock", [{}, { now: () => 0, after: "later" }, "now", 7, null]],
  ];
  for (const [option, values] of bad) {
    for (const value of values) {
      const text = typeof value === "object" ? JSON.stringify(value) : `${typeof value} ${value}`;
      it(`bad input: ${option} as ${text.replaceAll('"', "'")} is refused by name`, () => {
        for (
          const attempt of [
            () => read({ [option]: value }),
            // The clock has no static property.
            ...option === "clock" ? [] : [() => read({}, { [option]: value })],
          ]
        ) {
          const named = Array.isArray(value) ? `${option}[${value.length - 1}]` : option;
          assertEquals(assertThrows(attempt, UnexpectedValueError).option, named);
        }
      });
    }
  }
});

describe("the base URL of a session or client", () => {
  const bases: readonly (readonly [string, string, string, string])[] = [
    // url, base path, base, prefix
    ["https://a.example", "", "https://a.example", "https://a.example"],
    ["https://a.example/", "", "https://a.example", "https://a.example"],
    ["https://a.example/v1//", "", "https://a.example/v1", "https://a.example/v1"],
    ["HTTPS://A.Example:443/v1", "", "https://a.example/v1", "https://a.example/v1"],
    ["https://a.example/2", "", "https://a.example/2", "https://a.example/2"],
    ["https://a.example", "rest", "https://a.example", "https://a.example/rest"],
    ["https://a.example/", "/rest/", "https://a.example", "https://a.example/rest"],
    ["https://a.example/v1/", "//rest/2//", "https://a.example/v1", "https://a.example/v1/rest/2"],
    ["https://a.example", "/", "https://a.example", "https://a.example"],
    ["http://[::1]:8080", "x", "http://[::1]:8080", "http://[::1]:8080/x"],
  ];
  for (const [url, basePath, base, prefix] of bases) {
    // contract: attr-1, attr-2, version-2
    it(`'${url}' and base path '${basePath}' become ${prefix}`, () => {
      const settings = read({}, {}, { url, basePath });
      assertEquals([settings.base, settings.prefix], [base, prefix]);
    });
  }

  // contract: reading-31
  it("is separated from its credentials, which become an Authorization header", async () => {
    const url = "https://ada:s%40cret@a.example/v1";
    const { base, credentials } = read({}, {}, { url });
    assertEquals([base, credentials], ["https://a.example/v1", `Basic ${btoa("ada:s@cret")}`]);
    const transport = scripted(200);
    await new APISession({ url, adapter: transport }).get("x");
    const { url: sent, init } = transport.calls[0]!;
    assertEquals([sent, init.headers["authorization"]], [
      "https://a.example/v1/x",
      `Basic ${btoa("ada:s@cret")}`,
    ]);
  });

  const bad: readonly (readonly [string, unknown])[] = [
    ["missing", ""],
    ["undefined", undefined],
    ["relative", "/v1"],
    ["without a scheme", "a.example"],
    ["of another scheme", "ftp://a.example"],
    ["with a query", "https://a.example/?key=secret"],
    ["with an empty query", "https://a.example/?"],
    ["with a fragment", "https://a.example/#secret"],
    ["a URL object", new URL("https://a.example")],
    ["a number", 7],
  ];
  for (const [what, url] of bad) {
    it(`bad input: a base URL is refused by the name of its option: ${what}`, () => {
      for (const option of ["url", "baseUrl"]) {
        const error = assertThrows(
          () => read({}, {}, { url, generation: { ...firstGeneration, baseUrl: option as "url" } }),
          UnexpectedValueError,
        );
        assertEquals(error.option, option);
        assert(!error.message.includes("secret"));
      }
    });
  }

  for (const basePath of [7, null, undefined, ["v1"]]) {
    it(`bad input: a base path that is ${JSON.stringify(basePath)?.replaceAll('"', "'") ?? "undefined"} is refused`, () => {
      const error = assertThrows(() => checkedBasePath(basePath), UnexpectedValueError);
      assertEquals(error.option, "basePath");
    });
  }
});

describe("the effective error map", () => {
  // contract: attrs-3, life-1
  it("is the base map with the entries of the class merged over it", () => {
    const { errorMap } = read({}, { errorMap: { 404: GoneError, 499: GoneError } });
    assert(errorMap[404] === GoneError && errorMap[499] === GoneError);
    assert(errorMap[503] === baseErrorMap[503]);
    assertEquals(Object.keys(errorMap).length, Object.keys(baseErrorMap).length + 1);
    assert(baseErrorMap[404] === NotFoundError, "the base map is not changed");
    assertEquals(baseErrorMap[499], undefined);
  });

  // contract: errors-7
  it("Errors, rule 7: overriding the base map removes all preset mappings", () => {
    const own = { baseErrorMap: { 410: GoneError }, errorMap: { 418: GoneError } };
    assertEquals(Object.keys(read({}, own).errorMap), ["410", "418"]);
    assertEquals(Object.keys(read({}, { baseErrorMap: {} }).errorMap), []);
  });

  for (
    const [what, map, option] of [
      ["a status that is a name", { notFound: GoneError }, "notFound"],
      ["a negative status", { "-1": GoneError }, "-1"],
      ["a string instead of a class", { 404: "GoneError" }, "404"],
      ["null instead of a class", { 404: null }, "404"],
      ["undefined instead of a class", { 404: undefined }, "404"],
    ] as const
  ) {
    it(`bad input: ${what} is refused by name`, () => {
      for (const name of ["errorMap", "baseErrorMap"] as const) {
        const error = assertThrows(
          () => read({}, { [name]: map as never }),
          UnexpectedValueError,
        );
        assertEquals(error.option, `${name}.${option}`);
      }
    });
  }
});

describe("the restricted paths of a session or client", () => {
  // contract: attr-19
  it("are stored without outer slashes and queries", () => {
    const { restrictedPaths } = read({}, { restrictedPaths: ["/auth/", "login?x=1", "a/b"] });
    assertEquals(restrictedPaths, ["auth", "login", "a/b"]);
  });

  for (const value of ["auth", ["a", 7], null, { auth: true }]) {
    it(`bad input: ${JSON.stringify(value).replaceAll('"', "'")} is refused`, () => {
      const error = assertThrows(
        () => read({}, { restrictedPaths: value as never }),
        UnexpectedValueError,
      );
      assertEquals(error.option, Array.isArray(value) ? "restrictedPaths[1]" : "restrictedPaths");
    });
  }
});

describe("the trusted origins and cross-origin headers", () => {
  it("accept an origin in any valid spelling", () => {
    const { trust } = read({ trustedOrigins: ["HTTPS://B.Example:443"] });
    assert(trust.allows("https://b.example/x"));
    assert(!trust.allows("https://b.example:444/x"));
  });

  it("come from the trustedOrigins option instead of the class", () => {
    const own = { trustedOrigins: ["https://b.example"] };
    const { trust } = read({ trustedOrigins: ["https://c.example"] }, own);
    assert(trust.allows("https://c.example/x") && !trust.allows("https://b.example/x"));
    assert(read({}, own).trust.allows("https://b.example/x"));
  });

  // contract: http-13
  it("include the headers that the class lists, in upper or lower case", () => {
    const { trust } = read({}, { crossOriginHeaders: ["X-Source"] });
    assert(trust.isCrossOrigin("x-source") && trust.isCrossOrigin("accept"));
    assert(!trust.isCrossOrigin("x-signature"));
  });

  const badNames: readonly (readonly [unknown, string])[] = [
    ["x-key", "crossOriginHeaders"],
    [null, "crossOriginHeaders"],
    [{ auth: true }, "crossOriginHeaders"],
    [[7], "crossOriginHeaders[0]"],
    [["X-Source", ""], "crossOriginHeaders[1]"],
    [["X-Source", "X Key"], "crossOriginHeaders[1]"],
    [["X-Source:"], "crossOriginHeaders[0]"],
    [["X-Source\r\nX-Key"], "crossOriginHeaders[0]"],
  ];
  for (const [value, option] of badNames) {
    it(`bad input: crossOriginHeaders as ${JSON.stringify(value).replaceAll('"', "'")} is refused`, () => {
      const error = assertThrows(
        () => read({}, { crossOriginHeaders: value as never }),
        UnexpectedValueError,
      );
      assertEquals(error.option, option);
    });
  }
});
