import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APISession, UnexpectedValueError } from "../../mod.ts";
import { type FileSource, multipart, type Progress, withProgress } from "../../src/files/mod.ts";
import type { TransportInit } from "../../src/http/transport.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";

/** Starts a session whose server reads each request, and answers with these statuses in order. */
function receiving(...statuses: readonly number[]) {
  const received: { readonly type: string | undefined; readonly body: Uint8Array<ArrayBuffer> }[] =
    [];
  const fetch = async (_url: string, { body, headers }: TransportInit): Promise<Response> => {
    const bytes = new Uint8Array(await new Response(body ?? null).arrayBuffer());
    received.push({ type: headers["content-type"], body: bytes });
    return new Response(null, { status: statuses[received.length - 1] ?? 200 });
  };
  const clock = fakeClock({ autoAdvance: true });
  const url = "https://files.example.com";
  return { session: new APISession({ url, fetch, clock, logger: silentLogger }), received };
}

/** Collects progress as pairs of bytes and total. */
function recorder() {
  const seen: (number | undefined)[][] = [];
  const onProgress = ({ transferred, total }: Progress) => void seen.push([transferred, total]);
  return { seen, onProgress };
}

const textOf = (bytes: Uint8Array<ArrayBuffer>): string => new TextDecoder().decode(bytes);
const streamOf = (...chunks: readonly string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });

describe("an upload with progress", () => {
  const sized = Object.assign(() => streamOf("hel", "lo"), { size: 5, type: "text/csv" });
  const contents: readonly (readonly [
    string,
    Parameters<typeof withProgress>[0] & (string | Blob | Uint8Array<ArrayBuffer> | typeof sized),
    (number | undefined)[][],
    string | undefined,
  ])[] = [
    ["text", "hello", [[0, 5], [5, 5]], "text/plain;charset=UTF-8"],
    ["bytes", new TextEncoder().encode("hello"), [[0, 5], [5, 5]], undefined],
    ["a Blob", new Blob(["hello"], { type: "image/png" }), [[0, 5], [5, 5]], "image/png"],
    ["a function with a size", sized, [[0, 5], [3, 5], [5, 5]], "text/csv"],
  ];
  for (const [name, content, expected, type] of contents) {
    it(`reports the bytes that were sent: ${name}`, async () => {
      const { session, received } = receiving();
      const { seen, onProgress } = recorder();
      await session.put("a", { content: withProgress(content, onProgress) });
      assertEquals(seen, expected);
      assertEquals(received.map(({ body, type }) => [textOf(body), type]), [["hello", type]]);
    });
  }

  it("has no total if the length is not known", async () => {
    const { session } = receiving();
    const { seen, onProgress } = recorder();
    await session.put("a", { content: withProgress(() => streamOf("hello"), onProgress) });
    assertEquals(seen, [[0, undefined], [5, undefined]]);
  });

  it("reports large content in steps of 64 KiB", async () => {
    const { session, received } = receiving();
    const { seen, onProgress } = recorder();
    const bytes = new Uint8Array(150_000).map((_, index) => index % 251);
    await session.put("a", { content: withProgress(bytes, onProgress) });
    assertEquals(received[0]!.body, bytes);
    assertEquals(seen.at(-1), [150_000, 150_000]);
    const steps = seen.slice(1).map(([sent], index) => sent! - seen[index]![0]!);
    assert(Math.max(...steps) <= 65_536, steps.join());
  });

  it("begins again with each attempt", async () => {
    const { session, received } = receiving(503, 200);
    const { seen, onProgress } = recorder();
    await session.put("a", { content: withProgress("hello", onProgress) });
    assertEquals([seen, received.length], [[[0, 5], [5, 5], [0, 5], [5, 5]], 2]);
  });

  it("of a stream is sent only once", async () => {
    const { session, received } = receiving(503, 200);
    const { seen, onProgress } = recorder();
    const content = withProgress(streamOf("hello"), onProgress);
    const error = await session.put("a", { content }).catch((reason: unknown) => reason);
    assert(error instanceof Error, "an error");
    assertEquals([seen, received.length], [[[0, undefined], [5, undefined]], 1]);
  });

  it("ends with an error of onProgress", async () => {
    const stop = new Error("stop");
    const { session } = receiving();
    const content = withProgress("hello", () => {
      throw stop;
    });
    assertEquals(await session.put("a", { content }).catch((error: unknown) => error), stop);
  });

  it("keeps a content type of the call", async () => {
    const { session, received } = receiving();
    const headers = { "Content-Type": "text/x-own" };
    await session.put("a", { content: withProgress("hello", () => {}), headers });
    assertEquals(received[0]!.type, "text/x-own");
  });

  it("has to have content, and a function to call", () => {
    const wrong = [
      () => withProgress(7 as never, () => {}),
      () => withProgress("", undefined as never),
    ];
    const options = wrong.map((make) => assertThrows(make, UnexpectedValueError).option);
    assertEquals(options, ["content", "onProgress"]);
  });

  it("has to be bytes", async () => {
    const { session } = receiving();
    const chunks = () => new ReadableStream({ pull: (each) => each.enqueue("text") });
    const call = session.put("a", { content: withProgress(chunks, () => {}) });
    await assertRejects(() => call, UnexpectedValueError, "Uint8Array");
  });
});

describe("a form of many parts", () => {
  /** Sends a form, and returns it as the server reads it. */
  async function sent(
    form: Parameters<typeof multipart>[0],
  ): Promise<[string, FormDataEntryValue][]> {
    const { session, received } = receiving();
    const content = multipart(form);
    await session.post("forms", { content });
    const { type, body } = received[0]!;
    assertEquals([type, body.length], [content.type, content.size]);
    return [...await new Response(body, { headers: { "content-type": type! } }).formData()];
  }

  it("arrives like the one that fetch sends", async () => {
    const form = new FormData();
    form.append("user", "ada\nmoss");
    form.append("tags", "a");
    form.append("tags", "b");
    form.append('q"uote', "ä €");
    form.append("photo", new File(["png"], 'p"1".png', { type: "image/png" }));
    form.append("photo", new File(["more"], "ä €.txt"));
    form.append("empty", new File([], "none"));

    const own = await sent(form);
    const fetched = [...await new Response(form).formData()];

    const shown = (entries: readonly (readonly [string, FormDataEntryValue])[]) =>
      Promise.all(
        entries.map(async ([name, value]) =>
          typeof value === "string"
            ? [name, value.replaceAll("\r\n", "\n")]
            : [name, value.name, value.type || "application/octet-stream", await value.text()]
        ),
      );
    assertEquals(await shown(own), await shown(fetched));
  });

  it("may have hundreds of files, which are opened one after the other", async () => {
    let open = 0;
    let most = 0;
    const files = Array.from({ length: 500 }, (_, index): [string, FileSource] => {
      async function* stream(): AsyncGenerator<Uint8Array> {
        most = Math.max(most, ++open);
        yield new TextEncoder().encode(`file ${String(index).padStart(3, "0")}`);
        open--;
      }
      return ["files", { name: `/home/ada/${index}.txt`, type: "text/plain", size: 8, stream }];
    });
    const parts = await sent(files) as [string, File][];
    assertEquals([parts.length, most, open], [500, 1, 0]);
    assertEquals(parts[499]![1].name, "499.txt");
    assertEquals(await parts[499]![1].text(), "file 499");
  });

  it("reports its progress with a total, at each attempt", async () => {
    const { session, received } = receiving(503, 200);
    const { seen, onProgress } = recorder();
    const form = multipart([["a", "1"], ["f", new Blob(["hello"])]]);
    await session.post("forms", { content: withProgress(form, onProgress) });
    assertEquals(received.map(({ type }) => type), [form.type, form.type]);
    assertEquals(received[0]!.body, received[1]!.body);
    assertEquals(seen.filter(([count]) => count === 0).length, 2);
    assertEquals(seen.at(-1), [form.size, form.size]);
  });

  for (const [name, size] of [["longer", 4], ["shorter", 6]] as const) {
    it(`fails if a file is ${name} than its size`, async () => {
      const { session, received } = receiving();
      const file = { size, stream: () => streamOf("hello") };
      const call = session.post("forms", { content: multipart([["f", file]]) });
      const error = await assertRejects(() => call, UnexpectedValueError, name);
      assertEquals([error.option, received.length], ["form[0]", 0]);
    });
  }

  const stream = () => streamOf("");
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ["a number", 7, "form"],
    ["a string", "a=1", "form"],
    ["a list of names", ["a"], "form[0]"],
    ["a number as a value", [["a", "1"], ["b", 2]], "form[1]"],
    ["bytes", [["a", new Uint8Array(1)]], "form[0]"],
    ["a file without a size", [["a", { stream }]], "form[0]"],
    ["a negative size", [["a", { stream, size: -1 }]], "form[0]"],
    ["a number as a name", [["a", { stream, size: 0, name: 1 }]], "form[0].name"],
    ["a line break in a type", [["a", { stream, size: 0, type: "a\r\nb: c" }]], "form[0].type"],
  ];
  for (const [name, form, option] of wrong) {
    it(`is checked before a request is sent: ${name}`, () => {
      const error = assertThrows(() => multipart(form as never), UnexpectedValueError);
      assertEquals(error.option, option);
    });
  }
});
