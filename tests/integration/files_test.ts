import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { open, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  after,
  assert,
  assertEquals,
  assertRejects,
  before,
  beforeEach,
  describe,
  it,
} from "#test";
import { APISession, TransportError } from "../../mod.ts";
import {
  DownloadError,
  type DownloadProgress,
  type FileSource,
  multipart,
  type Progress,
  type SaveOptions,
  saveTo,
  withProgress,
} from "../../src/files/mod.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { type CuttingProxy, startCuttingProxy } from "../support/cutting_proxy.ts";
import { type Nginx, nginxMissing, startNginx } from "../support/nginx.ts";
import { bodyOf, startServer, type TestServer } from "../support/server.ts";

/** Text of 1 MiB in which each line is another one. */
const text = Array.from({ length: 2 ** 16 }, (_, line) => `line ${String(line).padStart(10, "0")}`)
  .join("");
const hash = createHash("sha256").update(text).digest("hex");

/** Opens a file for writing, as a web stream. */
async function fileTarget(path: string, flags: "w" | "a"): Promise<WritableStream<Uint8Array>> {
  const file = await open(path, flags);
  return new WritableStream({
    write: async (chunk) => void await file.write(chunk),
    close: () => file.close(),
    abort: () => file.close(),
  });
}

describe("a download from nginx", () => {
  const missing = nginxMissing();
  const test = (name: string, body: () => Promise<void>) => it(name, body, { ignore: missing });
  let nginx: Nginx;
  let proxy: CuttingProxy;

  before(async () => {
    if (missing !== undefined) return;
    nginx = await startNginx({
      locations: `
        location / { gzip on; gzip_types text/plain; }
        location /whole/ { alias ./; max_ranges 0; }
        location /untagged/ { alias ./; etag off; add_header Last-Modified ""; }
        location /dated/ { alias ./; etag off; }
        location /uploads/ { dav_methods PUT; create_full_put_path on; client_max_body_size 0; }
      `,
    });
    proxy = await startCuttingProxy(nginx.url);
  });

  beforeEach(async () => {
    if (missing !== undefined) return;
    proxy.requests.splice(0);
    proxy.cuts.splice(0);
    await replaceFile(text);
  });

  after(async () => {
    await proxy?.stop();
    await nginx?.stop();
  });

  /** Replaces the file at once, so that nginx does not serve a half of it. */
  async function replaceFile(content: string): Promise<void> {
    const path = join(nginx.folder, "file.txt");
    await writeFile(`${path}.new`, content);
    await rename(`${path}.new`, path);
  }

  const session = (url = proxy.url) => {
    const clock = fakeClock({ autoAdvance: true });
    return new APISession({ url, clock, logger: silentLogger, retries: 0, finalWait: false });
  };

  /** Downloads the file to a file on disk. */
  async function download(
    options: SaveOptions = {},
    { path = "file.txt", flags = "w" as "w" | "a" } = {},
  ) {
    const target = join(nginx.folder, "copy.txt");
    let before = options.from?.transferred ?? 0;
    const onProgress = (progress: DownloadProgress) => {
      if (progress.transferred > before) proxy.cut();
      before = progress.transferred;
      options.onProgress?.(progress);
    };
    const format = saveTo(() => fileTarget(target, flags), { ...options, onProgress });
    const [result] = await Promise.allSettled([session().get(path, { format })]);
    const value = result.status === "fulfilled" ? result.value : undefined;
    const error: unknown = result.status === "rejected" ? result.reason : undefined;
    const ranges = proxy.requests.map((head) => /\r\nrange: ([^\r]*)/i.exec(head)?.[1] ?? "");
    return { value, error, ranges, copy: await readFile(target, "utf8") };
  }

  test("is not compressed, and has a total and a validator", async () => {
    const { value, copy } = await download({ digest: { sha256: hash } });
    assert(copy === text, "the file");
    assertEquals([value?.transferred, value?.total], [text.length, text.length]);
    assert(/^"[^"]+"$/.test(value?.validator ?? ""), value?.validator);
  });

  test("is continued after each of several lost connections", async () => {
    proxy.cuts.push(100_000, 50_000, 500_000);
    const { error, ranges, copy } = await download({ digest: { sha256: hash } });
    assertEquals(error, undefined);
    assert(copy === text, "the file");
    assertEquals(ranges.length, 4);
    assert(ranges.slice(1).every((range) => /^bytes=\d+-$/.test(range)), ranges.join());
  });

  test("fails if the file changes between two parts", async () => {
    proxy.cuts.push(100_000);
    let isChanged = false;
    const path = join(nginx.folder, "file.txt");
    const replaced = `${text.slice(0, -1)}, changed`;
    const next: Promise<void>[] = [];
    const onProgress = ({ transferred }: DownloadProgress) => {
      if (isChanged || transferred === 0) return;
      isChanged = true;
      next.push(replaceFile(replaced).then(() => proxy.cut()));
    };
    // The target takes further chunks only when the file has been replaced.
    const target = new WritableStream<Uint8Array>({ write: async () => void await next[0] });
    const call = session().get("file.txt", { format: saveTo(target, { onProgress }) });
    const error = await assertRejects(() => call, DownloadError);
    assertEquals(error.reason, "changed");
    assert(error.message.includes("etag"), error.message);
    assertEquals((await stat(path)).size, replaced.length);
  });

  test("is continued by a server that ignores Range, without a byte twice", async () => {
    proxy.cuts.push(100_000);
    const { error, copy, ranges } = await download({}, { path: "whole/file.txt" });
    assertEquals([error, ranges.length], [undefined, 2]);
    assert(copy === text, "the file");
  });

  test("is continued by the date of an old file", async () => {
    const hourAgo = new Date(Date.now() - 3_600_000);
    await utimes(join(nginx.folder, "file.txt"), hourAgo, hourAgo);
    proxy.cuts.push(100_000);
    const { error, copy, ranges } = await download({}, { path: "dated/file.txt" });
    assertEquals([error, ranges.length], [undefined, 2]);
    assert(copy === text, "the file");
  });

  test("fails if the connection is lost and the server sends no validator", async () => {
    proxy.cuts.push(100_000);
    const { error, copy } = await download({}, { path: "untagged/file.txt" });
    assert(error instanceof TransportError, String(error));
    assert(error.message.includes("no strong ETag or Last-Modified"), error.message);
    assert(text.startsWith(copy) && copy.length <= 100_000, `${copy.length} bytes`);
  });

  test("is continued by a later program, which checks the whole digest", async () => {
    proxy.cuts.push(300_000);
    let stored = "";
    const onProgress = (progress: DownloadProgress) => void (stored = JSON.stringify(progress));
    const first = await download({ maxResumes: 0, onProgress });
    assert(first.error instanceof TransportError, String(first.error));

    const content = createReadStream(join(nginx.folder, "copy.txt"));
    const from = { ...JSON.parse(stored) as DownloadProgress, content };
    const second = await download({ from, digest: { sha256: hash } }, { flags: "a" });

    assertEquals(second.error, undefined);
    assert(second.copy === text, "the file");
    assertEquals(first.copy.length, from.transferred);
  });

  test("that is complete already brings no byte", async () => {
    const { value: from } = await download();
    const again = await download({ from: from! }, { flags: "a" });
    assertEquals([again.error, again.copy.length], [undefined, text.length]);
  });

  test("an upload with progress arrives as it is", async () => {
    const seen: Progress[] = [];
    const content = withProgress(new Blob([text]), (progress) => void seen.push(progress));
    const response = await session(nginx.url).put("uploads/new/file.txt", { content });
    await response.body?.cancel();
    const path = join(nginx.folder, "uploads", "new", "file.txt");
    assert(await readFile(path, "utf8") === text, "the file");
    assertEquals([seen[0]?.transferred, seen.at(-1)?.transferred], [0, text.length]);
    await rm(path);
  });
});

describe("a download of a file that is stored compressed", () => {
  interface Stored {
    readonly body: Uint8Array;
    readonly coding: string;
    /** True if the body is sent without a length. */
    readonly isChunked?: boolean;
    /** True if the connection is lost in the middle. */
    readonly isLost?: boolean;
  }
  let server: TestServer;
  let stored: Stored;
  let ranges: (string | undefined)[] = [];
  let arrived: PromiseWithResolvers<void>;

  before(async () => {
    // Like a storage service: the file is stored with its encoding, and Accept-Encoding is ignored.
    server = await startServer((request, response) => {
      const { range } = request.headers;
      ranges.push(range);
      const { body, coding, isChunked, isLost } = stored;
      const start = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
      const part = body.subarray(start);
      response.writeHead(range === undefined ? 200 : 206, {
        etag: tag,
        "content-encoding": coding,
        ...(!isChunked && { "content-length": part.length }),
        ...(range !== undefined && {
          "content-range": `bytes ${start}-${body.length - 1}/${body.length}`,
        }),
      });
      if (!isLost) return void response.end(part);
      response.write(part.subarray(0, part.length / 2));
      arrived.promise.then(() => response.destroy());
    });
  });
  after(() => server.stop());
  beforeEach(() => {
    ranges = [];
    arrived = Promise.withResolvers();
  });

  const tag = '"v1"';

  /** Downloads the file. */
  async function download(file: Stored, options: SaveOptions = {}) {
    stored = file;
    const decoder = new TextDecoder();
    let copy = "";
    const target = new WritableStream<Uint8Array>({
      write: (chunk) => void (copy += decoder.decode(chunk, { stream: true })),
    });
    const session = new APISession({
      url: server.url,
      clock: fakeClock({ autoAdvance: true }),
      logger: silentLogger,
      retries: 0,
      finalWait: false,
    });
    const onProgress = ({ transferred }: DownloadProgress) => {
      if (transferred > 0) arrived.resolve();
    };
    const call = session.get("file", { format: saveTo(target, { ...options, onProgress }) });
    const [result] = await Promise.allSettled([call]);
    const value = result.status === "fulfilled" ? result.value : undefined;
    const error: unknown = result.status === "rejected" ? result.reason : undefined;
    return { value, error, copy };
  }

  const codings = { gzip: gzipSync(text), br: brotliCompressSync(text) };

  for (const [coding, body] of Object.entries(codings)) {
    it(`is decoded, and has the digest of the decoded file: ${coding}`, async () => {
      const { value, error, copy } = await download({ body, coding }, { digest: { sha256: hash } });
      assertEquals(error, undefined);
      assert(copy === text, "the file");
      assertEquals(value, { transferred: text.length, total: undefined, validator: undefined });
    });

    for (const isChunked of [false, true]) {
      const framing = isChunked ? "in chunks" : "with a length";
      it(`fails if the compressed file ends early: ${coding}, ${framing}`, async () => {
        for (const missing of [1, 12, Math.floor(body.length / 2)]) {
          const cut = body.subarray(0, -missing);
          const { error, copy } = await download({ body: cut, coding, isChunked });
          assert(error instanceof TransportError, `${missing} bytes: ${error}`);
          assert(text.startsWith(copy), "the file");
          assertEquals(ranges.splice(0).length, 1);
        }
      });
    }

    it(`is not continued, because positions are those of compressed bytes: ${coding}`, async () => {
      const { error, copy } = await download({ body, coding, isLost: true });
      assert(error instanceof TransportError, String(error));
      assert(error.message.includes("or is compressed"), error.message);
      assert(text.startsWith(copy), "the file");
      assertEquals(ranges, [undefined]);
    });

    it(`does not continue an earlier download that was not compressed: ${coding}`, async () => {
      const from = { transferred: 100, validator: tag };
      const { error, copy } = await download({ body, coding }, { from });
      assert(error instanceof DownloadError && error.reason === "range", String(error));
      assertEquals([copy, ranges], ["", ["bytes=99-"]]);
    });
  }
});

describe("files on disk", () => {
  let server: TestServer;
  let received: { readonly type: string; readonly body: string }[] = [];

  before(async () => {
    server = await startServer(async (request, response) => {
      const type = request.headers["content-type"] ?? "";
      received.push({ type, body: await bodyOf(request) });
      response.end("thanks");
    });
  });
  after(() => server.stop());
  beforeEach(() => void (received = []));

  it("are sent in one form, and read while they are sent", async () => {
    const path = new URL("../corpus/openapi.json", import.meta.url);
    const expected = await readFile(path, "utf8");
    const { size } = await stat(path);
    const file: FileSource = {
      name: "openapi.json",
      type: "application/json",
      size,
      stream: () => createReadStream(path),
    };
    const names = Array.from({ length: 200 }, (_, index) => `${index}.json`);
    const form = multipart([
      ["title", "Documents"],
      ...names.map((name) => ["documents", { ...file, name }] as const),
    ]);
    let last: Progress | undefined;
    const content = withProgress(form, (progress) => void (last = progress));

    const response = await new APISession({ url: server.url }).post("forms", { content });
    await response.body?.cancel();

    assertEquals(last, { transferred: form.size, total: form.size });
    const { type, body } = received[0]!;
    const parts = body.split(/--restwright-[\w-]+/).slice(1, -1);
    assertEquals([type, parts.length], [form.type, 201]);
    for (const [index, name] of names.entries()) {
      const part = parts[index + 1]!;
      assert(part.includes(`filename="${name}"`), name);
      assert(part.endsWith(`\r\n\r\n${expected}\r\n`), name);
    }
  });
});
