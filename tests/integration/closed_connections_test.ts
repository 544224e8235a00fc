import { gzipSync } from "node:zlib";
import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { APISession, TransportError } from "../../mod.ts";
import { drop, PiecewiseAnswer, type RawAnswer, startRawServer } from "../support/raw_server.ts";

// On Node 22 and 24 an unpatched fetch ends the process in most of these cases (nodejs/undici#5360).

/** Returns text that gzip cannot shorten much, so that decoding is slower than receiving. */
function noise(length: number): string {
  let state = 1;
  const digits = Array.from({ length }, () => {
    state = (state * 48271) % 2147483647;
    return (state & 15).toString(16);
  });
  return digits.join("");
}

/** JSON of 1 MiB and of 64 KiB. */
const large = JSON.stringify(noise(2 ** 20));
const small = JSON.stringify(noise(2 ** 16));

/** Writes a whole response with "Connection: close", then closes the connection. */
function closing(body: Uint8Array | string, headers: readonly string[]): RawAnswer {
  const head = ["HTTP/1.1 200 OK", "Connection: close", ...headers, "", ""].join("\r\n");
  return (socket) => {
    socket.write(head);
    socket.end(body);
  };
}

function chunked(body: Uint8Array): Uint8Array {
  const size = body.length.toString(16);
  return Buffer.concat([Buffer.from(`${size}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]);
}

/** Lets the runtime receive the data that was sent. It waits for turns of the event loop, not for time. */
async function waitForData(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("a body over a connection that the server closes", () => {
  const compressed = gzipSync(large);
  const gzip = "Content-Encoding: gzip";
  const cases: readonly (readonly [string, RawAnswer, string])[] = [
    [
      "compressed, with a length",
      closing(compressed, [gzip, `Content-Length: ${compressed.length}`]),
      large,
    ],
    ["compressed, without a length", closing(compressed, [gzip]), large],
    [
      "compressed, in chunks",
      closing(chunked(compressed), [gzip, "Transfer-Encoding: chunked"]),
      large,
    ],
    ["plain, with a length", closing(small, [`Content-Length: ${small.length}`]), small],
    ["plain, without a length", closing(small, []), small],
  ];

  for (const [name, answer, expected] of cases) {
    it(`is parsed completely: ${name}`, async () => {
      const server = await startRawServer(answer);
      try {
        const session = new APISession({ url: server.url });
        for (let call = 0; call < 5; call++) {
          assert(await session.get("", { convJson: true }) === JSON.parse(expected));
        }
      } finally {
        await server.stop();
      }
    });

    it(`is complete when a raw response is read late: ${name}`, async () => {
      const server = await startRawServer(answer);
      try {
        const session = new APISession({ url: server.url });
        for (let call = 0; call < 5; call++) {
          const response = await session.get("");
          await waitForData();
          assert(await response.text() === expected);
        }
      } finally {
        await server.stop();
      }
    });
  }

  it("can be cancelled after it was cut short", async () => {
    const server = await startRawServer(drop("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"));
    try {
      const session = new APISession({ url: server.url, timeout: 30 });
      const { body } = await session.get("");
      await waitForData();
      await body!.cancel();
    } finally {
      await server.stop();
    }
  });

  it("causes a TransportError if it is cut short", async () => {
    const most = compressed.subarray(0, Math.floor(compressed.length * 0.9));
    const server = await startRawServer(
      closing(most, [gzip, `Content-Length: ${compressed.length}`]),
    );
    try {
      const session = new APISession({ url: server.url, retries: 0, finalWait: false });
      const call = session.get("", { convJson: true });
      assertEquals((await assertRejects(() => call, TransportError)).kind, "reset");
    } finally {
      await server.stop();
    }
  });
});

describe("a body that cannot be decompressed", () => {
  const headers = ["HTTP/1.1 200 OK", "Content-Encoding: gzip", `Content-Length: ${small.length}`];

  // On Node 22, an unpatched fetch never ends here.
  it("fails, also if it arrives after the headers have been read", async () => {
    for (const kind of ["raw", "JSON"]) {
      const answer = new PiecewiseAnswer();
      const server = await startRawServer(answer.answer);
      try {
        const session = new APISession({ url: server.url, retries: 0, finalWait: false });
        const call = session.get("", { convJson: kind === "JSON" }).then(async (response) => {
          await answer.write(small);
          return await (response as Response).text();
        });
        await answer.write([...headers, "", ""].join("\r\n"));
        if (kind === "JSON") {
          await waitForData();
          await answer.write(small);
        }
        await assertRejects(() => call, Error);
      } finally {
        await server.stop();
      }
    }
  });
});
