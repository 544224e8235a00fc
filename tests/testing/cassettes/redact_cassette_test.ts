import { Buffer } from "node:buffer";
import { assert, assertEquals, describe, it } from "#test";
import {
  type CassetteData,
  type Interaction,
  openCassette,
  redactCassette,
  type RedactionOptions,
} from "../../../src/testing/mod.ts";
import { secretsIn } from "../../support/cassette_folder.ts";
import { assertLinearGrowth, assertLinearTime } from "../../support/linear_time.ts";

const url = "https://api.example.com/";

function cassetteOf(
  request: Partial<Interaction["request"]>,
  response: Partial<Interaction["response"]> = {},
): CassetteData {
  return {
    version: 1,
    interactions: [{
      request: { method: "POST", url, headers: {}, ...request },
      response: { status: 200, headers: {}, ...response },
    }],
  };
}

/** Redacts a response body that is text. */
function redactedText(text: string, options?: RedactionOptions): unknown {
  const { text: redacted } =
    redactCassette(cassetteOf({}, { text }), options).interactions[0]!.response;
  return [redacted].flat().join("\n");
}

describe("redaction of a cassette", () => {
  it("hides a secret before the place that shows it, too", () => {
    const data = cassetteOf({ url: `${url}keys/k-4711-8c4d` }, {
      json: { api_key: "k-4711-8c4d", note: "the key k-4711-8c4d" },
    });
    const { request, response } = redactCassette(data).interactions[0]!;

    assertEquals(request.url, `${url}keys/REDACTED-1`);
    assertEquals(response.json, { api_key: "REDACTED-1", note: "the key REDACTED-1" });
  });

  it("does not change its own result, and continues its numbers", () => {
    const first = redactCassette(cassetteOf({ json: { token: "t-1a2b", password: "p & q" } }));
    const { interactions } = cassetteOf({ url: `${url}?token=another` });
    const more = redactCassette({
      version: 1,
      interactions: [...interactions, ...first.interactions],
    });

    assertEquals(redactCassette(first), first);
    assertEquals(more.interactions[0]?.request.url, `${url}?token=REDACTED-3`);
    assertEquals(more.interactions[1], first.interactions[0]);
  });

  it("leaves a cassette without secrets as it is", () => {
    const data = cassetteOf({
      url: `${url}a%20b/c+d?q=x+y&empty=&flag&q=%C3%A9#top`,
      headers: { accept: "*/*", "content-type": "application/x-www-form-urlencoded" },
      text: "a=1+2&b=%20&c",
    }, {
      headers: {
        "content-type": "text/html",
        link: '</books?page=2>; rel="next"',
        location: "/next?page=2",
        "www-authenticate": 'Basic realm="books"',
      },
      text: '<p class="a > b">x &amp; y<br>Basic authentication, token expired</p> <!-- c -->',
    });

    assertEquals(redactCassette(data), data);
  });

  it("does not replace a short secret within other words", () => {
    const options = { secrets: { word: "test" } };
    const text = "latest test, tested; 1test %20test /test/ contest";
    assertEquals(
      redactedText(text, options),
      "latest REDACTED-word, tested; 1test %20REDACTED-word /REDACTED-word/ contest",
    );
    assertEquals(
      redactedText('{"password":"abc","note":"abc"}'),
      '{"password":"REDACTED-1","note":"abc"}',
    );
  });

  it("keeps the names of fields, although a secret is equal to one", () => {
    const data = cassetteOf({ json: { password: "password", password_policy: "password" } });
    assertEquals(redactCassette(data).interactions[0]?.request.json, {
      password: "REDACTED-1",
      password_policy: "password",
    });
  });

  it("hides the value of a name at any depth, and keeps the types", async () => {
    const json = {
      user: { accessToken: [{ value: "a-1", count: 3, on: true, none: null }], id: 7 },
      "user[password]": "x",
      pin: 1234,
    };
    const redacted = redactCassette(cassetteOf({}, { json }), { redactFields: ["PIN"] });
    const replayed = await (await openCassette(redacted))(url, {
      method: "POST",
      headers: {},
      redirect: "manual",
    });

    assertEquals(redacted.interactions[0]?.response.json, {
      user: {
        accessToken: [{ value: "REDACTED-1", count: "REDACTED-2-number", on: true, none: null }],
        id: 7,
      },
      "user[password]": "REDACTED-3",
      pin: "REDACTED-4-number",
    });
    assertEquals(await replayed.json(), {
      user: { accessToken: [{ value: "REDACTED-1", count: 0, on: true, none: null }], id: 7 },
      "user[password]": "REDACTED-3",
      pin: 0,
    });
  });

  const texts: readonly (readonly [name: string, text: string, redacted: string])[] = [
    [
      "JSON that JavaScript would change",
      '{ "id": 12345678901234567890, "token": "x-1", "a": 1, "a": 2.50 }',
      '{ "id": 12345678901234567890, "token": "REDACTED-1", "a": 1, "a": 2.50 }',
    ],
    [
      "lines of JSON",
      '{"id":1,"secret":{"a":["s-1"]}}\ndata: {"id":2,"token":1234}',
      '{"id":1,"secret":{"a":["REDACTED-1"]}}\ndata: {"id":2,"token":"REDACTED-2-number"}',
    ],
    [
      "an event with several lines of data",
      'event: login\ndata: {\ndata:   "password":\ndata:     "hunter2", "card": {\nid: 7\n' +
      'data:"token": 1234 }\ndata\ndata: }\n\ndata: {"secret":4711}\n\n',
      'event: login\ndata: {\ndata:   "password":\ndata:     "REDACTED-1", "card": {\nid: 7\n' +
      'data:"token": "REDACTED-2-number" }\ndata\ndata: }\n\ndata: {"secret":"REDACTED-3-number"}\n\n',
    ],
    [
      "events with other line ends, after a byte order mark",
      '\ufeffdata: {"token":\r\ndata: 1234}\r\n\r\n: x\r\ndata:  {"token":4711}\r\n\r\n' +
      'data: {"token":\rdata: 8 }\r\rdata: {"id":1,\rdata: "secret":99}',
      '\ufeffdata: {"token":\r\ndata: "REDACTED-1-number"}\r\n\r\n: x\r\n' +
      'data:  {"token":"REDACTED-2-number"}\r\n\r\ndata: {"token":\rdata: "REDACTED-3-number" }\r\r' +
      'data: {"id":1,\rdata: "secret":"REDACTED-4-number"}',
    ],
    [
      "XML, text and keys in lines of data",
      "data: <a><password>\ndata: x-1</password>\ndata: </a>\n\n" +
      "data: see /b?token=t-1\ndata: password: p-1\n\n" +
      "data: -----BEGIN PRIVATE KEY-----\ndata: MIIE\ndata: AbC=\ndata: -----END PRIVATE KEY-----\n\n",
      "data: <a><password>\ndata: REDACTED-1</password>\ndata: </a>\n\n" +
      "data: see /b?token=REDACTED-2\ndata: password: REDACTED-3\n\n" +
      "data: -----BEGIN PRIVATE KEY-----\ndata: REDACTED-4\ndata: -----END PRIVATE KEY-----\n\n",
    ],
    [
      "lines of data that are JSON one by one",
      'data: {"token":1234}\ndata: {"token":4711}\n\n',
      'data: {"token":"REDACTED-1-number"}\ndata: {"token":"REDACTED-2-number"}\n\n',
    ],
    [
      "JSON in several lines after a byte order mark",
      '\ufeff{ "token":\n 1234 }',
      '\ufeff{ "token":\n "REDACTED-1-number" }',
    ],
    [
      "JSON in a string of JSON",
      '{"payload":"{\\"token\\":\\"t-1\\"}"}',
      '{"payload":"{\\"token\\":\\"REDACTED-1\\"}"}',
    ],
    [
      "a URL in a text",
      "see https://ada:pass-word@h.example/a?sig=x%2Fy&b=1, or /b?token=t-1",
      "see https://REDACTED-1:REDACTED-2@h.example/a?sig=REDACTED-3&b=1, or /b?token=REDACTED-4",
    ],
    [
      "URLs with other schemes",
      "postgres://ada:p%2Fw@db/x redis://:pw-1@h:1 amqp://a:b-1@h/v wss://a:b-2@h?page=1 " +
      "mongodb+srv://a:b-3@h1,h2/d jdbc:mysql://a:b-4@h s3://bucket/file",
      "postgres://REDACTED-1:REDACTED-2@db/x redis://:REDACTED-3@h:1 " +
      "amqp://REDACTED-4:REDACTED-5@h/v wss://REDACTED-4:REDACTED-6@h?page=1 " +
      "mongodb+srv://REDACTED-4:REDACTED-7@h1,h2/d jdbc:mysql://REDACTED-4:REDACTED-8@h " +
      "s3://bucket/file",
    ],
    [
      "URLs with other schemes in JSON",
      '{"dsn":"postgres://ada:pw-1@db/x"}',
      '{"dsn":"postgres://REDACTED-1:REDACTED-2@db/x"}',
    ],
    [
      "private keys",
      "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nAbC=\n-----END RSA PRIVATE KEY-----\n" +
      "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n" +
      "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nxcLY",
      "-----BEGIN RSA PRIVATE KEY-----\nREDACTED-1\n-----END RSA PRIVATE KEY-----\n" +
      "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n" +
      "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nREDACTED-2",
    ],
    [
      "private keys in JSON",
      '{"key":"-----BEGIN PRIVATE KEY-----\\nMIIE\\nAbC=\\n-----END PRIVATE KEY-----\\n"}',
      '{"key":"-----BEGIN PRIVATE KEY-----\\nREDACTED-1\\n-----END PRIVATE KEY-----\\n"}',
    ],
    [
      "the members of XML-RPC",
      "<struct><member><name>password</name><value><string>x &amp; y</string></value></member>" +
      "<member><name>id</name><value><int>7</int></value></member></struct>",
      "<struct><member><name>password</name><value><string>REDACTED-1</string></value></member>" +
      "<member><name>id</name><value><int>7</int></value></member></struct>",
    ],
    [
      "property lists",
      "<dict><key>authToken</key><string>t-1</string><key>id</key><string>x</string></dict>",
      "<dict><key>authToken</key><string>REDACTED-1</string><key>id</key><string>x</string></dict>",
    ],
    [
      "an Authorization header in a text",
      "you sent: Bearer abc.DEF-123_x",
      "you sent: Bearer REDACTED-1",
    ],
    [
      "an Authorization header in JSON",
      '{"headers":{"Authorization":"Bearer abc.DEF-123_x"}}',
      '{"headers":{"Authorization":"Bearer REDACTED-1"}}',
    ],
    [
      "an element with a prefix, and its children",
      "<a:Credentials xmlns:a='urn:a'><id>x-1</id><a:b c='1'/></a:Credentials><d>y</d>",
      "<a:Credentials xmlns:a='urn:a'><id>REDACTED-1</id><a:b c='1'/></a:Credentials><d>y</d>",
    ],
    [
      "an element that is labelled",
      '<param name="password">x &amp; y</param><input type="hidden" name="token" value="t&#45;1">',
      '<param name="password">REDACTED-1</param>' +
      '<input type="hidden" name="token" value="REDACTED-2">',
    ],
    [
      "pairs of a name and a value",
      '{"fields":[{"name":"api_key","value":"k-1"},{"name":"page","value":"2"}]}',
      '{"fields":[{"name":"api_key","value":"REDACTED-1"},{"name":"page","value":"2"}]}',
    ],
    [
      "GraphQL",
      'mutation { login(name: "ada", password: "x y") { id } }',
      'mutation { login(name: "ada", password: "REDACTED-1") { id } }',
    ],
    [
      "lines of headers and of YAML",
      "Authorization: Bearer abc-123-def\npassword: x1 y\nother: x\n- token: t",
      "Authorization: Bearer REDACTED-1\npassword: REDACTED-2\nother: x\n- token: REDACTED-3",
    ],
    [
      "JavaScript",
      "const config = {'apiKey': 'k-1', \"mode\": 'x', \"secret\": \"\"};",
      "const config = {'apiKey': 'REDACTED-1', \"mode\": 'x', \"secret\": \"\"};",
    ],
  ];
  for (const [name, text, redacted] of texts) {
    it(`finds secrets in ${name}`, () => {
      assertEquals(redactedText(text), redacted);
    });
  }

  const paths: readonly (readonly [pattern: string, path: string, redacted: string])[] = [
    ["/reset/:token", "v1/reset/abc?x=1", "v1/reset/REDACTED-1?x=1"],
    ["/reset/:token", "Reset//abc", "Reset//REDACTED-1"],
    ["/a/reset/:token/*/x", "A///RESET/abc/b//X", "A///RESET/REDACTED-1/b//X"],
    ["/reset/:token", "reset/", "reset/"],
    ["/reset/:token", "resets/abc", "resets/abc"],
    ["/bot:token/*", "bot12:ab%2Fc/getMe", "botREDACTED-1/getMe"],
    ["/hooks/*/:team/:key", "hooks/x/t/k", "hooks/x/REDACTED-1/REDACTED-2"],
  ];
  for (const [pattern, path, redacted] of paths) {
    it(`hides the segments of ${pattern} in ${path}`, () => {
      const data = cassetteOf({ url: url + path }, {
        headers: { location: `/${path}` },
        json: { next: url + path },
      });
      const { request, response } = redactCassette(data, { redactPaths: [pattern] })
        .interactions[0]!;

      assertEquals(request.url, url + redacted);
      assertEquals(response.headers["location"], `/${redacted}`);
      assertEquals(response.json, { next: url + redacted });
    });
  }

  const awkward = [
    "$& $1 \\ ^.*+?()[]{}|",
    'a"b\\c\nd\te',
    "ünï cödé 😀 key",
    "a+b/c=d&e%20f",
    "<xml>&amp;'\"",
    "\ud83d lone surrogate",
    "x".repeat(300),
    "AbCd/+0123456789==",
    "only_letters.and-digits-1906",
  ];
  for (const secret of awkward) {
    it(`finds a secret with these characters in all its forms: ${JSON.stringify(secret)}`, () => {
      const { message } = { message: `it is ${secret}!` };
      const wellFormed = secret.toWellFormed();
      const bytes = Buffer.from(wellFormed);
      const strict = [
        [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
        Array.from(
          { length: wellFormed.length },
          (_, index) => `\\u${wellFormed.charCodeAt(index).toString(16).padStart(4, "0")}`,
        ).join(""),
        [...wellFormed].map((letter) => `&#x${letter.codePointAt(0)!.toString(16)};`).join(""),
        [...wellFormed].map((letter) => `&#${letter.codePointAt(0)};`).join(""),
        [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(":"),
        [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(":").toUpperCase(),
      ];
      const data = cassetteOf({
        url: `${url}a/${encodeURIComponent(wellFormed)}?q=${new URLSearchParams([[
          "",
          wellFormed,
        ]])}`,
        headers: { authorization: `Basic ${Buffer.from(`ada:${wellFormed}`).toString("base64")}` },
        json: { password: wellFormed, message },
      }, {
        headers: { "x-echo": encodeURIComponent(wellFormed) },
        text: [
          bytes.toString("base64"),
          bytes.toString("hex"),
          Buffer.from(`ada:${wellFormed}:x`).toString("base64url"),
          ...strict,
          JSON.stringify({ message }),
        ],
      });
      const redacted = redactCassette(data);

      assertEquals(secretsIn(JSON.stringify(redacted), { secret: wellFormed }), []);
      const shown = [redacted.interactions[0]!.response.text].flat().join("\n");
      assertEquals(strict.filter((each) => shown.includes(each)), []);
    });
  }

  const breaks: readonly (readonly [string, number, string])[] = [
    ["mail and Python", 76, "\r\n"],
    ["PEM", 64, "\n"],
    ["Ruby", 60, "\n"],
    ["indented text", 72, "\n    "],
    ["a string in a script", 76, "\\n"],
    ["a form", 76, "%0D%0A"],
  ];
  for (const [name, length, lineBreak] of breaks) {
    it(`finds a secret in Base64 with the line breaks of ${name}`, () => {
      const known = "the known secret of 1906";
      // Each of the places that the line break can have in the secret.
      for (let before = 20; before < 70; before++) {
        const content = Buffer.from("a".repeat(before) + known + "b".repeat(100));
        const lines = content.toString("base64").replaceAll(
          new RegExp(`.{${length}}(?!$)`, "g"),
          (line) => line + lineBreak,
        );
        const redacted = redactedText(`see: ${lines}\nend`, { secrets: { known } });
        const joined = String(redacted).replaceAll(lineBreak, "").split(/[:\n ]+/)[1]!;
        assert(joined.includes("REDACTED-known"), `${before}: ${redacted}`);
        assert(String(redacted).endsWith("end"));
      }
    });
  }

  it("keeps the line breaks of Base64 without a secret", () => {
    const text = `${"QUJD".repeat(19)}\n${"QUJD".repeat(19)}\nQUJD\nthe end`;
    assertEquals(redactedText(text, { secrets: { known: "known-value-1234" } }), text);
  });

  it("finds a short secret with escaped letters only as a whole word", () => {
    assertEquals(
      redactedText("l\\u0061test %74est, te\\u0073t &#116;ests a=%20%74est", {
        secrets: { word: "test" },
      }),
      "l\\u0061test REDACTED-word, REDACTED-word &#116;ests a=%20REDACTED-word",
    );
  });

  it("puts a secret back in hexadecimal digits with colons", async () => {
    const colons = (text: string) => Buffer.from(text).toString("hex").replace(/..(?!$)/g, "$&:");
    const data = cassetteOf({}, { text: `is ${colons("known-value-1234")}` });
    const redacted = redactCassette(data, { secrets: { known: "known-value-1234" } });
    const cassette = await openCassette(redacted, { secrets: { known: "other" } });
    const response = await cassette(url, { method: "POST", headers: {}, redirect: "manual" });

    assertEquals(redacted.interactions[0]!.response.text, "is REDACTED-known-colons");
    assertEquals(await response.text(), `is ${colons("other")}`);
  });

  it("separates a placeholder from the characters beside it, and puts the value back", async () => {
    const known = "known-value-1234";
    const json = { text: `x${known}y ${known}-hex ${known}` };
    const redacted = redactCassette(cassetteOf({}, { json }), { secrets: { known } });
    const cassette = await openCassette(redacted, { secrets: { known: "other" } });
    const response = await cassette(url, { method: "POST", headers: {}, redirect: "manual" });

    assertEquals(redacted.interactions[0]?.response.json, {
      text: "xREDACTED-known~y REDACTED-known~-hex REDACTED-known",
    });
    assertEquals(await response.json(), { text: "xothery other-hex other" });
  });

  it("replays a JSON Web Token as one without claims, and knows it again", async () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = `${encode({ alg: "HS256" })}.${encode({ sub: "ada" })}.c2lnbmF0dXJl`;
    const { interactions } = cassetteOf({}, { json: { id_token: token } });
    const use = cassetteOf({ headers: { authorization: `Bearer ${token}` }, text: token });
    const redacted = redactCassette({
      version: 1,
      interactions: [...interactions, ...use.interactions],
    });
    const cassette = await openCassette(redacted);
    const init = { method: "POST", headers: {}, redirect: "manual" } as const;
    const { id_token } = await (await cassette(url, init)).json();

    assertEquals(
      redacted.interactions[1]?.request.headers["authorization"],
      "Bearer REDACTED-1-jwt",
    );
    const [head, claims] = String(id_token).split(".");
    const decode = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
    assertEquals([decode(head!), decode(claims!)], [{ alg: "none" }, {}]);
    await cassette(url, { ...init, body: id_token });
    cassette.assertDone();
  });

  it("finds a secret with other letters in bytes, and puts another one back", async () => {
    const [known, other] = ["pässwörd-1906", "größer €"];
    const encode = (text: string) => Buffer.concat([Buffer.from([0, 255]), Buffer.from(text)]);
    const data = cassetteOf({}, { base64: encode(known).toString("base64") });
    const redacted = redactCassette(data, { secrets: { known } });
    const cassette = await openCassette(redacted, { secrets: { known: other } });
    const response = await cassette(url, { method: "POST", headers: {}, redirect: "manual" });

    assertEquals(
      redacted.interactions[0]?.response.base64,
      encode("REDACTED-known").toString("base64"),
    );
    assertEquals(Buffer.from(await response.arrayBuffer()), encode(other));
  });

  const long: readonly (readonly [string, (length: number) => string])[] = [
    ["one word", (length) => "Ab0-".repeat(length / 4)],
    ["quotes", (length) => '" \'token " password= {'.repeat(length / 22)],
    ["tags", (length) => `<a>${"<a b='".repeat(length / 6)}`],
    ["open brackets", (length) => "[".repeat(length)],
    ["lines of JSON", (length) => '{"a":1}\n'.repeat(length / 8)],
    ["lines of data", (length) => 'data: {"a":\n'.repeat(length / 12)],
    ["URLs", (length) => "http://h.example/?a=b&c=%20 ".repeat(length / 28)],
    ["placeholders", (length) => "REDACTED-1-".repeat(length / 11)],
    ["escaped letters", (length) => "%41b\\u0063".repeat(length / 10)],
    ["lines of Base64", (length) => `${"QUJD".repeat(16)}\n`.repeat(length / 65)],
    [
      "private keys without an end",
      (length) => "-----BEGIN PRIVATE KEY-----   ".repeat(length / 30),
    ],
    ["schemes without a URL", (length) => "ab+cd.".repeat(length / 6)],
    ["names of secrets", (length) => "passwordToken".repeat(length / 13) + "=1"],
    ["parts of a secret", (length) => "known".repeat(length / 5)],
  ];
  for (const [name, textOf] of long) {
    it(`takes time that grows with the length of ${name}`, () => {
      assertLinearTime((length) => {
        redactedText(textOf(length), { secrets: { known: "known-value" } });
      });
    });
  }

  it("takes time that grows with the number of secrets", async () => {
    await assertLinearGrowth(
      (count) => {
        const json = Array.from({ length: count }, (_, id) => ({ token: `token-${id}-8c4d-5e0a` }));
        const { response } = redactCassette(cassetteOf({}, { json })).interactions[0]!;
        assertEquals((response.json as { token: string }[]).at(-1), { token: `REDACTED-${count}` });
        return Promise.resolve();
      },
      50,
      2000,
    );
  });

  it("hides cookies both ways, and keeps their names and attributes", () => {
    const data = cassetteOf({ headers: { cookie: 'sid=s-4711-8c4d; q="x y"; empty=' } }, {
      headers: {
        "set-cookie": ["sid=s-4711-8c4d; Path=/a; Expires=Sun, 22 Nov 2026 12:00:00 GMT", "x="],
      },
    });
    const { request, response } = redactCassette(data).interactions[0]!;

    assertEquals(request.headers["cookie"], 'sid=REDACTED-1; q="REDACTED-2"; empty=');
    assertEquals(response.headers["set-cookie"], [
      "sid=REDACTED-1; Path=/a; Expires=Sun, 22 Nov 2026 12:00:00 GMT",
      "x=",
    ]);
  });

  it("hides all headers of a request but harmless ones, and finds those that look like keys", () => {
    const data = cassetteOf({
      headers: {
        accept: "text/plain",
        "x-date": "2026-11-22",
        "x-own": "own-value",
        "x-word": "word",
      },
    }, { text: "own-value of word at 2026-11-22" });
    const { request, response } = redactCassette(data).interactions[0]!;

    assertEquals(request.headers, {
      accept: "text/plain",
      "x-date": "REDACTED-1",
      "x-own": "REDACTED-2",
      "x-word": "REDACTED-3",
    });
    assertEquals(response.text, "REDACTED-2 of word at 2026-11-22");
  });

  for (const [name, order] of [["little", "utf16le"], ["big", "utf16be"]] as const) {
    it(`finds secrets in XML in UTF-16, ${name} endian`, () => {
      const encode = (text: string) => {
        const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
        return (order === "utf16le" ? bytes : bytes.swap16()).toString("base64");
      };
      const data = cassetteOf({}, { base64: encode("<a><token>tök-1</token><b>é</b></a>") });
      assertEquals(
        redactCassette(data).interactions[0]?.response.base64,
        encode("<a><token>REDACTED-1</token><b>é</b></a>"),
      );
    });
  }

  it("leaves the host as it is, because it can have no upper case", () => {
    const host = "https://acme-corp.example.com";
    const data = cassetteOf({ url: `${host}/a`, headers: { "x-tenant": "acme-corp" } });
    assertEquals(redactCassette(data).interactions[0]?.request.url, `${host}/a`);
  });

  it("corrects the length of a body", () => {
    const headers = { "content-length": "19" };
    const data = cassetteOf({}, { headers, json: { token: "abcdefg" } });
    const { response } = redactCassette(data).interactions[0]!;
    assertEquals(response.headers["content-length"], String('{"token":"REDACTED-1"}'.length));
  });

  it("does not change the value that it is passed", () => {
    const data = cassetteOf({ json: { password: "hopper-1906" } });
    const before = JSON.stringify(data);
    redactCassette(data);
    assertEquals(JSON.stringify(data), before);
  });
});
