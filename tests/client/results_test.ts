import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStrictEquals,
  assertThrows,
  it,
} from "#test";
import {
  type AnyClient,
  APIEndpoint,
  type APISession,
  type LoginRequests,
  type Path,
  type RequestBase,
  type RequestOptions,
  type SessionOptions,
  TransportError,
  UnexpectedValueError,
} from "../../mod.ts";
import { type BoxAttrs, isBox, unbox } from "../../src/box/mod.ts";
import { DecodeError } from "../../src/entries/errors.ts";
import { describeGenerations, type SessionClass } from "../support/generations.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted, type ScriptedTransport } from "../support/scripted.ts";
import { turn } from "../support/until.ts";

// Results have the type unknown here. tests/types/result_types_test.ts tests their types.

const url = "https://api.example.com";

/** The result options of one level. Values may be invalid. */
interface Results {
  readonly box?: unknown;
  readonly boxAttrs?: unknown;
  readonly convJson?: unknown;
}

/** The levels that can set result options, from the strongest. */
interface Levels {
  readonly request?: Results;
  readonly endpoint?: Results;
  readonly option?: Results;
  readonly field?: Results;
}

/** Defines a session class that makes the protected `_req` public. */
const plainOf = (Session: SessionClass) =>
  class Plain extends Session {
    read(method: string, path: Path, options?: RequestOptions): Promise<unknown> {
      return this._req(method, path, options);
    }
  };

type Plain = InstanceType<ReturnType<typeof plainOf>>;

class Part extends APIEndpoint<APISession> {
  read(method: string, path: Path, options?: RequestOptions): Promise<unknown> {
    return this._req(method, path, options);
  }
}

interface Started {
  readonly adapter: ScriptedTransport;
  readonly clock: FakeClock;
  get(options?: RequestOptions): Promise<unknown>;
  send(method: string, options?: RequestOptions): Promise<unknown>;
}

type Check = (response: Response, options: RequestOptions) => Response | Promise<Response>;

/** Starts a session with scripted answers, or an endpoint of it if the levels have one. */
const starting =
  (Plain: ReturnType<typeof plainOf>) =>
  (levels: Levels, answers: readonly Answer[], check?: Check): Started => {
    const { request = {}, endpoint, option = {}, field } = levels;
    const adapter = scripted(...answers);
    const clock = fakeClock({ autoAdvance: true });
    class Declared extends Plain {
      override readonly _box = field?.box as boolean | undefined;
      override readonly _boxAttrs = field?.boxAttrs as BoxAttrs | undefined;
      override readonly _convJson = field?.convJson as boolean | undefined;
    }
    class Checked extends Declared {
      protected override _respErrorCheck(response: Response, options: RequestOptions) {
        return check!(response, options);
      }
    }
    class DeclaredPart extends Part {
      override readonly _box = endpoint?.box as boolean | undefined;
      override readonly _boxAttrs = endpoint?.boxAttrs as BoxAttrs | undefined;
      override readonly _convJson = endpoint?.convJson as boolean | undefined;
    }
    const Session = check !== undefined ? Checked : field === undefined ? Plain : Declared;
    const options = { url, adapter, clock, logger: recordingLogger(), ...option } as SessionOptions;
    const session = new Session(options);
    const caller = endpoint === undefined ? session : new DeclaredPart(session);
    const send = (method: string, options: RequestOptions = {}) =>
      caller.read(method, "x", { ...request as RequestOptions, ...options });
    return { adapter, clock, send, get: (options) => send("GET", options) };
  };

/** Creates an answer with a body of this content type. */
function answer(body: string | null, type = "application/json"): () => Response {
  return () => new Response(body, { headers: { "content-type": type } });
}

/** Creates an answer whose body breaks off. */
function broken(headers: Record<string, string>): () => Response {
  return () =>
    new Response(
      new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) }),
      { headers },
    );
}

/** Returns the kind of a call's result. Reads raw responses, so that none stays open. */
async function kindOf(call: Promise<unknown>): Promise<string> {
  const value = await call;
  if (value instanceof Response) {
    await value.arrayBuffer();
    return "raw";
  }
  return isBox(value) ? "box" : "json";
}

const flags = [undefined, false, true] as const;
const sources = ["request", "endpoint", "option", "field"] as const;

/** Yields every combination of a flag at the four sources, and the flag that applies. */
function* flagCombinations(): Generator<
  readonly [values: readonly (boolean | undefined)[], holds: boolean]
> {
  for (const request of flags) {
    for (const endpoint of flags) {
      for (const option of flags) {
        for (const field of flags) {
          yield [
            [request, endpoint, option, field],
            request ?? endpoint ?? option ?? field ?? false,
          ];
        }
      }
    }
  }
}

/** Returns levels whose sources set an option to these values. */
function levelsWith(
  name: "box" | "convJson",
  values: readonly (boolean | undefined)[],
  more: Levels = {},
): Levels {
  return Object.fromEntries(
    sources.map((source, at) => [source, { ...more[source], [name]: values[at] }]),
  );
}

describeGenerations("the conversion of a result", ({ Session }) => {
  const start = starting(plainOf(Session));

  // contract: attr-16, keyword-1
  it("box: is set by the request option, else the endpoint, else the session's option or field", async () => {
    for (const [values, holds] of flagCombinations()) {
      const { get } = start(levelsWith("box", values), [answer('{"a":1}')]);
      assertEquals(await kindOf(get()), holds ? "box" : "raw", JSON.stringify(values));
    }
  });

  it("convJson: is set by the request option, else the endpoint, else the session's option or field", async () => {
    for (const [values, holds] of flagCombinations()) {
      const { get } = start(levelsWith("convJson", values), [answer('{"a":1}')]);
      assertEquals(await kindOf(get()), holds ? "json" : "raw", JSON.stringify(values));
    }
  });

  it("resolves box and convJson independently; box takes precedence from any source", async () => {
    for (const weak of sources) {
      for (const strong of sources) {
        const levels: Levels = weak === strong
          ? { [weak]: { box: true, convJson: true } }
          : { [weak]: { box: true }, [strong]: { convJson: true } };
        assertEquals(
          await kindOf(start(levels, [answer("{}")]).get()),
          "box",
          `${weak}, ${strong}`,
        );
        assertEquals(
          await kindOf(start(levels, [answer("{}", "text/html")]).get()),
          "json",
          `${weak}, ${strong}, text/html`,
        );
      }
    }
  });

  it("box: false keeps the convJson of a weaker source", async () => {
    for (const [at, strong] of sources.slice(0, 3).entries()) {
      for (const weak of sources.slice(at + 1)) {
        const levels = { [weak]: { box: true, convJson: true }, [strong]: { box: false } };
        assertEquals(await kindOf(start(levels, [answer("{}")]).get()), "json");
      }
    }
  });

  it("convJson: false keeps box, and leaves other content types raw", async () => {
    const levels = { field: { box: true, convJson: true }, request: { convJson: false } };
    const { get } = start(levels, [answer("{}"), answer("{}", "text/plain")]);
    assertEquals([await kindOf(get()), await kindOf(get())], ["box", "raw"]);
  });

  // contract: attr-17, keyword-2
  it("boxAttrs: are those of the strongest source, without merging", async () => {
    const attrs = [{ default: "?" }, { camelCase: true }, { dots: true }, { frozen: true }];
    for (let subset = 0; subset < 16; subset++) {
      const has = (at: number) => (subset >> at & 1) === 1;
      const levels = Object.fromEntries(
        sources.map((source, at) => [source, has(at) ? { boxAttrs: attrs[at] } : {}]),
      );
      const { get } = start(levels, [answer('{"a_b":{"c":1}}')]);
      const box = await get({ box: true }) as Record<string, unknown>;
      let isFrozen = false;
      try {
        box["d"] = 1;
        delete box["d"];
      } catch {
        isFrozen = true;
      }
      const found = [
        box["missing"] === "?",
        isBox(box["aB"]),
        box["a_b.c"] === 1,
        isFrozen,
      ];
      const holds = sources.findIndex((_, at) => has(at));
      assertEquals(found, sources.map((_, at) => at === holds), `sources ${subset}`);
    }
  });

  // contract: keyword-2
  it("boxAttrs: remove those of a weaker source if they are empty", async () => {
    for (const [at, strong] of sources.slice(0, 3).entries()) {
      for (const weak of sources.slice(at + 1)) {
        const levels: Levels = {
          [weak]: { box: true, boxAttrs: { default: "?" } },
          [strong]: { boxAttrs: {} },
        };
        const box = await start(levels, [answer("{}")]).get() as Record<string, unknown>;
        assertStrictEquals(box["missing"], undefined, `${strong} over ${weak}`);
      }
    }
  });

  // contract: keyword-2
  it("boxAttrs: do not turn on boxes alone", async () => {
    for (const source of sources) {
      const levels = { [source]: { boxAttrs: { frozen: true } } };
      assertEquals(await kindOf(start(levels, [answer("{}")]).get()), "raw", source);
    }
  });

  it("follows the class for every request method of a session and of an endpoint", async () => {
    class Sdk extends Session {
      static override readonly url: string = url;
      override readonly _box = true;
    }
    class All extends APIEndpoint<Sdk> {
      all(): Promise<unknown>[] {
        return [
          this._get("x"),
          this._post("x"),
          this._put("x"),
          this._patch("x"),
          this._delete("x"),
          this._get(),
          this._post(),
        ];
      }
    }
    const sdk = new Sdk({ adapter: scripted(answer('{"a":1}')) });
    const calls: Promise<unknown>[] = [
      sdk.get("x"),
      sdk.post("x"),
      sdk.put("x"),
      sdk.patch("x"),
      sdk.delete("x"),
      ...new All(sdk).all(),
    ];
    for (const call of calls) assertEquals(await kindOf(call), "box");
  });
});

describeGenerations("result options that a class declares", ({ Session }) => {
  const Plain = plainOf(Session);
  const start = starting(Plain);

  class Books extends APIEndpoint<AnyClient> {
    read(options?: RequestOptions): Promise<unknown> {
      return this._get("x", options);
    }
  }

  // contract: attr-18
  it("convJson of the session class makes native data the default", async () => {
    class Sdk extends Session {
      override readonly _convJson = true;
    }
    const sdk = new Sdk({ url, adapter: scripted(answer('{"a":[1]}', "text/plain")) });
    assertEquals<unknown>(await sdk.get("x"), { a: [1] });
  });

  // contract: attr-16
  it("box of the session class makes mapping objects the default, and lists of them too", async () => {
    class Sdk extends Session {
      override readonly _box = true;
    }
    const adapter = scripted(answer('{"a":{"b":1}}'), answer('[{"b":1},2]'));
    const sdk = new Sdk({ url, adapter });
    const box = await sdk.get<{ a: { b: number } }>("x");
    assertEquals([isBox(box), isBox(box.a), box.a.b], [true, true, 1]);
    const list: unknown = await sdk.get("x");
    assert(Array.isArray(list) && isBox(list[0]));
    assertEquals<unknown>(unbox(list), [{ b: 1 }, 2]);
  });

  // contract: attr-18
  it("a session without a subclass takes them as options", async () => {
    const adapter = scripted(answer('{"first_name":"Ada"}'));
    const boxing = new Session({ url, adapter, box: true, boxAttrs: { camelCase: true } });
    const box: unknown = await boxing.get("x");
    assert(isBox(box));
    assertEquals(box["firstName"], "Ada");
    const parsing = await Session.open({ url, adapter, convJson: true });
    assertEquals<unknown>(await parsing.get("x"), { first_name: "Ada" });
  });

  // contract: attr-18
  it("a session without a subclass has its options as fields, or else the contract's defaults", () => {
    const fields = (
      { _box, _boxAttrs, _convJson }: Pick<RequestBase, "_box" | "_boxAttrs" | "_convJson">,
    ) => [_box, _boxAttrs, _convJson];
    assertEquals<unknown>(fields(new Session({ url })), [false, {}, false]);
    const options = { url, box: true, boxAttrs: { dots: true }, convJson: true } as const;
    assertEquals<unknown>(fields(new Session(options)), [true, { dots: true }, true]);
    const undeclared = { url, box: undefined, boxAttrs: undefined, convJson: undefined };
    assertEquals<unknown>(fields(new Session(undeclared)), [false, {}, false]);
  });

  // contract: attr-16
  it("the fields are read at each request", async () => {
    class Switched extends Session {
      override _box: boolean = false;
      override _boxAttrs: BoxAttrs = {};
      override _convJson: boolean = false;
    }
    class SwitchedBooks extends Books {
      override _box: boolean | undefined = undefined;
      override _boxAttrs: BoxAttrs | undefined = undefined;
      override _convJson: boolean | undefined = undefined;
    }
    const session = new Switched({ url, adapter: scripted(answer('{"a":1}')) });
    const books = new SwitchedBooks(session);
    assertEquals(await kindOf(books.read()), "raw");
    session._convJson = true;
    assertEquals(await kindOf(books.read()), "json");
    session._box = true;
    session._boxAttrs = { default: "session" };
    assertEquals((await books.read() as { b: unknown }).b, "session");
    books._boxAttrs = { default: "endpoint" };
    assertEquals((await books.read() as { b: unknown }).b, "endpoint");
    books._box = false;
    assertEquals(await kindOf(books.read()), "json");
    books._convJson = false;
    assertEquals(await kindOf(books.read()), "raw");
    assertEquals(await kindOf(session.get("x")), "box");
    session._box = false;
    session._convJson = false;
    assertEquals(await kindOf(session.get("x")), "raw");
  });

  it("a subclass of a session class can override them", async () => {
    class Base extends Session {
      override readonly _box: boolean = true;
      override readonly _boxAttrs: BoxAttrs = { default: "base" };
    }
    class Same extends Base {}
    class Own extends Base {
      override readonly _boxAttrs: BoxAttrs = { default: "own" };
    }
    class Raw extends Base {
      override readonly _box: boolean = false;
    }
    const adapter = scripted(answer("{}"));
    const missing = async (Session: typeof Base) =>
      (await new Session({ url, adapter }).get("x") as { a: unknown }).a;
    assertEquals(await missing(Base), "base");
    assertEquals(await missing(Same), "base");
    assertEquals(await missing(Own), "own");
    assertEquals(await kindOf(new Raw({ url, adapter }).get("x")), "raw");
  });

  it("box of an endpoint class overrides the session's, for this endpoint only", async () => {
    class Sdk extends Session {
      override readonly _box = true;
      readonly books: RawBooks = new RawBooks(this);
      readonly others: Books = new Books(this);
    }
    class RawBooks extends Books {
      override readonly _box = false;
    }
    const sdk = new Sdk({ url, adapter: scripted(answer("{}")) });
    assertEquals(await kindOf(sdk.books.read()), "raw");
    assertEquals(await kindOf(sdk.books.read({ box: true })), "box");
    assertEquals(await kindOf(sdk.books.read({ convJson: true })), "json");
    assertEquals(await kindOf(sdk.others.read()), "box");
    assertEquals(await kindOf(sdk.get("x")), "box");
  });

  it("a subclass of an endpoint class can override them", async () => {
    class Boxed extends Books {
      override readonly _box: boolean | undefined = true;
      override readonly _boxAttrs: BoxAttrs | undefined = { default: "boxed" };
    }
    class Same extends Boxed {}
    class Own extends Boxed {
      override readonly _boxAttrs: BoxAttrs | undefined = { default: "own" };
    }
    class Asks extends Boxed {
      override readonly _box: boolean | undefined = undefined;
      override readonly _boxAttrs: BoxAttrs | undefined = undefined;
    }
    class Sdk extends Session {
      override readonly _convJson: boolean = true;
      override readonly _boxAttrs: BoxAttrs = { default: "session" };
    }
    const sdk = new Sdk({ url, adapter: scripted(answer("{}")) });
    const missing = async (books: Books) => (await books.read({ box: true }) as { a: unknown }).a;
    assertEquals(await missing(new Same(sdk)), "boxed");
    assertEquals(await missing(new Own(sdk)), "own");
    assertEquals(await missing(new Asks(sdk)), "session");
    assertEquals(await kindOf(new Asks(sdk).read()), "json");
  });

  it("the caller's request options are not modified", async () => {
    const options = Object.freeze({ params: Object.freeze({ a: 1 }) });
    const levels: Levels = { endpoint: { box: true, boxAttrs: { dots: true }, convJson: true } };
    const { adapter } = start({}, [answer("{}")]);
    class Boxed extends Books {
      override readonly _box = true;
      override readonly _boxAttrs = { dots: true } as const;
      override readonly _convJson = true;
    }
    assertEquals(await kindOf(new Boxed(new Plain({ url, adapter })).read(options)), "box");
    assertEquals(options, { params: { a: 1 } });
    assertEquals(adapter.calls[0]!.url, `${url}/x?a=1`);
    assertEquals(await kindOf(start(levels, [answer("{}")]).get()), "box");
  });

  it("the session's override of _req gets those of the endpoint as request options", async () => {
    const seen: unknown[] = [];
    class Seen extends Plain {
      protected override _req(method: string, path: Path, options?: RequestOptions) {
        seen.push(Object.fromEntries(Object.entries(options ?? {})));
        return super._req(method, path, options);
      }
    }
    class Parsed extends Books {
      override readonly _convJson = true;
    }
    const session = new Seen({ url, adapter: scripted(answer("{}")) });
    await new Parsed(session).read({ retryOn: [409] });
    assertEquals(seen, [{ retryOn: [409], convJson: true }]);
  });

  it("apply to the requests of a login, unless a request option is set", async () => {
    const seen: unknown[] = [];
    class Sdk extends Session {
      static override readonly url: string = url;
      override readonly _box = true;
      override readonly _boxAttrs = { camelCase: true } as const;
      override readonly _convJson = true;
      protected override async _authenticate(_: SessionOptions, login: LoginRequests<this>) {
        seen.push((await login.post<{ access_token: string }>("auth", { json: {} })).accessToken);
        seen.push(await login.get("auth", { box: false }));
        seen.push(await kindOf(login.put("auth", { box: false, convJson: false })));
      }
    }
    class Parsing extends Session {
      static override readonly url: string = url;
      override readonly _convJson = true;
      protected override async _authenticate(_: SessionOptions, login: LoginRequests<this>) {
        seen.push(await login.post("auth"));
        seen.push(await kindOf(login.post("auth", { box: true })));
      }
    }
    const adapter = scripted(answer('{"access_token":"t"}'));
    const sdk = await Sdk.open({ adapter });
    assertEquals(seen, ["t", { access_token: "t" }, "raw"]);
    assertEquals(await kindOf(sdk.get("x")), "box");
    await Parsing.open({ adapter });
    assertEquals(seen.slice(3), [{ access_token: "t" }, "box"]);
  });

  it("apply to a login if they are options of the constructor", async () => {
    const seen: unknown[] = [];
    class Sdk extends Session {
      static override readonly url: string = url;
      protected override async _authenticate(_: SessionOptions, login: LoginRequests) {
        seen.push(await kindOf(login.post("auth")));
      }
    }
    for (const options of [{}, { box: true }, { convJson: true }]) {
      await Sdk.open({ ...options, adapter: scripted(answer('{"access_token":"t"}')) });
    }
    assertEquals(seen, ["raw", "box", "json"]);
  });

  it("they are known options if unexpected input is an error", () => {
    class Strict<
      const B extends boolean | undefined = undefined,
      const J extends boolean | undefined = undefined,
      const A extends BoxAttrs | undefined = undefined,
    > extends Session<B, J, A> {
      static override readonly errorOnUnexpectedInput: boolean = true;
    }
    new Strict({ url, box: true, boxAttrs: { dots: true }, convJson: false });
    new Strict({ url, box: undefined, boxAttrs: undefined, convJson: undefined });
    for (const name of ["conv_json", "box_attrs", "_box", "boxAttr"]) {
      const options = { url, [name]: true } as SessionOptions;
      const error = assertThrows(() => new Strict(options), UnexpectedValueError);
      assertEquals(error.option, name);
      assertMatch(error.expected, /\bbox, boxAttrs\b.*\bconvJson\b/);
    }
  });
});

describeGenerations("a result that is a box", ({ Session }) => {
  const start = starting(plainOf(Session));

  const boxed: Levels = { request: { box: true } };

  // contract: req-10-box
  it("rule 10: is a mapping object with box true and application/json", async () => {
    const value = await start(boxed, [answer('{"user":{"name":"Ada"}}')]).get();
    assert(isBox(value) && isBox(value["user"]));
    assertEquals(value["user"]["name"], "Ada");
    assertEquals<unknown>(unbox(value), { user: { name: "Ada" } });
  });

  // contract: req-10-box
  it("rule 10: is a list of mapping objects with box true and application/json", async () => {
    const value = await start(boxed, [answer('[{"id":1},{"id":2}]')]).get();
    assert(Array.isArray(value) && value.length === 2);
    for (const each of value) assert(isBox(each));
    assertEquals(value.map(({ id }) => id), [1, 2]);
  });

  for (
    const type of ["application/json; charset=utf-8", "APPLICATION/JSON", "Application/JSON;v=1"]
  ) {
    it(`rule 10: does not depend on parameters and case of the content type: ${type}`, async () => {
      for (const check of [undefined, (response: Response) => response]) {
        assertEquals(await kindOf(start(boxed, [answer("{}", type)], check).get()), "box");
      }
    });
  }

  const scalars: readonly (readonly [string, unknown])[] = [
    ["null", null],
    ["0", 0],
    ["false", false],
    ['""', ""],
    ['"€"', "€"],
    [" [] ", []],
    ["\ufeff7", 7],
  ];
  for (const [index, [body, value]] of scalars.entries()) {
    // contract: reading-6
    it(`is the value itself if that is not an object, case ${index + 1}`, async () => {
      for (const check of [undefined, (response: Response) => response]) {
        // Bytes, as from a server: a string in memory would not have to be decoded.
        const own = () =>
          new Response(new TextEncoder().encode(body), {
            headers: { "content-type": "application/json" },
          });
        assertEquals(unbox(await start(boxed, [own], check).get()), value);
      }
    });
  }

  const otherTypes = ["text/html", "application/problem+json", "text/json", "application/jsonp"];
  for (const type of otherTypes) {
    // contract: reading-4
    it(`is the raw response with a readable body for another content type: ${type}`, async () => {
      for (const check of [undefined, (response: Response) => response]) {
        const value = await start(boxed, [answer('{"a":"€"}', type)], check).get();
        assert(value instanceof Response);
        assertEquals([value.status, value.headers.get("content-type")], [200, type]);
        assertEquals(value.bodyUsed, false);
        assertEquals(await value.text(), '{"a":"€"}');
      }
    });
  }

  // contract: reading-4
  it("is parsed JSON without a box for another content type with convJson", async () => {
    for (const type of otherTypes) {
      const value = await start(boxed, [answer('{"a":1}', type)]).get({ convJson: true });
      assertEquals<unknown>(value, { a: 1 });
      assert(!isBox(value), type);
    }
  });

  it("is the raw response if there is no content type", async () => {
    const bytes = new TextEncoder().encode("{}");
    const value = await start(boxed, [() => new Response(bytes)]).get();
    assert(value instanceof Response);
    assertEquals(await value.text(), "{}");
  });

  it("has the url, redirected, status, headers and bytes of the raw response", async () => {
    const bytes = new Uint8Array([0, 255, 128, 10]);
    for (const headers of [{ "x-id": "7" }, { "x-id": "7", "content-length": "4" }]) {
      for (const check of [undefined, (response: Response) => response]) {
        const own = () => {
          const response = new Response(bytes, { status: 203, headers });
          Object.defineProperty(response, "url", { value: `${url}/y` });
          Object.defineProperty(response, "redirected", { value: true });
          return response;
        };
        const value = await start(boxed, [own], check).get();
        assert(value instanceof Response);
        assertEquals<unknown>(
          [value.url, value.redirected, value.status, value.headers.get("x-id")],
          [`${url}/y`, true, 203, "7"],
        );
        assertEquals(new Uint8Array(await value.arrayBuffer()), bytes);
      }
    }
  });

  it("does not read ahead in a large body of another type whose length is known", async () => {
    let pulled = 0;
    let isCancelled = false;
    const own = new Response(
      new ReadableStream({
        pull(controller) {
          pulled++;
          controller.enqueue(new Uint8Array(65_536));
        },
        cancel: () => void (isCancelled = true),
      }, { highWaterMark: 0 }),
      { headers: { "content-type": "text/csv", "content-length": "1099511627776" } },
    );
    const value = await start(boxed, [() => own]).get();
    assert(value === own);
    assertEquals(pulled, 0);
    await own.body!.cancel();
    assert(isCancelled);
  });

  it("does not read ahead in a large body of another type with a timeout either", async () => {
    let pulled = 0;
    const own = new Response(
      new ReadableStream({
        pull(controller) {
          pulled++;
          controller.enqueue(new Uint8Array(65_536));
        },
      }, { highWaterMark: 0 }),
      { headers: { "content-type": "text/csv", "content-length": "1099511627776" } },
    );
    const value = await start(boxed, [() => own]).get({ timeout: 9 });
    assert(value instanceof Response);
    assertEquals(pulled, 0);
    const reader = value.body!.getReader();
    assertEquals((await reader.read()).value?.length, 65_536);
    await reader.cancel();
  });

  // contract: decision-22
  it("is retried like after any transport error if the body breaks off", async () => {
    const json = { "content-type": "application/json" };
    for (const check of [undefined, (response: Response) => response]) {
      const answers = [broken(json), broken(json), answer('{"a":1}')];
      const { adapter, get } = start(boxed, answers, check);
      assertEquals(unbox(await get()), { a: 1 });
      assertEquals(adapter.calls.length, 3);
    }
  });

  it("is retried if a body of another type breaks off before its first byte", async () => {
    const { adapter, get } = start(boxed, [broken({ "content-type": "text/csv" }), answer("{}")]);
    assertEquals(await kindOf(get()), "box");
    assertEquals(adapter.calls.length, 2);
  });

  it("is a transport error after the retries if the body always breaks off", async () => {
    const { adapter, get } = start(boxed, [broken({ "content-type": "application/json" })]);
    const error = await assertRejects(() => get(), TransportError);
    assertEquals([error.kind, error.retries, adapter.calls.length], ["reset", 3, 4]);
  });

  for (const body of ["{", "undefined", " ", "{'a':1}", '{"a":1}x']) {
    it(`is a decode error without retries if the JSON is invalid: ${body.replaceAll('"', "'")}`, async () => {
      for (const check of [undefined, (response: Response) => response]) {
        const { adapter, get } = start(boxed, [answer(body)], check);
        const error = await assertRejects(() => get(), DecodeError);
        assertEquals([error.body, error.status, adapter.calls.length], [body, 200, 1]);
        assertEquals(await error.response.text(), body);
        assertMatch(error.message, /is not JSON \(status 200, application\/json\)/);
      }
    });
  }

  it("is a decode error that names the content type if convJson cannot parse the body", async () => {
    const { get } = start(boxed, [answer("hello", "text/html")]);
    const error = await assertRejects(() => get({ convJson: true }), DecodeError);
    assertMatch(error.message, /status 200, text\/html/);
  });

  it("is an error for an error status, which is not converted", async () => {
    const gone = () => Response.json({ detail: "gone" }, { status: 410 });
    const error = await assertRejects(() => start(boxed, [gone]).get(), Error);
    assertEquals(error.name, "NoLongerExistsError");
  });
});

describeGenerations("a result of an empty body", ({ Session }) => {
  const start = starting(plainOf(Session));

  const chunks = (...sizes: number[]) => () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const size of sizes) controller.enqueue(new Uint8Array(size));
        controller.close();
      },
    });
  const empties: readonly (readonly [
    string,
    number,
    () => BodyInit | null,
    Record<string, string>,
  ])[] = [
    ["no body", 200, () => null, {}],
    ["an empty string", 200, () => "", {}],
    ["a content-length of 0", 200, () => "", { "content-length": "0" }],
    ["a stream that ends at once", 200, chunks(), {}],
    ["chunks without a byte", 200, chunks(0, 0), { "transfer-encoding": "chunked" }],
    ["a compressed body of nothing", 200, chunks(), {
      "content-encoding": "gzip",
      "content-length": "20",
    }],
    ["a content-length that is not a number", 200, chunks(), { "content-length": "0, 0" }],
    ["204", 204, () => null, {}],
    ["204 with the content-length of a GET", 204, () => null, {
      "content-length": "7",
    }],
    ["205", 205, () => null, {}],
    ["201", 201, () => null, {}],
  ];
  const conversions: readonly (readonly [string, RequestOptions, string | undefined])[] = [
    ["convJson", { convJson: true }, undefined],
    ["convJson of JSON", { convJson: true }, "application/json"],
    ["box of JSON", { box: true }, "application/json; charset=utf-8"],
    ["box of another type", { box: true }, "text/csv"],
    ["box without a type", { box: true }, undefined],
    ["box and convJson of another type", { box: true, convJson: true }, "text/csv"],
  ];
  for (const [empty, status, body, fields] of empties) {
    for (const [conversion, options, type] of conversions) {
      // contract: req-10-empty-box
      it(`rule 10: is null: ${empty}, ${conversion}`, async () => {
        const headers = type === undefined ? fields : { ...fields, "content-type": type };
        const own = () => {
          const response = new Response(body(), { status, headers });
          // A string as body sets a content type.
          if (type === undefined) response.headers.delete("content-type");
          return response;
        };
        for (const check of [undefined, (response: Response) => response]) {
          assertStrictEquals(await start({}, [own], check).get(options), null);
          assertStrictEquals(await start({}, [own], check).get({ ...options, timeout: 9 }), null);
        }
      });
    }
    it(`is the raw response without a conversion: ${empty}`, async () => {
      const own = () => new Response(body(), { status, headers: fields });
      const value = await start({}, [own]).get();
      assert(value instanceof Response);
      assertEquals(await value.text(), "");
    });
  }

  it("is null if the body is only a byte order mark and JSON is parsed", async () => {
    const mark = new TextEncoder().encode("\ufeff");
    for (const check of [undefined, (response: Response) => response]) {
      for (const [, options, type = "text/csv"] of conversions) {
        const own = () => new Response(mark, { headers: { "content-type": type } });
        const value = await start({}, [own], check).get(options);
        if (type === "text/csv" && options.convJson === undefined) {
          assert(value instanceof Response);
          assertEquals(new Uint8Array(await value.arrayBuffer()), mark);
        } else assertStrictEquals(value, null);
      }
    }
  });

  // contract: req-10-empty-box
  it("HEAD: is null with a conversion, whatever the headers are", async () => {
    for (const [conversion, options, type] of conversions) {
      for (const length of [undefined, "0", "5000"]) {
        const headers = new Headers();
        if (type !== undefined) headers.set("content-type", type);
        if (length !== undefined) headers.set("content-length", length);
        const own = () => new Response(null, { headers });
        for (const check of [undefined, (response: Response) => response]) {
          const { adapter, send } = start({}, [own], check);
          assertStrictEquals(await send("HEAD", options), null, `${conversion}, ${length}`);
          assertEquals(adapter.calls[0]!.init.method, "HEAD");
        }
      }
    }
  });

  it("HEAD: is null for an empty stream too", async () => {
    const headers = { "content-type": "text/csv", "content-length": "5000" };
    const { send } = start({ field: { box: true } }, [() => new Response(chunks()(), { headers })]);
    assertStrictEquals(await send("HEAD"), null);
  });

  it("HEAD: is a box if an adapter returns a body anyway", async () => {
    const own = () => new Response('{"a":1}', { headers: { "content-type": "text/plain" } });
    for (const options of [{ box: true }, { box: true, convJson: true }]) {
      assertEquals(isBox(await start({}, [own]).send("HEAD", options)), true);
    }
  });

  // contract: reading-29
  it("HEAD: is null if session or endpoint convert, and the response if the request turns that off", async () => {
    const own = () => new Response(null, { headers: { "content-type": "application/json" } });
    for (const source of ["endpoint", "option", "field"] as const) {
      for (const values of [{ box: true }, { convJson: true }, { box: true, convJson: true }]) {
        const { send } = start({ [source]: values }, [own]);
        assertStrictEquals(await send("HEAD"), null, source);
        const response = await send("HEAD", { box: false, convJson: false });
        assert(response instanceof Response);
        assertEquals(response.headers.get("content-type"), "application/json");
      }
    }
  });

  it("HEAD: is the same for head and _head", async () => {
    class Sdk extends Session {
      override readonly _convJson = true;
    }
    class Part extends APIEndpoint<Sdk> {
      async both(): Promise<unknown[]> {
        return [await this._head("x"), await this._head("x", { convJson: false })];
      }
    }
    const sdk = new Sdk({ url, adapter: scripted(200) });
    assertEquals<unknown>(await sdk.head("x"), null);
    const [converted, raw] = await new Part(sdk).both();
    assert(converted === null && raw instanceof Response);
    assertEquals((await sdk.head("x", { convJson: false })).status, 200);
  });
});

describeGenerations("a result after the hook _respErrorCheck", ({ Session }) => {
  const start = starting(plainOf(Session));

  const boxed: Levels = { field: { box: true } };
  const typed = (body: string | null, type: string) =>
    new Response(body, { headers: { "content-type": type } });

  it("is converted after the hook has read the response, in every conversion", async () => {
    for (const options of [{}, { convJson: true }, { box: true }, { box: true, convJson: true }]) {
      let seen: unknown;
      const { get } = start({}, [answer('{"a":1}')], async (response) => {
        seen = [response instanceof Response, response.status, await response.text()];
        return response;
      });
      const value = await get(options);
      assertEquals(seen, [true, 200, '{"a":1}']);
      assertEquals(
        value instanceof Response ? await value.json() : unbox(value),
        { a: 1 },
      );
    }
  });

  it("is a box if the response that the hook returns is JSON", async () => {
    const { get } = start(
      boxed,
      [answer("wrapped", "text/plain")],
      () => typed('{"a":1}', "application/json"),
    );
    const value = await get();
    assert(isBox(value));
    assertEquals(value["a"], 1);
  });

  it("is raw if the response that the hook returns has another content type", async () => {
    const { get } = start(boxed, [answer("{}")], () => typed('{"a":1}', "text/plain"));
    const value = await get();
    assert(value instanceof Response);
    assertEquals(await value.text(), '{"a":1}');
    assertEquals(await get({ convJson: true }), { a: 1 });
  });

  it("is null if the response that the hook returns is empty, not if only the original is", async () => {
    const emptied = start(boxed, [answer("{}")], () => new Response(null));
    assertStrictEquals(await emptied.get(), null);
    assertStrictEquals(await emptied.get({ box: false, convJson: true }), null);
    const filled = start(boxed, [204], () => typed("{}", "application/json"));
    assertEquals(await kindOf(filled.get()), "box");
    assertEquals(await kindOf(filled.send("HEAD")), "box");
  });

  it("is the content of an envelope if the hook unwraps it", async () => {
    const { get } = start(boxed, [answer('{"ok":true,"data":{"id":7}}')], async (response) => {
      const { data } = await response.json() as { data: unknown };
      return Response.json(data, response);
    });
    assertEquals(unbox(await get()), { id: 7 });
  });

  it("is converted if the hook returns a clone, or the original after reading a clone", async () => {
    const cloned = start(boxed, [answer('{"a":1}')], (response) => response.clone());
    assertEquals(unbox(await cloned.get()), { a: 1 });
    const read = start(boxed, [answer('{"a":1}')], async (response) => {
      await response.clone().text();
      return response;
    });
    assertEquals(unbox(await read.get()), { a: 1 });
  });

  it("is a decode error about the response that the hook returns", async () => {
    const { get } = start(
      boxed,
      [answer("{}")],
      () => new Response("{", { status: 203, headers: { "content-type": "application/json" } }),
    );
    const error = await assertRejects(() => get(), DecodeError);
    assertEquals([error.status, error.body], [203, "{"]);
  });

  it("depends on options of the endpoint that the hook gets as request options", async () => {
    const seen: unknown[] = [];
    const levels = { endpoint: { box: true, boxAttrs: { dots: true } }, field: {} };
    const { get } = start(levels, [answer("{}")], (response, options) => {
      seen.push(options.box, options.boxAttrs);
      return response;
    });
    await get();
    assertEquals(seen, [true, { dots: true }]);
  });
});

describeGenerations("a result after retries", ({ Session }) => {
  const Plain = plainOf(Session);

  const unavailable = () => new Response(null, { status: 503 });

  /** Creates a session with this hook as _retryRequest. */
  function retrying(
    hook: (options: RequestOptions) => RequestOptions | undefined,
    answers: readonly Answer[],
  ): Plain {
    class Retrying extends Plain {
      protected override _retryRequest(_: Response, __: number, options: RequestOptions) {
        return hook(options);
      }
    }
    return new Retrying({
      url,
      adapter: scripted(...answers),
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
    });
  }

  it("follows the request options in all attempts, even if _retryRequest drops them", async () => {
    const hooks = [
      () => ({}),
      () => undefined,
      (options: RequestOptions) => options,
      () => ({ box: undefined, boxAttrs: undefined, convJson: undefined }),
    ];
    for (const hook of hooks) {
      const session = retrying(hook, [unavailable, unavailable, answer('{"first_name":"Ada"}')]);
      const options = { box: true, boxAttrs: { camelCase: true } };
      const value = await session.read("GET", "x", options);
      assert(isBox(value));
      assertEquals(value["firstName"], "Ada");
    }
    for (const hook of hooks) {
      const session = retrying(hook, [unavailable, answer('{"a":1}')]);
      assertEquals(await session.read("GET", "x", { convJson: true }), { a: 1 });
    }
  });

  it("follows the endpoint class in all attempts too", async () => {
    class Boxed extends Part {
      override readonly _box = true;
      override readonly _boxAttrs = { default: "?" } as const;
    }
    const session = retrying(() => ({}), [unavailable, answer("{}")]);
    const value = await new Boxed(session).read("GET", "x");
    assert(isBox(value));
    assertEquals(value["missing"], "?");
  });

  it("follows a request option that turns off the conversion of the class", async () => {
    class Boxing extends Plain {
      override readonly _box = true;
      protected override _retryRequest(): RequestOptions {
        return {};
      }
    }
    const session = new Boxing({
      url,
      adapter: scripted(unavailable, answer("{}")),
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
    });
    assertEquals(await kindOf(session.read("GET", "x", { box: false })), "raw");
  });

  it("follows another conversion that _retryRequest returns", async () => {
    const session = retrying(() => ({ box: false, convJson: true }), [unavailable, answer("{}")]);
    assertEquals(await kindOf(session.read("GET", "x", { box: true })), "json");
  });

  it("is an error that names the option if _retryRequest returns an invalid one", async () => {
    const session = retrying(() => ({ box: "yes" as never }), [unavailable, answer("{}")]);
    const error = await assertRejects(() => session.read("GET", "x"), UnexpectedValueError);
    assertEquals(error.option, "box");
  });
});

describeGenerations("an invalid result option", ({ Session }) => {
  const start = starting(plainOf(Session));

  const wrong: readonly (readonly [Results, string])[] = [
    [{ box: "yes" }, "box"],
    [{ box: null }, "box"],
    [{ box: 1 }, "box"],
    [{ convJson: "yes" }, "convJson"],
    [{ convJson: null }, "convJson"],
    [{ box: true, convJson: 0 }, "convJson"],
    [{ box: true, boxAttrs: 7 }, "boxAttrs"],
    [{ box: true, boxAttrs: null }, "boxAttrs"],
    [{ box: true, boxAttrs: [] }, "boxAttrs"],
    [{ box: true, boxAttrs: { frozn: true } }, "boxAttrs.frozn"],
    [{ box: true, boxAttrs: { frozen: "yes" } }, "boxAttrs.frozen"],
    [{ box: true, boxAttrs: { default: new Date(0) } }, "boxAttrs.default"],
  ];
  for (const [index, [results, option]] of wrong.entries()) {
    for (const source of ["request", "endpoint", "field"] as const) {
      it(`is named in the error before a request is sent: ${source}, case ${index + 1}, ${option}`, async () => {
        const { adapter, get } = start({ [source]: results }, [answer("{}")]);
        const error = await assertRejects(() => get(), UnexpectedValueError);
        assertEquals([error.option, adapter.calls.length], [option, 0]);
      });
    }
    it(`is named in the error of the constructor: option, case ${index + 1}, ${option}`, () => {
      const error = assertThrows(
        () => start({ option: results }, [answer("{}")]),
        UnexpectedValueError,
      );
      assertEquals(error.option, option);
    });
  }

  it("is named in the error of the constructor even if no box is requested", () => {
    for (const boxAttrs of [7, null, [], { frozn: true }]) {
      assertThrows(() => start({ option: { boxAttrs } }, []), UnexpectedValueError, "boxAttrs");
    }
  });
});

describeGenerations("a box that is sent", ({ Session }) => {
  const Plain = plainOf(Session);
  const start = starting(Plain);

  it("json: is sent as the JSON that it was created from", async () => {
    const source = '{"first_name":"Ada","links":[{"href":"/a"}],"none":null,"toJSON":"x"}';
    const attributes: readonly BoxAttrs[] = [
      {},
      { frozen: true },
      { camelCase: true, dots: true },
      { default: { a: 1 } },
    ];
    for (const boxAttrs of attributes) {
      const { adapter, send } = start({ field: { box: true, boxAttrs } }, [answer(source)]);
      const box = await send("GET");
      await send("POST", { json: box });
      const { init } = adapter.calls[1]!;
      assertEquals(init.body, source);
      assertEquals(init.headers["content-type"], "application/json");
    }
  });

  it("json: is sent with the original names if it was changed by other names", async () => {
    const boxAttrs = { camelCase: true, dots: true };
    const levels = { field: { box: true, boxAttrs } };
    const { adapter, send } = start(levels, [answer('{"first_name":"Ada","a":{"b":1}}')]);
    const box = await send("GET");
    assert(isBox(box));
    box["firstName"] = "Bea";
    box["a.b"] = 2;
    await send("PUT", { json: box });
    assertEquals(adapter.calls[1]!.init.body, '{"first_name":"Bea","a":{"b":2}}');
  });

  it("json: can be in a list and within plain values", async () => {
    const { adapter, send } = start({ field: { box: true } }, [answer('[{"id":1},{"id":2}]')]);
    const list = await send("GET");
    assert(Array.isArray(list));
    await send("PATCH", { json: { users: list, first: list[0], odd: list.slice(1), n: 1 } });
    assertEquals(
      adapter.calls[1]!.init.body,
      '{"users":[{"id":1},{"id":2}],"first":{"id":1},"odd":[{"id":2}],"n":1}',
    );
  });

  it("json: is redacted in the log like its original, and sent unredacted", async () => {
    const logger = recordingLogger();
    const adapter = scripted(answer('{"user":{"pin":"1234"}}'));
    const session = new Session({ url, adapter, logger, box: true });
    const box = await session.get("x");
    await session.post("x", { json: box, redactFields: ["pin"] });
    assertEquals(adapter.calls[1]!.init.body, '{"user":{"pin":"1234"}}');
    assertEquals(logger.json("debug")[1]!["body"], { user: { pin: "REDACTED" } });
    assert(!logger.messages().join("\n").includes("1234"));
  });

  it("json: is kept in the copy of the options that _retryRequest gets", async () => {
    class Retrying extends Plain {
      override readonly _box = true;
      protected override _retryRequest(_: Response, __: number, options: RequestOptions) {
        return options;
      }
    }
    const unavailable = () => new Response(null, { status: 503 });
    const adapter = scripted(answer('{"a":[{"b":1}]}'), unavailable, answer("{}"));
    const options = {
      url,
      adapter,
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
    };
    const session = new Retrying(options);
    await session.read("POST", "x", { json: await session.read("GET", "x") });
    assertEquals(adapter.calls[2]!.init.body, '{"a":[{"b":1}]}');
  });
});

describeGenerations("result options of a session", ({ Session }) => {
  for (const [name, value] of [["box", "yes"], ["convJson", 1], ["boxAttrs", 7]] as const) {
    it(`send no login if the constructor refuses ${name}`, async () => {
      const adapter = scripted(Response.json({}));
      class Sdk extends Session {
        protected override async _authenticate(
          _: SessionOptions,
          login: LoginRequests,
        ): Promise<void> {
          await login.post("auth", { json: { password: "p" } });
        }
      }
      assertThrows(
        () => new Sdk({ url, adapter, [name]: value } as SessionOptions),
        UnexpectedValueError,
      );
      await turn();
      assertEquals(adapter.calls.length, 0);
    });
  }

  it("cannot be changed after construction", async () => {
    const options = { url, adapter: scripted(Response.json({})), box: true };
    const session = new Session(options as { box: true; url: string });
    options.box = false;
    assert(isBox(await session.get("x")));
  });

  it("include boxAttrs, which are checked even if nothing is boxed", async () => {
    const session = new Session({ url, adapter: scripted(200) });
    const options = { boxAttrs: { frozn: true } } as RequestOptions;
    const error = await assertRejects(() => session.get("x", options), UnexpectedValueError);
    assertEquals(error.option, "boxAttrs.frozn");
  });

  // contract: reading-4
  it("do not read a stream of another type without a length", async () => {
    let pulled = 0;
    const body = () =>
      new ReadableStream({
        pull(controller) {
          if (++pulled > 1000) return controller.error(new Error("read without end"));
          controller.enqueue(new Uint8Array(1));
        },
      }, { highWaterMark: 0 });
    const session = new Session({
      url,
      adapter: scripted(() =>
        new Response(body(), { headers: { "content-type": "text/event-stream" } })
      ),
      box: true,
      retries: 0,
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
    });
    const value: unknown = await session.get("x");
    assert(value instanceof Response);
    await value.body!.cancel();
    assert(pulled < 10);
  });
});
