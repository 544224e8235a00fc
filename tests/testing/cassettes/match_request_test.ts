import { assert, assertEquals, assertRejects, describe, it } from "#test";
import {
  CassetteError,
  type Interaction,
  type MatchRules,
  openCassette,
} from "../../../src/testing/mod.ts";

const url = "https://api.example.com";

type RecordedRequest = Interaction["request"];

type Sent = Partial<Pick<RecordedRequest, "method" | "url">> & {
  readonly headers?: Record<string, string>;
  readonly body?: NonNullable<RequestInit["body"]>;
};

function recordingOf(...requests: Partial<RecordedRequest>[]): Interaction[] {
  return requests.map((request, index) => ({
    request: { method: "POST", url: `${url}/books`, headers: {}, ...request },
    response: { status: 200, headers: {}, json: { index } },
  }));
}

/** Sends a request to a cassette, and returns the index of the recording. */
async function replay(
  interactions: readonly Interaction[],
  { method = "POST", url: address = `${url}/books`, headers = {}, body }: Sent,
  match?: MatchRules,
): Promise<number> {
  const cassette = await openCassette({ version: 1, interactions }, { match });
  const init = {
    method,
    headers,
    redirect: "manual",
    ...(body !== undefined && { body }),
  } as const;
  const { index } = await (await cassette(address, init)).json();
  return index;
}

/** Returns the error of a request that has no recording. */
async function failure(
  interactions: readonly Interaction[],
  sent: Sent,
  match?: MatchRules,
): Promise<CassetteError> {
  return await assertRejects(() => replay(interactions, sent, match), CassetteError);
}

const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json" };

describe("a request matches a recorded one", () => {
  const equal: readonly (readonly [string, Partial<RecordedRequest>, Sent, MatchRules?])[] = [
    ["with the parameters in another order", { url: `${url}/books?a=1&b=2&b=3` }, {
      url: `${url}/books?b=2&b=3&a=1`,
    }],
    ["with another percent-encoding", { url: `${url}/a%20b/%C3%A9?q=a+b` }, {
      url: `${url}/a%20b/é?q=a%20b`,
    }],
    ["with the fragment left out", {}, { url: `${url}/books#top` }],
    ["with the keys of JSON in another order", { json: { a: 1, b: [{ c: null, d: "x" }] } }, {
      body: '{ "b": [{"d": "x", "c": null}], "a": 1.0 }',
    }],
    ["with the fields of a form in another order", { headers: form, text: "a=1&b=x+y" }, {
      headers: form,
      body: "b=x%20y&a=1",
    }],
    ["with a form object", { headers: form, text: "a=1" }, {
      body: new URLSearchParams({ a: "1" }),
    }],
    ["with an empty form and without a body", { headers: form }, {}],
    ["without a body and with an empty form", {}, { body: new URLSearchParams() }],
    ["with the same bytes", { base64: "AP8B" }, { body: new Uint8Array([0, 255, 1]) }],
    ["with the same lines", { text: ["a", "b"] }, { body: "a\nb" }],
    ["with other headers", { headers: { accept: "text/plain" } }, { headers: { accept: "*/*" } }],
    ["with an empty body and without one", {}, { body: "" }],
    ["with a header that is compared", { headers: { range: "bytes=0-9" } }, {
      headers: { range: "bytes=0-9" },
    }, { headers: ["Range"] }],
    ["at another origin, if it is not compared", {}, { url: "http://127.0.0.1:8080/books" }, {
      origin: false,
    }],
    ["with another body, if it is not compared", { text: "a" }, { body: "b" }, { body: false }],
    [
      "with another nonce, if it is ignored",
      {
        url: `${url}/books?nonce=1&a=1`,
        json: { a: [{ Nonce: 1 }] },
      },
      { url: `${url}/books?a=1&nonce=2&nonce=3`, body: '{"a":[{}]}' },
      { ignore: ["nonce"] },
    ],
    ["with any value in place of a placeholder", {
      url: `${url}/keys/REDACTED-1?a=x-REDACTED-2`,
      json: { a: ["REDACTED-3", "REDACTED-4-number"], "of REDACTED-1": 1 },
    }, { url: `${url}/keys/k-1?a=x-y`, body: '{"a":["z",1234],"of k-1":1}' }],
    ["with the same placeholder", { url: `${url}/books?a=REDACTED-2` }, {
      url: `${url}/books?a=REDACTED-2`,
    }],
    ["with any text among placeholders", { text: "REDACTED-1, REDACTED-2 and REDACTED-1" }, {
      body: "a, b and c",
    }],
    ["with any bytes in place of a placeholder", { base64: btoa("\0\xffREDACTED-1\x01") }, {
      body: new Uint8Array([0, 255, 65, 66, 1]),
    }],
  ];
  for (const [name, recorded, sent, match] of equal) {
    it(name, async () => {
      assertEquals(await replay(recordingOf(recorded), sent, match), 0);
    });
  }

  it("with a file, although Bun adds a charset to its type", async () => {
    const disposition = 'form-data; name="file"; filename="a.txt"';
    const boundary = "b-4711";
    const typeOfFile = (type: string) =>
      `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\na\r\n` +
      `--${boundary}--\r\n`;
    for (const recorded of ["text/plain", "text/plain; charset=UTF-8"]) {
      const interactions = recordingOf({
        headers: { "content-type": "multipart/form-data" },
        parts: [{
          headers: { "content-disposition": disposition, "content-type": recorded },
          text: "a",
        }],
      });
      const form = new FormData();
      form.append("file", new File(["a"], "a.txt", { type: "text/plain" }));
      assertEquals(await replay(interactions, { body: form }), 0);
      for (const sent of ["text/plain", "text/plain;charset=utf-8"]) {
        const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
        assertEquals(await replay(interactions, { headers, body: typeOfFile(sent) }), 0);
      }
      const other = { body: typeOfFile("text/html") };
      const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
      await failure(interactions, { headers, ...other });
    }
  });

  it("that is the first one that does", async () => {
    const interactions = recordingOf(
      { json: { page: 1 } },
      { json: { page: 2 } },
      { json: { page: 2 } },
    );
    assertEquals(await replay(interactions, { body: '{"page":2}' }), 1);
  });

  it("that has the same placeholder, if several have one", async () => {
    const interactions = recordingOf(
      { url: `${url}/a?sig=REDACTED-1` },
      { url: `${url}/a?sig=REDACTED-2` },
    );
    assertEquals(await replay(interactions, { url: `${url}/a?sig=REDACTED-2` }), 1);
  });
});

describe("a request does not match a recorded one", () => {
  const different: readonly (readonly [string, Partial<RecordedRequest>, Sent, MatchRules?])[] = [
    ["method", { method: "PUT" }, {}],
    ["origin", { url: "https://api.example.org/books" }, {}],
    ["path", {}, { url: `${url}/books/` }],
    ["path", { url: `${url}/keys/REDACTED-1` }, { url: `${url}/keys/a/b` }],
    ["params", { url: `${url}/books?a=1&a=2` }, { url: `${url}/books?a=2&a=1` }],
    ["params", { url: `${url}/books?a=1` }, {}],
    ["params", { url: `${url}/books?a=REDACTED-1` }, { url: `${url}/books?a=REDACTED-2` }],
    ["body", { json: { a: 1 } }, { body: '{"a":"1"}' }],
    ["body", { json: { a: 2 } }, { body: '{"a":2,"b":2}' }],
    ["body", { json: [1, 2] }, { body: "[2,1]" }],
    ["body", { headers: form, text: "a=1" }, { headers: form, body: "a=2" }],
    ["body", { text: "a" }, { body: "b" }],
    ["body", { base64: "AP8B" }, { body: new Uint8Array([0, 255, 2]) }],
    ["body", { json: { a: "x-REDACTED-1" } }, { body: '{"a":"y-1"}' }],
    ["headers", { headers: { range: "bytes=0-9" } }, {}, { headers: ["range"] }],
  ];
  for (const [part, recorded, sent, match] of different) {
    it(`with another ${part}, which the message shows: ${JSON.stringify(recorded)}`, async () => {
      const error = await failure(recordingOf(recorded), sent, match);

      assertEquals(error.reason, "unmatched");
      assertEquals(error.closest?.url, recorded.url ?? `${url}/books`);
      const [message, ...lines] = error.message.split("\n");
      assertMessage(message!, sent);
      assertEquals(lines[0], `${part}:`);
      assert(lines.some((line) => /^[+-] /.test(line)), error.message);
    });
  }

  function assertMessage(message: string, { url: address = `${url}/books` }: Sent): void {
    assertEquals(
      message,
      `no recording in the value matches POST ${address}. The closest is interactions[0] ` +
        "(- recorded, + sent):",
    );
  }
});

describe("the message of a request without a recording", () => {
  it("shows the closest recorded request, and the lines that differ", async () => {
    const error = await failure(
      recordingOf(
        { method: "GET", url: `${url}/authors?page=1` },
        { headers: json, json: { title: "Indigo", year: 2026, token: "REDACTED-1" } },
        { headers: json, json: { tags: ["x"], authors: ["Ada", "Grace"] } },
      ),
      { headers: json, body: '{"title":"Amber","year":2026,"token":"k-4711-abcd"}' },
    );
    assertEquals(error.message.split("\n").slice(1), [
      "body:",
      "  {",
      '-   "title": "Indigo",',
      '+   "title": "Amber",',
      '    "token": "REDACTED",',
      '    "year": 2026',
      "  }",
    ]);
    assertEquals(error.closest?.json, { title: "Indigo", year: 2026, token: "REDACTED-1" });
  });

  it("shows no secret of the request", async () => {
    const secret = "secret-8c4d-5e0a";
    const error = await failure(recordingOf({ url: `${url}/other`, text: "a" }), {
      url: `${url}/books?api_key=${secret}&echo=${btoa(secret)}`,
      headers: { "x-own": secret, authorization: `Bearer ${secret}` },
      body: JSON.stringify({ password: secret, note: `it is ${secret}` }),
    }, { headers: ["x-own", "authorization"] });

    assert(error.message.includes("api_key=REDACTED"), error.message);
    assert(!error.message.includes(secret), error.message);
    assert(!error.message.includes(btoa(secret)), error.message);
  });

  it("shows only the request if nothing was recorded", async () => {
    const error = await failure([], { method: "GET" });
    assertEquals(error.closest, undefined);
    assertEquals(
      error.message,
      `no recording in the value matches GET ${url}/books: there are none`,
    );
  });
});
