import { after, assert, assertEquals, before, describe, it } from "#test";
import { silentLogger } from "../../../src/testing/mod.ts";
import {
  json,
  type LiveClient,
  type LiveSdk,
  type Received,
  startLiveSdk,
} from "../support/live_sdk.ts";

const text = { type: "string" };
const texts = { type: "array", items: text };
const file = { type: "string", format: "binary" };
const point = { type: "object", properties: { x: { type: "integer" }, y: { type: "integer" } } };
const responses = { 200: { content: { "application/json": { schema: { type: "object" } } } } };

/** The fields of both forms. */
const fields = {
  title: text,
  tags: texts,
  days: texts,
  words: texts,
  list: texts,
  place: point,
  size: point,
  where: point,
  count: { type: "integer" },
  isOpen: { type: "boolean" },
};

const encoding = {
  days: { style: "form", explode: false },
  words: { style: "pipeDelimited" },
  list: { contentType: "application/json" },
  place: { style: "deepObject" },
  size: { explode: true },
};

const formOf = (type: string, properties: object, encoding: object) => ({
  required: true,
  content: { [type]: { schema: { type: "object", properties, required: ["title"] }, encoding } },
});

const document = {
  paths: {
    "/form": {
      post: {
        tags: ["forms"],
        operationId: "sendFields",
        requestBody: formOf("application/x-www-form-urlencoded", fields, {
          ...encoding,
          title: { allowReserved: true },
        }),
        responses,
      },
    },
    "/parts": {
      post: {
        tags: ["forms"],
        operationId: "sendParts",
        requestBody: formOf("multipart/form-data", {
          ...fields,
          photo: file,
          scans: { type: "array", items: file },
        }, {
          ...encoding,
          title: { contentType: "text/markdown" },
          photo: {
            contentType: "image/png, image/jpeg",
            headers: { "X-Width": { required: true, schema: { type: "integer" } } },
          },
          scans: { headers: { "X-Width": { schema: texts }, "Content-Type": { schema: text } } },
        }),
        responses,
      },
    },
    "/files/{name}": {
      parameters: [{ name: "name", in: "path", required: true, schema: text }],
      put: {
        tags: ["files"],
        operationId: "upload",
        requestBody: { required: true, content: { "application/octet-stream": { schema: file } } },
        responses: { 204: { description: "" } },
      },
      get: {
        tags: ["files"],
        operationId: "download",
        responses: { 200: { content: { "application/octet-stream": { schema: file } } } },
      },
    },
  },
};

const values = {
  title: "a/b&c é",
  tags: ["a", "b,c"],
  days: ["mo", "tu"],
  words: ["x", "y z"],
  list: ["p", "q"],
  place: { x: 1, y: 2 },
  size: { x: 3, y: 4 },
  where: { x: 5, y: 6 },
  count: 7,
  isOpen: true,
};

/** A part of a multipart body. */
interface Part {
  readonly name: string;
  /** The name of a file. */
  readonly filename?: string;
  readonly value: string;
  /** The other headers. */
  readonly headers: readonly string[];
}

/** Reads a multipart body, with the headers of its parts. */
function partsOf({ headers, text }: Received): Part[] {
  const boundary = /boundary=(.+)$/.exec(headers["content-type"]!)![1]!;
  return text.split(`--${boundary}`).slice(1, -1).map((part) => {
    const [head = "", value = ""] = part.slice(2, -2).split("\r\n\r\n");
    const [disposition = "", ...others] = head.split("\r\n");
    const name = /; name="([^"]*)"/.exec(disposition)![1]!;
    const filename = /; filename="([^"]*)"/.exec(disposition)?.[1];
    return { name, value, headers: others, ...filename !== undefined && { filename } };
  });
}

describe("the body of a generated method", () => {
  let sdk: LiveSdk;
  let client: LiveClient;
  const stored = new Map<string, Uint8Array<ArrayBuffer>>();
  before(async () => {
    sdk = await startLiveSdk(document, {}, ({ method, url, body }, response) => {
      if (method === "PUT") {
        stored.set(url, new Uint8Array(body));
        response.writeHead(204).end();
      } else if (method === "GET") {
        const found = stored.get(url);
        const headers = { "content-type": "application/octet-stream" };
        response.writeHead(found === undefined ? 404 : 200, headers).end(found);
      } else json(response, 200, {});
    });
    client = sdk.client({ logger: silentLogger });
  });
  after(async () => {
    await sdk?.stop();
  });

  it("has the fields of a form in their styles, and objects as JSON", async () => {
    await client["forms"]!["sendFields"]!(values);
    const { text, headers } = sdk.requests.at(-1)!;
    assert(headers["content-type"]!.startsWith("application/x-www-form-urlencoded"));
    const pairs = text.split("&");
    assert(pairs.includes("title=a/b%26c%20%C3%A9"), text);
    assert(pairs.includes("days=mo,tu"), text);
    assertEquals([...new URLSearchParams(text)].sort(), [
      ["count", "7"],
      ["days", "mo,tu"],
      ["isOpen", "true"],
      ["list", '["p","q"]'],
      ["place[x]", "1"],
      ["place[y]", "2"],
      ["tags", "a"],
      ["tags", "b,c"],
      ["title", "a/b&c é"],
      ["where", '{"x":5,"y":6}'],
      ["words", "x|y z"],
      ["x", "3"],
      ["y", "4"],
    ]);
    await client["forms"]!["sendFields"]!({ title: "a", place: undefined, where: undefined });
    assertEquals(sdk.requests.at(-1)!.text, "title=a");
  });

  it("has the parts of a multipart form in their styles, with their names, types and headers", async () => {
    const photo = new File(["png"], "a.png", { type: "image/png" });
    const scans = [new File(["1"], "1.pdf", { type: "application/pdf" }), new Blob(["2"])];
    await client["forms"]!["sendParts"]!({ ...values, photo, scans }, {
      "X-Width": 640,
      "X-Width_scans": ["a", "b"],
    });
    const received = sdk.requests.at(-1)!;
    const plain = (name: string, value: string): Part => ({ name, value, headers: [] });
    const typed = (name: string, value: string, type: string, ...others: string[]): Part => ({
      name,
      value,
      headers: [`Content-Type: ${type}`, ...others],
    });
    const fileOf = (filename: string, part: Part): Part => ({ ...part, filename });
    const byName = (a: Part, b: Part) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
    assertEquals(partsOf(received).sort(byName), [
      plain("count", "7"),
      plain("days", "mo,tu"),
      plain("isOpen", "true"),
      typed("list", '["p","q"]', "application/json"),
      fileOf("a.png", typed("photo", "png", "image/png", "X-Width: 640")),
      plain("place[x]", "1"),
      plain("place[y]", "2"),
      fileOf("1.pdf", typed("scans", "1", "application/pdf", "X-Width: a,b")),
      fileOf("file", typed("scans", "2", "application/octet-stream", "X-Width: a,b")),
      plain("tags", "a"),
      plain("tags", "b,c"),
      typed("title", "a/b&c é", "text/markdown"),
      typed("where", '{"x":5,"y":6}', "application/json"),
      plain("words", "x|y z"),
      plain("x", "3"),
      plain("y", "4"),
    ]);
    assertEquals(received.headers["content-length"], String(received.body.length));

    await client["forms"]!["sendParts"]!({ title: "a", photo, scans }, { "X-Width": 1 });
    const [, second, third] = partsOf(sdk.requests.at(-1)!);
    assertEquals([second!.headers[1], third!.headers[1]], ["X-Width: 1", undefined]);
  });

  it("can be bytes, a Blob or a stream, which are downloaded as they are", async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
    const bodies = {
      bytes,
      blob: new Blob([bytes]),
      stream: () => new Blob([bytes]).stream(),
    };
    for (const [name, body] of Object.entries(bodies)) {
      assertEquals(await client["files"]!["upload"]!(name, body), undefined);
      assertEquals(
        sdk.requests.at(-1)!.headers["content-type"],
        "application/octet-stream",
      );
      const response: unknown = await client["files"]!["download"]!(name);
      assert(response instanceof Response);
      assertEquals(new Uint8Array(await response.arrayBuffer()), bytes);
    }
  });

  it("has its own type if the document states a media range that it is in", async () => {
    const operation = (range: string) => ({
      tags: ["files"],
      requestBody: { required: true, content: { [range]: { schema: file } } },
      responses,
    });
    const ranges = await startLiveSdk({
      paths: {
        "/image": { post: { operationId: "image", ...operation("image/*") } },
        "/any": { post: { operationId: "any", ...operation("*/*") } },
      },
    });
    try {
      const files = ranges.client({ logger: silentLogger })["files"]!;
      const png = new Blob(["a"], { type: "image/png" });
      await files["image"]!(png);
      await files["any"]!(png);
      await files["image"]!(new Blob(["a"], { type: "text/csv" }));
      await files["image"]!(new Uint8Array(1));
      assertEquals(ranges.requests.map(({ headers }) => headers["content-type"]), [
        ...["image/png", "image/png", "application/octet-stream", "application/octet-stream"],
      ]);
    } finally {
      await ranges.stop();
    }
  });

  it("has dates and bigints converted in all fields", async () => {
    const date = { type: "string", format: "date-time" };
    const event = {
      type: "object",
      properties: { at: date, id: { type: "integer", format: "int64" } },
    };
    const properties = { at: date, event, events: { type: "array", items: event }, tags: event };
    const encoding = {
      events: { contentType: "application/json" },
      tags: { style: "deepObject" },
    };
    const operation = (type: string, more: object) => ({
      tags: ["forms"],
      requestBody: {
        content: {
          [type]: { schema: { type: "object", properties: { ...properties, ...more } }, encoding },
        },
      },
      responses,
    });
    const dated = await startLiveSdk({
      paths: {
        "/a": {
          post: { operationId: "form", ...operation("application/x-www-form-urlencoded", {}) },
          put: { operationId: "parts", ...operation("multipart/form-data", { file }) },
        },
      },
    }, { dates: true, bigint: true });
    try {
      const forms = dated.client({ logger: silentLogger })["forms"]!;
      const at = "2026-11-20T10:00:00.000Z";
      const json = { at: new Date(at), id: 3n };
      const body = { at: new Date(at), event: json, events: [json], tags: { ...json, id: 4n } };
      const sent = [
        ["at", at],
        ["event", `{"at":"${at}","id":3}`],
        ["events", `[{"at":"${at}","id":3}]`],
        ["tags[at]", at],
        ["tags[id]", "4"],
      ];
      await forms["form"]!(body);
      assertEquals([...new URLSearchParams(dated.requests.at(-1)!.text)].sort(), sent);
      await forms["parts"]!(body);
      assertEquals(
        partsOf(dated.requests.at(-1)!).map(({ name, value }) => [name, value]).sort(),
        sent,
      );
      await forms["form"]!({ at: new Date(at) });
      assertEquals(dated.requests.at(-1)!.text, `at=${encodeURIComponent(at)}`);
    } finally {
      await dated.stop();
    }
  });

  it("has no field that only the prototype of its object has", async () => {
    const date = { type: "string", format: "date-time" };
    const point = { type: "object", properties: { at: date } };
    const properties = { title: text, toString: date, constructor: point, valueOf: texts };
    const encoding = { valueOf: { style: "pipeDelimited" } };
    const operation = (type: string, more: object, required: boolean) => ({
      tags: ["forms"],
      requestBody: {
        required,
        content: {
          [type]: { schema: { type: "object", properties: { ...properties, ...more } }, encoding },
        },
      },
      responses,
    });
    const form = "application/x-www-form-urlencoded";
    const odd = await startLiveSdk({
      paths: {
        "/a": {
          post: { operationId: "form", ...operation(form, {}, false) },
          patch: { operationId: "needed", ...operation(form, {}, true) },
          put: { operationId: "parts", ...operation("multipart/form-data", { file }, true) },
        },
      },
    }, { dates: true });
    try {
      const forms = odd.client({ logger: silentLogger })["forms"]!;
      const at = "2026-11-20T10:00:00.000Z";
      const all = {
        ...{ title: "a", toString: new Date(at), constructor: { at: new Date(at) } },
        valueOf: ["b", "c"],
      };
      const sent = [
        ["constructor", `{"at":"${at}"}`],
        ["title", "a"],
        ["toString", at],
        ["valueOf", "b|c"],
      ];
      for (const name of ["form", "needed", "parts"]) {
        const fields = (): string[][] => {
          const received = odd.requests.at(-1)!;
          return name === "parts"
            ? partsOf(received).map(({ name, value }) => [name, value]).sort()
            : [...new URLSearchParams(received.text)].sort();
        };
        await forms[name]!(all);
        assertEquals(fields(), sent, name);
        await forms[name]!({ title: "a" });
        assertEquals(fields(), [["title", "a"]], name);
      }
      await forms["form"]!();
      assertEquals(odd.requests.at(-1)!.text, "");
    } finally {
      await odd.stop();
    }
  });

  it("is not sent if it is optional and left out, also before a required parameter", async () => {
    const parameters = [{ name: "q", in: "query", required: true, schema: text }];
    const multipart = {
      "multipart/form-data": { schema: { type: "object", properties: { file } } },
    };
    const operation = (content: object, more: object = {}) => ({
      tags: ["forms"],
      requestBody: { content, ...more },
      responses,
    });
    const object = { type: "object", properties: { title: text, at: text } };
    const optional = await startLiveSdk({
      paths: {
        "/a": {
          post: { operationId: "alone", ...operation(multipart) },
          put: { operationId: "before", parameters, ...operation(multipart) },
          patch: {
            operationId: "empty",
            parameters,
            ...operation({ "application/json": { schema: object } }, { required: true }),
          },
        },
      },
    });
    try {
      const forms = optional.client({ logger: silentLogger })["forms"]!;
      await forms["alone"]!();
      await forms["before"]!(undefined, { q: "a" });
      await forms["empty"]!(undefined, { q: "a" });
      const sent = optional.requests.map(({ text, headers }) => [text, headers["content-type"]]);
      assertEquals(sent, [["", undefined], ["", undefined], ["{}", "application/json"]]);

      await forms["before"]!({ file: new Blob(["a"]) }, { q: "a" });
      assertEquals(partsOf(optional.requests.at(-1)!).map(({ value }) => value), ["a"]);
    } finally {
      await optional.stop();
    }
  });
});

describe("the result of a generated method", () => {
  it("is read by the status, if the statuses have bodies of several kinds", async () => {
    const job = {
      type: "object",
      required: ["at"],
      properties: { at: { type: "string", format: "date-time" } },
    };
    const jobs = { description: "", content: { "application/json": { schema: job } } };
    const words = { description: "", content: { "text/plain": { schema: text } } };
    const pdf = { description: "", content: { "application/pdf": { schema: file } } };
    const answers: Readonly<Record<string, readonly [status: number, type: string, body: string]>> =
      {
        "/jobs?as=json": [200, "application/json", '{"at":"2026-11-20T10:00:00.000Z"}'],
        "/jobs?as=text": [202, "text/plain", "in a minute"],
        "/files?as=pdf": [200, "application/pdf", "%PDF"],
        "/files?as=json": [202, "application/json", '{"at":"2026-11-20T10:00:00.000Z"}'],
      };
    const parameters = [{ name: "as", in: "query", schema: text }];
    const mixed = await startLiveSdk(
      {
        paths: {
          "/jobs": {
            get: {
              ...{ tags: ["jobs"], operationId: "read", parameters },
              responses: { 200: jobs, 202: words },
            },
          },
          "/files": {
            get: {
              ...{ tags: ["files"], operationId: "read", parameters },
              responses: { 200: pdf, 202: jobs },
            },
          },
        },
      },
      { dates: true },
      ({ url }, response) => {
        const [status, type, body] = answers[url]!;
        response.writeHead(status, { "content-type": type }).end(body);
      },
    );
    try {
      const { jobs, files } = mixed.client({ logger: silentLogger });
      const at = new Date("2026-11-20T10:00:00.000Z");
      assertEquals(await jobs!["read"]!({ as: "json" }), { at });
      assertEquals(await jobs!["read"]!({ as: "text" }), "in a minute");
      assertEquals(await files!["read"]!({ as: "pdf" }), new TextEncoder().encode("%PDF"));
      assertEquals(await files!["read"]!({ as: "json" }), { at });
      assertEquals(mixed.requests.map(({ headers }) => headers["accept"]), [
        ...["application/json, text/plain", "application/json, text/plain"],
        ...["application/pdf, application/json", "application/pdf, application/json"],
      ]);
    } finally {
      await mixed.stop();
    }
  });
});
