import { assert, assertEquals, assertRejects, describe, it } from "#test";
import * as toolkit from "../../mod.ts";
import type * as auth from "../../src/auth/mod.ts";
import { toBox } from "../../src/box/mod.ts";
import { DigestAuth } from "../../src/auth/digest/mod.ts";
import * as errors from "../../src/errors/mod.ts";
import { TunnelRefusal } from "../../src/http/transport/tunnel.ts";
import {
  attr,
  element,
  elements,
  type Fields,
  integer,
  Model,
  model,
  record,
  string,
} from "../../src/models/mod.ts";
import type { StandardSchema } from "../../src/base/standard_schema.ts";
import { startRawServer } from "../support/raw_server.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted } from "../support/scripted.ts";

const { APIError, APISession } = toolkit;
const { ModelError } = errors;

/** A long name, as a hostile server may send it. */
const LONG = "n".repeat(300_000);

/** The same name after characters that control a terminal or reorder a line. */
const HOSTILE = `\x1b[31m\r\n\t\x07\x7f\x9b0m\u2028\u2029\u202e\u200f${LONG}`;

/** A similar text that is valid in a header. */
const HEADER = `\x9b0m\x85${LONG}`;

const request = { method: "GET", url: `https://a.example/${LONG}` };

class Item extends model("item", { id: attr(integer) }, { unknown: "refuse" }) {}
class Shop extends model("shop", {
  name: element(string),
  items: elements(Item),
}, { unknown: "refuse", namespace: "urn:shop" }) {}
class Loose extends model("loose", {}) {}
class Prices extends model("prices", { by: element(record(integer)) }) {}

/** A schema of another library that rejects every value. */
const rejectingSchema: StandardSchema = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: () => ({
      issues: Array.from({ length: 1000 }, () => ({ message: HOSTILE, path: [HOSTILE, 7] })),
    }),
  },
};

/** The options of a call that fails. */
interface FailingCall extends toolkit.RequestOptions {
  readonly path?: string;
  readonly auth?: auth.AuthInput;
}

/** Makes a call with one attempt, which fails. */
async function call(
  answer: Answer,
  { path = "x", ...options }: FailingCall = {},
): Promise<unknown> {
  const session = new APISession({
    url: "https://a.example",
    adapter: scripted(answer),
    retries: 0,
    finalWait: false,
    logger: recordingLogger(),
  });
  return await session.get(path, options);
}

/** Returns a response with a reason phrase that the constructor of `Response` rejects. */
function answerWith(status: number, statusText: string, location?: string): () => Response {
  return () => {
    const headers: Record<string, string> = location === undefined ? {} : { location };
    const response = new Response(null, { status, headers });
    return Object.defineProperty(response, "statusText", { value: statusText });
  };
}

function xml(text: string, charset = ""): () => Response {
  const headers = { "content-type": `application/xml${charset}` };
  return () => new Response(text, { headers });
}

function json(value: unknown): () => Response {
  return () => Response.json(value);
}

const shop = (inside: string) => `<shop xmlns="urn:shop"><name>a</name>${inside}</shop>`;

const places: readonly (readonly [string, () => unknown])[] = [
  ["the reason phrase of a status", () => call(answerWith(500, HOSTILE))],
  [
    "the Location of a redirect",
    () => call(answerWith(302, "", `/${HEADER}`), { followRedirects: false }),
  ],
  ["the title of problem details", () =>
    call(() => {
      const headers = { "content-type": "application/problem+json" };
      return new Response(JSON.stringify({ title: HOSTILE }), { status: 400, headers });
    })],
  ["the URL after a redirect", () => {
    let calls = 0;
    return call(() => calls++ === 0 ? answerWith(302, "", `/${HEADER}`)() : answerWith(400, "")());
  }],
  ["the path of a call that fails", () => call(500, { path: LONG })],
  [
    "the path of a call with too many redirects",
    () => call(answerWith(302, "", "/y"), { path: LONG, maxRedirects: 0 }),
  ],
  ["a path with another scheme", () => call(200, { path: `ftp://${HOSTILE}` })],
  ["a path that leaves the base path", () => call(200, { path: `../${HOSTILE}` })],
  ["a URL that cannot be parsed", () => call(200, { path: `https://${HOSTILE}` })],
  [
    "the content type of a body that is not JSON",
    () =>
      call(() => new Response("<", { headers: { "content-type": HEADER } }), { convJson: true }),
  ],
  [
    "the content type of a body that is neither JSON nor XML",
    () =>
      call(() => new Response("<", { headers: { "content-type": HEADER } }), {
        responseModel: Shop,
      }),
  ],
  [
    "the charset of a content type",
    () => call(xml("<shop/>", `; charset="${HEADER}"`), { responseModel: Shop }),
  ],
  ["the reason of a failed connection", () => call(new toolkit.TransportError(HOSTILE))],
  ["the reason phrase of a proxy", () => call(new TunnelRefusal(502, HOSTILE, []))],
  ["the name of a request option", () => call(200, { [HOSTILE]: 1 })],
  ["the name of a header", () => call(200, { headers: { [HOSTILE]: "1" } })],
  ["a header under a long name", () => call(200, { headers: { [LONG]: "\n" } })],
  ["the name of a parameter", () => call(200, { params: { [HOSTILE]: {} as never } })],
  ["the name of a field in a form", () => call(200, { data: { [HOSTILE]: {} as never } })],
  ["the name of a cookie", () => call(200, { cookies: { [LONG]: "\n" } })],
  ["the status of an error map", () => call(200, { errorMap: { [HOSTILE]: 1 as never } })],
  ["the problems of a Digest challenge", () =>
    call(
      () => {
        const headers = { "www-authenticate": `Digest realm="a", nonce="b", algorithm=${LONG}` };
        return new Response(null, { status: 401, headers });
      },
      { auth: new DigestAuth("ada", "countess") },
    )],
  ["the path and message of a schema", () => call(json([1]), { responseModel: rejectingSchema })],
  [
    "a field that the model does not have, in JSON",
    () => call(json({ name: "a", items: [], [HOSTILE]: 1 }), { responseModel: Shop }),
  ],
  [
    "a name in the path of JSON",
    () => call(json({ by: { [HOSTILE]: "x" } }), { responseModel: Prices }),
  ],
  ["a name in the path of JSON, read directly", () => Prices.fromJson({ by: { [HOSTILE]: "x" } })],
  ["a string instead of a number", () => Item.fromJson({ id: HOSTILE })],
  ["a body that is not JSON", () => Item.fromJson(LONG)],
  ["an element that the model does not have", () => Shop.fromXml(shop(`<${LONG}/>`))],
  [
    "an element that the model does not have, in a response",
    () => call(xml(shop(`<${LONG}/>`)), { responseModel: Shop }),
  ],
  [
    "an attribute that the model does not have",
    () => Shop.fromXml(shop(`<item id="1" ${LONG}="1"/>`)),
  ],
  ["the namespace of an element", () => Shop.fromXml(`<shop xmlns="${LONG}"/>`)],
  [
    "the namespace of a root in a response",
    () => call(xml(`<shop xmlns="${LONG}"/>`), { responseModel: Shop }),
  ],
  ["the names of open elements", () => Loose.fromXml(`<loose><${LONG}><${LONG}><b></${LONG}>`)],
  ["an element that is not closed", () => Loose.fromXml(`<loose><${LONG}>`)],
  ["an end tag without a start", () => Loose.fromXml(`<loose/></${LONG}>`)],
  ["a duplicate attribute", () => Item.fromXml(`<item ${LONG}="1" ${LONG}="2"/>`)],
  [
    "a duplicate attribute of a namespace",
    () => Item.fromXml(`<item xmlns:p="${LONG}" xmlns:q="${LONG}" p:a="1" q:a="2"/>`),
  ],
  ["a prefix that is not declared", () => Item.fromXml(`<${LONG}:item/>`)],
  [
    "a namespace declaration that is not allowed",
    () => Item.fromXml(`<item xmlns:xml="${LONG}"/>`),
  ],
  ["a prefix without a namespace", () => Item.fromXml(`<item xmlns:${LONG}=""/>`)],
  ["an unknown entity", () => Loose.fromXml(`<loose>&${LONG};</loose>`)],
  ["an instruction with a colon", () => Loose.fromXml(`<?a:${LONG} b?><loose/>`)],
  ["a control character in a tag", () => Item.fromXml(`<item\x9b\u202e ${LONG}/>`)],
  ["the result of an errorFunc", () => call(500, { errorFunc: () => HOSTILE })],
];

/** Errors that a caller creates, each with a long message. */
const createdErrors: readonly (readonly [string, () => Error])[] = [
  ["RestwrightError", () => new toolkit.RestwrightError(HOSTILE)],
  ["APIError", () => new APIError(new Response(), { func: () => HOSTILE, request })],
  ["ResponseTooLargeError", () => new errors.ResponseTooLargeError(7, 200, request)],
  ["ItemTooLargeError", () => new errors.ItemTooLargeError(7, 0, request)],
  ["TransportError", () => new toolkit.TransportError(HOSTILE, { request })],
  ["DecodeError", () => new errors.DecodeError(HOSTILE, { response: new Response(), body: "" })],
  ["ValidationError", () =>
    new toolkit.ValidationError(HOSTILE, {
      response: new Response(),
      body: "x",
      issues: [{ path: [HOSTILE], where: HOSTILE, message: HOSTILE }],
    })],
  ["ModelError", () =>
    new ModelError(HOSTILE, {
      model: HOSTILE,
      issues: [{
        code: "type",
        where: HOSTILE,
        path: [HOSTILE],
        expected: HOSTILE,
        message: HOSTILE,
      }],
    })],
  [
    "XmlError",
    () => new errors.XmlError(HOSTILE, { line: 1, column: 1, offset: 0, path: HOSTILE }),
  ],
  ["RedirectError", () => new errors.RedirectError(HOSTILE, 302, request)],
  ["DeadlineExceededError", () => new toolkit.DeadlineExceededError(1)],
  ["PagingError", () => new errors.PagingError(HOSTILE, 1)],
  [
    "PollTimeoutError",
    () =>
      new errors.PollTimeoutError(HOSTILE, { calls: 1, deadline: undefined, lastResult: HOSTILE }),
  ],
  ["SessionStateError", () => new errors.SessionStateError(HOSTILE)],
  ["UnexpectedValueError", () => new toolkit.UnexpectedValueError(HOSTILE, HOSTILE, 10n ** 9999n)],
  ["UnsupportedOptionError", () => new errors.UnsupportedOptionError(HOSTILE, HOSTILE)],
];

/** The characters that a message must not contain: control characters except line breaks and tabs. */
const forbidden = /\r(?!\n)|[^\P{Cc}\t\n\r]|[\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/u;

/** Checks the message and the stack of an error, because a log may show either. */
function assertShort(error: Error): void {
  assert(error.message.length <= 10_001, `${error.message.length}: ${error.message.slice(0, 300)}`);
  assert(!forbidden.test(error.message), JSON.stringify(error.message.slice(0, 600)));
  assert(`${error.stack}`.length < 30_000, `a stack of ${error.stack?.length}`);
}

describe("the message of an error", () => {
  for (const [place, fail] of places) {
    it(`is short and without control characters for ${place}`, async () => {
      const error = await assertRejects(async () => await fail(), toolkit.RestwrightError);
      assertShort(error);
      assert(
        error.message.length < 6000 || place.includes("errorFunc"),
        error.message.slice(0, 300),
      );
      for (let { cause } = error; cause instanceof Error && place !== ""; cause = cause.cause) {
        // The error of an adapter is passed on unchanged.
        if (!(error instanceof toolkit.TransportError)) assertShort(cause);
      }
    });
  }

  for (const [name, make] of createdErrors) {
    it(`is short and without control characters in a ${name} that the caller creates`, () => {
      assertShort(make());
    });
  }

  it("is tested here for every error class that the toolkit exports", () => {
    const classes = Object.values({ ...toolkit, ...errors }).filter((exported) =>
      typeof exported === "function" && exported.prototype instanceof toolkit.RestwrightError
    ) as unknown as (abstract new () => Error)[];
    const all = createdErrors.map(([, make]) => make());
    const unseen = classes.filter((one) =>
      !(one.prototype instanceof APIError) && !all.some((each) => each.constructor === one)
    );
    assertEquals(unseen.map(({ name }) => name), []);
  });

  it("shows a hostile reason phrase escaped and shortened", async () => {
    const error = await assertRejects(
      () => call(answerWith(500, `\x1b[31m${"r".repeat(200)}`)),
      APIError,
    );
    const shown = `\\u001b[31m${"r".repeat(95)}…`;
    assertEquals(error.message, `500 ${shown}: GET https://a.example/x`);
  });

  it("has no terminal escapes from the reason phrase of a real server", async () => {
    const server = await startRawServer((socket) => {
      socket.end("HTTP/1.1 500 \x1b[31mOops\x9b0m\r\nContent-Length: 0\r\n\r\n", "latin1");
    });
    try {
      const session = new APISession({ url: server.url, retries: 0, finalWait: false });
      const error = await assertRejects(() => session.get("x"), toolkit.RestwrightError);
      assertShort(error);
      await session.close();
    } finally {
      await server.stop();
    }
  });

  it("has only the first few problems of a model with 10,000 problems", () => {
    const items = Array.from({ length: 10_000 }, () => ({ [HOSTILE.slice(0, 5000)]: 1 }));
    const error = assertThrowsModelError(() => Shop.fromJson({ name: "a", items }));
    assertShort(error);
    assert(error.message.length < 5000 && error.message.endsWith("more"), error.message);
  });

  it("shows only both ends of a model path that is 100,000 steps deep", () => {
    class Tree extends Model {
      declare readonly next?: Tree;
      static override readonly tag: string = "n";
      static override readonly fields: Fields<Tree> = {
        next: element(() => Tree, { optional: true }),
      };
    }
    let tree: unknown = 7;
    for (let depth = 0; depth < 400; depth++) tree = { next: tree };
    assertShort(assertThrowsModelError(() => Tree.fromJson(tree)));
    const keys = Array.from({ length: 100_000 }, () => LONG);
    const details = { response: new Response(), body: "x", issues: [{ path: keys, message: "m" }] };
    assertShort(new toolkit.ValidationError("it", details));
  });

  it("has an XML element name of 5 MB shortened", async () => {
    const name = "n".repeat(5_000_000);
    const error = await assertRejects(() => Loose.fromXml(`<loose><${name}>`), errors.XmlError);
    assert(error.message.length < 1000 && error.path.length < 200, `${error.message.length}`);
  });

  it("shows short names unchanged", async () => {
    const error = await assertRejects(() => Shop.fromXml(shop("<größe/>")), ModelError);
    assert(error.message.includes("is <größe> in the namespace urn:shop"), error.message);
  });

  it("is short if a property of a box cannot be written", () => {
    const box = toBox({ a: 1 }, { frozen: true }) as Record<string, unknown>;
    let message = "";
    try {
      box[HOSTILE] = 1;
    } catch (error) {
      message = (error as Error).message;
    }
    assert(message.length < 500 && message.includes("frozen") && !forbidden.test(message), message);
  });
});

function assertThrowsModelError(run: () => unknown): errors.ModelError {
  try {
    run();
  } catch (error) {
    if (error instanceof ModelError) return error;
  }
  throw new Error("no ModelError");
}

describe("the data of an error", () => {
  it("has full names in keys, and shortened names in the path", () => {
    const error = assertThrowsModelError(() => Prices.fromJson({ by: { [LONG]: "x" } }));
    assertEquals(error.issues[0]!.path, ["by", LONG]);
    assertEquals(error.issues[0]!.where, `by["${"n".repeat(60)}…"]`);
  });

  it("has at most 100 issues in JSON, with long texts and paths shortened", async () => {
    for (
      const error of [
        await assertRejects(
          () => call(json([1]), { responseModel: rejectingSchema }),
          toolkit.ValidationError,
        ),
        assertThrowsModelError(() =>
          Prices.fromJson({ by: Object.fromEntries([[LONG, "x"], [`${LONG}2`, "y"]]) })
        ),
      ]
    ) {
      const text = JSON.stringify(error);
      assert(text.length < 200_000, `${text.length} characters`);
      assert(JSON.parse(text).issues.length <= 100);
    }
  });
});

describe("an XML error", () => {
  const SECRET = "s3cret";
  const documents: readonly (readonly [string, string, string])[] = [
    [
      "the namespace of a duplicate attribute",
      `<a xmlns:p="${SECRET}" xmlns:q="${SECRET}" p:b="" q:b=""/>`,
      "attribute",
    ],
    ["a namespace that is not allowed", `<a xmlns:xml="${SECRET}"/>`, "xml"],
    ["a namespace for xmlns", `<a xmlns:xmlns="${SECRET}"/>`, "xmlns"],
    ["an entity", `<loose>&${SECRET};</loose>`, "entity"],
    ["an entity in an attribute", `<a b="&${SECRET};"/>`, "entity"],
    ["the version of the declaration", `<?xml version="${SECRET}"?><a/>`, "version"],
    [
      "the encoding of the declaration",
      `<?xml version="1.0" encoding="!${SECRET}"?><a/>`,
      "encoding",
    ],
    ["the value standalone", `<?xml version="1.0" standalone="${SECRET}"?><a/>`, "standalone"],
  ];
  for (const [place, text, named] of documents) {
    it(`names the problem and its position, and shows no content of the document: ${place}`, async () => {
      const error = await assertRejects(() => Loose.fromXml(text), errors.XmlError);
      assert(!`${error.stack}${JSON.stringify(error)}`.includes(SECRET), error.message);
      assert(error.message.includes(named), error.message);
      assert(error.message.includes(`line 1, column ${error.column}`), error.message);
    });
  }

  it("shows the names of elements and attributes", async () => {
    const error = await assertRejects(
      () => Loose.fromXml("<loose><b p:c='1'/></loose>"),
      errors.XmlError,
    );
    assert(error.message.includes("in /loose") && error.message.includes("p:c"), error.message);
  });

  it("shows no namespace of the document if it is from a response", async () => {
    const text = `<shop xmlns="urn:${SECRET}"/>`;
    const error = await assertRejects(
      () => call(xml(text), { responseModel: Shop }),
      toolkit.ValidationError,
    );
    assert(error.message.includes("<shop> in the namespace urn:shop, but it is <shop> in"));
    assert(!`${error.stack}${JSON.stringify(error)}`.includes(SECRET), error.message);
  });
});

describe("the log record of a failed attempt", () => {
  it("is short JSON without control characters, and its values are unchanged", async () => {
    const logger = recordingLogger();
    const answer = () => {
      const headers = { "x-request-id": `\x9b0m${LONG}` };
      return Object.defineProperty(new Response(null, { status: 503, headers }), "statusText", {
        value: HOSTILE,
      });
    };
    const adapter = scripted(answer, new toolkit.TransportError(HOSTILE));
    const session = new APISession({
      url: "https://a.example",
      adapter,
      retries: 1,
      backoff: 0,
      finalWait: false,
      logger,
    });
    await assertRejects(() => session.get(LONG), toolkit.TransportError);
    const records = [...logger.messages("warn"), ...logger.messages("error")];
    assertEquals(records.length, 2);
    for (const record of records) {
      assert(record.length < 20_000, `${record.length} characters`);
      assert(!forbidden.test(record), record.slice(0, 300));
      assertEquals(JSON.parse(record).attempt > 0, true);
    }
    for (const record of logger.messages("debug")) assert(!forbidden.test(record));
    assert(JSON.parse(records[0]!).requestId.startsWith("\x9b0mnnn"));
  });
});
