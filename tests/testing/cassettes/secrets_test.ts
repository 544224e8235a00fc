import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { after, assert, assertEquals, before, describe, it } from "#test";
import { APISession } from "../../../mod.ts";
import { BasicAuth } from "../../../src/auth/mod.ts";
import {
  type Cassette,
  type CassetteOptions,
  openCassette,
  silentLogger,
} from "../../../src/testing/mod.ts";
import { type CassetteFolder, cassetteFolder, secretsIn } from "../../support/cassette_folder.ts";
import { bodyOf, startServer, type TestServer } from "../../support/server.ts";

/** Secrets of the client. Each run of the test program can have others. */
interface ClientSecrets {
  readonly password: string;
  readonly bearer: string;
  readonly cookie: string;
  readonly apiKey: string;
  readonly ownHeader: string;
  readonly userInfo: string;
  readonly query: string;
  readonly pathSegment: string;
  readonly nested: string;
  readonly pin: number;
  readonly form: string;
  readonly multipart: string;
  readonly element: string;
  readonly attribute: string;
  readonly known: string;
}

const recordedSecrets: ClientSecrets = {
  password: 'pass"w&rd/+<é>-7d1f',
  bearer: "bearer.8c4d-5e0a_9b7d~+/==",
  cookie: "cookie-1a2e-6c5f",
  apiKey: "api-key-3f6b-0e8b",
  ownHeader: "own-header-2b9c-4d3a",
  userInfo: "user-info-8f1e-7a6d",
  query: "query key/é?&=5b3c",
  pathSegment: "path-segment-9d2f",
  nested: 'nested \\ "quoted" 4e7b',
  pin: 48151623,
  form: "form & value + 6a1d",
  multipart: "multipart-3c8e-5f2a",
  element: "element <&> 1f9d",
  attribute: "attribute 'x' 7e4c",
  known: "known & by the test 2d6b",
};

const replayedSecrets: ClientSecrets = {
  ...recordedSecrets,
  password: "hopper",
  bearer: "t",
  cookie: "other-cookie",
  apiKey: "test",
  ownHeader: "x",
  userInfo: "ada",
  query: "q & a",
  pathSegment: "1",
  nested: "n",
  pin: 1,
  form: "f",
  multipart: "m",
  element: "<e>",
  attribute: "a",
  known: "of the replay & <more>",
};

/** Secrets of the server. */
const serverSecrets = {
  accessToken: "access/token+of=server-5d1b",
  refreshToken: "refresh-token-8a3f-2c7e",
  sessionCookie: "session-cookie-6b4d",
  signature: "signature%of+URL/9e2c",
  fragment: "fragment-token-1d8f",
  link: "link-signature-7c3a",
  jwt: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLW9mLWp3dA",
  csrf: "csrf-token-4f6e-0b9d",
  event: "event-token-3a7c-1e5f",
  inText: 'in-text "quoted" 9c0d',
  number: "9007199254740993123",
  gzipped: "gzipped-token-5f8a",
  customHeader: "custom-header-token-2e9b",
  reset: "reset-path-0d7c-6f1a",
};

/** Returns all secrets as text. */
function allSecrets(client: ClientSecrets): Record<string, string> {
  const mapped = Object.entries({ ...client, ...serverSecrets });
  return Object.fromEntries(mapped.map(([name, value]) => [name, String(value)]));
}

/** Answers like a server that repeats whatever it was sent, in all ways. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, origin } = new URL(request.url ?? "", `http://${request.headers.host}`);
  const sent = await bodyOf(request);
  const send = (status: number, type: string, body: string | Uint8Array, headers = {}) => {
    response.writeHead(status, { "Content-Type": type, ...headers });
    response.end(body);
  };
  const json = (value: unknown, status = 200, headers = {}) =>
    send(status, "application/json", JSON.stringify(value), headers);
  const { signature, fragment, sessionCookie, link, reset } = serverSecrets;
  const signed = `/files/cover.png?X-Amz-Signature=${encodeURIComponent(signature)}&size=2`;
  switch (pathname) {
    case "/login":
      return json(
        {
          access_token: serverSecrets.accessToken,
          nested: [{ credentials: { refresh: serverSecrets.refreshToken, level: 3 } }],
          message: JSON.stringify({ token: serverSecrets.inText }),
          expires_in: 3600,
        },
        200,
        {
          "Set-Cookie": [`sid=${sessionCookie}; Path=/; HttpOnly`, "theme=dark; Path=/"],
          "X-Auth-Token": serverSecrets.customHeader,
        },
      );
    case "/redirect":
      return send(302, "text/plain", `see ${origin}${signed}`, {
        Location: `${signed}#access_token=${fragment}`,
        Link: `<${origin}${signed}&sig=${link}>; rel="next"`,
      });
    case "/files/cover.png":
      return send(
        200,
        "image/png",
        Buffer.concat([
          Buffer.from([0x89, 0, 1, 2, 255]),
          Buffer.from(`tEXt ${recordedSecrets.apiKey}`),
          Buffer.from([0, 254, 3]),
        ]),
      );
    case "/error":
      return json(
        { title: `not allowed: ${request.headers.authorization}`, sent, path: request.url },
        401,
      );
    case "/encoded": {
      const { known, apiKey } = recordedSecrets;
      return json({
        base64: Buffer.from(known).toString("base64"),
        base64url: Buffer.from(known).toString("base64url"),
        inside: Buffer.from(`ada:${apiKey}`).toString("base64"),
        inside2: Buffer.from(`a:${apiKey}:b`).toString("base64"),
        inside3: Buffer.from(`ad:${apiKey}!`).toString("base64url"),
        hex: Buffer.from(known).toString("hex"),
        upperHex: Buffer.from(known).toString("hex").toUpperCase(),
        url: encodeURIComponent(known),
        form: new URLSearchParams({ known }).toString(),
        words: `the key is ${apiKey}, of course`,
        [`key of ${apiKey}`]: true,
      });
    }
    case "/text":
      return send(
        200,
        "text/plain",
        `token=${serverSecrets.refreshToken} of ${serverSecrets.jwt}\nreset at ${origin}/reset/${reset}`,
      );
    case "/html":
      return send(
        200,
        "text/html",
        `<!doctype html><meta name="csrf-token" content="${serverSecrets.csrf}"><br>` +
          `<form><input type=hidden name="csrf_token" value="${serverSecrets.csrf}"></form>` +
          `<script>const state = {"apiToken": "${serverSecrets.inText.replaceAll('"', '\\"')}"}` +
          "</script><p>open &amp; readable</p>",
      );
    case "/events":
      return send(
        200,
        "text/event-stream",
        `data: {"access_token":"${serverSecrets.event}"}\n\ndata: {"id":2}\n\n`,
      );
    case "/numbers":
      return send(200, "application/json", `{"token": ${serverSecrets.number}, "price": 1e2}`);
    case "/gzip":
      return send(
        200,
        "application/json",
        gzipSync(JSON.stringify({ token: serverSecrets.gzipped })),
        { "Content-Encoding": "gzip" },
      );
    case "/xml":
      return send(
        200,
        "application/xml",
        `<r><Token>${serverSecrets.accessToken}</Token><open note="x">y</open></r>`,
      );
    default:
      return json({ sent: sent.length > 0, path: request.url });
  }
}

/** Sends requests with a secret at each place, and returns the parts of responses that matter. */
async function useSdk(
  cassette: Cassette,
  url: string,
  secrets: ClientSecrets,
): Promise<Record<string, unknown>> {
  const session = new APISession({ url, fetch: cassette, logger: silentLogger, retries: 0 });
  const { headers } = session.httpSession;
  headers.set("X-API-Key", secrets.apiKey);
  headers.set("X-Own", secrets.ownHeader);
  headers.set("Cookie", `own=${secrets.cookie}`);
  const auth = new BasicAuth("ada", secrets.password);
  const login = await session.post<{
    access_token: string;
    nested: [{ credentials: { refresh: string; level: number } }];
    message: string;
    expires_in: number;
  }>("login", {
    auth,
    json: { user: { login: "ada", password: secrets.nested, pin: secrets.pin }, ok: [true, null] },
    convJson: true,
  });
  const bearer = { headers: { authorization: `Bearer ${login.access_token}` } };
  const books = await session.get("books", { ...bearer, convJson: true });
  const redirected = await session.get("redirect", bearer);
  const cover = await redirected.bytes();
  const failed = await session.post("error", {
    headers: { authorization: `Bearer ${secrets.bearer}` },
    params: { api_key: secrets.query, page: 2 },
    content: "say nothing",
  }).catch((error: unknown) => error);
  await session.post(`hooks/${secrets.pathSegment}/send`, { data: { password: secrets.form } });
  await session.post("upload", {
    data: { token: secrets.multipart },
    files: {
      file: new File([`name: ada\nkey: ${secrets.apiKey}`], "a.txt", { type: "text/plain" }),
      binary: new File([new Uint8Array([0, 255, 1])], "b.bin"),
    },
  });
  const escape = (text: string) =>
    text.replace(/[&<>'"]/g, (character) => `&#${character.charCodeAt(0)};`);
  await session.post("soap", {
    headers: { "content-type": "application/xml" },
    content:
      `<?xml version="1.0"?><e:Envelope xmlns:e="urn:e"><e:password>${
        escape(secrets.element)
      }</e:password><user secret='${escape(secrets.attribute)}' id="7"/>` +
      `<token><![CDATA[${secrets.multipart}]]></token></e:Envelope>`,
  });
  await session.post("webhooks", {
    json: { callback: `https://${secrets.userInfo}:${secrets.userInfo}@hooks.example.com/x?a=1` },
  });
  const encoded = await session.post<Record<string, unknown>>("encoded", {
    json: { note: secrets.known },
    convJson: true,
  });
  const texts: Record<string, string> = {};
  for (const name of ["text", "html", "events", "numbers", "gzip", "xml"]) {
    texts[name] = await (await session.get(name)).text();
  }
  await session.close();
  return { login, books, cover, failed, encoded, texts, location: redirected.url };
}

describe("a recorded cassette", () => {
  let server: TestServer;
  let folder: CassetteFolder;
  before(async () => {
    server = await startServer((request, response) => void answer(request, response));
    folder = await cassetteFolder();
  });
  after(async () => {
    await server.stop();
    await folder.remove();
  });

  async function useCassette(mode: CassetteOptions["mode"], secrets: ClientSecrets) {
    const cassette = await openCassette(folder.file("sdk.json"), {
      mode,
      redactPaths: ["/hooks/:hook/send", "/reset/:token"],
      redactFields: ["pin"],
      secrets: { known: secrets.known },
    });
    const result = await useSdk(cassette, server.url, secrets);
    if (mode === "replay") cassette.assertDone();
    await cassette.save();
    return result;
  }

  it("has no secret of any place in any form, and replays with usable values", async () => {
    const recorded = await useCassette("record", recordedSecrets);
    const texts = await folder.texts();
    await server.stop();
    const { login, cover, encoded, texts: bodies, location, failed } = await useCassette(
      "replay",
      replayedSecrets,
    );

    assertEquals(Object.keys(texts), ["sdk.json"]);
    const [text] = Object.values(texts);
    assertEquals(secretsIn(text!, allSecrets(recordedSecrets)), []);
    assert(text!.includes("REDACTED-known-base64"), "the encoding has a name");

    // The recording itself used the real values.
    assertEquals(Object(recorded["login"]).access_token, serverSecrets.accessToken);
    assertEquals(Object(recorded["encoded"]).url, encodeURIComponent(recordedSecrets.known));

    const { access_token, nested, message, expires_in } = Object(login);
    assert(/^REDACTED-\d+$/.test(access_token), String(access_token));
    assert(/^REDACTED-\d+$/.test(JSON.parse(message).token), String(message));
    assertEquals([expires_in, typeof nested[0].credentials.level], [3600, "number"]);
    assert(/[?&]X-Amz-Signature=REDACTED-\d+&size=2$/.test(String(location)));
    assert(Buffer.from(cover as Uint8Array).includes(replayedSecrets.apiKey), "put back in bytes");
    assert(Object(failed).body.includes(replayedSecrets.bearer), "put back in an error");

    const { base64, base64url, hex, upperHex, url, form } = Object(encoded);
    const { known } = replayedSecrets;
    assertEquals(Buffer.from(base64, "base64").toString(), known);
    assertEquals(Buffer.from(base64url, "base64url").toString(), known);
    assertEquals(Buffer.from(hex, "hex").toString(), known);
    assertEquals(Buffer.from(upperHex, "hex").toString(), known);
    assertEquals(decodeURIComponent(url), known);
    assertEquals(new URLSearchParams(form).get("known"), known);
    assertEquals(Object(encoded)[`key of ${replayedSecrets.apiKey}`], true);

    const { html, events, numbers } = bodies as Record<string, string>;
    assert(html!.includes("<p>open &amp; readable</p>"));
    assert(events!.endsWith('data: {"id":2}\n\n'));
    assertEquals(JSON.parse(numbers!).price, 100);
  });
});
