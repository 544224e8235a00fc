/** Checks that the signatures of presigned URLs are hidden by default, wherever a URL is shown. */
import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { APIError, type APISession } from "../../mod.ts";
import { signatureParameters, withoutSignatures } from "../../src/http/signed_url.ts";
import { recordingLogger, redactCassette } from "../../src/testing/mod.ts";
import { telemetry } from "../../src/telemetry/mod.ts";
import { redirectTo } from "../support/exchanging.ts";
import { assertLinearTime } from "../support/linear_time.ts";
import { recordTelemetry } from "../support/recorded_telemetry.ts";
import { shownOf } from "../support/shown.ts";
import { startSession } from "../support/start_session.ts";

const secret = "s1gn4tur3";

/** A query of each kind of presigned URL. The values in capital letters are secret. */
const presigned: Readonly<Record<string, string>> = {
  "S3, Signature Version 4":
    `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${secret}%2F20260101%2Feu-west-1%2Fs3%2F` +
    `aws4_request&X-Amz-Date=20260101T000000Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&` +
    `X-Amz-Security-Token=${secret}%2F%2Babc&X-Amz-Signature=${secret}`,
  "S3 Express": `X-Amz-S3session-Token=${secret}&x=1`,
  "S3, Signature Version 2":
    `AWSAccessKeyId=${secret}&Signature=${secret}%2B1%3D&Expires=1767225600`,
  "CloudFront": `Expires=1767225600&Signature=${secret}~&Key-Pair-Id=${secret}`,
  "Google, version 4":
    `X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=${secret}%40x&X-Goog-Signature=${secret}`,
  "Google, version 2": `GoogleAccessId=${secret}&Expires=1767225600&Signature=${secret}`,
  "Azure": `sv=2024-11-04&se=2026-01-01&sr=b&sp=r&sig=${secret}%3D`,
  "with names that are percent-encoded":
    `X%2DAmz%2dSignature=${secret}&%73ig=${secret}&%53%49%47=${secret}`,
  "in lower case": `x-amz-credential=${secret}&x-amz-signature=${secret}&SIG=${secret}`,
};

const file = "https://files.example.com/report.pdf";

/** Returns all that a program can see of a call that fails, and of its log. */
async function shownBy(
  answer: Response | Error,
  call: (session: APISession) => Promise<unknown>,
): Promise<string> {
  const logger = recordingLogger();
  const { session } = startSession([answer], { retries: 1, logger });
  const error = await call(session).then(() => undefined, (reason: unknown) => reason);
  assert(logger.records.length > 0);
  return `${shownOf(error)}\n${logger.messages().join("\n")}`;
}

describe("a presigned URL", () => {
  for (const [kind, query] of Object.entries(presigned)) {
    const url = `${file}?${query}`;
    const places: Readonly<Record<string, () => Promise<string>>> = {
      "as the path of a call": () =>
        shownBy(new Response(null, { status: 503 }), (session) => session.get(url)),
      "as the path, with other redactFields": () =>
        shownBy(
          new Response(null, { status: 503 }),
          (session) => session.get(url, { redactFields: ["pin"] }),
        ),
      "as params": () =>
        shownBy(
          new Response(null, { status: 503 }),
          (session) => session.get(file, { params: new URLSearchParams(query) }),
        ),
      "in a parameter": () =>
        shownBy(
          new Response(null, { status: 503 }),
          (session) => session.get("copy", { params: { from: url, of: encodeURIComponent(url) } }),
        ),
      "in a body": () =>
        shownBy(
          new Response(null, { status: 503 }),
          (session) => session.post("copy", { json: { from: url, deep: [{ to: `see ${url}.` }] } }),
        ),
      "in a body, with other redactFields": () =>
        shownBy(
          new Response(null, { status: 503 }),
          (session) => session.post("copy", { json: { from: url }, redactFields: ["pin"] }),
        ),
      "of a connection that fails": () =>
        shownBy(
          new TypeError(`error sending request for url (${url})`),
          (session) => session.get(url),
        ),
      "that answers a redirect": () => {
        const answers = [redirectTo(url), new Response(null, { status: 404 })];
        const { session } = startSession(answers);
        return session.get("a").then(() => "", (error: unknown) => shownOf(error));
      },
      "that a redirect leads to": () =>
        shownBy(redirectTo(url), (session) => session.get("a", { followRedirects: false })),
      "in problem details": () => {
        const body = JSON.stringify({ title: `no such file: ${url}` });
        const headers = { "content-type": "application/problem+json" };
        return shownBy(new Response(body, { status: 404, headers }), (session) => session.get("a"));
      },
      "in the reason phrase and problem details of a call to it": () => {
        const title = `${[...new URLSearchParams(query).values()].join(" ")} is over`;
        const headers = { "content-type": "application/problem+json" };
        const response = new Response(JSON.stringify({ title }), {
          ...{ status: 403, statusText: title, headers },
        });
        return shownBy(response, (session) => session.get(url));
      },
    };
    for (const [place, shown] of Object.entries(places)) {
      it(`is hidden by default in errors and logs (${kind}) ${place}`, async () => {
        const text = await shown();
        assert(!text.includes(secret), text);
      });
    }

    it(`is hidden by default in spans (${kind})`, async () => {
      const recorded = recordTelemetry();
      try {
        const callMiddleware = [telemetry({ spans: "attempt" })];
        const { session } = startSession([redirectTo(url), 200], { callMiddleware });
        await session.get(url);
        const urls = recorded.spans().map(({ attributes }) => String(attributes["url.full"]));
        assertEquals(urls.length, 2);
        for (const each of urls) {
          assert(each.startsWith(`${file}?`) && !each.includes(secret), each);
        }
      } finally {
        await recorded.stop();
      }
    });

    it(`is hidden by default in cassettes (${kind})`, () => {
      const request = { method: "GET", url, headers: {} };
      const redacted = redactCassette(
        {
          version: 1,
          interactions: [{ request, response: { status: 204, headers: { location: url } } }],
        } as unknown as Parameters<typeof redactCassette>[0],
      );
      assert(!JSON.stringify(redacted).includes(secret), JSON.stringify(redacted));
    });
  }

  it("shows its other parameters, and redactValue for those that are hidden", async () => {
    const logger = recordingLogger();
    const { session } = startSession([404], { redactValue: "***", logger });
    const path = `${file}?X-Amz-Date=1&X-Amz-Signature=${secret}&x=2&xsig=3&signatures=4#sig=5`;
    const error = await assertRejects(() => session.get(path), APIError);
    const shown = `${file}?X-Amz-Date=1&X-Amz-Signature=***&x=2&xsig=3&signatures=4`;
    assertEquals(error.request?.url, shown);
    assertEquals(logger.json("debug")[0]?.["url"], shown);
  });

  it("is sent as it is", async () => {
    const url = `${file}?${presigned["Azure"]}`;
    const { session, transport } = startSession([200]);
    await session.post(url, { json: { from: url } });
    const [{ url: sent, init }] = transport.calls as [typeof transport.calls[number]];
    assertEquals([sent, init.body], [url, JSON.stringify({ from: url })]);
  });
});

describe("the signatures in a text", () => {
  const rows: readonly (readonly [what: string, text: string, shown: string])[] = [
    ["a URL", "https://a/b?sig=x%26y&c=1", "https://a/b?sig=*&c=1"],
    ["an empty value", "?sig=&a=1", "?sig=&a=1"],
    ["a fragment after it", "?sig=x#sig=y", "?sig=*#sig=y"],
    ["a URL in quotes", 'see "https://a/?a=1&sig=x".', 'see "https://a/?a=1&sig=*".'],
    ["JSON", '{"u":"https://a/?sig=x","v":1}', '{"u":"https://a/?sig=*","v":1}'],
    [
      "a URL in a parameter",
      "?u=https%3A%2F%2Fa%3Fsig%3Dx%252Fy%26b%3D1&c=1",
      "?u=https%3A%2F%2Fa%3Fsig%3D*%26b%3D1&c=1",
    ],
    [
      "one that is encoded twice",
      "?u=a%253Fsig%253Dx%252526y%2526b&c",
      "?u=a%253Fsig%253D*%2526b&c",
    ],
    [
      "a name that is encoded",
      "?X%2DAmz%2DSignature=x&%73ig=y&a=1",
      "?X%2DAmz%2DSignature=*&%73ig=*&a=1",
    ],
    ["one in a parameter", "?u=a%3Fx%253D%26%2573ig%3Dy%26b", "?u=a%3Fx%253D%26%2573ig%3D*%26b"],
    ["one that is encoded more than once", "?%252573ig=x&s%69%2567=y", "?%252573ig=*&s%69%2567=*"],
    ["other encoded names", "?%74ig=x&%2573=1&si%=2&%2g=3", "?%74ig=x&%2573=1&si%=2&%2g=3"],
    ["words that look similar", "sig=x ?design=1 &signature-x=2", "sig=x ?design=1 &signature-x=2"],
  ];
  for (const [what, text, shown] of rows) {
    it(`are hidden in ${what}`, () => assertEquals(withoutSignatures(text, "*"), shown));
  }

  it("are hidden for each name of the list, in any case and percent-encoding", () => {
    const encoded = (name: string) =>
      name.replace(/./g, (each) => `%${each.charCodeAt(0).toString(16)}`);
    for (const name of signatureParameters) {
      const first = encoded(name[0]!) + name.slice(1);
      const spellings = [name, name.toUpperCase(), encoded(name), encoded(name.toUpperCase())];
      for (const spelling of [...spellings, encoded(name).toUpperCase(), first]) {
        assertEquals(withoutSignatures(`?a=1&${spelling}=x&b`, "*"), `?a=1&${spelling}=*&b`);
      }
    }
  });

  it("are replaced by the value as it is", () => {
    assertEquals(withoutSignatures("?sig=x", "$&"), "?sig=$&");
  });

  for (
    const unit of [
      "?sig=",
      "&",
      "%3Fsig%3D",
      "%25",
      "%",
      "%2525253F",
      "?sig=x%26",
      "?%73",
      "%2573",
      "&s%25",
    ]
  ) {
    it(`are found in linear time in a hostile text: ${unit}`, () => {
      assertLinearTime((length) => withoutSignatures(unit.repeat(length / unit.length), "*"));
    });
  }
});
