import { inspect } from "node:util";
import { assert, assertEquals, assertRejects, assertStringIncludes, describe, it } from "#test";
import { APIClient, APIError, APISession } from "../../mod.ts";
import { type ErrorMap, ServiceUnavailableError } from "../../src/entries/errors.ts";
import { type ErrorFunctionDetails, TeapotResponseError } from "../../src/errors/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

const SECRETS = ["hunter2", "aHVudGVy", "t0ken", "b0dy-echo", "h3ader-echo"];

/** Returns the error in every form in which it is commonly printed. */
function everyPrint(error: unknown): string {
  const runtimes = globalThis as {
    Deno?: { inspect(value: unknown, options: object): string };
    Bun?: { inspect(value: unknown, options: object): string };
  };
  const shown = [
    inspect(error, { depth: 10, showHidden: true }),
    runtimes.Deno?.inspect(error, { depth: 10 }),
    runtimes.Bun?.inspect(error, { depth: 10 }),
    JSON.stringify(error),
    JSON.stringify({ wrapped: [error] }),
    String(error),
  ];
  for (let each = error; each instanceof Error; each = each.cause) {
    shown.push(each.message, each.stack, JSON.stringify({ ...each }), inspect(each));
  }
  return shown.join("\n");
}

describe("an error that is created from a response", () => {
  // contract: error-1
  it("is built from the response, the retries made so far and the error function", () => {
    const calls: [Response, ErrorFunctionDetails][] = [];
    const response = new Response("no", { status: 418 });
    const error = new TeapotResponseError(response, {
      retries: 2,
      func: (...args) => {
        calls.push(args);
        return "short and stout";
      },
      request: { method: "GET", url: "https://api.example.com/tea" },
      body: "no",
    });
    assertEquals(error.message, "short and stout");
    assertEquals([error.status, error.retries], [418, 2]);
    assert(calls[0]?.[0] === response);
    const { retries, request, body, data, redact } = calls[0]![1];
    assertEquals([retries, request?.url, body], [2, "https://api.example.com/tea", "no"]);
    assertEquals([data, redact("as it is")], [undefined, "as it is"]);
  });

  it("has no request, no retries and an empty body if it is created from only a response", () => {
    const error = new APIError(new Response("unread", { status: 402, statusText: "Pay" }));
    assertEquals(
      [error.message, error.status, error.retries, error.request, error.body, error.retryable],
      ["402 Pay", 402, 0, undefined, "", false],
    );
    assertEquals([error.data, error.url], [undefined, undefined]);
    assertEquals(error.response.bodyUsed, false);
  });

  it("has the response, its headers and its body", async () => {
    const response = new Response("no", { status: 503, headers: { "x-id": "7" } });
    const error = new ServiceUnavailableError(response, { body: "no" });
    assert(error.response === response);
    assertEquals(error.headers.get("x-id"), "7");
    assertEquals(error.body, "no");
    assertEquals(await error.response.text(), "no");
  });

  // contract: error-2
  it("is retryable if its class or a base class has a static retryable", () => {
    class Busy extends APIError {
      static override readonly retryable: boolean = true;
    }
    class VeryBusy extends Busy {}
    assertEquals(new Busy(new Response()).retryable, true);
    assertEquals(new VeryBusy(new Response()).retryable, true);
    class Resigned extends VeryBusy {
      static override readonly retryable: boolean = false;
    }
    assertEquals(new Resigned(new Response()).retryable, false);
  });

  // contract: error-1, errors-1, decision-23
  it("has status, response, retries, request, headers and body if a session throws it", async () => {
    const session = new APISession({
      url: "https://ada:hunter2@api.example.com",
      adapter: scripted(
        new Response("down", { status: 503, statusText: "Down", headers: { "x-id": "7" } }),
      ),
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
      retries: 2,
    });
    const error = await assertRejects(
      () => session.get("x", { params: { q: "a b" } }),
      ServiceUnavailableError,
    );
    assertEquals(
      [error.status, error.retries, error.retryable, error.body, error.headers.get("x-id")],
      [503, 2, true, "down", "7"],
    );
    assertEquals(error.request, { method: "GET", url: "https://api.example.com/x?q=a+b" });
    assertEquals(await error.response.text(), "down");
    assertEquals(
      error.message,
      "503 Down: GET https://api.example.com/x?q=a+b (after 2 retries)",
    );
  });

  // contract: decision-3
  it("has the seconds of Retry-After, even if it is not retryable", async () => {
    const start = Date.UTC(2001, 0, 1); // the time of the session's clock, not of the machine
    const cases: readonly (readonly [status: number, header: string, seconds?: number])[] = [
      [429, "120", 120],
      [403, "1e-1", 0.1],
      [503, "Mon, 01 Jan 2001 00:01:30 GMT", 90],
      [404, "Sun, 31 Dec 2000 23:59:59 GMT", 0],
      [599, "30", 30],
      [503, "soon"],
    ];
    for (const [status, header, seconds] of cases) {
      const session = new APISession({
        url: "https://api.example.com",
        adapter: scripted(new Response(null, { status, headers: { "retry-after": header } })),
        clock: fakeClock({ autoAdvance: true, start }),
        retries: 0,
      });
      const error = await assertRejects(() => session.get("x"), APIError);
      assertEquals([error.status, error.retryAfter], [status, seconds]);
      assertEquals(JSON.parse(JSON.stringify(error)).retryAfter, seconds);
      if (seconds) assertStringIncludes(inspect(error), `retryAfter: ${seconds}`);
    }
  });

  // contract: decision-3
  it("reads Retry-After if it is created by the caller, with dates by the machine's clock", () => {
    const retryAfterOf = (header?: string) =>
      new APIError(
        new Response(null, { status: 429, headers: header ? { "retry-after": header } : {} }),
      ).retryAfter;
    assertEquals([retryAfterOf(), retryAfterOf("2.5"), retryAfterOf("-1"), retryAfterOf("0")], [
      undefined,
      2.5,
      undefined,
      0,
    ]);
    const inAnHour = retryAfterOf(new Date(Date.now() + 3_600_000).toUTCString())!;
    assert(inAnHour > 3000 && inAnHour <= 3600, String(inAnHour));
    const response = new Response(null, { status: 429, headers: { "x-reset": "7" } });
    assertEquals(new APIError(response, { retryAfter: 7 }).retryAfter, 7);
  });

  // contract: fault-8
  it("shows no secret of the session however it is printed", async () => {
    const log = recordingLogger();
    const session = new APISession({
      url: "https://ada:hunter2@api.example.com",
      adapter: (_url, { headers }) =>
        Promise.resolve(
          new Response(`you sent ${headers["authorization"]}, b0dy-echo`, {
            status: 403,
            headers: { "x-echo": "h3ader-echo", "x-sent": `${headers["authorization"]}` },
          }),
        ),
      adapterPath: "https://",
      logger: log,
    });
    const options = {
      redactFields: ["token"],
      params: { token: "t0ken" },
      json: { token: "t0ken", deep: [{ token: ["t0ken"] }] },
      headers: { "x-key": "t0ken" },
    };
    for (const path of ["x?token=t0ken", "https://ada:hunter2@other.example.com/x?token=t0ken"]) {
      const error = await assertRejects(() => session.post(path, options), APIError);
      assertStringIncludes(error.body, "b0dy-echo", "error.body has the body");
      for (const secret of SECRETS) {
        assert(!everyPrint(error).includes(secret), `${secret} shows in ${everyPrint(error)}`);
        assert(
          !log.messages().join("\n").includes(secret),
          `${secret} shows in ${log.messages().join("\n")}`,
        );
      }
    }
  });

  it("does not show the query of a restricted path", async () => {
    class Vault extends APISession {
      static override readonly url: string = "https://vault.example.com";
      static override readonly restrictedPaths: readonly string[] = ["login"];
    }
    const session = new Vault({ adapter: scripted(401), logger: recordingLogger() });
    const error = await assertRejects(
      () => session.post("login?pin=t0ken", { params: { other: "hunter2" } }),
      APIError,
    );
    assertEquals(error.request?.url, "https://vault.example.com/login?REDACTED");
    for (const secret of SECRETS) assert(!everyPrint(error).includes(secret));
  });

  it("can have a class that sets the name", () => {
    class ScanError extends APIError {
      constructor(response: Response) {
        super(response);
        (this as { name: string }).name = "ScanError";
      }
    }
    assertEquals(new ScanError(new Response()).name, "ScanError");
  });
});

describe("the message of a redirect that was not followed", () => {
  const follow = "was not followed: pass { followRedirects: true } to follow it)";
  const cases: readonly (readonly [number, string, string])[] = [
    [301, "https://b.example/y", ` (a redirect to https://b.example/y ${follow}`],
    [302, "/y", ` (a redirect to https://a.example/y ${follow}`],
    [303, "y", ` (a redirect to https://a.example/v1/y ${follow}`],
    [307, "//b.example/y?sig=t0ken#t0ken", ` (a redirect to https://b.example/y?… ${follow}`],
    [308, "https://ada:t0ken@b.example/y", ` (a redirect to https://b.example/y ${follow}`],
    [302, "http:ada:t0ken@b.example/y", ` (a redirect to http://b.example/y ${follow}`],
    [302, `/${"y".repeat(300)}`, ` (a redirect to https://a.example/${"y".repeat(182)}… ${follow}`],
    [
      302,
      "ftp://ada:t0ken@b.example/y",
      " (a redirect whose Location is not an http or https URL)",
    ],
    [302, "https://t0ken:99999999", " (a redirect whose Location is not a valid URL)"],
    [302, "", ""],
    [300, "/y", ""],
    [304, "/y", ""],
    [201, "/y", ""],
  ];
  for (const [status, location, hint] of cases) {
    // contract: fault-8
    it(`names the target and how to follow it: ${status} to '${location.slice(0, 40)}'`, async () => {
      const adapter = scripted(() => new Response(null, { status, headers: { location } }));
      const url = "https://a.example/v1";
      const logger = recordingLogger();
      class Client extends APIClient {
        static override readonly errorMap: ErrorMap = { 201: APIError };
        fetch(): Promise<Response> {
          return this._get("x");
        }
      }
      const client = new Client({ baseUrl: url, adapter, logger });
      const error = await assertRejects(() => client.fetch(), APIError);
      assertEquals(error.message, `${status}: GET https://a.example/v1/x${hint}`);
      assert(!everyPrint(error).includes("t0ken"));
      assertEquals(error.headers.get("location"), location === "" ? "" : location);
    });
  }

  it("shows only an absolute target if the error is created without a request", () => {
    const messageFor = (location: string) =>
      new APIError(new Response(null, { status: 302, headers: { location } })).message;
    assertEquals(
      messageFor("https://b.example/y"),
      `302 (a redirect to https://b.example/y ${follow}`,
    );
    assertEquals(messageFor("/y"), `302 (a redirect ${follow}`);
  });
});
