import { after, assert, assertEquals, before, describe, it } from "#test";
import fc from "fast-check";
import { UnexpectedValueError } from "../../mod.ts";
import { checkedHeaders, type HeadersInput } from "../../src/http/headers.ts";
import { silentLogger } from "../../src/testing/mod.ts";
import { drained } from "../support/drained.ts";
import { type FramedServer, framingHeaders, startFramedServer } from "../support/framed_server.ts";
import { describeGenerations } from "../support/generations.ts";
import { anyString, holds, stringOf } from "../support/property.ts";

/** Values that try to end a header, and to begin another one or another request. */
const hostileValue = fc.oneof(
  fc.constantFrom("a\r\nInjected: 1", "a\nInjected: 1", "a\rInjected: 1", "a\0", "a; b=c", " a\t"),
  stringOf(
    ...["\r\n", "\n", "\r", "\0", "\t", " ", ":", ";", ",", '"', "é", "€", "\u010a", "a", "="],
    ...["Injected: 1", "Transfer-Encoding: chunked", "GET /injected HTTP/1.1"],
  ),
  anyString,
);

const name = fc.oneof(
  stringOf("X-", "a", "b", ":", " ", "\r\n", "_", "é"),
  fc.constantFrom("X-A", "x-a", "constructor", ...framingHeaders),
);

const input: fc.Arbitrary<HeadersInput> = fc.oneof(
  fc.array(fc.tuple(name, hostileValue), { maxLength: 3 }),
  fc.array(fc.tuple(name, hostileValue), { maxLength: 3 }).map((all) => Object.fromEntries(all)),
);

/** A value that no server can misread. */
const safe = /^[\t\x20-\x7e\x80-\xff]*$/;

const framing = framingHeaders.map((each) => each.toLowerCase());

/** Returns the result of a function; undefined if it refuses its input. */
async function unlessRefused<T>(run: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UnexpectedValueError) return undefined;
    throw error;
  }
}

/** Formats a header for a comparison. */
function lineOf([key, value]: readonly [string, unknown]): string {
  return `${key}: ${value}`;
}

describe("checked headers", () => {
  it("are refused, or are those that a Headers object has", async () => {
    let accepted = 0;
    await holds(
      fc.asyncProperty(input, async (given) => {
        const checked = await unlessRefused(() => checkedHeaders(given));
        if (checked === undefined) return;
        accepted++;
        const entries = Object.entries(checked);
        assert(entries.every(([key]) => !framing.includes(key)));
        assert(entries.every(([, value]) => safe.test(value!)));
        // In a mapping, the last of the names that differ in case wins; pairs are joined.
        const isJoined = Array.isArray(given);
        const expected = new Map<string, string>();
        for (const [key, value] of isJoined ? given : Object.entries(given)) {
          const [[lower, trimmed]] = [...new Headers([[key, String(value)]])] as [[string, string]];
          const others = isJoined ? expected.get(lower) : undefined;
          expected.set(lower, others === undefined ? trimmed : `${others}, ${trimmed}`);
        }
        assertEquals(entries.map(lineOf), [...expected].map(lineOf));
      }),
      2000,
    );
    assert(accepted > 50, `only ${accepted} inputs are accepted`);
  });
});

/** The headers that the call below, or a runtime by itself, may send. */
const known = [
  ...["x-key", "x-session", "cookie", "authorization", "user-agent", "idempotency-key", "host"],
  ...["connection", "accept", "accept-encoding", "accept-language", "sec-fetch-mode"],
  ...["content-length", "content-type"],
];

describeGenerations("a request with any strings in its options", ({ Session }) => {
  let server: FramedServer;

  before(async () => {
    server = await startFramedServer();
  });
  after(() => server.stop());

  const options = fc.record({
    key: hostileValue,
    session: hostileValue,
    path: hostileValue,
    param: hostileValue,
    cookie: hostileValue,
    auth: fc.oneof(fc.tuple(hostileValue, hostileValue), fc.constant(undefined)),
    vendor: hostileValue,
    body: hostileValue,
  });

  /** Options of which only some are hostile, because one of them is enough to refuse the call. */
  const someOptions = fc.tuple(options, fc.subarray(["key", "session", "path", "cookie", "vendor"]))
    .map(([all, harmless]) => ({
      ...all,
      ...Object.fromEntries(harmless.map((each) => [each, "harmless"])),
    }));

  // contract: http-20
  it("is one request with only the headers of its call, or is refused and not sent", async () => {
    let sent = 0;
    await holds(
      fc.asyncProperty(someOptions, async (given) => {
        const { key, session, path, param, cookie, auth, vendor, body } = given;
        const before = server.requests.length;
        const response = await unlessRefused(async () => {
          const api = new Session({
            url: `${server.url}/v1`,
            headers: { "X-Session": session },
            vendor,
            retries: 0,
            logger: silentLogger,
            idempotencyHeader: "Idempotency-Key",
          });
          const { status } = await drained(api.post(`x/${path}`, {
            headers: { "X-Key": key },
            params: { param },
            cookies: { a: cookie },
            ...(auth && { auth }),
            content: body,
          }));
          return status;
        });
        const requests = server.requests.slice(before);
        assertEquals(requests.length, response === undefined ? 0 : 1);
        if (response === undefined) return;
        sent++;
        const [{ method, target, fields }] = requests as [(typeof requests)[0]];
        assertEquals(method, "POST");
        assert(target.startsWith("/v1/"), target);
        assertEquals([...fields.keys()].filter((each) => !known.includes(each)), []);
        for (const values of fields.values()) {
          assertEquals(values.filter((value) => !safe.test(value)), []);
        }
        assertEquals(fields.get("x-key"), [key.replace(/^[\t ]+|[\t ]+$/g, "")]);
      }),
      100,
    );
    assert(sent > 5, `only ${sent} requests were sent`);
  });
});
