import { assert, assertEquals, describe, it } from "#test";
import type { RequestOptions } from "../../../src/options/request_options.ts";
import { copyOptions, nextOptions } from "../../../src/call/retry/hooks.ts";

describe("the options for the next attempt", () => {
  const before: RequestOptions = {
    params: { a: 1 },
    json: { b: 2 },
    headers: { c: "d" },
    useBase: false,
    redactFields: ["pin"],
    redactValue: "***",
    retryOn: [500],
    convJson: true,
    timeout: 5,
    deadline: 60,
    keepalive: true,
  };

  it("are those that the hook returns", () => {
    const next = nextOptions(before, { ...before, params: { a: 2 }, redactValue: "---" });
    assertEquals(next, { ...before, params: { a: 2 }, redactValue: "---" });
  });

  it("include options of the first attempt that shape the request, even if the hook omits them", () => {
    assertEquals(nextOptions(before, { json: { b: 3 } }), {
      json: { b: 3 },
      useBase: false,
      redactFields: ["pin"],
      redactValue: "***",
      retryOn: [500],
      convJson: true,
      timeout: 5,
      deadline: 60,
    });
  });

  it("are a new object: neither argument is changed", () => {
    const returned = Object.freeze({ json: 1 });
    nextOptions(Object.freeze({ ...before }), returned);
    assertEquals(returned, { json: 1 });
  });

  it("include an option that shapes the request, even if the hook returns undefined for it", () => {
    const next = nextOptions({ redactFields: ["pin"] }, { json: 1, redactFields: undefined });
    assertEquals(next.redactFields, ["pin"]);
  });
});

describe("a copy of the options that a hook may change", () => {
  it("has deep copies of plain objects and arrays", () => {
    const options = {
      params: { tag: ["a", "b"] },
      json: { deep: [{ a: 1 }] },
      redactFields: ["pin"],
    };
    const copy = copyOptions(options) as unknown as {
      params: { tag: string[] };
      json: { deep: { a: number }[] };
      redactFields: string[];
    };
    assertEquals<unknown>(copy, options);
    copy.params.tag.push("c");
    copy.json.deep[0]!.a = 2;
    copy.redactFields.length = 0;
    assertEquals(options, {
      params: { tag: ["a", "b"] },
      json: { deep: [{ a: 1 }] },
      redactFields: ["pin"],
    });
  });

  it("has the same bodies, headers and other objects of a class", () => {
    const options: RequestOptions = {
      content: new Blob(["a"]),
      headers: new Headers(),
      params: new URLSearchParams("a=1"),
      signal: new AbortController().signal,
      json: { when: new Date(0), by: new (class Author {})() },
    };
    const copy = copyOptions(options);
    assert(copy.content === options.content);
    assert(copy.headers === options.headers);
    assert(copy.params === options.params);
    assert(copy.signal === options.signal);
    const [json, original] = [copy.json, options.json] as Record<string, unknown>[];
    assert(json !== original && json!["when"] === original!["when"]);
    assert(json!["by"] === original!["by"]);
  });

  it("has a mutable copy of a frozen object", () => {
    const copy = copyOptions(Object.freeze({ params: Object.freeze({ a: 1 }) }));
    assertEquals([Object.isFrozen(copy), Object.isFrozen(copy.params)], [false, false]);
  });

  it("has one copy of an object that occurs twice or contains itself", () => {
    const shared = { a: 1 };
    const json: Record<string, unknown> = { one: shared, two: shared };
    json["self"] = json;
    const copy = copyOptions({ json }).json as Record<string, unknown>;
    assert(copy["one"] === copy["two"] && copy["one"] !== shared);
    assert(copy["self"] === copy);
  });

  it("keeps objects without a prototype, and a key named __proto__", () => {
    const json: unknown = JSON.parse('{"__proto__":{"a":1}}');
    const copy = copyOptions({ json, params: Object.create(null) });
    assertEquals(JSON.stringify(copy.json), '{"__proto__":{"a":1}}');
    assertEquals(Object.getPrototypeOf(copy.params), null);
  });
});
