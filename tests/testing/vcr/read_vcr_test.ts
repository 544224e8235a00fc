import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { APISession, NotFoundError } from "../../../mod.ts";
import {
  CassetteError,
  fakeClock,
  openCassette,
  redactCassette,
  silentLogger,
} from "../../../src/testing/mod.ts";
import { readVcr } from "../../../src/testing/vcr/mod.ts";
import { assertLinearGrowth } from "../../support/linear_time.ts";

/** Returns the text of a cassette that VCR.py has written. */
function recordingIn(name: string): string {
  return readFileSync(new URL(`../../corpus/cassettes/${name}`, import.meta.url), "utf8");
}

const url = "http://library.example.com";
const note = `Ä long note: ${
  "it is folded over several lines of the document, ".repeat(4)
}😀\n\tend`;
const book = { id: 7, title: "Indigo", note };
const cover = Array.from({ length: 256 }, (_, index) => index);

/** Returns a cassette with the lines of one response body, indented by six spaces. */
function withBody(body: string, headers = "{}"): string {
  return `interactions:
- request: {method: GET, uri: "${url}/a", body: null, headers: {}}
  response:
    status: {code: 200, message: OK}
    headers: ${headers}
    body: ${body}
version: 1
`;
}

describe("a cassette of VCR.py", () => {
  it("replays all requests", async () => {
    const cassette = await openCassette(await readVcr(recordingIn("vcrpy.yaml")));
    const clock = fakeClock({ autoAdvance: true });
    const session = new APISession({ url, fetch: cassette, clock, logger: silentLogger });

    const books = await session.get("books", { params: { page: 1 } });
    assertEquals(await books.json(), [book]);
    assertEquals(
      books.headers.get("link"),
      '</books?page=2>; rel="next", </books?page=9>; rel="last"',
    );
    assertEquals(books.headers.getSetCookie().length, 2);
    const added = await session.post<{ id: number; access_token: string }>("books", {
      json: { tags: ["a", "b"], title: "Grün" },
      convJson: true,
    });
    assertEquals(added.id, 8);
    await session.post("login", { data: { password: "another one", user: "ada" } });
    await session.put("cover.png", { content: new Uint8Array(cover) });
    const read = await (await session.get("cover.png")).arrayBuffer();
    assertEquals([...new Uint8Array(read)], cover);
    assertEquals(await session.get("zipped", { convJson: true }), { zipped: true });
    assertEquals(await (await session.get("number")).text(), "1e3");
    assertEquals(await session.get("null", { convJson: true }), null);
    assertEquals(await (await session.get("old")).text(), "1e3");
    assertEquals(await session.get("jobs/1", { convJson: true }), { state: "done" });
    const error = await assertRejects(() => session.get("missing"), NotFoundError);
    assertEquals(error.body, "<p>no such page: Größe</p>");
    assertEquals((await session.delete("books/7")).status, 204);
    cassette.assertDone();
  });

  it("replays the responses that httpx has written", async () => {
    const cassette = await openCassette(await readVcr(recordingIn("vcrpy_httpx.yaml")));
    const session = new APISession({ url, fetch: cassette, logger: silentLogger });

    assertEquals(await session.get("books", { params: { page: 1 }, convJson: true }), [book]);
    const added = await session.post<{ id: number }>("books", {
      json: { title: "Grün" },
      convJson: true,
    });
    assertEquals(added.id, 8);
    cassette.assertDone();
  });

  it("has its secrets removed", async () => {
    const yaml = recordingIn("vcrpy.yaml");
    const text = JSON.stringify(redactCassette(await readVcr(yaml)));

    for (const secret of ["token-1a2b-3c4d", "s-4711", "hopper", "token-8c4d-5e0a"]) {
      assert(yaml.includes(secret), secret);
      assert(!text.includes(secret), secret);
    }
  });

  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  const bodies: readonly (readonly [string, string, string, object])[] = [
    ["no body", "null", "{}", {}],
    ["no text", "{string: null}", "{}", {}],
    ["an empty mapping, as of aiohttp", "{}", "{}", {}],
    ["text", "{string: 'a: b'}", "{}", { text: "a: b" }],
    ["text that looks like a number", "{string: 0x1F}", "{}", { text: "0x1F" }],
    ["text that looks like a boolean", "{string: yes}", "{}", { text: "yes" }],
    ["text without a mapping", "'a'", "{}", { text: "a" }],
    ["bytes", '{string: !!binary "/wA="}', "{}", { base64: "/wA=" }],
    ["bytes without a mapping", '!!binary "/wA="', "{}", { base64: "/wA=" }],
    ["bytes of Ruby and old versions", "{base64_string: /wA=}", "{}", { base64: "/wA=" }],
    ["text of Python 2", "{string: !!python/unicode 'a'}", "{}", { text: "a" }],
    [
      "gzip",
      `{string: !!binary "${base64(gzipSync("zipped"))}"}`,
      "{content-encoding: [gzip]}",
      { text: "zipped" },
    ],
    [
      "brotli",
      `{string: !!binary "${base64(brotliCompressSync("zipped"))}"}`,
      "{Content-Encoding: [br]}",
      { text: "zipped" },
    ],
    ["text that was decoded", "{string: 'plain'}", "{Content-Encoding: [br]}", { text: "plain" }],
  ];
  for (const [name, body, headers, recorded] of bodies) {
    it(`has a response body that is ${name}`, async () => {
      const { response } = (await readVcr(withBody(body, headers))).interactions[0]!;
      assertEquals(response, { status: 200, statusText: "OK", headers: {}, ...recorded });
    });
  }

  it("may have parts that are written once, and used in several places", async () => {
    const { interactions } = await readVcr(`
interactions:
- request: &id001 {method: GET, uri: "${url}/a", body: null, headers: {Accept: ['*/*']}}
  response: &id002 {status: {code: 200, message: OK}, headers: {}, body: {string: a}}
- {request: *id001, response: *id002}
`);
    assertEquals(interactions[0], interactions[1]);
  });

  it("may be JSON", async () => {
    const interaction = {
      request: { method: "GET", uri: `${url}/a`, body: null, headers: {} },
      response: { status: { code: 200, message: "OK" }, headers: {}, body: { string: "a" } },
    };
    const text = JSON.stringify({ version: 1, interactions: [interaction] });
    assertEquals((await readVcr(text)).interactions[0]?.response.text, "a");
  });

  it("may be one of Ruby", async () => {
    const { request, response } = (await readVcr(`---
http_interactions:
- request:
    method: post
    uri: ${url}/books
    body:
      encoding: UTF-8
      string: '{"title":"Indigo"}'
    headers:
      Content-Type:
      - application/json
  response:
    status:
      code: 201
      message: Created
    headers:
      Content-Type:
      - text/plain
    body:
      encoding: ASCII-8BIT
      base64_string: |
        b25lIHR3
        bw==
  recorded_at: Sun, 22 Nov 2026 12:00:00 GMT
recorded_with: VCR 6.2.0
`)).interactions[0]!;

    assertEquals([request.method, request.json], ["POST", { title: "Indigo" }]);
    assertEquals([response.status, response.text], [201, "one two"]);
  });

  it("may be one of Ruby with text that is not ASCII", async () => {
    const login = base64(Buffer.from('{"name":"Jörg","password":"größer-4711"}'));
    const { request, response } = (await readVcr(`---
http_interactions:
- request:
    method: post
    uri: ${url}/login
    body:
      encoding: UTF-8
      string: !binary |-
        ${login.slice(0, 40)}
        ${login.slice(40)}
    headers:
      X-Name:
      - !binary |-
        ${base64(Buffer.from("Jörg"))}
  response:
    status: {code: 200, message: OK}
    headers: {Content-Encoding: [gzip]}
    body:
      encoding: ASCII-8BIT
      string: !binary ${base64(gzipSync("zipped"))}
`)).interactions[0]!;

    assertEquals(request.json, { name: "Jörg", password: "größer-4711" });
    assertEquals(request.headers["x-name"], "Jörg");
    assertEquals(response.text, "zipped");
    const text = JSON.stringify(
      redactCassette({ version: 1, interactions: [{ request, response }] }),
    );
    assert(!text.includes("größer-4711"), text);
  });

  it("may have quoted text whose lines begin at the column of the key", async () => {
    const { request, response } = (await readVcr(`interactions:
  - request:
      body: '{"rules": [{"operator": "eq", "terms": ["it''s"],
      "type": "ipv4"}], # "name": "Test",

      "all": false}'
      headers: {
        X-First: ["a
        b", 'c
  d'], X-Plain: it's one, X-Escaped: "e\\\\
        f: \\"g\\" [{
          h"}
      method: "\\
   PUT"
      uri: ${url}/a
    response:
      status: {code: 200, message: OK}
      headers: {}
      body:
        string: >-
          'not quoted
          at all
        encoding:
        - 'in a list
        too'
  - request: {method: GET, uri: "${url}/b", body: null, headers: {}}
    response: {status: {code: 200, message: "OK
    then"}, headers: {}, body: {string: 'a
    b'}}
`)).interactions[0]!;

    assertEquals(
      [request.text].flat(),
      [
        '{"rules": [{"operator": "eq", "terms": ["it\'s"], "type": "ipv4"}], # "name": "Test",',
        '"all": false}',
      ],
    );
    assertEquals(request.headers, {
      "x-first": ["a b", "c d"],
      "x-plain": "it's one",
      "x-escaped": 'e\\ f: "g" [{ h',
    });
    assertEquals(request.method, "PUT");
    assertEquals(response.text, "'not quoted at all");
  });

  it("is read in linear time, however many texts are indented too little", async () => {
    const read = (count: number) =>
      readVcr(`interactions:
- request: {method: GET, uri: "${url}/a", body: null, headers: {}}
  response:
    status: {code: 200, message: OK}
    body: {string: a}
    headers:
${
        Array.from({ length: count }, (_, index) => `      X-${index}:\n      - 'a\n      b'\n`)
          .join("")
      }`);
    await assertLinearGrowth(read, 100, 3000);
  });

  it("may have a body that is a value, as aiohttp records it", async () => {
    const requestWith = async (body: string, headers = "{}") => {
      const text = withBody("{}").replace(
        "body: null, headers: {}",
        `body: ${body}, headers: ${headers}`,
      );
      const { request } = (await readVcr(text)).interactions[0]!;
      return request.json ?? request.text;
    };
    const form = "{Content-Type: application/x-www-form-urlencoded}";

    assertEquals(
      await requestWith("{title: Indigo, year: 2026, tags: [a, 'yes', '7'], on: true, none: null}"),
      { title: "Indigo", year: 2026, tags: ["a", "yes", "7"], on: true, none: null },
    );
    assertEquals(await requestWith("[1, a]"), [1, "a"]);
    assertEquals(await requestWith("{string: a, id: 1}"), { string: "a", id: 1 });
    assertEquals(
      await requestWith("{title: A & B, tag: [x, '007']}", form),
      "title=A+%26+B&tag=x&tag=007",
    );
  });

  it("replays a request of aiohttp", async () => {
    const cassette = await openCassette(
      await readVcr(
        withBody("{string: ok}").replace("body: null", "body: {title: Indigo, year: 2026}")
          .replace("GET", "POST"),
      ),
    );
    const session = new APISession({ url, fetch: cassette, logger: silentLogger });

    const response = await session.post("a", { json: { year: 2026, title: "Indigo" } });
    assertEquals(await response.text(), "ok");
  });

  it("has text of httpx in UTF-8, also if the server sent another charset", async () => {
    const { response } = (await readVcr(`interactions:
- request: {method: GET, uri: "${url}/a", body: '', headers: {}}
  response:
    content: Größe
    headers: {Content-Type: ['text/plain; charset=iso-8859-1']}
    status_code: 200
`)).interactions[0]!;

    assertEquals(response.headers["content-type"], "text/plain; charset=utf-8");
    assertEquals(response.text, "Größe");
  });

  it("is refused if it is something else", async () => {
    const wrong = [
      ["a: [", "it is not YAML"],
      ["a: 1", "it has no interactions"],
      ["[]", "it has no interactions"],
      ["interactions: [1]", "interactions[0] must have a request and a response"],
      [
        "interactions: [{request: {}, response: {}}]",
        "request must have a method, beside its headers",
      ],
      [withBody("a").replace("GET", "''"), "request must have a method"],
      [withBody("a").replace(url, "/"), "request must have a full uri"],
      [withBody("a").replace("body: a", "body: 'a"), "it is not YAML"],
      [withBody("!binary '*'"), "it is not YAML"],
      [withBody("a").replace("200", "abc"), "must have a status code"],
      [
        withBody('{string: !!binary "AAA="}', "{content-encoding: [compress]}"),
        "cannot be decoded",
      ],
    ];
    for (const [text, problem] of wrong) {
      const error = await assertRejects(() => readVcr(text!), CassetteError);
      assertEquals(error.reason, "invalid");
      assert(error.message.includes(problem!), error.message);
    }
  });
});
