import { assert, assertEquals, describe, it } from "#test";
import { Agent, fetch as packageFetch } from "undici";
import { APIClient, type FileInput, type RequestOptions, voidFormat } from "../../mod.ts";
import type { Transport } from "../../src/http/mod.ts";
import { formBlob } from "../../src/http/form_blob.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { bodyOf, startServer } from "../support/server.ts";

class Files extends APIClient {
  static override readonly baseUrl = "https://files.example.com";

  upload(options: RequestOptions): Promise<unknown> {
    return this._post("files", { ...options, format: voidFormat });
  }
}

function formOf(...fields: readonly (readonly [name: string, value: string | File])[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, value.name);
  }
  return form;
}

/** Returns the fields of a form that a server received. */
async function received(type: string | undefined, body: string): Promise<string[]> {
  const form = await new Response(body, { headers: { "content-type": type ?? "" } }).formData();
  return await Promise.all(Array.from(form, async ([name, value]) => {
    return typeof value === "string"
      ? `${name}=${value}`
      : `${name}=${value.name} ${value.type.split(";")[0]} ${await value.text()}`;
  }));
}

describe("a form that is written as a Blob", () => {
  it("has the parts that fetch would write, with the boundary in its type", async () => {
    const form = formOf(
      ["title", "ä 1\r\n2\n3"],
      ["tag", "a"],
      ["tag", "b"],
      ['a "quoted"\nname', ""],
      ["file", new File(["hello"], 'a "1".txt', { type: "text/csv" })],
      ["file", new File([], "empty")],
    );
    const blob = formBlob(form);
    const [, boundary] = /^multipart\/form-data; boundary=([\w-]+)$/.exec(blob.type) ?? [];
    assertEquals((await blob.text()).split(`--${boundary}`), [
      "",
      '\r\nContent-Disposition: form-data; name="title"\r\n\r\nä 1\r\n2\r\n3\r\n',
      '\r\nContent-Disposition: form-data; name="tag"\r\n\r\na\r\n',
      '\r\nContent-Disposition: form-data; name="tag"\r\n\r\nb\r\n',
      '\r\nContent-Disposition: form-data; name="a %22quoted%22%0D%0Aname"\r\n\r\n\r\n',
      '\r\nContent-Disposition: form-data; name="file"; filename="a %221%22.txt"\r\n' +
      "Content-Type: text/csv\r\n\r\nhello\r\n",
      '\r\nContent-Disposition: form-data; name="file"; filename="empty"\r\n' +
      "Content-Type: application/octet-stream\r\n\r\n\r\n",
      "--\r\n",
    ]);
  });

  it("has no part if the form is empty", async () => {
    assertEquals((await formBlob(new FormData()).text()).split("--").at(-1), "\r\n");
  });
});

describe("a form that a fetch of the program sends", () => {
  const file: FileInput = new File(["hello"], "a.txt", { type: "text/plain" });
  const rows: readonly (readonly [string, RequestOptions])[] = [
    ["files", { files: { file }, data: { title: "Notes" } }],
    ["data", { data: formOf(["title", "Notes"], ["file", file as File]) }],
  ];
  for (const [option, options] of rows) {
    it(`arrives, although the package undici does not know the form of the runtime: ${option}`, async () => {
      const seen: string[][] = [];
      const server = await startServer(async (request, response) => {
        seen.push(await received(request.headers["content-type"], await bodyOf(request)));
        response.writeHead(seen.length === 1 ? 503 : 200).end();
      });
      // Without time limits, it leaves no timer.
      const dispatcher = new Agent({ bodyTimeout: 0, headersTimeout: 0, connect: { timeout: 0 } });
      try {
        const fetch: Transport = (url, init) =>
          (packageFetch as unknown as Transport)(url, { ...init, dispatcher } as typeof init);
        const quiet = { clock: fakeClock({ autoAdvance: true }), logger: recordingLogger() };
        await new Files({ baseUrl: server.url, fetch, ...quiet }).upload(options);
      } finally {
        // Bun has a module of its own for this name, whose Agent does not hold connections.
        await dispatcher.close?.();
        await server.stop();
      }
      assertEquals(seen.map((fields) => fields.sort()), [
        ["file=a.txt text/plain hello", "title=Notes"],
        ["file=a.txt text/plain hello", "title=Notes"],
      ]);
    });
  }

  it("is a Blob for an adapter and the fetch of a call, with the content type as a header", async () => {
    const seen: string[] = [];
    const own: Transport = async (_url, { body, headers }) => {
      assert(body instanceof Blob);
      assertEquals(headers["content-type"], body.type);
      seen.push(...await received(body.type, await body.text()));
      return new Response();
    };
    const data = formOf(["a", "1"]);
    await new Files({ fetch: own }).upload({ data });
    await new Files({ adapter: own }).upload({ data });
    await new Files({ adapters: { "https://files.example.com/": own } }).upload({ data });
    assertEquals(seen, ["a=1", "a=1", "a=1"]);
  });

  it("has another boundary and its content type each time that a scheme sends it", async () => {
    const types: (string | undefined)[] = [];
    const fetch: Transport = async (_url, { body, headers }) => {
      types.push(headers["content-type"]);
      assertEquals(await received(types.at(-1), await (body as Blob).text()), ["a=1"]);
      return new Response(null, { status: types.length === 1 ? 401 : 200 });
    };
    const auth = {
      authenticate: async (_request: unknown, send: () => Promise<Response>) => {
        const first = await send();
        return first.status === 401 ? await send() : first;
      },
    };
    await new Files({ fetch, auth }).upload({ data: formOf(["a", "1"]) });
    assertEquals(new Set(types).size, 2);
  });
});
