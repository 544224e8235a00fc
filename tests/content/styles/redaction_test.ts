import { APIClient, APIError, type RequestOptions } from "../../../mod.ts";
import { assert, assertEquals, assertRejects, describe, it } from "#test";
import {
  asJson,
  cookie,
  deepObject,
  form,
  pipeDelimited,
  simple,
  spaceDelimited,
  type StyledValue,
} from "../../../src/content/styles/mod.ts";
import { mockTransport } from "../../../src/testing/mock_transport.ts";
import { recordingLogger } from "../../../src/testing/recording_logger.ts";

class Vault extends APIClient {
  static override readonly baseUrl: string = "https://vault.example.com";
  static override readonly redactFields: readonly string[] = ["password", "pin"];

  /** Makes a call that fails with a body, and returns everything that is shown of it. */
  async shown(options: RequestOptions, body = "refused") {
    const logger = recordingLogger();
    const fetch = mockTransport({
      "POST /*": new Response(body, {
        status: 400,
        headers: { "content-type": "application/problem+json" },
      }),
    });
    const vault = this.withOptions({ logger, fetch });
    const error = await assertRejects(
      () => vault._req("POST", "keys", options) as Promise<unknown>,
      APIError,
    );
    const [record] = logger.json("debug");
    return {
      url: error.request!.url,
      params: record!["params"],
      sent: fetch.calls[0]!,
      text: error.message,
      all: `${error.message} ${JSON.stringify(error)} ${logger.messages().join("\n")}`,
    };
  }
}

const secret = { user: "ada", password: "hunter22" };
const vault = new Vault();

describe("a secret in a parameter with a style", () => {
  const hiddenWhole: readonly (readonly [string, StyledValue<"query">])[] = [
    ["form", form(secret, { explode: false })],
    ["spaceDelimited", spaceDelimited(secret)],
    ["pipeDelimited", pipeDelimited(secret)],
    ["json", asJson({ deep: [secret] })],
  ];
  for (const [style, filter] of hiddenWhole) {
    it(`hides the whole parameter in the URL: ${style}`, async () => {
      const { url, sent, all } = await vault.shown({ params: { filter, page: 2 } });
      assert(sent.url.includes("hunter22"), sent.url);
      assertEquals(url, "https://vault.example.com/keys?filter=REDACTED&page=2");
      assert(!all.includes("hunter22"), all);
    });
  }

  it("hides only its field if each field has a key of its own", async () => {
    const { url, params, all } = await vault.shown({
      params: { filter: deepObject(secret), others: form({ pin: 12345, kind: "x" }) },
    });
    assertEquals(
      url,
      "https://vault.example.com/keys?filter%5Buser%5D=ada&filter%5Bpassword%5D=REDACTED" +
        "&pin=REDACTED&kind=x",
    );
    assertEquals(params, {
      filter: { user: "ada", password: "REDACTED" },
      others: { pin: "REDACTED", kind: "x" },
    });
    assert(!all.includes("hunter22") && !all.includes("12345"), all);
  });

  it("is hidden if it is not a string", async () => {
    for (const pin of [12345, 12345n, true]) {
      const { url } = await vault.shown({ params: { a: pipeDelimited({ pin, b: 1 }) } });
      assertEquals(url, "https://vault.example.com/keys?a=REDACTED");
    }
  });

  it("is hidden by the name of the parameter", async () => {
    const { url, params, all } = await vault.shown(
      { params: { pin: form(["1234a", "5678b"]) } },
      "is 1234a?",
    );
    assertEquals([url, params], [
      "https://vault.example.com/keys?pin=REDACTED&pin=REDACTED",
      { pin: "REDACTED" },
    ]);
    assert(!all.includes("1234a"), all);
  });

  it("does not hide parameters without one", async () => {
    const ids = pipeDelimited(["ada", "moss"]);
    const { url, params } = await vault.shown({ params: { ids, filter: asJson({ user: "ada" }) } });
    assertEquals(
      [url, params],
      [
        "https://vault.example.com/keys?ids=ada%7Cmoss&filter=%7B%22user%22%3A%22ada%22%7D",
        { ids: ["ada", "moss"], filter: { user: "ada" } },
      ],
    );
  });

  it("is hidden with the whole query of a restricted path", async () => {
    class Restricted extends Vault {
      static override readonly restrictedPaths: readonly string[] = ["keys"];
    }
    const { url, params } = await new Restricted().shown({
      params: { ids: pipeDelimited(["ada"]) },
    });
    assertEquals([url, params], ["https://vault.example.com/keys?REDACTED", "REDACTED"]);
  });

  const places: readonly (readonly [string, RequestOptions])[] = [
    ["a query", { params: { filter: asJson(secret) } }],
    ["a form", { data: { filter: pipeDelimited(secret) } }],
    ["a header", { headers: { "Accept-Filter": simple(secret) } }],
    ["a cookie", { cookies: { filter: cookie(secret, { explode: false }) } }],
  ];
  for (const [place, options] of places) {
    it(`is replaced in the text of a server that repeats it: in ${place}`, async () => {
      const { text, all } = await vault.shown(options, '{"title":"no hunter22 for ada"}');
      assert(text.includes("no REDACTED for ada"), text);
      assert(!all.includes("hunter22"), all);
    });
  }
});
