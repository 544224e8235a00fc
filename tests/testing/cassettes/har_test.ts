import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { APISession } from "../../../mod.ts";
import {
  CassetteError,
  openCassette,
  readHar,
  redactCassette,
  silentLogger,
} from "../../../src/testing/mod.ts";

const browserHar = readFileSync(
  new URL("../../corpus/cassettes/browser.har", import.meta.url),
  "utf8",
);

const url = "http://library.example.com";

/** Returns a HAR file with one entry. */
function harOf(request: object = {}, response: object = {}): object {
  return {
    log: {
      version: "1.2",
      entries: [{
        request: { method: "GET", url: `${url}/a`, headers: [], ...request },
        response: { status: 200, headers: [], content: {}, ...response },
      }],
    },
  };
}

describe("a HAR file of a browser", () => {
  it("replays all requests that were answered", async () => {
    const cassette = await openCassette(await readHar(browserHar));
    const session = new APISession({ url, fetch: cassette, logger: silentLogger });

    assertEquals(await (await session.get("page")).text(), "<!doctype html><title>Library</title>");
    const books = await session.get("books", { params: { page: 1 } });
    assertEquals(await books.json(), [{ id: 7, title: "Größe" }]);
    assertEquals(books.headers.get("content-encoding"), null);
    assertEquals(books.headers.getSetCookie().map((cookie) => cookie.replace(/=.*/, "")), [
      "sid",
      "theme",
    ]);
    await session.post("books", { json: { title: "Grün" } });
    const login = await session.post<{ access_token: string }>("login", {
      data: { user: "ada", password: "another" },
      convJson: true,
    });
    assertEquals(login.access_token, "token-8c4d-5e0a");
    const cover = await (await session.get("cover.png")).arrayBuffer();
    assertEquals([...new Uint8Array(cover)], Array.from({ length: 256 }, (_, index) => index));
    const redirected = await session.get("old");
    assertEquals([redirected.redirected, redirected.url], [true, `${url}/books?page=2`]);
    assertEquals((await session.delete("empty")).status, 204);
    // Chromium does not report the body of a form with files.
    assertEquals(cassette.unused.map(({ url }) => url), [`${url}/files`]);
  });

  it("has its secrets removed", async () => {
    const text = JSON.stringify(redactCassette(await readHar(browserHar)));

    for (const secret of ["token-1a2b-3c4d", "s-4711-8c4d", "hopper", "token-8c4d-5e0a"]) {
      assert(browserHar.includes(secret), secret);
      assert(!text.includes(secret), secret);
    }
  });
});

describe("an entry of a HAR file", () => {
  it("is left out if it has no response, or another scheme", async () => {
    const entries = [
      harOf({}, { status: 0 }),
      harOf({}, { status: -1 }),
      harOf({}, { status: 101 }),
      harOf({ url: "data:text/plain,x" }),
      harOf({ url: "chrome-extension://x/y" }),
      harOf({ url: `${url}/b` }),
    ].flatMap((har) => Object(har).log.entries);

    const { interactions } = await readHar({ log: { entries } });

    assertEquals(interactions.map(({ request }) => request.url), [`${url}/b`]);
  });

  it("has the headers of HTTP/2 and repeated ones", async () => {
    const headers = [
      { name: ":authority", value: "library.example.com" },
      { name: "Accept", value: "*/*" },
    ];
    const { request, response } = (await readHar(harOf({ headers }, {
      headers: [
        { name: "Set-Cookie", value: "a=1\nb=2" },
        { name: "link", value: "<a>" },
        { name: "Link", value: "<b>" },
        { name: "Content-Length", value: "4000" },
      ],
      content: { mimeType: "text/plain", text: "text" },
    }))).interactions[0]!;

    assertEquals(request.headers, { accept: "*/*" });
    assertEquals(response.headers, {
      "content-length": "4",
      "content-type": "text/plain",
      link: ["<a>", "<b>"],
      "set-cookie": ["a=1", "b=2"],
    });
  });

  const encodings: readonly (readonly [string, (text: string) => Uint8Array])[] = [
    ["gzip", (text) => gzipSync(text)],
    ["deflate", (text) => deflateSync(text)],
  ];
  for (const [coding, encode] of encodings) {
    it(`is decoded if its content is still encoded: ${coding}`, async () => {
      const headers = [{ name: "Content-Encoding", value: coding }];
      const { response } = (await readHar(harOf({}, {
        headers,
        content: {
          mimeType: "application/json",
          text: Buffer.from(encode('{"id": 7}')).toString("base64"),
          encoding: "base64",
        },
      }))).interactions[0]!;

      assertEquals(response, {
        status: 200,
        headers: { "content-type": "application/json" },
        json: { id: 7 },
      });
    });

    it(`is read if its content is decoded: ${coding}`, async () => {
      const headers = [{ name: "Content-Encoding", value: coding }];
      const content = { mimeType: "text/plain", text: "x is text" };
      const { response } = (await readHar(harOf({}, { headers, content }))).interactions[0]!;
      assertEquals(response.text, "x is text");
    });
  }

  const charsets: readonly (readonly [string, string, string, string])[] = [
    ["ISO-8859-1", "text/plain; charset=iso-8859-1", "text/plain; charset=utf-8", "Größe"],
    [
      "another quoted one",
      'text/csv; charset="windows-1252"; header=present',
      "text/csv; charset=utf-8; header=present",
      "Größe",
    ],
    ["UTF-8", "text/plain;charset=UTF-8", "text/plain;charset=utf-8", "Größe"],
    ["none", "text/plain", "text/plain", "Größe"],
    [
      "that of the XML declaration",
      "application/xml",
      "application/xml; charset=utf-8",
      '<?xml version="1.0" encoding="iso-8859-1"?><a>Größe</a>',
    ],
    ["any, for ASCII", "text/plain; charset=iso-8859-1", "text/plain; charset=iso-8859-1", "size"],
  ];
  for (const [name, recorded, read, text] of charsets) {
    it(`has a content type whose charset is that of the recorded bytes: ${name}`, async () => {
      const headers = [{ name: "Content-Type", value: recorded }];
      const { request, response } = (await readHar(harOf(
        { method: "POST", headers, postData: { mimeType: recorded, text } },
        { headers, content: { mimeType: recorded, text } },
      ))).interactions[0]!;

      for (const message of [request, response]) {
        assertEquals([message.headers["content-type"], message.text], [read, text]);
      }
    });
  }

  it("has the bytes and the charset that were recorded, if the content is Base64", async () => {
    const headers = [{ name: "Content-Type", value: "text/plain; charset=iso-8859-1" }];
    const text = Buffer.from("Größe", "latin1").toString("base64");
    const { response } = (await readHar(
      harOf({}, { headers, content: { text, encoding: "base64" } }),
    )).interactions[0]!;

    assertEquals(response.headers["content-type"], "text/plain; charset=iso-8859-1");
    assertEquals(response.base64, text);
  });

  it("has the body of its parameters if that is all of the body", async () => {
    const params = [{ name: "a", value: "1 2" }, { name: "b", value: "é" }];
    const form = { mimeType: "application/x-www-form-urlencoded", params };
    const file = { name: "file", value: "x", fileName: "a.txt", contentType: "text/plain" };
    const multipart = { mimeType: "multipart/form-data", params: [...params, file] };
    const read = async (postData: object) =>
      (await readHar(harOf({ method: "POST", postData }))).interactions[0]!.request;

    assertEquals((await read(form)).text, "a=1+2&b=%C3%A9");
    assertEquals((await read(multipart)).parts?.map(({ text }) => text), ["1 2", "é", "x"]);
    assertEquals((await read(multipart)).headers["content-type"], "multipart/form-data");
  });

  it("is refused if it is not a HAR file", async () => {
    const wrong = ["{", "[]", '{"log":{}}', { version: 1 }, null, { log: { entries: [{}] } }];
    for (const har of wrong) {
      const error = await assertRejects(() => readHar(har), CassetteError);
      assertEquals(error.reason, "invalid");
      assert(error.message.startsWith("this is not a HAR file: "), error.message);
    }
  });

  it("with brotli is taken as decoded, because nothing marks it", async () => {
    const headers = [{ name: "Content-Encoding", value: "br" }];
    const text = brotliCompressSync("text").toString("base64");
    const content = { text, encoding: "base64" };
    const { response } = (await readHar(harOf({}, { headers, content }))).interactions[0]!;
    assertEquals(response.base64, text);
  });
});
