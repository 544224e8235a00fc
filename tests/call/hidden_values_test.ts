/** Searches logs and errors for hidden values, at any depth and in any encoding. */
import { assert, assertRejects, it } from "#test";
import fc from "fast-check";
import type { RequestOptions } from "../../mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { describeGenerations } from "../support/generations.ts";
import { holds, stringOf } from "../support/property.ts";
import { scripted } from "../support/scripted.ts";
import { shownOf } from "../support/shown.ts";

/** A secret between characters that encodings change. No encoding changes the part in the middle. */
interface Secret {
  readonly text: string;
  readonly middle: string;
}

const around = stringOf(
  ...[
    '"',
    "\\",
    "/",
    "<",
    "&",
    "'",
    "+",
    "%",
    "%41",
    " ",
    "=",
    ";",
    "?",
    "#",
    "é",
    "€",
    "🔑",
    "\n",
  ],
);
const secret: fc.Arbitrary<Secret> = fc.tuple(around, fc.integer({ min: 0x100000 }), around)
  .map(([before, number, after]) => {
    const middle = `zq${number.toString(16)}qz`;
    return { text: (before + middle + after).toWellFormed(), middle };
  });

/** The ways in which a server may write a text that it repeats. */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  json: (text) => JSON.stringify(text).slice(1, -1),
  "json with slashes": (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  "json of ascii": (text) =>
    JSON.stringify(text).slice(1, -1).replace(/[^ -;=-~]/g, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
    }),
  percent: encodeURIComponent,
  "percent in lower case": (text) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  form: (text) => new URLSearchParams([["", text]]).toString().slice(1),
  html: (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
  "html with names": (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
  base64: (text) => base64(text),
  base64url: (text) => base64(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
};

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

const secretName = fc.constantFrom(
  ...["password", "PassWord", "user[password]", "password[]", "a.password", "api_token"],
);

/** JSON of any depth. Its secrets are the values of secret names, and all values in these. */
const tree: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(1, null, true, "harmless"),
    fc.array(tie("any"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "passwords"), tie("any"), { maxKeys: 2 }),
    fc.dictionary(secretName, tie("hidden"), { minKeys: 1, maxKeys: 2 }),
  ),
  hidden: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constant("SECRET"),
    fc.array(tie("hidden"), { minLength: 1, maxLength: 2 }),
    fc.dictionary(fc.constantFrom("x", "y"), tie("hidden"), { minKeys: 1, maxKeys: 2 }),
  ),
})).any;

const redactFields = ["password", "API_TOKEN"];

/** A call with a secret. */
interface SecretCall extends RequestOptions {
  readonly path?: string;
}

/** A field with the secret, and JSON in which it is the text `SECRET`. */
interface Field {
  readonly name: string;
  readonly json: unknown;
}

/** The places that a secret can have in a call. */
const places: Readonly<Record<string, (text: string, field: Field) => SecretCall>> = {
  json: (text, { json }) => {
    const written = JSON.stringify([json, { password: "SECRET" }]);
    const sent = written.replaceAll('"SECRET"', () => JSON.stringify(text));
    return { json: JSON.parse(sent), redactFields };
  },
  params: (text, { name }) => ({ params: { [name]: text }, redactFields }),
  "nested params": (text, { name }) => ({
    params: { a: { b: { [name]: [text] } } } as object as NonNullable<RequestOptions["params"]>,
    paramsStyle: { objects: "brackets" },
    redactFields,
  }),
  form: (text, { name }) => ({ data: [["a", "b"], [name, text]], redactFields }),
  ...Object.fromEntries(["percent", "form", "percent in lower case"].map((encoding) => [
    `query (${encoding})`,
    (text: string, { name }: Field) => ({
      path: `x?a=b&${encodeURIComponent(name)}=${encodings[encoding]!(text)}`,
      redactFields,
    }),
  ])),
  "json of a restricted path": (text) => ({ path: "login", json: { any: [{ name: text }] } }),
  "params of a restricted path": (text) => ({ path: "login", params: { any: text } }),
  header: (text) => ({ headers: { "X-Key": text } }),
  token: (text) => ({ headers: { Authorization: `Bearer ${text}` } }),
  password: (text) => ({ auth: ["ada", text] }),
  cookie: (text) => ({ cookies: { sid: text } }),
};

/** Returns a secret as it can be in a place. */
function textFor(place: string, text: string): string {
  if (place === "header") return text.replace(/[^ -~\xa0-\xff]/g, "").trim();
  if (place === "password") return text.replace(/\p{Cc}/gu, "");
  if (place === "cookie") return encodeURIComponent(text);
  return place === "token" ? base64(text) : text;
}

/** Servers that repeat a text in something that errors show, and connections that fail. */
const echoes: Readonly<Record<string, (written: string, url: string) => Response>> = {
  title: (written) => {
    const body = JSON.stringify({ title: `wrong: ${written}!` });
    const headers = { "content-type": "application/problem+json" };
    return new Response(body, { status: 422, headers });
  },
  reason: (written) => new Response(null, { status: 503, statusText: headerText(written) }),
  location: (written) => {
    const headers = { location: `/a/${headerText(written)}?next` };
    return new Response(null, { status: 302, headers });
  },
  body: (written) => new Response(`<${written}`),
  "failure as on Node": (_, url) => {
    throw new TypeError("fetch failed", { cause: new Error(`no way to ${url}`) });
  },
  "failure as on Deno": (_, url) => {
    throw new TypeError(`error sending request for url (${url}): client error (Connect)`);
  },
};

/** Returns a text as a header of a server has it: in UTF-8, which fetch reads as Latin-1. */
function headerText(text: string): string {
  if (/\p{Cc}/u.test(text)) return encodeURIComponent(text);
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

describeGenerations("a hidden value", ({ Session }) => {
  class Api extends Session {
    static override readonly restrictedPaths: readonly string[] = ["login"];
  }

  // contract: keyword-4, req-6, fault-8
  it("is in no log record and no error, at any depth and in any encoding", async () => {
    const call = fc.record({
      hidden: secret,
      place: fc.constantFrom(...Object.keys(places)),
      echo: fc.constantFrom(...Object.keys(echoes)),
      encoding: fc.constantFrom(...Object.keys(encodings)),
      field: fc.record({ name: secretName, json: tree }),
    });
    await holds(
      fc.asyncProperty(call, async ({ hidden, place, echo, encoding, field }) => {
        const text = textFor(place, hidden.text);
        const written = encodings[encoding]!(text);
        const sent = scripted(200);
        const logger = recordingLogger();
        const session = new Api({
          url: "https://api.example.com/v1",
          clock: fakeClock({ autoAdvance: true }),
          retries: 1,
          backoff: 0,
          finalWait: false,
          followRedirects: false,
          logger,
          fetch: async (url, init) => {
            await sent(url, init);
            return echoes[echo]!(written, url);
          },
        });
        const { path = "x", ...options } = places[place]!(text, field);
        const error = await assertRejects(() => session.post(path, { ...options, convJson: true }));
        assert(sent.calls.length > 0, String(error));
        for (const shown of [shownOf(error), logger.messages().join("\n")]) {
          const isClean = !shown.includes(hidden.middle) && !shown.includes(written);
          assert(isClean, `it is shown: ${shown.slice(0, 1000)}`);
        }
      }),
      120,
    );
  });
});
