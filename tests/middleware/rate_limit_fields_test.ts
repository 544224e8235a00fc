import { assertEquals, describe, it } from "#test";
import {
  readLimits,
  type ReportedLimit,
  RETRY_AFTER,
} from "../../src/middleware/rate_limit_fields.ts";

const now = Date.UTC(2026, 0, 1);
const seconds = now / 1000;

function read(headers: Record<string, string>, status = 200): ReportedLimit[] {
  return readLimits(new Response(null, { status, headers }), now);
}

function limit(
  name: string,
  remaining: number,
  reset: number,
  quota: number | undefined = undefined,
): ReportedLimit {
  return { name, remaining, reset, quota };
}

describe("the fields RateLimit and RateLimit-Policy", () => {
  const cases: readonly (readonly [string, string, string | undefined, ReportedLimit[]])[] = [
    ["a limit", '"default";r=50;t=30', undefined, [limit("default ", 50, 30)]],
    [
      "the quota of the policy with the same name",
      '"b";r=0;t=5, "a";r=9;t=60',
      '"a";q=100;w=60, "b";q=10;w=10',
      [limit("b ", 0, 5, 10), limit("a ", 9, 60, 100)],
    ],
    ["the window without a time", '"a";r=0', '"a";q=10;w=60', [limit("a ", 0, 60, 10)]],
    ["no limit without a time and a window", '"a";r=0', '"a";q=10', []],
    ["a partition", '"a";r=1;t=2;pk=:YQ==:', undefined, [limit("a :YQ==:", 1, 2)]],
    ["other parameters as comments", '"a";r=1;t=2;acme="x";y', undefined, [limit("a ", 1, 2)]],
    [
      "another unit only if it is used up",
      '"a";r=500;t=9, "b";r=0;t=7',
      '"a";q=1000;qu="content-bytes", "b";q=1000;qu="content-bytes"',
      [limit("b ", 0, 7)],
    ],
    ["no policy if that field is malformed", '"a";r=1;t=2', '"a";q=', [limit("a ", 1, 2)]],
    ["no policy with a window of 0", '"a";r=1;t=2', '"a";q=9;w=0', [limit("a ", 1, 2)]],
    ["no policy without a quota", '"a";r=1;t=2', '"a";w=9', [limit("a ", 1, 2)]],
    ["no policy with a token as unit", '"a";r=1;t=2', '"a";q=9;qu=requests', [limit("a ", 1, 2)]],
  ];
  for (const [name, field, policy, expected] of cases) {
    it(`have ${name}`, () => {
      const policies: Record<string, string> = policy ? { "ratelimit-policy": policy } : {};
      assertEquals(read({ ratelimit: field, ...policies }), expected);
    });
  }

  const malformed: readonly string[] = [
    "",
    "limit=100, remaining=50, reset=30",
    "default;r=50;t=30",
    '"a";t=30',
    '"a";r=-1;t=30',
    '"a";r=1.0;t=30',
    '"a";r="1";t=30',
    '"a";r=1;t=-5',
    '"a";r=1;t=1.5',
    '"a";r=1;t=2;pk="x"',
    '"a";r=1;t=2, "b"',
    '("a");r=1;t=2',
    '"a";r=1;t=2,',
    "100",
  ];
  for (const [index, field] of malformed.entries()) {
    it(`are ignored if they are malformed, case ${index}`, () => {
      assertEquals(read({ ratelimit: field }), []);
      const others = { "x-ratelimit-remaining": "3", "x-ratelimit-reset": "60" };
      assertEquals(read({ ratelimit: field, ...others }), [limit("", 3, 60)]);
    });
  }

  it("win over X-RateLimit-*", () => {
    const others = { "x-ratelimit-remaining": "3", "x-ratelimit-reset": "60" };
    assertEquals(read({ ratelimit: '"a";r=1;t=2', ...others }), [limit("a ", 1, 2)]);
  });
});

describe("the fields X-RateLimit-*", () => {
  const cases: readonly (readonly [string, string, number | undefined])[] = [
    ["a delay in seconds", "30", 30],
    ["a delay with a fraction", "0.5", 0.5],
    ["a time in seconds", `${seconds + 90}`, 90],
    ["a time in seconds with a fraction", `${seconds + 1}.5`, 1.5],
    ["a time in milliseconds", `${now + 2500}`, 2.5],
    ["a time in the past", `${seconds - 90}`, 0],
    ["a date, which is ignored", "Thu, 01 Jan 2026 00:01:00 GMT", undefined],
    ["a negative number, which is ignored", "-5", undefined],
    ["a word, which is ignored", "soon", undefined],
    ["two values, which are ignored", "5, 6", undefined],
    ["an exponent, which is ignored", "1e3", undefined],
  ];
  for (const [name, text, reset] of cases) {
    it(`can have ${name}`, () => {
      const fields = { "x-ratelimit-remaining": "7", "x-ratelimit-reset": text };
      assertEquals(read(fields), reset === undefined ? [] : [limit("", 7, reset)]);
    });
  }

  it("have the quota, and can begin without X-", () => {
    const fields = { remaining: "7", reset: "30", limit: "100" };
    for (const prefix of ["x-ratelimit-", "ratelimit-"]) {
      const headers = Object.entries(fields).map(([name, text]) => [prefix + name, text]);
      assertEquals(read(Object.fromEntries(headers)), [limit("", 7, 30, 100)]);
    }
    const wrong = {
      "x-ratelimit-remaining": "7",
      "x-ratelimit-reset": "3",
      "x-ratelimit-limit": "",
    };
    assertEquals(read(wrong), [limit("", 7, 3)]);
  });

  it("are ignored without a remaining number or a reset", () => {
    assertEquals(read({ "x-ratelimit-remaining": "0" }), []);
    assertEquals(read({ "x-ratelimit-reset": "30" }), []);
    assertEquals(read({ "x-ratelimit-remaining": "1.5", "x-ratelimit-reset": "30" }), []);
    assertEquals(read({}), []);
  });

  it("need no remaining number on a 429, because none remain", () => {
    for (const [remaining, expected] of [["", 0], ["-1", 0], ["3", 3]] as const) {
      const headers = { "x-ratelimit-remaining": remaining, "x-ratelimit-reset": "30" };
      assertEquals(read(headers, 429), [limit("", expected, 30)]);
    }
    assertEquals(read({ "ratelimit-reset": "30" }, 429), [limit("", 0, 30)]);
    assertEquals(read({ "ratelimit-reset": "30" }, 503), []);
  });
});

describe("the field Retry-After", () => {
  const others = {
    ratelimit: '"a";r=0;t=99',
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": "9",
  };

  it("wins over the others if the status is 429 or 503", () => {
    for (const status of [429, 503]) {
      const headers = { ...others, "retry-after": "5" };
      assertEquals(read(headers, status), [limit(RETRY_AFTER, 0, 5)]);
    }
    const date = new Date(now + 8000).toUTCString();
    assertEquals(read({ "retry-after": date }, 503), [limit(RETRY_AFTER, 0, 8)]);
  });

  it("can be in milliseconds, in headers of other names", () => {
    for (const name of ["retry-after-ms", "x-ms-retry-after-ms"]) {
      assertEquals(read({ ...others, [name]: "1500" }, 429), [limit(RETRY_AFTER, 0, 1.5)]);
    }
  });

  it("is ignored for another status, or if it is malformed", () => {
    assertEquals(read({ ...others, "retry-after": "5" }, 200), [limit("a ", 0, 99)]);
    assertEquals(read({ ...others, "retry-after": "soon" }, 429), [limit("a ", 0, 99)]);
  });
});
