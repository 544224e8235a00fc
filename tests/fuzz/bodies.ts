/** Targets for the bodies of responses: JSON, and the formats of streams. */
import { assert, assertEquals, assertInstanceOf } from "#test";
import { DecodeError } from "../../src/entries/errors.ts";
import { ItemTooLargeError } from "../../src/errors/mod.ts";
import {
  jsonArray,
  ndjson,
  type ServerSentEvent,
  sse,
  type StreamCall,
  type StreamFormat,
} from "../../src/streams/mod.ts";
import { byBytes, readAll, type ReadItems, responseOf, sessionOf } from "../support/streamed.ts";
import { type FuzzTarget, fuzzTarget } from "./fuzz_target.ts";
import { bodiesLike, type BodyInput, bytesIn, chunksOf } from "./inputs.ts";

/** The result of parsing a text as JSON; undefined if it is not JSON. */
function jsonIn(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8 without a byte order mark; undefined if it is not valid. */
function utf8In(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const jsonParts = [
  ...["{", "}", "[", "]", ":", ",", '"', "\\", '"a"', "1", "-", ".", "e", "1e999", "null", "true"],
  ...["\\u0000", "\\ud800", " ", "\n", '"items":', '{"a":[1,2]}', "[[]]", '"__proto__"', "//"],
];
const jsonSeeds = [
  '{"items":[{"id":1,"name":"Ada \\"A\\" é"},{"id":2.5e3}],"next":null}',
  '[1,-0.5,"a","\\u00e9\\ud83d\\ude00",null,true,[],{}]',
  '{"total":2,"data":{"items":[{"a":[1,{"b":"]"}]},"}{",[]]},"more":[1]}',
];

const json = fuzzTarget("json", bodiesLike(jsonSeeds, jsonParts), async (body) => {
  const text = new TextDecoder().decode(bytesIn(body));
  const expected = text === "" ? { value: null } : jsonIn(text);
  const session = sessionOf(() => new Response(bytesIn(body)));
  try {
    assertEquals(await session.get("x", { convJson: true }), expected?.value);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    assertEquals(expected, undefined);
    assertEquals(error.body, text);
    assert(error.message.length < 500, error.message);
  }
});

/** A call whose response is read as a stream. A session would take more time than most inputs. */
const call: StreamCall = {
  request: { method: "GET", url: "https://api.example.com/x" },
  toTransportError: (error) => error,
  errorDetails: (response, body) => ({ response, body }),
  errorsInItems: false,
  maxRetryAfter: null,
  errorOf: () => Promise.resolve(undefined),
  retry: (error) => Promise.reject(error),
  reopen: () => Promise.reject(new Error("no connection is opened again")),
  wait: () => Promise.resolve(),
  end: () => {},
};

/** Reads a body in chunks, and checks that the chunks do not matter, and the class of the error. */
async function readAny<T>(
  format: StreamFormat<AsyncIterable<T>>,
  body: BodyInput,
): Promise<ReadItems<T>> {
  const bytes = bytesIn(body);
  const read = async (chunks: Uint8Array[]) =>
    await readAll(await format.stream(responseOf(chunks), call));
  const whole = await read([bytes]);
  const others = [chunksOf(body)];
  if (bytes.length < 200) others.push(byBytes(bytes));
  for (const chunks of others) {
    const { items, error } = await read(chunks);
    assertEquals(items, whole.items);
    assertEquals(String(error), String(whole.error));
  }
  const { error } = whole;
  assert(
    error === undefined || error instanceof DecodeError || error instanceof ItemTooLargeError,
    String(error),
  );
  assert(String(error).length < 500, String(error));
  return whole;
}

/** A limit for items that many inputs exceed. */
const limit = { maxItemLength: 20 };

const jsonArrays = fuzzTarget("json-array", bodiesLike(jsonSeeds, jsonParts), async (body) => {
  for (const pointer of ["", "/items", "/data/items"]) {
    await readAny(jsonArray(pointer, limit), body);
    const { items, error } = await readAny(jsonArray(pointer), body);
    const text = utf8In(bytesIn(body));
    const parsed = text === undefined ? undefined : jsonIn(text);
    if (parsed === undefined) {
      // Outside of the array, the text is only skipped. In it, each element is JSON.
      if (error === undefined) assert(items.every((item) => item !== undefined));
      continue;
    }
    // Of two members with the same name, JSON.parse returns the last one.
    if (pointer !== "" && /"(?:items|data)"[^]*"(?:items|data)"/.test(text!) || /\\u/.test(text!)) {
      continue;
    }
    const found = pointer.split("/").slice(1).reduce<unknown>(
      (value, name) => Object(value)[name],
      parsed.value,
    );
    if (Array.isArray(found)) assertEquals({ items, error }, { items: found, error: undefined });
    else assertInstanceOf(error, DecodeError);
  }
});

const lines = fuzzTarget(
  "ndjson",
  bodiesLike(['{"a":1}\n[2,"\\n"]\r\n\n"é"\n', "1\n2\n3"], [...jsonParts, "\n", "\r\n", "\r"]),
  async (body) => {
    await readAny(ndjson(limit), body);
    const { items, error } = await readAny(ndjson(), body);
    const text = utf8In(bytesIn(body));
    const expected: unknown[] = [];
    let isValid = text !== undefined;
    for (const line of (text ?? "").split("\n").filter((each) => /[^\t\r ]/.test(each))) {
      const parsed = jsonIn(line);
      isValid &&= parsed !== undefined;
      if (!isValid) break;
      expected.push(parsed!.value);
    }
    if (text !== undefined) assertEquals(items, expected);
    assertEquals(error === undefined, isValid);
  },
);

/** Reads a stream of events as the HTML standard describes it (section 9.2.6). */
function eventsIn(text: string): ServerSentEvent[] {
  const events: ServerSentEvent[] = [];
  let [id, event, data]: [string, string, string[]] = ["", "", []];
  let newRetry: number | undefined;
  // Text after the last line break is not a line.
  for (const line of text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/).slice(0, -1)) {
    if (line === "") {
      if (data.length > 0) {
        events.push({ event: event || "message", data: data.join("\n"), id, retry: newRetry });
        newRetry = undefined;
      }
      [event, data] = ["", []];
      continue;
    }
    const [, name, value = ""] = /^([^:]*)(?:: ?([^]*))?$/.exec(line)!;
    if (name === "event") event = value;
    else if (name === "data") data.push(value);
    else if (name === "id" && !value.includes("\0")) id = value;
    else if (name === "retry" && /^\d+$/.test(value)) {
      newRetry = Math.min(Number(value) / 1000, 86_400);
    }
  }
  return events;
}

/** Returns the length of the longest data of an event together with one more of its lines. */
function largestIn(text: string): number {
  const events = text.replaceAll("\r\n", "\n").split(/[\r\n]{2}/);
  return Math.max(...events.map((event) => {
    const lines = event.split(/[\r\n]/);
    const data = lines.filter((line) => line.startsWith("data"));
    return data.join("\n").length + Math.max(...lines.map((line) => line.length));
  }));
}

const events = fuzzTarget(
  "sse",
  bodiesLike(
    [
      "event: a\ndata: 1\ndata:2\nid: 7\n\n: comment\ndata\n\nretry: 500\ndata: é\n\n",
      "data: [DONE]\r\n\r\n",
    ],
    [
      "data",
      "data:",
      "data: ",
      "event: ",
      "id: ",
      "retry: ",
      "9",
      ":",
      " ",
      "\n",
      "\r",
      "\r\n",
      "\n\n",
    ],
  ),
  async (body) => {
    const { items, error } = await readAny(sse(), body);
    assertEquals(error, undefined);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytesIn(body));
    const expected = eventsIn(text);
    assertEquals(items, expected);

    // The limit is for data; the line that is read counts, too, if it comes in several chunks.
    const first = expected.findIndex(({ data }) => data.length > limit.maxItemLength);
    for (const chunks of [[bytesIn(body)], chunksOf(body)]) {
      const limited = await readAll(await sse(limit).stream(responseOf(chunks), call));
      assertEquals(limited.items, expected.slice(0, limited.items.length));
      const isCut = limited.items.length < expected.length;
      if (isCut || limited.error !== undefined) {
        assertInstanceOf(limited.error, ItemTooLargeError);
        assert(largestIn(text) > limit.maxItemLength, "nothing is too long");
      }
      if (first >= 0) assert(limited.items.length <= first, "an event is too long");
    }
  },
);

/** The targets for JSON and streams. */
export const bodyTargets: readonly FuzzTarget[] = [json, jsonArrays, lines, events];
