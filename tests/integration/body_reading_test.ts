/** Tests of how bodies are read from a server, with and without a timeout. */
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { assertEquals, assertInstanceOf, describe, it } from "#test";
import { APISession, type SessionOptions, TransportError } from "../../mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import {
  drop,
  PiecewiseAnswer,
  type RawAnswer,
  stall,
  startRawServer,
} from "../support/raw_server.ts";
import { until } from "../support/until.ts";

/** Reads a body: the toolkit all of it, or the caller by the response. */
type Read = (session: APISession) => Promise<unknown>;

const ways: Readonly<Record<string, Read>> = {
  "as JSON": (session) => session.get("x", { convJson: true }),
  "as JSON with a timeout": (session) => session.get("x", { convJson: true, timeout: 60 }),
  "from the response with a timeout": async (session) => {
    const text = await (await session.get("x", { timeout: 60 })).text();
    return text === "" ? null : JSON.parse(text);
  },
};

/** Runs a test with a server. */
async function withServer(
  answer: RawAnswer,
  test: (session: APISession) => Promise<void>,
  options: SessionOptions = {},
): Promise<void> {
  const server = await startRawServer(answer);
  const own = { url: server.url, logger: null, retries: 0, finalWait: false } as const;
  try {
    await test(new APISession({ ...own, ...options }));
  } finally {
    await server.stop();
  }
}

type Bytes = string | Uint8Array;

/** Returns an answer of a status line, headers and the parts of a body. */
function send(headers: readonly string[], ...parts: readonly Bytes[]): RawAnswer {
  return (socket) => {
    socket.write(
      ["HTTP/1.1 200 OK", "Content-Type: application/json", ...headers, "", ""].join("\r\n"),
    );
    for (const part of parts) socket.write(part);
  };
}

/** Returns an answer in the chunked coding (RFC 9112 §7.1). */
function sendChunked(headers: readonly string[], ...parts: readonly Bytes[]): RawAnswer {
  const chunks = parts.flatMap((
    part,
  ) => [`${Buffer.byteLength(part).toString(16)}\r\n`, part, "\r\n"]);
  return send(["Transfer-Encoding: chunked", ...headers], ...chunks, "0\r\n\r\n");
}

const lengthOf = (body: Bytes) => `Content-Length: ${Buffer.byteLength(body)}`;

const short = { id: 7, name: "Zoë" };
const long = Array.from({ length: 9000 }, (_, id) => ({ id, text: "é".repeat(id % 7) }));
const zipped = (value: unknown) => gzipSync(JSON.stringify(value));

const answers: Readonly<Record<string, readonly [RawAnswer, unknown]>> = {
  "a short body with its length": [
    send([lengthOf(JSON.stringify(short))], JSON.stringify(short)),
    short,
  ],
  "a long body with its length": [
    send([lengthOf(JSON.stringify(long))], JSON.stringify(long)),
    long,
  ],
  "a body in chunks": [sendChunked([], '{"id":7,', '"name":"', "Zoë", '"}'), short],
  "a long body in one chunk": [sendChunked([], JSON.stringify(long)), long],
  "a body that ends with its connection": [
    (socket) => {
      send(["Connection: close"], JSON.stringify(long))(socket);
      socket.end();
    },
    long,
  ],
  "a compressed body with its length": [
    send(["Content-Encoding: gzip", lengthOf(zipped(long))], zipped(long)),
    long,
  ],
  "a compressed body in chunks": [
    sendChunked(
      ["Content-Encoding: gzip"],
      zipped(long).subarray(0, 99),
      zipped(long).subarray(99),
    ),
    long,
  ],
  "an empty body with its length": [send(["Content-Length: 0"]), null],
  "an empty body in chunks": [sendChunked([]), null],
  "a body that is longer than its length": [
    send([lengthOf("[1]"), "Connection: close"], "[1], and more"),
    [1],
  ],
};

for (const [how, read] of Object.entries(ways)) {
  describe(`a response of a server, read ${how},`, () => {
    for (const [what, [answer, value]] of Object.entries(answers)) {
      it(`may have ${what}`, async () => {
        await withServer(answer, async (session) => assertEquals(await read(session), value));
      });
    }

    it("may arrive byte by byte", async () => {
      const body = '{"id":7,"name":"Ada"}';
      const pieces = new PiecewiseAnswer();
      await withServer(pieces.answer, async (session) => {
        const reading = read(session);
        await pieces.write(`HTTP/1.1 200 OK\r\n${lengthOf(body)}\r\n\r\n`);
        for (const byte of Buffer.from(body)) await pieces.write(String.fromCharCode(byte));
        assertEquals(await reading, JSON.parse(body));
      });
    });

    it("fails if the body is shorter than its length", async () => {
      const answer = drop("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1]");
      await withServer(answer, async (session) => {
        const error = await read(session).then(() => undefined, (reason: unknown) => reason);
        assertInstanceOf(error, TransportError);
        assertEquals(error.kind, "reset");
      });
    });

    it("fails if a compressed body is cut off", async () => {
      const body = zipped(long);
      const answer: RawAnswer = (socket) => {
        send([`Content-Encoding: gzip`, `Content-Length: ${body.length}`], body.subarray(0, 2000))(
          socket,
        );
        socket.end();
      };
      await withServer(answer, async (session) => {
        const error = await read(session).then(() => undefined, (reason: unknown) => reason);
        assertInstanceOf(error, TransportError);
      });
    });
  });
}

describe("a response of a server with a timeout", () => {
  it("has no body after HEAD, and with the statuses 204 and 304", async () => {
    const head = 'Content-Length: 99\r\nETag: "1"\r\n\r\n';
    const cases = [
      ["head", `HTTP/1.1 200 OK\r\n${head}`],
      ["get", "HTTP/1.1 204 No Content\r\n\r\n"],
      ["get", `HTTP/1.1 304 Not Modified\r\n${head}`],
    ] as const;
    for (const [method, answer] of cases) {
      await withServer(stall(answer), async (session) => {
        const options = { timeout: 60, okStatuses: [304] } as const;
        const response = await session[method]("x", options);
        assertEquals(await response.text(), "");
      });
    }
  });

  const starts: Readonly<Record<string, string>> = {
    "with its length": "Content-Length: 9\r\n\r\n[1,",
    "in chunks": "Transfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n",
    "before its first byte": "Content-Length: 9\r\n\r\n",
    "without a length": "\r\n[1,",
  };
  for (const [what, start] of Object.entries(starts)) {
    it(`fails if the body stalls ${what}`, async () => {
      const clock = fakeClock();
      let hasArrived = false;
      const session: SessionOptions = {
        clock,
        async fetch(url, init) {
          const response = await fetch(url, init as RequestInit);
          hasArrived = true;
          return response;
        },
      };
      await withServer(stall(`HTTP/1.1 200 OK\r\n${start}`), async (api) => {
        const reading = api.get("x", { convJson: true, timeout: 10 })
          .then(() => undefined, (reason: unknown) => reason);
        await until(() => hasArrived && clock.pending > 0);
        let error: unknown;
        void reading.then((reason) => error = reason);
        await until(async () => {
          await clock.advance(10);
          return error !== undefined;
        });
        assertInstanceOf(error, TransportError);
        assertEquals([error.kind, clock.pending], ["timeout", 0]);
      }, session);
    });
  }
});
