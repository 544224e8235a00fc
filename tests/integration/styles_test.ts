import { after, assert, assertEquals, before, describe, it } from "#test";
import { APISession, path, type RequestOptions } from "../../mod.ts";
import { multipart } from "../../src/files/mod.ts";
import {
  asJson,
  deepObject,
  form,
  label,
  matrix,
  pipeDelimited,
} from "../../src/content/styles/mod.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { type Httpbin, httpbinMissing, startHttpbin } from "../support/httpbin.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { type StyleExample, styleExamples } from "../support/style_examples.ts";

/** Returns a path with a parameter named `color`, and the options of its request. */
function requestOf({ place, value }: StyleExample): [path: string, options: RequestOptions] {
  return [place === "path" ? path`anything/at${value}` : "anything", {
    params: place === "query" ? { color: value } : undefined,
    headers: place === "header" ? { color: value } : undefined,
    cookies: place === "cookie" ? { color: value } : undefined,
  }];
}

describe("a parameter in a style of OpenAPI, on the wire", () => {
  let server: TestServer;
  let session: APISession;
  before(async () => {
    server = await startServer(({ url, headers }, response) => {
      response.end(JSON.stringify({ url, color: headers["color"], cookie: headers["cookie"] }));
    });
    session = new APISession({ url: server.url, logger: silentLogger });
  });
  after(async () => {
    await session.close();
    await server.stop();
  });

  for (const example of styleExamples) {
    it(`has the bytes of the specification: ${example.name}`, async () => {
      const [target, options] = requestOf(example);
      const request = session.get(target, { ...options, convJson: true });
      const { url, color, cookie } = await request as Record<string, string>;
      const received = {
        query: url!.replace("/anything?", ""),
        path: url!.replace("/anything/at", ""),
        header: color,
        cookie,
      };
      assertEquals(received[example.place], example.text);
    });
  }
});

/** The request as httpbin echoes it. */
interface Echo {
  readonly args: Record<string, string | string[]>;
  readonly headers: Record<string, string>;
  readonly form: Record<string, string | string[]>;
  readonly files: Record<string, string>;
  readonly url: string;
}

describe("a parameter in a style of OpenAPI, as httpbin reads it", () => {
  const missing = httpbinMissing();
  const test = (name: string, body: () => Promise<void>) => it(name, body, { ignore: missing });
  let httpbin: Httpbin;
  let session: APISession;

  before(async () => {
    if (missing !== undefined) return;
    httpbin = await startHttpbin();
    session = new APISession({ url: httpbin.url, logger: silentLogger });
  });
  after(async () => {
    await session?.close();
    await httpbin?.stop();
  });

  /** Reads the pairs of a query or of cookies as httpbin shows them. */
  function pairsOf(text: string): Record<string, string | string[]> {
    const pairs: Record<string, string | string[]> = {};
    for (const [name, value] of new URLSearchParams(text.replaceAll("; ", "&"))) {
      pairs[name] = name in pairs ? [pairs[name]!, value].flat() : value;
    }
    return pairs;
  }

  for (const example of styleExamples) {
    test(`arrives: ${example.name}`, async () => {
      const [target, options] = requestOf(example);
      const echo = await session.get(target, { ...options, convJson: true }) as Echo;
      if (example.place === "query") assertEquals(echo.args, pairsOf(example.text));
      else if (example.place === "header") assertEquals(echo.headers["Color"], example.text);
      else if (example.place === "cookie") assertEquals(echo.headers["Cookie"], example.text);
      else {assertEquals(
          decodeURIComponent(echo.url),
          `${httpbin.url}/anything/at${decodeURIComponent(example.text)}`,
        );}
    });
  }

  test("is one cookie for each element", async () => {
    const { cookies } = await session.get<{ cookies: unknown }>("cookies", {
      cookies: { filter: form({ a: "x y", b: "é" }) },
      convJson: true,
    });
    assertEquals(cookies, { a: "x%20y", b: "%C3%A9" });
  });

  test("keeps its characters", async () => {
    const all = " !\"#$%&'()*+,/:;<=>?@[\\]^`{|}~é𝄞";
    const echo = await session.get<Echo>(path`anything/at${label(all)}${matrix("a", [all])}`, {
      params: { a: form([all, "x"]), b: deepObject({ [all]: all }), c: asJson({ d: all }) },
      convJson: true,
    });
    assertEquals(echo.args, { a: [all, "x"], [`b[${all}]`]: all, c: JSON.stringify({ d: all }) });
    const [start] = echo.url.split("?a=");
    assert(decodeURIComponent(start!).endsWith(`/anything/at.${all};a=${all}`), start);
  });

  test("is a field of a form", async () => {
    const data = { filter: deepObject({ a: "1 2" }), ids: pipeDelimited([3, 4]), b: "1 2" };
    const echo = await session.post<Echo>("anything", { data, convJson: true });
    assertEquals(echo.form, { "filter[a]": "1 2", ids: "3|4", b: "1 2" });
  });

  test("is a part of a form with files", async () => {
    const content = multipart({
      filter: deepObject({ a: "1 2+3" }),
      ids: pipeDelimited([3, 4]),
      tags: ["é", "b"],
      place: { city: "Nice" },
      photo: new File(["png"], "a.png", { type: "image/png" }),
    }, { parts: { tags: { type: "text/csv" } } });
    const options = { content: content.toBlob(), convJson: true } as const;
    const echo = await session.post<Echo>("anything", options);
    assertEquals(echo.form, {
      "filter[a]": "1 2+3",
      ids: "3|4",
      tags: ["é", "b"],
      place: '{"city":"Nice"}',
    });
    assertEquals(echo.files, { photo: "png" });
  });
});
