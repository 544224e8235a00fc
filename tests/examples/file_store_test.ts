import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import { FileStore } from "../../examples/file_store.ts";
import { TransportError } from "../../mod.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { mockTransport, replies } from "../../src/testing/mock_transport.ts";

describe("the client of a file store of the examples", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "restwright-store-"));
  });
  after(() => rm(folder, { recursive: true }));

  const clientOptions = {
    url: "https://files.example.com",
    clock: fakeClock({ autoAdvance: true }),
    logger: silentLogger,
    retries: 0,
    finalWait: false,
  };

  it("continues a download that an earlier call did not complete", async () => {
    const begin = () => {
      const chunks = ["0123", "45"];
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const chunk = chunks.shift();
          if (chunk !== undefined) controller.enqueue(new TextEncoder().encode(chunk));
          else controller.error(new TransportError("lost", { kind: "reset" }));
        },
      });
      return new Response(body, { headers: { etag: '"v1"', "content-length": "10" } });
    };
    const lost = new TransportError("refused", { kind: "refused" });
    const part = { etag: '"v1"', "content-range": "bytes 5-9/10" };
    const rest = new Response("56789", { status: 206, headers: part });
    const fetch = mockTransport({ "GET /files/digits": replies(begin, lost, rest) });
    const store = new FileStore({ ...clientOptions, fetch });
    const target = join(folder, "digits");
    const checksum = createHash("sha256").update("0123456789").digest("hex");

    await assertRejects(() => store.download("digits", target, { checksum }), TransportError);
    const hasState = existsSync(`${target}.state`);
    const transferred = await store.download("digits", target, { checksum });

    assertEquals([hasState, existsSync(`${target}.state`)], [true, false]);
    assertEquals([transferred, await readFile(target, "utf8")], [10, "0123456789"]);
    assertEquals(fetch.calls[2]?.headers["if-range"], '"v1"');
  });

  /** Linux lists the open files of a process here. */
  const descriptors = "/proc/self/fd";
  const ignore = existsSync(descriptors) ? undefined : "needs Linux";

  it("leaves no file open after an earlier download was continued, or could not be", async () => {
    const target = join(folder, "closed");
    const checksum = createHash("sha256").update("0123456789").digest("hex");
    const part = { etag: '"v1"', "content-range": "bytes 3-9/10" };
    const answers = [
      () => new Response("3456789", { status: 206, headers: part }),
      new TransportError("refused", { kind: "refused" }),
    ];
    for (const answer of answers) {
      for (const options of [{}, { checksum }]) {
        await writeFile(target, "0123");
        const state = { transferred: 4, total: 10, validator: '"v1"' };
        await writeFile(`${target}.state`, JSON.stringify(state));
        const fetch = mockTransport({ "GET /files/closed": replies(answer) });
        const download = new FileStore({ ...clientOptions, fetch }).download(
          "closed",
          target,
          options,
        );
        await Promise.allSettled([download]);
        assertEquals(fetch.calls[0]?.headers["range"], "bytes=3-");
        const links = await Promise.all(
          (await readdir(descriptors)).map((each) =>
            readlink(join(descriptors, each)).catch(() => "")
          ),
        );
        assertEquals(links.filter((each) => each.startsWith(folder)), []);
      }
    }
  }, { ignore });

  it("uploads files in one form", async () => {
    const fetch = mockTransport({ "POST /files": 201 });
    const paths = ["a.txt", "b.txt"].map((name) => join(folder, name));
    for (const path of paths) await writeFile(path, path.slice(-5));
    const seen: (number | undefined)[] = [];

    await new FileStore({ ...clientOptions, fetch }).upload(paths, ({ transferred, total }) => {
      seen.push(total! - transferred);
    });

    const { text } = fetch.calls[0]!;
    assert(text.includes('name="files"; filename="a.txt"'), text);
    assert(text.includes('name="files"; filename="b.txt"'), text);
    assertEquals([seen.at(-1), seen.length], [0, 8]);
  });
});
