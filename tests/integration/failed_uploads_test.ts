import { createServer, type Socket } from "node:net";
import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { APISession, TransportError } from "../../mod.ts";
import { withProgress } from "../../src/files/mod.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { turn } from "../support/until.ts";

/** A server that reads the beginning of some uploads, and all of the later ones. */
interface UploadServer {
  readonly url: string;
  /** The number of requests so far. */
  readonly requests: number;
  stop(): Promise<void>;
}

/** Starts a server that gives up its first requests while their body arrives. */
async function startUploadServer(
  failing: number,
  giveUp: (socket: Socket) => void,
): Promise<UploadServer> {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    let head = "";
    let isFailing = false;
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk) => {
      const text = chunk.toString("latin1");
      if (!head.includes("\r\n\r\n")) {
        head += text;
        if (head.includes("\r\n\r\n")) isFailing = requests++ < failing;
      }
      if (isFailing) return giveUp(socket);
      if (text.endsWith("0\r\n\r\n")) {
        socket.write("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    get requests() {
      return requests;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Counts how often the content of 4 MiB is opened. */
function uploads() {
  let opened = 0;
  const stream = (): ReadableStream<Uint8Array> => {
    opened++;
    let left = 64;
    return new ReadableStream({
      async pull(controller) {
        await turn(1);
        if (left-- > 0) controller.enqueue(new Uint8Array(2 ** 16));
        else controller.close();
      },
    });
  };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    opened++;
    for (let left = 64; left > 0; left--) {
      await turn(1);
      yield new Uint8Array(2 ** 16);
    }
  }
  return {
    get opened() {
      return opened;
    },
    stream,
    chunks,
  };
}

type Uploads = ReturnType<typeof uploads>;

const contents: readonly (readonly [string, (from: Uploads) => () => AsyncIterable<Uint8Array>])[] =
  [
    ["a function that opens a stream", ({ stream }) => stream as never],
    ["a function that returns a generator", ({ chunks }) => chunks],
    ["withProgress", ({ stream }) => withProgress(stream, () => {}) as never],
  ];

const failures: readonly (readonly [string, (socket: Socket) => void])[] = [
  ["closed midway", (socket) => void socket.destroy()],
  ["reset midway", (socket) => void socket.resetAndDestroy()],
];

const clockOptions = { autoAdvance: true };
const options = { logger: silentLogger, retries: 2 };

describe("an upload whose connection fails", () => {
  for (const [name, contentOf] of contents) {
    it(`throws a TransportError after its retries, if the connection is refused: ${name}`, async () => {
      const server = await startUploadServer(0, () => {});
      await server.stop();
      const from = uploads();
      const clock = fakeClock(clockOptions);
      const session = new APISession({ ...options, url: server.url, clock });
      const content = contentOf(from);
      const error = await assertRejects(() => session.put("a", { content }), TransportError);
      assertEquals([error.kind, error.retries, from.opened], ["refused", 2, 3]);
    });

    for (const [failure, giveUp] of failures) {
      it(`throws a TransportError after its retries, if it is ${failure}: ${name}`, async () => {
        const server = await startUploadServer(Infinity, giveUp);
        try {
          const from = uploads();
          const clock = fakeClock(clockOptions);
          const session = new APISession({ ...options, url: server.url, clock });
          const content = contentOf(from);
          const error = await assertRejects(() => session.put("a", { content }), TransportError);
          assertEquals([error.kind, error.retries], ["reset", 2]);
          assertEquals([from.opened, server.requests], [3, 3]);
        } finally {
          await server.stop();
        }
      });

      it(`is retried with a new stream, if it is ${failure}: ${name}`, async () => {
        const server = await startUploadServer(1, giveUp);
        try {
          const from = uploads();
          const clock = fakeClock(clockOptions);
          const session = new APISession({ ...options, url: server.url, clock });
          const response = await session.put("a", { content: contentOf(from) });
          assertEquals([response.status, from.opened, server.requests], [201, 2, 2]);
          await response.body?.cancel();
        } finally {
          await server.stop();
        }
      });
    }
  }

  it("ends with the error of the caller's stream, if that fails first", async () => {
    const server = await startUploadServer(0, () => {});
    try {
      const mistake = new Error("the disk is gone");
      const session = new APISession({ ...options, url: server.url });
      let opened = 0;
      const content = () => {
        opened++;
        return new ReadableStream<Uint8Array>({
          async pull() {
            await turn(1);
            throw mistake;
          },
        });
      };
      const error = await session.put("a", { content }).catch((reason: unknown) => reason);
      assert(error === mistake);
      assertEquals(opened, 1);
    } finally {
      await server.stop();
    }
  });
});
