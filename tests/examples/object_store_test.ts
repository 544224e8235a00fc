/** Runs the client of an object store against a store that checks signatures with AWS's own signer. */
import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import { startStoreApi, type StoreApi } from "../../examples/object_store/api.ts";
import { ObjectStore } from "../../examples/object_store/object_store.ts";
import {
  NoSuchBucketError,
  NoSuchKeyError,
  NoSuchUploadError,
  PartTooSmallError,
  SlowDownError,
  StoreProblem,
} from "../../examples/object_store/errors.ts";
import { APIError, NotFoundError, UnexpectedValueError } from "../../mod.ts";
import { BadRequestError, ForbiddenError, isErrorWith } from "../../src/entries/errors.ts";
import type { Middleware } from "../../src/middleware/mod.ts";
import { PreconditionFailedError } from "../../src/errors/mod.ts";
import type { Progress } from "../../src/files/mod.ts";
import { fakeClock, silentLogger } from "../../src/testing/mod.ts";
import { signatureProblem } from "../support/aws_server.ts";

const credentials = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};
const encoder = new TextEncoder();

describe("the client of an object store", () => {
  let api: StoreApi;
  before(async () => {
    const account = { ...credentials, region: "eu-central-1", service: "s3" };
    api = await startStoreApi({
      buckets: ["photos", "listed", "backup"],
      minPartSize: 4,
      refuse: (request, body) => signatureProblem(request, body, account),
    });
  });
  after(() => api.stop());

  /** Returns a store whose waits end at once, and the lines of the requests from now on. */
  function start(secretAccessKey = credentials.secretAccessKey) {
    const clock = fakeClock({ start: Date.UTC(2026, 10, 20), autoAdvance: true });
    const store = new ObjectStore({
      credentials: { ...credentials, secretAccessKey },
      region: "eu-central-1",
      baseUrl: api.url,
      clock,
      timeout: null, // this clock would end it at once
      logger: silentLogger,
    });
    const first = api.requests.length;
    const lines = () => api.requests.slice(first).map(({ line }) => line);
    return { store, bucket: store.bucket("photos"), clock, lines };
  }

  const textOf = (bucket: string, key: string) =>
    new TextDecoder().decode(api.object(bucket, key)?.content);

  describe("objects", () => {
    for (const key of ["a.txt", "a b/ü+&?#%2F(1).txt", "a//b", "/a/", "...", "=", "a\\b"]) {
      it(`are stored, read and deleted by the key ${key}`, async () => {
        const { bucket } = start();
        const eTag = await bucket.put(key, "hello", { contentType: "text/plain" });
        assertEquals(textOf("photos", key), "hello");
        assertEquals(await (await bucket.get(key)).text(), "hello");
        assertEquals((await bucket.head(key)).eTag, eTag);
        await bucket.delete(key);
        assertEquals(api.object("photos", key), undefined);
      });
    }

    for (const key of ["", "..", "a/../b", "a/./b", "%2e%2e/../x"]) {
      it(`cannot have the key ${JSON.stringify(key)}, which a URL would change`, async () => {
        const { bucket, lines } = start();
        const error = await assertRejects(
          async () => await bucket.delete(key),
          UnexpectedValueError,
        );
        assert(error.option.startsWith("path value 1"), error.option);
        assertEquals(lines(), []);
      });
    }

    it("have a size, a date, a type and metadata", async () => {
      const { bucket } = start();
      const photo = new Blob(["1234567"], { type: "image/jpeg" });
      await bucket.put("photo.jpg", photo, { metadata: { Camera: "M6", place: "Ghent" } });
      const { size, lastModified, contentType, metadata } = await bucket.head("photo.jpg");
      assertEquals([size, contentType, metadata], [7, "image/jpeg", {
        camera: "M6",
        place: "Ghent",
      }]);
      assertEquals(lastModified, new Date("2026-11-20T10:00:00Z"));
    });

    it("are copied from another bucket", async () => {
      const { store, bucket } = start();
      const eTag = await bucket.put("ü 1.txt", "one");
      const copy = await store.bucket("backup").copy("ü 1.txt", "old/1.txt", { bucket: "photos" });
      assertEquals([copy.eTag, textOf("backup", "old/1.txt")], [eTag, "one"]);
    });

    it("are refused with a wrong key of the account", async () => {
      const { bucket } = start("other");
      const error = await assertRejects(async () => await bucket.get("a.txt"), ForbiddenError);
      assert(isErrorWith(error, StoreProblem) && error.data.code === "SignatureDoesNotMatch");
    });
  });

  describe("list()", () => {
    const keys = ["a.txt", "photos/1 & 2.jpg", "photos/2.jpg", "songs/1.ogg", "z.txt"];
    before(async () => {
      const bucket = start().store.bucket("listed");
      for (const key of keys) await bucket.put(key, key);
    });

    it("reads the objects of all pages by continuation tokens", async () => {
      const { store, lines } = start();
      const objects = await store.bucket("listed").list({ pageSize: 2 }).collect();
      assertEquals(objects.map(({ key }) => key), keys);
      assertEquals(objects.map(({ size }) => size), keys.map(({ length }) => length));
      assertEquals(lines().length, 3);
      assert(!lines()[0]!.includes("continuation-token"), lines()[0]);
      assert(lines()[2]!.includes("continuation-token="), lines()[2]);
    });

    it("has the folders of each page", async () => {
      const { store } = start();
      const folders: string[] = [];
      const objects: string[] = [];
      for await (
        const page of store.bucket("listed").list({ delimiter: "/", pageSize: 3 }).pages()
      ) {
        folders.push(...page.body.folders);
        objects.push(...page.items.map(({ key }) => key));
      }
      assertEquals([folders, objects], [["photos/", "songs/"], ["a.txt", "z.txt"]]);
    });

    it("lists the keys with a prefix, and continues where an earlier list ended", async () => {
      const bucket = start().store.bucket("listed");
      const list = bucket.list({ prefix: "photos/", pageSize: 1 });
      assertEquals((await list.collect({ maxItems: 1 }))[0]?.key, "photos/1 & 2.jpg");
      const rest = await bucket.list({ prefix: "photos/", from: list.state }).collect();
      assertEquals(rest.map(({ key }) => key), ["photos/2.jpg"]);
    });
  });

  describe("upload()", () => {
    /** Returns a stream of texts. */
    const streamOf = (...texts: readonly string[]): ReadableStream<Uint8Array> =>
      new ReadableStream({
        start(controller) {
          for (const text of texts) controller.enqueue(encoder.encode(text));
          controller.close();
        },
      });

    it("sends a stream in parts, several at a time", async () => {
      const { bucket, lines } = start();
      const seen: Progress[] = [];
      const eTag = await bucket.upload("big.txt", streamOf("0123456", "789abc", "def"), {
        partSize: 4,
        contentType: "text/plain",
        metadata: { from: "a stream" },
        onProgress: (progress) => void seen.push(progress),
      });
      assertEquals(textOf("photos", "big.txt"), "0123456789abcdef");
      assertEquals(lines().length, 6);
      assertEquals(lines().slice(1, 5).map((line) => line.replace(/uploadId=[^&]*&/, "")).sort(), [
        ...["PUT /photos/big.txt?partNumber=1", "PUT /photos/big.txt?partNumber=2"],
        ...["PUT /photos/big.txt?partNumber=3", "PUT /photos/big.txt?partNumber=4"],
      ]);
      assertEquals(seen.map(({ transferred }) => transferred), [4, 8, 12, 16]);
      const info = await bucket.head("big.txt");
      assertEquals([info.eTag, info.contentType, info.metadata], [eTag, "text/plain", {
        from: "a stream",
      }]);
    });

    it("sends at most as many parts at a time as it may", async () => {
      for (const concurrency of [1, 3]) {
        const { bucket } = start();
        let active = 0;
        let most = 0;
        const middleware: Middleware = async (request, next) => {
          most = Math.max(most, ++active);
          try {
            return await next(request);
          } finally {
            active--;
          }
        };
        const options = { partSize: 4, concurrency, middleware: [middleware] };
        await bucket.upload("many.txt", streamOf("0123456789".repeat(4)), options);
        assertEquals(textOf("photos", "many.txt").length, 40);
        assertEquals(most, concurrency);
      }
    });

    it("sends content of one part by one request", async () => {
      const { bucket, lines } = start();
      await bucket.upload("small.txt", streamOf("ab", "cd"), { partSize: 4 });
      await bucket.upload("empty.txt", streamOf(), { contentType: "text/plain" });
      assertEquals([textOf("photos", "small.txt"), textOf("photos", "empty.txt")], ["abcd", ""]);
      assertEquals(lines(), ["PUT /photos/small.txt", "PUT /photos/empty.txt"]);
    });

    it("sends a Blob, and knows its total", async () => {
      const { bucket } = start();
      const seen: Progress[] = [];
      const onProgress = (progress: Progress) => void seen.push(progress);
      await bucket.upload("blob.txt", new Blob(["0123456789"]), { partSize: 5, onProgress });
      assertEquals(seen.at(-1), { transferred: 10, total: 10 });
      assertEquals(textOf("photos", "blob.txt"), "0123456789");
    });

    it("sends a part again after a failure, also of a stream that can be read once", async () => {
      const { bucket, clock } = start();
      api.fail(/partNumber=2/, 503, "SlowDown", 2);
      await bucket.upload("again.txt", streamOf("0123456789"), { partSize: 4, concurrency: 1 });
      assertEquals(textOf("photos", "again.txt"), "0123456789");
      assertEquals(clock.waits, [1, 2]);
    });

    it("aborts the upload if a part fails, and reads no more of the stream", async () => {
      const { bucket, lines } = start();
      api.fail(/partNumber=2/, 400, "InvalidDigest");
      let read = 0;
      let isClosed = false;
      async function* endless(): AsyncGenerator<Uint8Array> {
        try {
          for (;; read++) yield encoder.encode("0123");
        } finally {
          isClosed = true;
        }
      }
      const upload = bucket.upload("bad.txt", endless(), { partSize: 4, concurrency: 2 });
      await assertRejects(() => upload, BadRequestError);
      assertEquals([api.openUploads, isClosed], [0, true]);
      assert(read < 10, `${read} chunks were read`);
      assert(/^DELETE .*uploadId=/.test(lines().at(-1)!), lines().at(-1));
    });

    it("aborts the upload if the stream fails", async () => {
      const { bucket } = start();
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield encoder.encode("0123456789");
        throw new Error("the disk is gone");
      }
      const upload = bucket.upload("bad.txt", broken(), { partSize: 4 });
      await assertRejects(() => upload, Error, "the disk is gone");
      assertEquals([api.openUploads, api.object("photos", "bad.txt")], [0, undefined]);
    });

    it("aborts the upload by a signal, also while the stream sends nothing", async () => {
      const { bucket } = start();
      const stop = new AbortController();
      const waiting = Promise.withResolvers<void>();
      async function* stalled(): AsyncGenerator<Uint8Array> {
        yield encoder.encode("01234567");
        waiting.resolve();
        await new Promise(() => {});
      }
      const { signal } = stop;
      const upload = bucket.upload("bad.txt", stalled(), { partSize: 4, signal });
      await waiting.promise;
      stop.abort(new Error("enough"));
      await assertRejects(() => upload, Error, "enough");
      assertEquals(api.openUploads, 0);
    });

    it("needs at least one part at a time", async () => {
      const { bucket, lines } = start();
      const upload = bucket.upload("a.txt", "abc", { concurrency: NaN });
      const error = await assertRejects(() => upload, UnexpectedValueError);
      assertEquals([error.option, lines().length], ["concurrency", 0]);
    });
  });

  describe("download()", () => {
    it("continues after a lost connection", async () => {
      const { bucket, lines, clock } = start();
      const text = "0123456789".repeat(10_000);
      await bucket.put("long.txt", text);
      const arrived = Promise.withResolvers<void>();
      api.cutDownload(arrived.promise);
      const decoder = new TextDecoder();
      let copy = "";
      const target = new WritableStream<Uint8Array>({
        write: (chunk) => void (copy += decoder.decode(chunk, { stream: true })),
      });
      const { transferred } = await bucket.download("long.txt", target, {
        onProgress: ({ transferred }) => void (transferred > 0 && arrived.resolve()),
      });
      assert(copy === text && transferred === text.length, "the copy");
      assertEquals(lines(), [
        ...["PUT /photos/long.txt", "GET /photos/long.txt", "GET /photos/long.txt"],
      ]);
      assert(/^bytes=\d+-$/.test(api.requests.at(-1)!.headers["range"]!), "the range");
      assertEquals(clock.waits, [1]);
    });

    it("opens no file if there is no such object", async () => {
      const { bucket } = start();
      const target = () => Promise.reject(new Error("opened"));
      await assertRejects(async () => await bucket.download("none", target), NoSuchKeyError);
    });
  });

  describe("errors", () => {
    it("have the class of their code, and its explanation", async () => {
      const { store, bucket } = start();
      const error = await assertRejects(async () => await bucket.get("none"), NoSuchKeyError);
      assert(error instanceof NotFoundError && isErrorWith(error, StoreProblem));
      assertEquals([error.status, error.data.code, error.requestId], [404, "NoSuchKey", "r-1"]);
      assert(error.message.endsWith("photos/none: NoSuchKey: The store says NoSuchKey."));

      await assertRejects(async () => await store.bucket("none").list(), NoSuchBucketError);
      await assertRejects(async () => await bucket.uploads.abort("a", "none"), NoSuchUploadError);
      const small = bucket.upload("small.txt", "0123456789", { partSize: 3 });
      await assertRejects(() => small, PartTooSmallError);
      assertEquals(api.openUploads, 0);
    });

    it("have the class of their status if the code is another one", async () => {
      const { bucket } = start();
      api.fail(/a.txt/, 403, "AccessDenied");
      await assertRejects(async () => await bucket.get("a.txt"), ForbiddenError);
      const options = { headers: { "if-none-match": "*" } };
      await bucket.put("once.txt", "1");
      const again = async () => await bucket.put("once.txt", "2", options);
      await assertRejects(again, PreconditionFailedError);
    });

    it("have the class of their status if there is no body", async () => {
      const { bucket } = start();
      const error = await assertRejects(async () => await bucket.head("none"), NotFoundError);
      assert(!(error instanceof NoSuchKeyError));
    });

    for (
      const [code, status] of [["SlowDown", 503], ["InternalError", 500], ["RequestTimeout", 400]]
    ) {
      it(`are retried by their code: ${code} with the status ${status}`, async () => {
        const { bucket, clock } = start();
        api.fail(/retried.txt/, Number(status), `${code}`, 2);
        await bucket.put("retried.txt", "1");
        assertEquals([textOf("photos", "retried.txt"), clock.waits.join()], ["1", "1,2"]);
        await bucket.delete("retried.txt");
      });
    }

    it("are not retried by a copy of the client without retries", async () => {
      const { store, lines } = start();
      api.fail(/a.txt/, 503, "SlowDown");
      const bucket = store.withOptions({ retries: 0 }).bucket("photos");
      await assertRejects(async () => await bucket.get("a.txt"), SlowDownError);
      assertEquals(lines().length, 1);
    });

    it("are found in a copy with the status 200, and retried by their code", async () => {
      const { bucket, clock } = start();
      await bucket.put("a.txt", "1");
      api.fail(/copied.txt/, 200, "InternalError", 1);
      await bucket.copy("a.txt", "copied.txt");
      assertEquals([textOf("photos", "copied.txt"), clock.waits.join()], ["1", "1"]);

      api.fail(/copied.txt/, 200, "AccessDenied");
      const error = await assertRejects(
        async () => await bucket.copy("a.txt", "copied.txt"),
        APIError,
      );
      assert(isErrorWith(error, StoreProblem) && error.data.code === "AccessDenied");
      assertEquals(error.status, 200);
    });

    it("are found in the end of an upload with the status 200", async () => {
      const { bucket } = start();
      api.fail(/^POST .*uploadId/, 200, "SlowDown", 4);
      const upload = bucket.upload("late.txt", "0123456789", { partSize: 5 });
      const error = await assertRejects(() => upload, SlowDownError);
      assertEquals([error.status, error.retries, api.openUploads], [200, 3, 0]);
    });

    it("are not looked for in an object, which may be such a document", async () => {
      const { bucket } = start();
      const document = "<Error><Code>SlowDown</Code></Error>";
      await bucket.put("error.xml", document, { contentType: "application/xml" });
      assertEquals(await (await bucket.get("error.xml")).text(), document);
    });
  });

  describe("signedUrl()", () => {
    it("allows one kind of request without credentials", async () => {
      const { bucket } = start();
      const url = await bucket.signedUrl("signed/a b.txt", { method: "PUT", expires: 60 });
      const stored = await fetch(url, { method: "PUT", body: "hello" });
      await stored.body?.cancel();
      assertEquals([stored.status, textOf("photos", "signed/a b.txt")], [200, "hello"]);

      const params = { "response-content-disposition": 'attachment; filename="a+b.txt"' };
      const readable = await bucket.signedUrl("signed/a b.txt", { params });
      assertEquals(await (await fetch(readable)).text(), "hello");
      const other = await fetch(readable, { method: "DELETE" });
      await other.body?.cancel();
      assertEquals([other.status, textOf("photos", "signed/a b.txt")], [403, "hello"]);
    });

    it("expires after 15 minutes, unless other seconds are passed", async () => {
      const { bucket } = start();
      assert((await bucket.signedUrl("a.txt")).includes("X-Amz-Expires=900"));
      const error = await assertRejects(
        () => bucket.signedUrl("a.txt", { expires: 1e6 }),
        UnexpectedValueError,
      );
      assertEquals(error.option, "seconds");
    });
  });
});
