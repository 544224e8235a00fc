import { assert, assertEquals, describe, it } from "#test";
import {
  type AnyClient,
  APIClient,
  APIEndpoint,
  type APIPromise,
  APISession,
  type Boxed,
  type CallOptions,
  type LoginRequests,
  type RequestOptions,
  type Result,
  type ResultOptions,
  type SessionOptions,
  type TypedResponse,
} from "../../mod.ts";
import { type Box, type BoxAttrs, type BoxValue, isBox } from "../../src/box/mod.ts";
import type { StandardSchema } from "../../src/models/mod.ts";
import { scripted } from "../support/scripted.ts";

// The compiler checks the types in this file. The tests only make these checks part of a run.

/** `true` if two types are identical. */
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true
  : false;

/** Compiles only if the call resolves to exactly the type. Returns the call. */
function resolves<Expected>(): <Actual>(
  call: Promise<Actual>,
  same: Same<Actual, Expected>,
) => Promise<Actual> {
  return (call) => call;
}
interface User {
  readonly id: number;
  readonly first_name: string;
  readonly nick?: string;
}

const userSchema: StandardSchema<User> = {
  "~standard": {
    version: 1,
    vendor: "tests",
    validate: (value) => ({ value: value as User }),
  },
};

/** A raw response to a call with a type argument. */
type Typed = TypedResponse<User>;
type Any = User | Box<User> | Typed;

const ada: User = { id: 7, first_name: "Ada" };
const options: SessionOptions = {
  url: "https://api.example.com",
  adapter: scripted(() => Response.json(ada)),
};

/** A boolean whose value the compiler does not know. */
const some: boolean = Date.now() > 0;

class Plain extends APISession {}

class Parsing extends APISession {
  override readonly _convJson = true;
}

class Boxing extends APISession {
  override readonly _box = true;
}

class Raw extends APISession {
  override readonly _box = false;
  override readonly _convJson = false;
}

class Both extends APISession {
  override readonly _box = true;
  override readonly _convJson = true;
}

class Wide extends APISession {
  override readonly _box: boolean = some;
  override readonly _convJson: boolean = some;
}

/** Reads the body of a value that may be a response. */
async function close(value: unknown): Promise<void> {
  if (value instanceof Response) await value.arrayBuffer();
}

describe("the result type of a session's call", () => {
  it("is the response by default", async () => {
    const session = new APISession(options);
    await close(await resolves<Response>()(session.get("x"), true));
    await close(await resolves<Typed>()(session.get<User>("x"), true));
    const sdk = new Plain(options);
    await close(await resolves<Typed>()(sdk.get<User>("x"), true));
    await close(await resolves<Typed>()(sdk.get<User>("x", { params: { a: 1 } }), true));
    const response = await resolves<Response>()(sdk.head("x"), true);
    await close(response);
    assertEquals(response.status, 200);
  });

  it("is the type of the JSON if the class declares _convJson", async () => {
    const session = new Parsing(options);
    assertEquals(await resolves<User>()(session.get<User>("x"), true), ada);
    assertEquals(await resolves<User | null>()(session.post<User | null>("x"), true), ada);
    assertEquals(await resolves<unknown>()(session.put("x"), true), ada);
    assertEquals(await resolves<User>()(session.get<User>("x", { useBase: false }), true), ada);
    const user: User = await session.get("x"); // inferred from the declared type
    assertEquals(user.id, 7);
  });

  it("is the box if the class declares _box, with and without _convJson", async () => {
    for (const session of [new Boxing(options), new Both(options)]) {
      const box = await resolves<Box<User>>()(session.get<User>("x"), true);
      assert(isBox(box));
      await resolves<Box<User>>()(session.get<User>("x", { convJson: true }), true);
      const list = await resolves<Box<User[]>>()(session.get<User[]>("x"), true);
      (() => list[0]!.first_name satisfies string);
      assertEquals(box.first_name, "Ada");
    }
  });

  it("is a value that must be narrowed or the response if a box has no type argument", async () => {
    const value = await resolves<BoxValue | Response>()(new Boxing(options).get("x"), true);
    // @ts-expect-error: it may be the response, or a scalar
    (() => value.first_name);
    assert(isBox(value));
    assertEquals(value["first_name"] as unknown, "Ada");
  });

  it("follows the request options, whatever the class declares", async () => {
    const plain = new Plain(options);
    const parsing = new Parsing(options);
    const boxing = new Boxing(options);
    const both = new Both(options);
    const raw = new Raw(options);
    const wide = new Wide(options);
    const off = { box: false, convJson: false } as const;
    await close(await resolves<Response>()(plain.get("x", off), true));
    await close(await resolves<Response>()(parsing.get("x", off), true));
    await close(await resolves<Response>()(boxing.get("x", off), true));
    await close(await resolves<Response>()(both.get("x", off), true));
    await close(await resolves<Response>()(raw.get("x", off), true));
    await close(await resolves<Response>()(wide.get("x", off), true));
    const json = { box: false, convJson: true } as const;
    await resolves<User>()(plain.get<User>("x", json), true);
    await resolves<User>()(parsing.get<User>("x", json), true);
    await resolves<User>()(boxing.get<User>("x", json), true);
    await resolves<User>()(both.get<User>("x", json), true);
    await resolves<User>()(raw.get<User>("x", json), true);
    await resolves<User>()(wide.get<User>("x", json), true);
    await resolves<Box<User>>()(plain.get<User>("x", { box: true }), true);
    await resolves<Box<User>>()(parsing.get<User>("x", { box: true }), true);
    await resolves<Box<User>>()(boxing.get<User>("x", { box: true }), true);
    await resolves<Box<User>>()(raw.get<User>("x", { box: true }), true);
    const box = await resolves<Box<User>>()(
      wide.get<User>("x", { box: true, convJson: some }),
      true,
    );
    assertEquals(box.id, 7);
  });

  it("follows the class for the flag that is not in the request options", async () => {
    const parsing = new Parsing(options);
    await close(await resolves<Typed>()(parsing.get<User>("x", { convJson: false }), true));
    const plain = new Plain(options);
    await resolves<User>()(plain.get<User>("x", { convJson: true }), true);
    await close(await resolves<Typed>()(plain.get<User>("x", { box: false }), true));
    const raw = new Raw(options);
    await resolves<User>()(raw.get<User>("x", { convJson: true }), true);
    await close(await resolves<Response>()(raw.get("x", { convJson: false }), true));
    const wide = new Wide(options);
    const either = await resolves<Any>()(wide.get<User>("x", { box: false }), true);
    assertEquals(either instanceof Response, false);
    await resolves<Any>()(wide.get<User>("x", { convJson: false }), true);
  });

  it("is a union if a flag of the class or of the request options is a boolean", async () => {
    const wide = new Wide(options);
    await resolves<Any>()(wide.get<User>("x"), true);
    await resolves<Any>()(wide.get<User>("x", { params: {} }), true);
    const plain = new Plain(options);
    await resolves<Any>()(plain.get<User>("x", { box: some }), true);
    await resolves<Box<User>>()(
      new Boxing(options).get<User>("x", { convJson: some }), // a box goes before the JSON
      true,
    );
    const value = await resolves<Any>()(plain.get<User>("x", { convJson: some }), true);
    // @ts-expect-error: it may be the response
    (() => value.first_name);
    assertEquals(value instanceof Response, false);
  });

  it("is unknown or a union if the flags of the request options are optional", async () => {
    const passed: RequestOptions = { convJson: true };
    await resolves<unknown>()(new Plain(options).get<User>("x", passed), true);
    await resolves<unknown>()(new Parsing(options).get<User>("x", passed), true);
    await resolves<unknown>()(new Boxing(options).get<User>("x", passed), true);
    const unknown = await resolves<unknown>()(new Plain(options).get("x", passed), true);
    assertEquals(unknown, ada);
    const open: { readonly box?: true } = {};
    await close(await resolves<Any>()(new Plain(options).get<User>("x", open), true));
  });

  it("ignores request options that are undefined", async () => {
    const none = { box: undefined, boxAttrs: undefined, convJson: undefined };
    await close(await resolves<Typed>()(new Plain(options).get<User>("x", none), true));
    await resolves<User>()(new Parsing(options).get<User>("x", none), true);
    const box = await resolves<Box<User>>()(new Boxing(options).get<User>("x", none), true);
    assert(isBox(box));
  });

  it("follows the options of a plain APISession with new", async () => {
    const parsing = new APISession({ ...options, convJson: true });
    await resolves<User>()(parsing.get<User>("x"), true);
    const boxing = new APISession({ ...options, box: true });
    const box = await resolves<Box<User>>()(boxing.get<User>("x"), true);
    assertEquals(box.first_name, "Ada");
    const both = new APISession({ ...options, box: true, convJson: true });
    await resolves<Box<User>>()(both.get<User>("x"), true);
    const none = new APISession({ ...options, box: undefined, convJson: undefined });
    await close(await resolves<Typed>()(none.get<User>("x"), true));
    const wide = new APISession({ ...options, box: some, convJson: some });
    await resolves<Any>()(wide.get<User>("x"), true);
  });

  it("follows the options of a plain APISession with open", async () => {
    const parsing = await APISession.open({ ...options, convJson: true });
    assertEquals(await resolves<User>()(parsing.get<User>("x"), true), ada);
    const boxing = await APISession.open({ ...options, box: true });
    await resolves<Box<User>>()(boxing.get<User>("x"), true);
    const plain = await APISession.open(options);
    await close(await resolves<Typed>()(plain.get<User>("x"), true));
    const sdk = await Parsing.open(options);
    await resolves<User>()(sdk.get<User>("x"), true);
    const subclass: Parsing = sdk;
    assert(subclass instanceof Parsing);
  });

  it("has the names of the boxAttrs in the options if a box has no type argument", async () => {
    const session = new APISession({ ...options, box: true, boxAttrs: { camelCase: true } });
    const value = await resolves<BoxValue<{ readonly camelCase: true }> | Response>()(
      session.get("x"),
      true,
    );
    assert(isBox(value));
    assertEquals(value["firstName"] as unknown, "Ada");
  });

  it("follows the class for the methods of a login", async () => {
    const seen: unknown[] = [];
    class Boxes extends Boxing {
      protected override async _authenticate(
        _: SessionOptions,
        login: LoginRequests<this>,
      ): Promise<void> {
        seen.push((await resolves<Box<User>>()(login.post<User>("auth"), true)).id);
        const raw = login.get<User>("auth", { box: false });
        seen.push((await (await resolves<Typed>()(raw, true)).json()).id);
      }
    }
    class Parses extends Parsing {
      protected override async _authenticate(
        _: SessionOptions,
        login: LoginRequests<this>,
      ): Promise<void> {
        seen.push((await resolves<User>()(login.post<User>("auth"), true)).id);
      }
    }
    class None extends APISession {
      protected override async _authenticate(
        _: SessionOptions,
        login: LoginRequests<this>,
      ): Promise<void> {
        await close(await resolves<Typed>()(login.post<User>("auth"), true));
        seen.push((await resolves<User>()(login.get<User>("auth", { convJson: true }), true)).id);
      }
    }
    await Boxes.open(options);
    await Parses.open(options);
    await None.open(options);
    assertEquals(seen, [7, 7, 7, 7]);
  });

  it("is a union for a login without a class", async () => {
    let token = 0;
    class Sdk extends Boxing {
      protected override async _authenticate(
        _: SessionOptions,
        login: LoginRequests,
      ): Promise<void> {
        await close(await resolves<Any>()(login.post<User>("auth"), true));
        const { id } = await login.post<User>("auth", { convJson: true });
        token = id;
        await resolves<User>()(login.post<User>("auth", { box: false, convJson: true }), true);
      }
    }
    await Sdk.open(options);
    assertEquals(token, 7);
  });
});

describe("the result type of a call within a class", () => {
  it("follows the class of the session", async () => {
    class Sdk extends Parsing {
      me(): Promise<User> {
        return resolves<User>()(this.get<User>("me"), true);
      }
      raw(): Promise<Response> {
        return resolves<Typed>()(this.get<User>("me", { convJson: false }), true);
      }
      boxed(): Promise<Box<User>> {
        return resolves<Box<User>>()(this.get<User>("me", { box: true }), true);
      }
    }
    class Boxes extends Boxing {
      me(): Promise<Box<User>> {
        return resolves<Box<User>>()(this.get<User>("me"), true);
      }
      json(): Promise<User> {
        return resolves<User>()(this.get<User>("me", { box: false, convJson: true }), true);
      }
    }
    class None extends APISession {
      me(): Promise<Response> {
        return resolves<Response>()(this.get("me", { box: false, convJson: false }), true);
      }
      json(): Promise<User> {
        return resolves<User>()(this.get<User>("me", { box: false, convJson: true }), true);
      }
    }
    const sdk = new Sdk(options);
    assertEquals(await sdk.me(), ada);
    assertEquals((await sdk.boxed()).id, 7);
    assertEquals((await new Boxes(options).me()).id, 7);
    assertEquals(await new Boxes(options).json(), ada);
    assertEquals(await new None(options).json(), ada);
    for (const call of [sdk.raw(), new None(options).me()]) await close(await call);
  });

  it("follows the session if the class of the endpoint declares nothing", async () => {
    class OfPlain extends APIEndpoint<Plain> {
      me = () => resolves<Typed>()(this._get<User>(), true);
      json = () => resolves<User>()(this._get<User>("", { convJson: true }), true);
      boxed = () => resolves<Box<User>>()(this._get<User>("", { box: true }), true);
      either = (by: RequestOptions) => resolves<unknown>()(this._get<User>("", by), true);
    }
    class OfAny extends APIEndpoint<APISession> {
      me = () => resolves<Typed>()(this._get<User>(), true);
      json = () => resolves<User>()(this._put<User>("x", { convJson: true }), true);
    }
    class OfParsing extends APIEndpoint<Parsing> {
      me = () => resolves<User>()(this._get<User>(), true);
      raw = () => resolves<Typed>()(this._post<User>("", { convJson: false }), true);
    }
    class OfBoxing extends APIEndpoint<Boxing> {
      me = () => resolves<Box<User>>()(this._get<User>(), true);
      still = () => resolves<Box<User>>()(this._get<User>("", { convJson: false }), true);
      json = () => resolves<User>()(this._patch<User>("x", { box: false, convJson: true }), true);
      raw = () => resolves<Typed>()(this._delete<User>("x", { box: false }), true);
    }
    class OfWide extends APIEndpoint<Wide> {
      me = () => resolves<Any>()(this._get<User>(), true);
      half = () => resolves<Any>()(this._get<User>("", { box: false }), true);
      json = () => resolves<User | Box<User>>()(this._get<User>("", { convJson: true }), true);
    }
    const plain = new OfPlain(new Plain(options));
    assertEquals(await plain.json(), ada);
    assertEquals((await plain.boxed()).id, 7);
    await close(await plain.either({}));
    assertEquals(await new OfAny(new Plain(options)).json(), ada);
    assertEquals(await new OfParsing(new Parsing(options)).me(), ada);
    const boxing = new OfBoxing(new Boxing(options));
    assertEquals([(await boxing.me()).id, (await boxing.still()).id], [7, 7]);
    assertEquals(await boxing.json(), ada);
    const wide = new OfWide(new Wide(options));
    for (const call of [wide.me(), wide.half(), wide.json()]) await close(await call);
    const responses = [
      plain.me(),
      new OfAny(new Plain(options)).me(),
      new OfParsing(new Parsing(options)).raw(),
      boxing.raw(),
    ];
    for (const call of responses) await close(await call);
  });

  it("follows the class of the endpoint first, and its session otherwise", async () => {
    class Parses extends APIEndpoint<Plain> {
      override readonly _convJson = true;
      me = () => resolves<User>()(this._get<User>(), true);
      raw = () => resolves<Typed>()(this._get<User>("", { convJson: false }), true);
    }
    class Boxes extends APIEndpoint<Parsing> {
      override readonly _box = true;
      me = () => resolves<Box<User>>()(this._get<User>(), true);
      json = () => resolves<User>()(this._get<User>("", { box: false, convJson: true }), true);
    }
    class Unboxes extends APIEndpoint<Both> {
      override readonly _box = false;
      override readonly _convJson = true;
      me = () => resolves<User>()(this._get<User>(), true);
      boxed = () => resolves<Box<User>>()(this._get<User>("", { box: true }), true);
      raw = () => resolves<Response>()(this._get("", { convJson: false }), true);
    }
    class StillBoxes extends APIEndpoint<Boxing> {
      override readonly _convJson = true;
      me = () => resolves<Box<User>>()(this._get<User>(), true);
    }
    class Open extends APIEndpoint<Plain> {
      override readonly _box: boolean = some;
      me = () => resolves<Box<User> | Typed>()(this._get<User>(), true);
    }
    class Undoes extends APIEndpoint<Parsing> {
      override readonly _convJson = false;
      me = () => resolves<Typed>()(this._get<User>(), true);
    }
    assertEquals(await new Parses(new Plain(options)).me(), ada);
    const boxes = new Boxes(new Parsing(options));
    assertEquals([(await boxes.me()).id, (await boxes.json()).id], [7, 7]);
    const unboxes = new Unboxes(new Both(options));
    assertEquals([await unboxes.me(), isBox(await unboxes.boxed())], [ada, true]);
    assertEquals((await new StillBoxes(new Boxing(options)).me()).id, 7);
    const responses = [
      new Parses(new Plain(options)).raw(),
      unboxes.raw(),
      new Open(new Plain(options)).me(),
      new Undoes(new Parsing(options)).me(),
    ];
    for (const call of responses) await close(await call);
  });
});

describe("the compiler with result flags", () => {
  it("accepts the options for a subclass, but takes the results from the class", async () => {
    const boxed = await resolves<Typed>()(
      new Plain({ ...options, box: true }).get<User>("x"),
      true,
    );
    assert(isBox(boxed));
    const boxAttrs = { camelCase: true } as const;
    const named = await new Plain({ ...options, box: true, boxAttrs }).get<User>("x");
    assertEquals(Reflect.get(named, "firstName"), "Ada");
    const opened = await Plain.open({ ...options, convJson: true });
    assertEquals(await opened.get<User>("x") as unknown, ada);
    const raw = await resolves<User>()(
      new Parsing({ ...options, convJson: false }).get<User>("x"),
      true,
    );
    assert(raw instanceof Response);
    await close(raw);
    class Client extends APIClient {
      me = () => this._get<User>("me");
    }
    const { adapter } = options;
    const client = new Client({ baseUrl: "https://api.example.com", adapter, box: true });
    assert(isBox(await client.me()));
    const parsing = { baseUrl: "https://api.example.com", adapter, convJson: true };
    assertEquals(await (await Client.open(parsing)).me() as unknown, ada);
  });

  it("accepts them for the constructor of a subclass whose options extend ResultOptions", async () => {
    interface SdkOptions extends SessionOptions, ResultOptions {
      readonly key?: string | undefined;
    }
    class Sdk extends APISession {
      constructor(options: SdkOptions = {}) {
        super(options);
      }
    }
    assert(isBox(await new Sdk({ ...options, key: "k", box: true }).get("x")));
    assert(isBox(await (await Sdk.open({ ...options, box: true })).get("x")));
  });

  it("takes the results from the options if the class passes its type parameters on", async () => {
    class Users<C extends AnyClient> extends APIEndpoint<C> {
      protected override readonly _path: string = "users";
      me = () => this._get<User>();
      get(
        id: number,
      ): APIPromise<
        Result<
          User,
          this["~results"]["box"],
          this["~results"]["convJson"],
          this["~results"]["boxAttrs"]
        >
      > {
        return this._get<User>(id);
      }
    }
    class Sdk<
      const B extends boolean | undefined = undefined,
      const J extends boolean | undefined = undefined,
      const A extends BoxAttrs | undefined = undefined,
    > extends APISession<B, J, A> {
      readonly users: Users<this> = new Users(this);
      me = () => this.get<User>("me");
    }
    const boxing = new Sdk({ ...options, box: true });
    await resolves<Box<User>>()(boxing.get<User>("x"), true);
    await resolves<Box<User>>()(boxing.me(), true);
    await resolves<Box<User>>()(boxing.users.me(), true);
    assert(isBox(await resolves<Box<User>>()(boxing.users.get(7), true)));
    await resolves<Box<User>>()(boxing.withOptions({ retries: 0 }).users.get(7), true);
    const parsing = new Sdk({ ...options, convJson: true });
    assertEquals(await resolves<User>()(parsing.users.get(7), true), ada);
    const camel = new Sdk({ ...options, box: true, boxAttrs: { camelCase: true } });
    assertEquals((await camel.users.get(7)).firstName, "Ada");
    await close(await resolves<Typed>()(new Sdk(options).users.get(7), true));

    class Client<
      const B extends boolean | undefined = undefined,
      const J extends boolean | undefined = undefined,
    > extends APIClient<B, J> {
      readonly users: Users<this> = new Users(this);
    }
    const { adapter } = options;
    const client = new Client({ baseUrl: "https://api.example.com", adapter, convJson: true });
    assertEquals(await resolves<User>()(client.users.get(7), true), ada);
  });

  it("rejects invalid values", () => {
    const session = new APISession(options);
    const tries = [
      // @ts-expect-error: true or false
      () => new APISession({ ...options, box: "yes" }),
      // @ts-expect-error: true or false
      () => new APISession({ ...options, convJson: null }),
      // @ts-expect-error: no such attribute
      () => new APISession({ ...options, boxAttrs: { frozn: true } }),
      // @ts-expect-error: true or false, for a subclass too
      () => new Plain({ ...options, box: "yes" }),
      // @ts-expect-error: the same
      () => new Plain({ ...options, convJson: null }),
      // @ts-expect-error: no such attribute
      () => new Plain({ ...options, boxAttrs: { frozn: true } }),
      // @ts-expect-error: true or false
      () => session.get("x", { box: 1 }),
      // @ts-expect-error: true or false
      () => session.get("x", { convJson: null }),
      // @ts-expect-error: no such attribute
      () => session.get("x", { box: true, boxAttrs: { frozn: true } }),
      // @ts-expect-error: true or false
      () => session.get("x", { box: true, boxAttrs: { dots: "yes" } }),
      // @ts-expect-error: a session needs a path
      () => session.get(),
      // @ts-expect-error: request options are not a path
      () => session.get({ box: true }),
    ];
    assertEquals(tries.length, 12);
  });

  it("rejects invalid fields and assignments to fields", () => {
    class Wrong extends APISession {
      // @ts-expect-error: true or false
      override readonly _box = "yes";
      // @ts-expect-error: no such attribute
      override readonly _boxAttrs = { frozn: 1 } as const;
      // @ts-expect-error: true or false
      override readonly _convJson = 1;
    }
    class WrongPart extends APIEndpoint<APISession> {
      // @ts-expect-error: true or false
      override readonly _box = "yes";
      // @ts-expect-error: null is not a flag
      override readonly _convJson = null;
    }
    void (() => {
      const session = new Parsing(options);
      // @ts-expect-error: the flag is read only
      session._convJson = true;
      // @ts-expect-error: the same for a plain APISession
      new APISession(options)._box = true;
    });
    const flags: readonly (boolean | undefined)[] = [undefined, true, false];
    assertEquals([typeof Wrong, typeof WrongPart, flags.length], ["function", "function", 3]);
  });

  it("rejects wrong result types", () => {
    const plain = new Plain(options);
    const tries = [
      // @ts-expect-error: it is the response
      (): Promise<User> => plain.get<User>("x"),
      // @ts-expect-error: it is the JSON
      (): Promise<Response> => plain.get<User>("x", { convJson: true }),
      // @ts-expect-error: it may be the response
      (): Promise<User> => plain.get<User>("x", {} as RequestOptions),
      // @ts-expect-error: it may be the response
      (): Promise<User> => plain.get<User>("x", { convJson: some }),
      // @ts-expect-error: it may be null
      (): Promise<User> => plain.get<User | null>("x", { convJson: true }),
      // @ts-expect-error: it is the JSON
      (): Promise<Response> => new Parsing(options).get<User>("x"),
      // @ts-expect-error: it is a box
      (): Promise<Response> => new Boxing(options).get<User>("x"),
      // @ts-expect-error: it is the response
      (): Promise<User> => new APISession({ ...options, convJson: false }).get<User>("x"),
      // @ts-expect-error: a box has only the fields of the type
      async () => (await new Boxing(options).get<User>("x")).last_name,
    ];
    assertEquals(tries.length, 9);
  });
});

describe("the type of a box by its attributes", () => {
  it("has the names of the boxAttrs in the request options if there is no type argument", async () => {
    const plain = new Plain(options);
    const attributes = { camelCase: true } as const;
    const value = await resolves<BoxValue<{ readonly camelCase: true }> | Response>()(
      plain.get("x", { box: true, boxAttrs: attributes }),
      true,
    );
    assert(isBox(value));
    assertEquals(value["firstName"] as unknown, "Ada");
  });

  it("has the names of the second type argument", async () => {
    type Camel = { readonly camelCase: true };
    const box = await resolves<Boxed<User, Camel>>()(
      new Plain(options).get<User, Camel>("x", { box: true, boxAttrs: { camelCase: true } }),
      true,
    );
    assertEquals(box.firstName, "Ada");
  });

  it("has the names of the session if the class of an endpoint declares nothing", async () => {
    class Camels extends APISession {
      override readonly _box = true;
      override readonly _boxAttrs = { camelCase: true } as const;
    }
    class Users extends APIEndpoint<Camels> {
      async names(): Promise<string[]> {
        const box = await this._get<User>();
        const requested = await this._get<User>("", { box: true });
        return [box.firstName, requested.firstName];
      }
    }
    assertEquals(await new Users(new Camels(options)).names(), ["Ada", "Ada"]);
  });
});

describe("the result type with flags that are turned off", () => {
  it("is the response if both are off, with a type argument too", () => {
    const off = { box: false, convJson: false } as const;
    void (() => resolves<Typed>()(new Plain(options).get<User>("x", off), true));
    void (() => resolves<Typed>()(new Raw(options).get<User>("x", { convJson: false }), true));
  });

  it("is the response if the class declares both as off", () => {
    void (() => resolves<Typed>()(new Raw(options).get<User>("x"), true));
    const off = new APISession({ ...options, box: false, convJson: false });
    void (() => resolves<Typed>()(off.get<User>("x"), true));
    class Undoes extends APIEndpoint<Boxing> {
      override readonly _box = false;
      read = () => resolves<Typed>()(this._get<User>(), true);
    }
    class UndoesBoxesOfParsing extends APIEndpoint<Parsing> {
      override readonly _box = false;
      read = () => resolves<User>()(this._get<User>(), true);
    }
    void [Undoes, UndoesBoxesOfParsing];
  });

  it("is the JSON if box is off and the class declares _convJson", () => {
    void (() => resolves<User>()(new Parsing(options).get<User>("x", { box: false }), true));
    class Parses extends APIEndpoint<Boxing> {
      override readonly _convJson = true;
      read = () => resolves<User>()(this._get<User>("", { box: false }), true);
    }
    void Parses;
  });
});

describe("the session of an endpoint", () => {
  it("must be named by the endpoint if its class declares results", () => {
    class Unnamed extends APIEndpoint<Plain> {}
    class Named extends APIEndpoint<Parsing> {
      read = () => resolves<User>()(this._get<User>(), true);
    }
    new Unnamed(new Plain(options));
    // @ts-expect-error: its calls would be typed Response
    new Unnamed(new Parsing(options));
    // @ts-expect-error: the same here
    const plain: APISession = new Boxing(options);
    class Sdk extends Parsing {
      readonly named: Named = new Named(this);
      // @ts-expect-error: the same in the class itself
      readonly unnamed: Unnamed = new Unnamed(this);
    }
    assert(new Sdk(options).named instanceof Named);
    assert(plain instanceof Boxing);
  });
});

describe("the type of a raw response", () => {
  it("has a json() with the type argument, and is a plain response without one", async () => {
    const typed = await resolves<Typed>()(new Plain(options).get<User>("x"), true);
    const user = await resolves<User>()(typed.json(), true);
    assertEquals(user, ada);

    const response: Response = await new Plain(options).get<User>("x");
    await close(response);
    void ((): Promise<Typed> => new Plain(options).get("x"));
    // @ts-expect-error: it is the response
    void ((): Promise<User> => new Plain(options).get("x"));
  });
});

describe("the result type in a generic class", () => {
  class Directory extends APISession {
    override readonly _convJson = true;
  }

  class Crud<T, C extends Directory> extends APIEndpoint<C> {
    get(id: number): Promise<T> {
      return this._get<T>(id);
    }
    list(): APIPromise<T[]> {
      return this._get<T[]>("", { params: { page: 1 } });
    }
    async first(): Promise<T | undefined> {
      const list: T[] = await this._get<T[]>();
      return list[0];
    }
    async withResponse(id: number): Promise<T> {
      const { data } = await this._get<T>(id).withResponse();
      return data;
    }
    response(id: number): Promise<Response> {
      return this._get(id, { convJson: false });
    }
    wrong(id: number): Promise<Response> {
      // @ts-expect-error: it is the JSON
      return this._get<T>(id);
    }
  }

  it("follows the session in its constraint", async () => {
    class Users extends Crud<User, Directory> {
      own = () => resolves<User>()(this._get<User>(7), true);
    }
    const users = new Users(new Directory(options));
    assertEquals(await resolves<User>()(users.get(7), true), ada);
    assertEquals([await users.own(), await users.withResponse(7)], [ada, ada]);
    await close(await users.response(7));
    void (() => resolves<User[]>()(users.list(), true));
    void (() => resolves<User | undefined>()(users.first(), true));
  });

  it("is known in a generic session, even if it is the session of an endpoint", async () => {
    class Users extends Crud<User, Directory> {}
    class Sdk<T> extends Directory {
      readonly users: Users = new Users(this);
      me(): Promise<T> {
        return this.get<T>("me");
      }
    }
    const sdk = new Sdk<User>(options);
    assertEquals([await sdk.me(), await sdk.users.get(7)], [ada, ada]);
  });

  it("does not allow a session with other flags", () => {
    class Undeclared extends APISession {}
    // @ts-expect-error: a session whose results are raw
    void (() => new Crud<User, Undeclared>(new Undeclared(options)));
    // @ts-expect-error: the same here
    void (() => new Crud<User, Directory>(new APISession(options)));
    void (() => new Crud<User, Directory>(new Directory(options)));
  });

  it("is a union for an endpoint of any client", () => {
    class Files extends APIEndpoint<AnyClient> {
      any = () => resolves<Any>()(this._get<User>(), true);
      json = () => resolves<User>()(this._get<User>("", { box: false, convJson: true }), true);
    }
    void (() => [new Files(new APISession(options)), new Files(new Boxing(options))]);
    void (() => new Files(new APIClient({ convJson: true })));
  });
});

describe("the options that a method of an SDK accepts from its caller", () => {
  it("leave the result to the method", async () => {
    class Users extends APIEndpoint<APISession> {
      json(id: number, options?: CallOptions): APIPromise<User> {
        return this._get<User>(id, { ...options, convJson: true });
      }
      model(id: number, options?: CallOptions): APIPromise<User> {
        return this._get(id, { ...options, responseModel: userSchema });
      }
      raw(id: number, options?: CallOptions): APIPromise<Response> {
        return this._get(id, { ...options });
      }
    }
    const users = new Users(new APISession(options));
    const own: CallOptions = { timeout: 5, headers: { "x-trace": "1" }, params: { page: 2 } };
    assertEquals([await users.json(7, own), await users.model(7, own)], [ada, ada]);
    await (await users.raw(7, own)).body?.cancel();
  });

  it("do not include those for the body and the result", () => {
    const accept = (options: CallOptions) => options;
    // @ts-expect-error: the body belongs to the method
    accept({ json: {} });
    // @ts-expect-error: so does the result
    accept({ convJson: true });
    // @ts-expect-error: and the model
    accept({ responseModel: userSchema });
  });
});
