import { assertEquals, describe, it } from "#test";
import { APIClient, type HeadersInput, type RequestOptions, voidFormat } from "../../mod.ts";
import { multipart, withProgress } from "../../src/files/mod.ts";
import type { Transport } from "../../src/http/mod.ts";
import { bodyOf, startServer } from "../support/server.ts";

class Api extends APIClient {
  send(options: RequestOptions): Promise<unknown> {
    return this._post("", { ...options, format: voidFormat });
  }
}

const form = new FormData();
form.set("a", "1");
const bytes = new TextEncoder().encode("{}");
async function* chunks(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
const json = { "Content-Type": "application/json" };
const multi = { "content-type": "multipart/form-data" };
const own = { "Content-Type": "text/x-own" };
const blobOf = (type: string) => new Blob(["a"], { type });
const typed = Object.assign(() => chunks(), { type: "image/gif" });
const formType = "multipart/form-data; boundary=…";

/** The body, the headers of the client and of the call, and the content type that a server receives. */
type Row = readonly [string, RequestOptions, HeadersInput, HeadersInput | undefined, string];
const rows: readonly Row[] = [
  ["files win over the client", { files: { a: bytes } }, json, undefined, formType],
  ["FormData wins over the client", { data: form }, json, undefined, formType],
  [
    "a form as a Blob wins over the client",
    { content: multipart({ a: "1" }).toBlob() },
    json,
    undefined,
    formType,
  ],
  [
    "a form as a stream wins over the client",
    { content: multipart({ a: "1" }) },
    json,
    undefined,
    formType,
  ],
  [
    "a typed Blob wins over the client",
    { content: new Blob(["a"], { type: "text/csv" }) },
    json,
    undefined,
    "text/csv",
  ],
  [
    "a function with a type wins over the client",
    { content: Object.assign(() => chunks(), { type: "text/csv" }) },
    json,
    undefined,
    "text/csv",
  ],
  [
    "other forms win over the client",
    { data: { a: 1 } },
    json,
    undefined,
    "application/x-www-form-urlencoded;charset=UTF-8",
  ],
  ["JSON wins over the client", { json: {} }, own, undefined, "application/json"],
  ["a form adds its boundary to the client's type", { data: form }, multi, undefined, formType],
  ["text has the type of the client", { content: "{}" }, json, undefined, "application/json"],
  ["bytes have the type of the client", { content: bytes }, json, undefined, "application/json"],
  [
    "a Blob without a type has that of the client",
    { content: new Blob(["{}"]) },
    json,
    undefined,
    "application/json",
  ],
  ["a stream has the type of the client", { content: chunks }, json, undefined, "application/json"],
  [
    "bytes with progress have the type of the client",
    { content: withProgress(bytes, () => {}) },
    json,
    undefined,
    "application/json",
  ],
  [
    "text with progress has the type of the client",
    { content: withProgress("{}", () => {}) },
    json,
    undefined,
    "application/json",
  ],
  [
    "text with progress is plain text without a client's type",
    { content: withProgress("{}", () => {}) },
    {},
    undefined,
    "text/plain;charset=UTF-8",
  ],
  [
    "the call wins over a typed Blob",
    { content: new Blob(["a"], { type: "text/csv" }) },
    json,
    own,
    "text/x-own",
  ],
  ["the call wins over FormData", { data: form }, json, own, "text/x-own"],
  ["files add their boundary to the call's type", { files: { a: bytes } }, json, multi, formType],
  ["FormData adds its boundary to the call's type", { data: form }, {}, multi, formType],
  [
    "a form as a Blob adds its boundary to the call's type",
    { content: multipart({ a: "1" }).toBlob() },
    {},
    multi,
    formType,
  ],
  [
    "a form as a stream adds its boundary to the call's type",
    { content: multipart({ a: "1" }) },
    {},
    multi,
    formType,
  ],
  [
    "the call's type stays with its own boundary",
    { content: "--b--\r\n" },
    json,
    { "Content-Type": "multipart/form-data; boundary=b" },
    "multipart/form-data; boundary=b",
  ],
  ...([
    ["a Blob in it", blobOf("image/png"), "image/*", "image/png"],
    [
      "a Blob with a parameter",
      blobOf("text/csv;header=present"),
      "text/*",
      "text/csv;header=present",
    ],
    ["any Blob", blobOf("text/csv"), "*/*", "text/csv"],
    ["a Blob that is not in it", blobOf("text/csv"), "image/*", "application/octet-stream"],
    ["a Blob without a type", blobOf(""), "*/*", "application/octet-stream"],
    ["bytes", bytes, "image/*", "application/octet-stream"],
    ["text", "a", "text/*", "text/plain;charset=UTF-8"],
    ["text that is not in it", "a", "image/*", "application/octet-stream"],
    ["text with progress", withProgress("a", () => {}), "*/*", "text/plain;charset=UTF-8"],
    ["a suffix", blobOf("application/geo+json"), "application/*+json", "application/geo+json"],
    ["another suffix", blobOf("text/xml"), "application/*+json", "application/octet-stream"],
    ["a function with a type", typed, "image/*", "image/gif"],
    ["another function", chunks, "image/*", "application/octet-stream"],
  ] as const).map(([what, content, range, expected]): Row => [
    `a range and ${what}`,
    { content },
    json,
    { "Content-Type": range },
    expected,
  ]),
  [
    "a star in a parameter, which is not a range",
    { content: "a" },
    json,
    { "Content-Type": "application/pdf; name*=UTF-8''a.pdf" },
    "application/pdf; name*=UTF-8''a.pdf",
  ],
  ["a range and a form", { data: form }, json, { "Content-Type": "multipart/*" }, formType],
];

describe("the content type of a request", () => {
  for (const [what, body, ofClient, ofCall, expected] of rows) {
    it(`is decided by one rule: ${what}`, async () => {
      const seen: string[] = [];
      const server = await startServer(async (request, response) => {
        await bodyOf(request);
        seen.push(request.headers["content-type"] ?? "none");
        response.end();
      });
      const through: Transport = (url, init) => fetch(url, init);
      try {
        for (const transport of [undefined, through]) {
          const options = { headers: ofClient, ...(transport && { fetch: transport }) };
          const client = new Api({ baseUrl: server.url, ...options });
          await client.send({ ...body, ...(ofCall && { headers: ofCall }) });
        }
      } finally {
        await server.stop();
      }
      const shown = seen.map((type) => type.replace(/(boundary=)"?[^"]{5,}"?$/, "$1…"));
      assertEquals(shown, [expected, expected]);
    });
  }
});
