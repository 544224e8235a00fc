import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APISession, NotFoundError, TransportError, UnexpectedValueError } from "../../mod.ts";
import {
  DownloadError,
  type DownloadProgress,
  reprDigest,
  type SaveOptions,
  saveTo,
} from "../../src/files/mod.ts";
import type { TransportInit } from "../../src/http/transport.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { silentLogger } from "../../src/log/logger.ts";

const text = "0123456789abcdefghij";
const tag = '"v1"';

/** A target in memory. */
function memory() {
  const chunks: Uint8Array[] = [];
  const state = { closed: false, aborted: undefined as unknown };
  const stream = new WritableStream<Uint8Array>({
    write: (chunk) => void chunks.push(chunk.slice()),
    close: () => void (state.closed = true),
    abort: (reason) => void (state.aborted = reason),
  });
  return { stream, state, text: () => Buffer.concat(chunks).toString() };
}

/** One answer of a server: the bytes from `start`, of which only some arrive. */
interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The text of the body. */
  readonly body?: string;
  /** True if the connection is lost after the body. */
  readonly lost?: boolean;
}

const whole = (given: Partial<Answer> = {}): Answer => ({
  body: text,
  ...given,
  headers: { etag: tag, "content-length": "20", ...given.headers },
});

const rest = (start: number, given: Partial<Answer> = {}): Answer => ({
  status: 206,
  body: text.slice(start),
  ...given,
  headers: { etag: tag, "content-range": `bytes ${start}-19/20`, ...given.headers },
});

/** Starts a session whose server sends these answers in order. */
function serving(...answers: readonly Answer[]) {
  const sent: TransportInit[] = [];
  const clock = fakeClock({ autoAdvance: true });
  const fetch = (_url: string, init: TransportInit): Promise<Response> => {
    const { status = 200, headers = {}, body = "", lost = false } = answers[sent.length]!;
    sent.push(init);
    // Three bytes at a time: no chunk has the whole body.
    const chunks = body.match(body.length > 100 ? /.{1,20000}/g : /.{1,3}/g) ?? [];
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = chunks.shift();
        if (next !== undefined) controller.enqueue(new TextEncoder().encode(next));
        else if (lost) controller.error(new TransportError("connection lost", { kind: "reset" }));
        else controller.close();
      },
    });
    return Promise.resolve(new Response(stream, { status, headers }));
  };
  const session = new APISession({
    url: "https://files.example.com",
    fetch,
    clock,
    logger: silentLogger,
    retries: 0,
  });
  const ranges = () =>
    sent.map(({ headers }) => [headers["range"], headers["if-range"]].filter(Boolean).join(" "));
  return { session, sent, clock, ranges };
}

/** Downloads the file from a server with these answers. */
async function download(answers: readonly Answer[], options: SaveOptions = {}) {
  const target = memory();
  const { session, clock, ranges } = serving(...answers);
  const call = session.get("file", { format: saveTo(target.stream, options) });
  const [result] = await Promise.allSettled([call]);
  const value = result.status === "fulfilled" ? result.value : undefined;
  const error: unknown = result.status === "rejected" ? result.reason : undefined;
  return { value, error, target, ranges: ranges(), waits: clock.waits };
}

describe("a download", () => {
  it("is written to the stream, which is closed, and returns the progress", async () => {
    const { value, target, ranges } = await download([whole()]);
    assertEquals(value, { transferred: 20, total: 20, validator: tag });
    assertEquals([target.text(), target.state.closed], [text, true]);
    assertEquals(ranges, [""]);
  });

  it("asks for a body that is not compressed", async () => {
    const { session, sent } = serving(whole());
    await session.get("file", { format: saveTo(memory().stream) });
    assertEquals(sent[0]!.headers["accept-encoding"], "identity;q=1");
  });

  it("reports its progress from the beginning, after each chunk", async () => {
    const seen: DownloadProgress[] = [];
    await download([whole()], { onProgress: (progress) => void seen.push(progress) });
    assertEquals(seen.map(({ transferred }) => transferred), [0, 3, 6, 9, 12, 15, 18, 20]);
    assertEquals(new Set(seen.map(({ total }) => total)), new Set([20]));
  });

  it("has no total without a length, and none of a compressed body", async () => {
    for (const headers of [{}, { "content-length": "7", "content-encoding": "gzip" }]) {
      const { value } = await download([{ body: text, headers }]);
      assertEquals(value, { transferred: 20, total: undefined, validator: undefined });
    }
  });

  it("writes an empty file", async () => {
    const { value, target } = await download([{ headers: { "content-length": "0" } }]);
    assertEquals([value?.transferred, target.state.closed], [0, true]);
  });

  it("leaves the stream open if it is asked to", async () => {
    const { target } = await download([whole()], { keepOpen: true });
    assertEquals([target.state.closed, target.stream.locked], [false, false]);
  });

  it("opens its target when the response has arrived", async () => {
    const target = memory();
    let opened = 0;
    const open = () => Promise.resolve((opened++, target.stream));
    const missing = serving({ status: 404 });
    const call = missing.session.get("file", { format: saveTo(open) });
    await assertRejects(() => call, NotFoundError);
    assertEquals(opened, 0);
    await serving(whole()).session.get("file", { format: saveTo(open) });
    assertEquals([opened, target.text()], [1, text]);
  });

  it("writes no faster than the target takes the bytes", async () => {
    const { session } = serving(whole());
    const taken: PromiseWithResolvers<void>[] = [];
    let transferred = -1;
    const target = new WritableStream<Uint8Array>({
      write() {
        const each = Promise.withResolvers<void>();
        taken.push(each);
        return each.promise;
      },
    });
    const onProgress = (progress: DownloadProgress) => void (transferred = progress.transferred);
    const call = session.get("file", { format: saveTo(target, { onProgress }) });
    for (let index = 0; index < 7; index++) {
      while (taken.length <= index) await new Promise((resolve) => setTimeout(resolve, 0));
      assertEquals([taken.length, transferred], [index + 1, index * 3]);
      taken[index]!.resolve();
    }
    await call;
  });

  it("ends with the error of its target, and is not continued", async () => {
    const full = new TransportError("looks like a lost connection");
    const target = new WritableStream<Uint8Array>({ write: () => Promise.reject(full) });
    const { session, sent } = serving(whole());
    const call = session.get("file", { format: saveTo(target) });
    assertEquals(await call.catch((error: unknown) => error), full);
    assertEquals(sent.length, 1);
  });

  it("ends with an error of onProgress, and aborts the target", async () => {
    const stop = new Error("stop");
    const { error, target } = await download([whole()], {
      onProgress({ transferred }) {
        if (transferred === 6) throw stop;
      },
    });
    assertEquals([error, target.state.aborted, target.text()], [stop, stop, "012345"]);
  });

  it("ends with the reason of an aborted signal", async () => {
    const controller = new AbortController();
    const target = memory();
    const { session, sent } = serving(whole());
    const onProgress = ({ transferred }: DownloadProgress) => {
      if (transferred === 6) controller.abort(new Error("enough"));
    };
    const format = saveTo(target.stream, { onProgress });
    const call = session.get("file", { format, signal: controller.signal });
    await assertRejects(() => call, Error, "enough");
    assertEquals([target.text(), sent.length], ["012345", 1]);
  });
});

describe("a download whose connection is lost", () => {
  it("is continued at the missing byte, one second later", async () => {
    const { value, target, ranges, waits } = await download([
      whole({ body: text.slice(0, 7), lost: true }),
      rest(6, { body: text.slice(6, 12), lost: true }),
      rest(11),
    ]);
    assertEquals(target.text(), text);
    assertEquals(value?.transferred, 20);
    assertEquals(ranges, ["", `bytes=6- ${tag}`, `bytes=11- ${tag}`]);
    assertEquals(waits, [1, 1]);
  });

  it("begins again if no byte has arrived, without a validator", async () => {
    const lost = { headers: { "content-length": "9" }, lost: true };
    const { value, target, ranges } = await download([lost, whole()]);
    assertEquals([value?.total, target.text(), ranges], [20, text, ["", ""]]);
  });

  it("is continued if the body ends cleanly, but too early", async () => {
    const { target, ranges } = await download([whole({ body: "0123" }), rest(3)]);
    assertEquals([target.text(), ranges.length], [text, 2]);
  });

  it("is continued by a strong date if there is no entity tag", async () => {
    const headers = {
      date: "Sun, 22 Nov 2026 10:00:01 GMT",
      "last-modified": "Sun, 22 Nov 2026 10:00:00 GMT",
    };
    const { target, ranges } = await download([
      { headers, body: "0123", lost: true },
      rest(3, { headers }),
    ]);
    assertEquals([target.text(), ranges[1]], [text, `bytes=3- ${headers["last-modified"]}`]);
  });

  /** Returns a part of a file of this text: the byte before the position, and some new ones. */
  const partAt = (position: number, length: number, file: string): Answer => {
    const [start, end] = [position - 1, Math.min(position + length, file.length)];
    const range = `bytes ${start}-${end - 1}/${file.length}`;
    return rest(start, { body: file.slice(start, end), headers: { "content-range": range } });
  };

  it("asks for more at once after parts of 64 KiB, without a limit", async () => {
    const file = text.repeat(20_000);
    const positions = Array.from({ length: 7 }, (_, index) => 4 + index * 2 ** 16);
    const answers = [
      { body: file.slice(0, 4), headers: { etag: tag, "content-length": "400000" }, lost: true },
      ...positions.map((position) => partAt(position, 2 ** 16, file)),
    ];
    const { value, target, waits } = await download(answers, { maxResumes: 1 });
    assertEquals([value?.transferred, waits], [400_000, [1]]);
    assert(target.text() === file, "the file");
  });

  it("waits after a part of less than 64 KiB, and counts it", async () => {
    const begin = whole({ body: text.slice(0, 4), lost: true });
    const parts = [4, 5, 6, 7, 8, 9].map((position) => partAt(position, 1, text));
    const { error, target, ranges, waits } = await download([begin, ...parts]);
    assert(error instanceof TransportError && error.kind === "reset", String(error));
    assertEquals([target.text(), ranges.length, waits], ["012345678", 6, [1, 1, 1, 1, 1]]);

    const file = text.repeat(5000);
    const headers = { etag: tag, "content-length": "100000" };
    const short = [
      { body: file.slice(0, 4), headers, lost: true },
      partAt(4, 2 ** 16 - 1, file),
      partAt(2 ** 16 + 3, 2 ** 16, file),
    ];
    const second = await download(short, { maxResumes: 2 });
    assertEquals([second.value?.transferred, second.waits], [100_000, [1, 1]]);
  });

  it("ends if the parts bring nothing new", async () => {
    const stuck = rest(3, { body: "3", headers: { "content-range": "bytes 3-3/20" } });
    const { error, ranges } = await download([
      whole({ body: "0123", lost: true }),
      stuck,
      stuck,
      stuck,
    ], { maxResumes: 2 });
    assert(error instanceof TransportError, String(error));
    assertEquals(ranges.length, 3);
  });

  it("skips what was written if the server sends the same file from the beginning", async () => {
    const begin = whole({ body: text.slice(0, 7), lost: true });
    const { target, value } = await download([begin, whole({ body: "0123", lost: true }), whole()]);
    assertEquals([target.text(), value?.transferred], [text, 20]);
  });

  it("ends with the error of the connection after the last try", async () => {
    const { error, target, ranges } = await download([
      whole({ body: "0123", lost: true }),
      rest(3, { body: "345", lost: true }),
    ], { maxResumes: 1 });
    assert(error instanceof TransportError && error.kind === "reset", String(error));
    assertEquals([target.text(), target.state.aborted, ranges.length], ["012345", error, 2]);
  });

  const weak: readonly (readonly [string, Record<string, string>])[] = [
    ["without a validator", {}],
    ["with a weak entity tag", { etag: 'W/"v1"' }],
    ["with a malformed entity tag", { etag: "v1" }],
    ["with a date without Date", { "last-modified": "Sun, 22 Nov 2026 10:00:00 GMT" }],
    ["with a date of the same second", {
      "last-modified": "Sun, 22 Nov 2026 10:00:00 GMT",
      date: "Sun, 22 Nov 2026 10:00:00 GMT",
    }],
    ["with a compressed body", { etag: tag, "content-encoding": "gzip" }],
  ];
  for (const [name, headers] of weak) {
    it(`is not continued ${name}, and reports the reason`, async () => {
      const { error, ranges } = await download([{ body: "0123", headers, lost: true }]);
      assert(error instanceof TransportError, String(error));
      assert(error.message.includes("not retried: the response has no strong ETag"), error.message);
      assertEquals(ranges.length, 1);
    });
  }

  it("is not continued if the method is not GET", async () => {
    const { session } = serving(whole({ body: "0123", lost: true }));
    const call = session.post("export", { format: saveTo(memory().stream) });
    await assertRejects(() => call, TransportError, "only a download by GET");
  });

  const broken: readonly (readonly [string, Answer, DownloadError["reason"], string])[] = [
    ["a new version", whole({ headers: { etag: '"v2"' } }), "changed", 'the etag was "v1"'],
    ["a part of a new version", rest(3, { headers: { etag: '"v2"' } }), "changed", '"v2" now'],
    ["another length", rest(3, { headers: { "content-range": "bytes 3-19/21" } }), "changed", "21"],
    ["416", { status: 416 }, "changed", "shorter"],
    ["the whole file without a tag", { body: text }, "range", "ignores Range"],
    [
      "no Content-Range",
      { status: 206, headers: { etag: tag }, body: text },
      "range",
      "no Content-Range",
    ],
    ["a part that is too late", rest(5), "range", "without byte 4"],
    [
      "a compressed part",
      rest(3, { headers: { "content-encoding": "gzip" } }),
      "range",
      "compress",
    ],
    ["too many bytes", rest(3, { body: text.slice(3) + text }), "range", "more bytes"],
    ["another byte", rest(3, { body: `x${text.slice(4)}` }), "changed", "byte 3 of the file"],
    [
      "another byte in an earlier part",
      rest(1, { body: `12x${text.slice(4)}` }),
      "changed",
      "byte 3",
    ],
    [
      "another byte in the whole file",
      whole({ body: `012x${text.slice(4)}` }),
      "changed",
      "byte 3",
    ],
  ];
  for (const [name, answer, reason, message] of broken) {
    it(`fails without a byte twice if the server sends ${name}`, async () => {
      const begin = whole({ body: "0123", lost: true });
      const { error, target } = await download([begin, answer], { maxResumes: 1 });
      assert(error instanceof DownloadError, String(error));
      assertEquals([error.reason, error.transferred], [reason, target.text().length]);
      assert(error.message.includes(message), error.message);
      assert(error.message.includes("GET https://files.example.com/file"), error.message);
      assert(text.startsWith(target.text()), target.text());
      assertEquals([target.state.aborted, target.state.closed], [error, false]);
    });
  }

  it("notices a shorter file of an unknown length", async () => {
    const headers = { etag: tag };
    const begin = { body: "0123", headers, lost: true };
    const { error } = await download([begin, { body: "01", headers }]);
    assert(error instanceof DownloadError && error.reason === "changed", String(error));
  });

  const unproven: Answer = {
    status: 206,
    body: text.slice(3),
    headers: { "content-range": "bytes 3-19/20" },
  };

  it("begins again if a part has no validator, and then asks for no parts", async () => {
    const { value, target, ranges, waits } = await download([
      whole({ body: "0123", lost: true }),
      unproven,
      whole({ body: text.slice(0, 9), lost: true }),
      whole(),
    ], { maxResumes: 2 });
    assertEquals([target.text(), value?.transferred, waits], [text, 20, [1, 1]]);
    assertEquals(ranges, ["", `bytes=3- ${tag}`, "", ""]);
  });

  it("begins again if a part has the date only, but the file has an entity tag", async () => {
    const headers = {
      "content-range": "bytes 3-19/20",
      "last-modified": "Sun, 22 Nov 2026 10:00:00 GMT",
    };
    const begin = whole({ body: "0123", lost: true });
    const { target, ranges } = await download([begin, { ...unproven, headers }, whole()]);
    assertEquals([target.text(), ranges.at(-1)], [text, ""]);
  });

  const again: readonly (readonly [string, Answer, DownloadError["reason"], string])[] = [
    ["another version", whole({ headers: { etag: '"v2"' } }), "changed", '"v2" now'],
    ["the file without a tag", { body: text }, "range", "without etag"],
    ["a part once more", unproven, "range", "without etag"],
    ["another byte", whole({ body: `012x${text.slice(4)}` }), "changed", "byte 3"],
  ];
  for (const [name, answer, reason, message] of again) {
    it(`fails if it begins again and the server sends ${name}`, async () => {
      const begin = whole({ body: "0123", lost: true });
      const { error, target } = await download([begin, unproven, answer]);
      assert(error instanceof DownloadError && error.reason === reason, String(error));
      assert(error.message.includes(message), error.message);
      assertEquals(target.text(), "0123");
    });
  }

  it("does not join a part of another origin that has no validator", async () => {
    const cases: readonly (readonly [Answer, string | undefined])[] = [
      [whole(), undefined],
      [whole({ headers: { etag: '"other"' } }), "changed"],
      [{ body: text }, "range"],
    ];
    for (const [answer, reason] of cases) {
      const redirect = { status: 302, headers: { location: "https://mirror.example.net/file" } };
      const { error, target, ranges } = await download([
        whole({ body: "0123", lost: true }),
        ...[redirect, unproven],
        ...[redirect, answer],
      ]);
      assertEquals((error as DownloadError | undefined)?.reason, reason);
      assertEquals(target.text(), reason === undefined ? text : "0123");
      assertEquals(ranges, ["", `bytes=3- ${tag}`, `bytes=3- ${tag}`, "", ""]);
    }
  });

  it("keeps the headers of the call when it is continued", async () => {
    const { session, sent } = serving(whole({ body: "0123", lost: true }), rest(3));
    const headers = { "x-part": "7" };
    await session.get("file", { format: saveTo(memory().stream), headers });
    const [first, second] = sent.map(({ headers }) => headers);
    assertEquals([first!["x-part"], second!["x-part"]], ["7", "7"]);
    assertEquals(second!["accept-encoding"], "identity;q=1");
  });
});

describe("a download that continues an earlier one", () => {
  const from = { transferred: 8, validator: tag };

  it("asks for the rest only, and reports positions in the whole file", async () => {
    const seen: number[] = [];
    const { target, value, ranges } = await download([rest(7)], {
      from,
      onProgress: ({ transferred }) => void seen.push(transferred),
    });
    assertEquals([target.text(), value?.transferred], [text.slice(8), 20]);
    assertEquals([ranges, seen[0], seen.at(-1)], [[`bytes=7- ${tag}`], 8, 20]);
  });

  it("takes a stored progress, also that of the whole file", async () => {
    const { value } = await download([whole()]);
    const stored: DownloadProgress = JSON.parse(JSON.stringify(value));
    const again = await download([rest(19)], { from: stored });
    assertEquals([again.target.text(), again.value?.transferred], ["", 20]);
  });

  it("begins at the beginning if nothing was written", async () => {
    const { target, ranges } = await download([whole()], { from: { transferred: 0 } });
    assertEquals([target.text(), ranges], [text, [""]]);
  });

  it("fails if the file has changed", async () => {
    const { error, target } = await download([whole({ headers: { etag: '"v2"' } })], { from });
    assert(error instanceof DownloadError && error.reason === "changed", String(error));
    assertEquals(target.text(), "");
  });

  it("begins again if the part has no validator", async () => {
    const headers = { "content-range": "bytes 7-19/20" };
    const part = { status: 206, body: text.slice(7), headers };
    const { target, value, ranges } = await download([part, whole()], { from });
    assertEquals([target.text(), value?.transferred], [text.slice(8), 20]);
    assertEquals(ranges, [`bytes=7- ${tag}`, ""]);
  });

  it("compares the byte that is fetched again, if the bytes so far are read for a digest", async () => {
    const digest = { sha256: createHash("sha256").update(text).digest("hex") };
    const content = new Blob(["0123456x"]);
    const { error, target } = await download([rest(7)], { digest, from: { ...from, content } });
    assert(error instanceof DownloadError && error.reason === "changed", String(error));
    assertEquals(target.text(), "");
  });

  it("checks the digest of the whole file with the bytes so far", async () => {
    const digest = { sha256: createHash("sha256").update(text).digest("hex") };
    const content = new Blob([text.slice(0, 8)]);
    const { error, target } = await download([rest(7)], { digest, from: { ...from, content } });
    assertEquals([error, target.text()], [undefined, text.slice(8)]);
    const short = { ...from, content: new Blob(["0"]) };
    const failed = await download([rest(7)], { digest, from: short });
    assert(failed.error instanceof UnexpectedValueError, String(failed.error));
    assertEquals(failed.error.option, "from.content");
  });
});

describe("the digest of a download", () => {
  const hashOf = (name: string) => createHash(name).update(text);
  const good: readonly (readonly [string, SaveOptions["digest"]])[] = [
    ["SHA-256 in hexadecimal", { sha256: hashOf("sha256").digest("hex") }],
    ["SHA-256 in capitals", { sha256: hashOf("sha256").digest("hex").toUpperCase() }],
    ["SHA-256 in Base64", { sha256: hashOf("sha256").digest("base64") }],
    ["SHA-512", { sha512: hashOf("sha512").digest("hex") }],
    ["the header", reprDigest()],
  ];
  const field = `md5=:AA==:, sha-256=:${hashOf("sha256").digest("base64")}:`;
  const answer = whole({ headers: { "repr-digest": field } });

  for (const [name, digest] of good) {
    it(`is checked: ${name}`, async () => {
      const cut = { ...answer, body: text.slice(0, 5), lost: true };
      const { error, target } = await download([cut, rest(4)], { digest });
      assertEquals([error, target.text()], [undefined, text]);
    });
  }

  it("can be checked for several downloads", async () => {
    const digest = { sha256: hashOf("sha256").digest("hex") };
    for (let count = 0; count < 2; count++) {
      assertEquals((await download([whole()], { digest })).error, undefined);
    }
  });

  it("aborts the target if it differs", async () => {
    const wrong = "0".repeat(64);
    const { error, target } = await download([whole()], { digest: { sha256: wrong } });
    assert(error instanceof DownloadError && error.reason === "digest", String(error));
    assert(
      error.message.includes(`sha-256 must be ${wrong}, but is ${hashOf("sha256").digest("hex")}`),
    );
    assertEquals([target.state.aborted, target.state.closed], [error, false]);
    const headers = { "repr-digest": `sha-256=:${btoa("\0".repeat(32))}:` };
    const other = await download([whole({ headers })], { digest: reprDigest() });
    assert(other.error instanceof DownloadError && other.error.reason === "digest");
  });

  it("is missed before the first byte if the server sends none", async () => {
    for (const headers of [{}, { "repr-digest": "md5=:AA==:" }, { "repr-digest": "sha-256=x" }]) {
      const { error, target } = await download([whole({ headers })], { digest: reprDigest() });
      assert(error instanceof DownloadError && error.reason === "digest", String(error));
      assertEquals(target.text(), "");
    }
  });

  it("has to be of the right length", () => {
    for (const value of ["", "00", "x".repeat(64), "0".repeat(96), 7]) {
      for (const name of ["sha256", "sha512"]) {
        const create = () => saveTo(new WritableStream(), { digest: { [name]: value } as never });
        assertEquals(assertThrows(create, UnexpectedValueError).option, `digest.${name}`);
      }
    }
  });

  it("is of one hash function", () => {
    const [sha256, sha512] = ["0".repeat(64), "0".repeat(128)];
    for (const digest of ["00", {}, { sha256, sha512 }, { md5: "0".repeat(32) }, null]) {
      const create = () => saveTo(new WritableStream(), { digest: digest as never });
      assertEquals(assertThrows(create, UnexpectedValueError).option, "digest");
    }
  });

  it("can be computed by an object of your own, which may be asynchronous", async () => {
    for (const [length, reason] of [[text.length, undefined], [7, "digest"]]) {
      let bytes = 0;
      const check = {
        update: (chunk: Uint8Array) => void (bytes += chunk.length),
        finish: () => bytes === length ? undefined : `the length must be ${length}`,
      };
      const start = () => Promise.resolve(check);
      const { error } = await download([whole()], { digest: { start } });
      assertEquals((error as DownloadError | undefined)?.reason, reason);
    }
  });
});

describe("the options of a download", () => {
  const target = () => new WritableStream<Uint8Array>();
  const locked = target();
  locked.getWriter();
  const wrong: readonly (readonly [string, () => unknown])[] = [
    ["target", () => saveTo(locked)],
    ["target", () => saveTo("a.txt" as never)],
    ["maxResumes", () => saveTo(target(), { maxResumes: -1 })],
    ["onProgress", () => saveTo(target(), { onProgress: 7 as never })],
    ["keepOpen", () => saveTo(target(), { keepOpen: "yes" as never })],
    ["digest", () => saveTo(target(), { digest: "00" as never })],
    ["from.transferred", () => saveTo(target(), { from: { transferred: 1.5, validator: tag } })],
    ["from.transferred", () => saveTo(target(), { from: null as never })],
    ["from.validator", () => saveTo(target(), { from: { transferred: 1 } })],
    [
      "from.content",
      () => saveTo(target(), { from: { transferred: 1, validator: tag }, digest: reprDigest() }),
    ],
  ];
  for (const [index, [option, make]] of wrong.entries()) {
    it(`are checked before a request is sent: ${option}, case ${index + 1}`, () => {
      assertEquals(assertThrows(make, UnexpectedValueError).option, option);
    });
  }

  it("are refused if the function opens no stream", async () => {
    const { session } = serving(whole());
    const call = session.get("file", { format: saveTo(() => locked) });
    assertEquals((await assertRejects(() => call, UnexpectedValueError)).option, "target");
  });
});
