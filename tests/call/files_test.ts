import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APIError, APISession, type FileInput, UnexpectedValueError } from "../../mod.ts";
import { type BodyOptions, prepareBody } from "../../src/content/body.ts";
import { describeGenerations } from "../support/generations.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";
import { bodyOf, startServer } from "../support/server.ts";

const bytes = new TextEncoder().encode("hello");

/** A form field as a server receives it: its text, or the name, type and text of its file. */
type Part = string | readonly [name: string, type: string, text: string];

/** Returns the fields of the form as it is sent. No runtime parses it, since Bun loses types. */
async function partsOf(options: BodyOptions): Promise<(readonly [string, Part])[]> {
  const body = await prepareBody(options, "POST");
  assert(body.kind === "whole" && body.type === undefined, "fetch chooses the boundary");
  const sent = await new Response(body.content).text();
  const [boundary] = /^--[^\r]+/.exec(sent) ?? ["none"];
  return sent.split(`${boundary}\r\n`).slice(1).map((part) => {
    const [head = "", ...rest] = part.split("\r\n\r\n");
    const text = rest.join("\r\n\r\n").replace(/\r\n(?:--.*--\s*)?$/, "");
    const [, field = "", name] = /name="([^"]*)"(?:; filename="([^"]*)")?/.exec(head) ?? [];
    const type = /^content-type: (.*)$/im.exec(head)?.[1]?.trim() ?? "";
    return [field, name === undefined ? text : [name, type, text]];
  });
}

describe("files", () => {
  const binary = "application/octet-stream";
  const png = "image/png";
  const file = new File(["hello"], "ada.png", { type: png });
  const inputs: readonly (readonly [string, FileInput, readonly [string, string, string]])[] = [
    ["a File, with its name and type", file, ["ada.png", png, "hello"]],
    ["a File without a type", new File(["hello"], "a.bin"), ["a.bin", binary, "hello"]],
    ["a Blob, which is called file", new Blob(["hello"], { type: png }), ["file", png, "hello"]],
    ["a Blob without a type", new Blob(["hello"]), ["file", binary, "hello"]],
    ["bytes", bytes, ["file", binary, "hello"]],
    ["an ArrayBuffer", bytes.slice().buffer, ["file", binary, "hello"]],
    ["a part of a buffer", bytes.subarray(1, 3), ["file", binary, "el"]],
    ["a DataView", new DataView(bytes.slice().buffer, 1), ["file", binary, "ello"]],
    ["named text", ["a.txt", "hello"], ["a.txt", binary, "hello"]],
    ["named empty text", ["a.txt", ""], ["a.txt", binary, ""]],
    ["named bytes", ["a.txt", bytes], ["a.txt", binary, "hello"]],
    ["a named Blob", ["a.png", new Blob(["hello"], { type: png })], ["a.png", png, "hello"]],
    ["a renamed File", ["bea.png", file], ["bea.png", png, "hello"]],
    ["a name beyond ASCII", ["ä €.txt", "hello"], ["ä €.txt", binary, "hello"]],
    ["an empty File", new File([], "none"), ["none", binary, ""]],
  ];
  for (const [what, input, part] of inputs) {
    it(`are sent as multipart: ${what}`, async () => {
      const [[field, found], ...rest] = await partsOf({ files: { upload: input } }) as [
        readonly [string, Part],
      ];
      assertEquals([field, rest], ["upload", []]);
      assertEquals(found, part);
    });
  }

  it("are sent in order, several of one field and of several fields", async () => {
    const parts = await partsOf({
      files: {
        b: [["1.txt", "one"], file, bytes],
        a: [new File(["two"], "2.txt")],
        none: [],
      },
    });
    assertEquals(parts.map(([field, part]) => [field, part[0], part[2]]), [
      ["b", "1.txt", "one"],
      ["b", "ada.png", "hello"],
      ["b", "file", "hello"],
      ["a", "2.txt", "two"],
    ]);
  });

  it("can be hundreds", async () => {
    const documents = Array.from(
      { length: 500 },
      (_, index) => [`${index}.txt`, `${index}`] as const,
    );
    const parts = await partsOf({ files: { documents } });
    assertEquals(parts.map(([, part]) => part[0]), documents.map(([name]) => name));
  });

  it("are sent after the fields of data", async () => {
    const files = { f: ["a.txt", "hello"] } as const;
    const shapes: readonly BodyOptions["data"][] = [
      { user: "ä&=+ b", tags: ["a", "b"], draft: true, none: null },
      [["user", "ä&=+ b"], ["tags", "a"], ["tags", "b"], ["draft", true]],
      new URLSearchParams([["user", "ä&=+ b"], ["tags", "a"], ["tags", "b"], ["draft", "true"]]),
    ];
    for (const data of shapes) {
      const parts = await partsOf({ files, data });
      assertEquals(parts.slice(0, 4), [
        ["user", "ä&=+ b"],
        ["tags", "a"],
        ["tags", "b"],
        ["draft", "true"],
      ]);
      assertEquals(parts.map(([field]) => field).slice(4), ["f"]);
    }
  });

  it("are sent with a form and its files, and the form is not changed", async () => {
    const data = new FormData();
    data.append("user", "ada");
    data.append("f", new File(["own"], "own.txt"));
    const parts = await partsOf({ files: { f: file }, data });
    assertEquals(parts.map(([field, part]) => [field, typeof part === "string" ? part : part[0]]), [
      ["user", "ada"],
      ["f", "own.txt"],
      ["f", "ada.png"],
    ]);
    assertEquals([...data.keys()], ["user", "f"]);
  });

  it("are left out if they are undefined or null, like other fields", async () => {
    const files = { a: undefined, b: null, c: file } as unknown as BodyOptions["files"];
    assertEquals((await partsOf({ files })).map(([field]) => field), ["c"]);
    assertEquals(prepareBody({ files: undefined }, "GET"), { kind: "none" });
  });

  it("are sent with the bytes that they had when the call was made", async () => {
    const input = bytes.slice();
    const body = prepareBody({ files: { f: input } }, "POST");
    input.fill(0);
    assert(body.kind === "whole");
    const sent = (await new Response(body.content).formData()).get("f") as File;
    assertEquals(await sent.text(), "hello");
  });

  const wrong: readonly (readonly [string, unknown, string])[] = [
    ["a list", [file], "files"],
    ["a string", "a.txt", "files"],
    ["null", null, "files"],
    ["a number", 7, "files"],
    ["the path of a file", { f: "/etc/passwd" }, "files.f"],
    ["a number in a field", { f: 7 }, "files.f"],
    ["an object in a field", { f: {} }, "files.f"],
    ["a stream in a field", { f: new Blob(["x"]).stream() }, "files.f"],
    ["a name alone", { f: ["a.txt"] }, "files.f"],
    ["a name with a number", { f: ["a.txt", 7] }, "files.f"],
    ["a name, a content and a type", { f: ["a.txt", "x", "text/plain"] }, "files.f"],
    ["undefined as the name of a content", { f: [[undefined, "x"]] }, "files.f[0]"],
    ["a list with null", { f: [file, null] }, "files.f[1]"],
    ["a list with a string", { f: [file, "a.txt"] }, "files.f[1]"],
    ["a list of lists of pairs", { f: [[["a.txt", "x"]]] }, "files.f[0]"],
  ];
  for (const [what, files, option] of wrong) {
    it(`are refused by name if they are not files: ${what}`, () => {
      const options = { files } as BodyOptions;
      const error = assertThrows(() => prepareBody(options, "POST"), UnexpectedValueError);
      assertEquals(error.option, option);
      assert(!error.message.includes("passwd"), error.message);
    });
  }

  it("can be combined with data, but not with another body, GET or HEAD", () => {
    const files = { f: file };
    for (const other of [{ json: 1 }, { content: "x" }, { json: 1, data: { a: 1 } }]) {
      assertThrows(() => prepareBody({ files, ...other }, "POST"), UnexpectedValueError, "files");
    }
    for (const method of ["GET", "HEAD"]) {
      assertThrows(() => prepareBody({ files }, method), UnexpectedValueError, method);
    }
    for (const data of [7, null, "a=1", { a: {} }]) {
      const options = { files, data } as unknown as BodyOptions;
      const error = assertThrows(() => prepareBody(options, "POST"), UnexpectedValueError);
      assert(error.option.startsWith("data"), error.option);
    }
  });
});

describeGenerations("files of a request", ({ Session }) => {
  const url = "https://api.example.com";

  it("are sent with every attempt, and are not in the log", async () => {
    const fetch = scripted(503, 200);
    const log = recordingLogger();
    const session = new Session({
      url,
      fetch,
      clock: fakeClock({ autoAdvance: true }),
      logger: log,
    });
    await session.post("x", { files: { f: ["hunter2.txt", "hunter2"] }, data: { pin: "hunter2" } });
    const forms = await Promise.all(fetch.calls.map(({ init: { body, headers } }) => {
      return new Response(body as Blob, { headers }).formData();
    }));
    assertEquals(forms.map((form) => [...form.keys()].join()), ["pin,f", "pin,f"]);
    assertEquals(log.json("debug").map(({ body }) => body), [{}, {}]);
    assert(!log.messages().join("\n").includes("hunter2"), log.messages().join("\n"));
  });

  it("are checked before a request is sent", async () => {
    const fetch = scripted(200);
    const session = new Session({ url, fetch });
    const files = { f: "a.txt" } as never;
    await assertRejects(() => session.put("x", { files }), UnexpectedValueError, "files.f");
    assertEquals(fetch.calls.length, 0);
  });

  it("arrive at a server with the boundary of the content type, also after a retry", async () => {
    const seen: (readonly [string | undefined, string])[] = [];
    const server = await startServer(async (request, response) => {
      seen.push([request.headers["content-type"], await bodyOf(request)]);
      response.writeHead(seen.length === 1 ? 503 : 404).end("no");
    });
    try {
      const quiet = { clock: fakeClock({ autoAdvance: true }), logger: recordingLogger() };
      const session = new Session({ url: server.url, ...quiet });
      const files = { f: new File(["hello"], "a.txt", { type: "text/plain" }) };
      await assertRejects(() => session.post("x", { files, data: { user: "ada" } }), APIError);
    } finally {
      await server.stop();
    }
    assertEquals(seen.length, 2);
    for (const [type, body] of seen) {
      const boundary = /^multipart\/form-data; ?boundary="?([^"]+)"?$/.exec(type ?? "")?.[1];
      assert(boundary !== undefined && body.includes(`--${boundary}`), type);
      assert(/name="user"\r\n\r\nada\r\n/.test(body), body);
      assert(/name="f"; filename="a\.txt"\r\nContent-Type: text\/plain/i.test(body), body);
    }
  });
});

describe("a file or a form with extra properties", () => {
  it("is sent like any other", async () => {
    const transport = scripted(200);
    const session = new APISession({ url: "https://a.example", adapter: transport });
    const tagged = () => Object.assign(new File(["x"], "n.txt"), { path: "here" });
    const form = Object.assign(new FormData(), { from: "somebody" });
    form.set("a", "1");
    const frozen = Object.create(Object.freeze({ a: "0" }), {
      a: { value: "1", enumerable: true },
    });
    await session.post("x", { files: { f: tagged() } });
    await session.post("x", { files: { f: ["other.txt", tagged()] } });
    await session.post("x", { data: form });
    await session.post("x", { data: frozen });
    const [one, other, whole, last] = transport.calls.map(({ init: { body } }) => body);
    const names = [one, other].map(async (sent) =>
      /filename="([^"]*)"/.exec(await (sent as Blob).text())?.[1]
    );
    assertEquals(await Promise.all(names), ["n.txt", "other.txt"]);
    assert((await (whole as Blob).text()).includes('name="a"\r\n\r\n1\r\n'));
    assertEquals(String(last), "a=1");
  });
});

describe("files without the name of a field", () => {
  const file = new File(["hello"], "a.txt");
  const form = new FormData();
  form.append("f", file);

  for (const [index, files] of [file, form, new Map([["f", file]]), new Blob(["x"])].entries()) {
    it(`are refused, not sent as an empty form, case ${index + 1}`, () => {
      assertThrows(
        () => prepareBody({ files: files as never }, "POST"),
        UnexpectedValueError,
        "files",
      );
    });
  }
});
