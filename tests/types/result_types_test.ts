import { assert, assertEquals, describe, it } from "#test";
import {
  type AnyClient,
  APIClient,
  APIEndpoint,
  type APIPromise,
  APISession,
  type Box,
  type Boxed,
  type BoxValue,
  isBox,
  type Login,
  type RequestOptions,
  type ResultFlag,
  type SessionOptions,
  type TypedResponse,
} from "../../mod.ts";
import { scripted } from "../support/scripted.ts";

// What is said here is said by the compiler; the tests below only make it part of a run.

/** Whether two types are the same. */
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true
  : false;

/** Compiles where the call gives just the type; gives what it gave. */
function gives<Expected>(): <Actual>(
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

/** A raw response to a call with a type argument. */
type Typed = TypedResponse<User>;
type Any = User | Box<User> | Typed;

const ada: User = { id: 7, first_name: "Ada" };
const options: SessionOptions = {
  url: "https://api.example.com",
  adapter: scripted(() => Response.json(ada)),
};

/** Where it is known only when it runs. */
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

/** Reads what may be a response to its end. */
async function close(value: unknown): Promise<void> {
  if (value instanceof Response) await value.arrayBuffer();
}

describe("the type of what a session's call gives", () => {
  it("is the response, where nothing says otherwise", async () => {
    const session = new APISession(options);
    await close(await gives<Response>()(session.get("x"), true));
    await close(await gives<Typed>()(session.get<User>("x"), true));
    const sdk = new Plain(options);
    await close(await gives<Typed>()(sdk.get<User>("x"), true));
    await close(await gives<Typed>()(sdk.get<User>("x", { params: { a: 1 } }), true));
    const response = await gives<Response>()(sdk.head("x"), true);
    await close(response);
    assertEquals(response.status, 200);
  });

  it("is that of the JSON, where the class declares it", async () => {
    const session = new Parsing(options);
    assertEquals(await gives<User>()(session.get<User>("x"), true), ada);
    assertEquals(await gives<User | null>()(session.post<User | null>("x"), true), ada);
    assertEquals(await gives<unknown>()(session.put("x"), true), ada);
    assertEquals(await gives<User>()(session.get<User>("x", { useBase: false }), true), ada);
    const user: User = await session.get("x"); // by what is asked for
    assertEquals(user.id, 7);
  });

  it("is that of the box, where the class declares it, also beside JSON", async () => {
    for (const session of [new Boxing(options), new Both(options)]) {
      const box = await gives<Box<User>>()(session.get<User>("x"), true);
      assert(isBox(box));
      await gives<Box<User>>()(session.get<User>("x", { convJson: true }), true);
      const list = await gives<Box<User[]>>()(session.get<User[]>("x"), true);
      (() => list[0]!.first_name satisfies string);
      assertEquals(box.first_name, "Ada");
    }
  });

  it("is a value to be tested or the response, where nothing is known of a box", async () => {
    const value = await gives<BoxValue | Response>()(new Boxing(options).get("x"), true);
    // @ts-expect-error: it may be the response, or a scalar
    (() => value.first_name);
    assert(isBox(value));
    assertEquals(value["first_name"] as unknown, "Ada");
  });

  it("is what the keywords say, whatever the class declares", async () => {
    const plain = new Plain(options);
    const parsing = new Parsing(options);
    const boxing = new Boxing(options);
    const both = new Both(options);
    const raw = new Raw(options);
    const wide = new Wide(options);
    const off = { box: false, convJson: false } as const;
    await close(await gives<Response>()(plain.get("x", off), true));
    await close(await gives<Response>()(parsing.get("x", off), true));
    await close(await gives<Response>()(boxing.get("x", off), true));
    await close(await gives<Response>()(both.get("x", off), true));
    await close(await gives<Response>()(raw.get("x", off), true));
    await close(await gives<Response>()(wide.get("x", off), true));
    const json = { box: false, convJson: true } as const;
    await gives<User>()(plain.get<User>("x", json), true);
    await gives<User>()(parsing.get<User>("x", json), true);
    await gives<User>()(boxing.get<User>("x", json), true);
    await gives<User>()(both.get<User>("x", json), true);
    await gives<User>()(raw.get<User>("x", json), true);
    await gives<User>()(wide.get<User>("x", json), true);
    await gives<Box<User>>()(plain.get<User>("x", { box: true }), true);
    await gives<Box<User>>()(parsing.get<User>("x", { box: true }), true);
    await gives<Box<User>>()(boxing.get<User>("x", { box: true }), true);
    await gives<Box<User>>()(raw.get<User>("x", { box: true }), true);
    const box = await gives<Box<User>>()(wide.get<User>("x", { box: true, convJson: some }), true);
    assertEquals(box.id, 7);
  });

  it("is, with one keyword of the two, what the class says of the other", async () => {
    const parsing = new Parsing(options);
    await close(await gives<Typed>()(parsing.get<User>("x", { convJson: false }), true));
    const plain = new Plain(options);
    await gives<User>()(plain.get<User>("x", { convJson: true }), true);
    await close(await gives<Typed>()(plain.get<User>("x", { box: false }), true));
    const raw = new Raw(options);
    await gives<User>()(raw.get<User>("x", { convJson: true }), true);
    await close(await gives<Response>()(raw.get("x", { convJson: false }), true));
    const wide = new Wide(options);
    const either = await gives<User | Typed>()(wide.get<User>("x", { box: false }), true);
    assertEquals(either instanceof Response, false);
    await gives<Box<User> | Typed>()(wide.get<User>("x", { convJson: false }), true);
  });

  it("is either, where a flag is just a boolean, in the class or in the keywords", async () => {
    const wide = new Wide(options);
    await gives<Any>()(wide.get<User>("x"), true);
    await gives<Any>()(wide.get<User>("x", { params: {} }), true);
    const plain = new Plain(options);
    await gives<Any>()(plain.get<User>("x", { box: some }), true);
    const value = await gives<Any>()(plain.get<User>("x", { convJson: some }), true);
    // @ts-expect-error: it may be the response
    (() => value.first_name);
    assertEquals(value instanceof Response, false);
  });

  it("is either, where the keywords are of the type of keywords", async () => {
    const passed: RequestOptions = { convJson: true };
    await gives<unknown>()(new Plain(options).get<User>("x", passed), true);
    await gives<unknown>()(new Parsing(options).get<User>("x", passed), true);
    await gives<unknown>()(new Boxing(options).get<User>("x", passed), true);
    const unknown = await gives<unknown>()(new Plain(options).get("x", passed), true);
    assertEquals(unknown, ada);
    const open: { readonly box?: true } = {};
    await close(await gives<Any>()(new Plain(options).get<User>("x", open), true));
  });

  it("is the same with a keyword that is undefined as without it", async () => {
    const none = { box: undefined, boxAttrs: undefined, convJson: undefined };
    await close(await gives<Typed>()(new Plain(options).get<User>("x", none), true));
    await gives<User>()(new Parsing(options).get<User>("x", none), true);
    const box = await gives<Box<User>>()(new Boxing(options).get<User>("x", none), true);
    assert(isBox(box));
  });

  it("is what the options of a session used as it is say, by new", async () => {
    const parsing = new APISession({ ...options, convJson: true });
    await gives<User>()(parsing.get<User>("x"), true);
    const boxing = new APISession({ ...options, box: true });
    const box = await gives<Box<User>>()(boxing.get<User>("x"), true);
    assertEquals(box.first_name, "Ada");
    const both = new APISession({ ...options, box: true, convJson: true });
    await gives<Box<User>>()(both.get<User>("x"), true);
    const none = new APISession({ ...options, box: undefined, convJson: undefined });
    await close(await gives<Typed>()(none.get<User>("x"), true));
    const wide = new APISession({ ...options, box: some, convJson: some });
    await gives<Any>()(wide.get<User>("x"), true);
  });

  it("is what the options of a session used as it is say, by open", async () => {
    const parsing = await APISession.open({ ...options, convJson: true });
    assertEquals(await gives<User>()(parsing.get<User>("x"), true), ada);
    const boxing = await APISession.open({ ...options, box: true });
    await gives<Box<User>>()(boxing.get<User>("x"), true);
    const plain = await APISession.open(options);
    await close(await gives<Typed>()(plain.get<User>("x"), true));
    const sdk = await Parsing.open(options);
    await gives<User>()(sdk.get<User>("x"), true);
    const own: Parsing = sdk;
    assert(own instanceof Parsing);
  });

  it("has the names of a box that the options ask for, where the type of the JSON is inferred", async () => {
    const session = new APISession({ ...options, box: true, boxAttrs: { camelCase: true } });
    const value = await gives<BoxValue<{ readonly camelCase: true }> | Response>()(
      session.get("x"),
      true,
    );
    assert(isBox(value));
    assertEquals(value["firstName"] as unknown, "Ada");
  });

  it("is the response for the verbs of the login handle, whatever the class declares", async () => {
    let seen = 0;
    class Sdk extends Boxing {
      protected override async _authenticate(_: SessionOptions, login: Login): Promise<void> {
        const response = await gives<Typed>()(login.post<User>("auth"), true);
        seen = (await response.json() as User).id;
        await gives<User>()(login.get<User>("auth", { convJson: true }), true);
        await gives<Box<User>>()(login.get<User>("auth", { box: true }), true);
      }
    }
    await Sdk.open(options);
    assertEquals(seen, 7);
  });
});

describe("the type of what a call within a class gives", () => {
  it("is what the class of the session declares", async () => {
    class Sdk extends Parsing {
      me(): Promise<User> {
        return gives<User>()(this.get<User>("me"), true);
      }
      raw(): Promise<Response> {
        return gives<Typed>()(this.get<User>("me", { convJson: false }), true);
      }
      boxed(): Promise<Box<User>> {
        return gives<Box<User>>()(this.get<User>("me", { box: true }), true);
      }
    }
    class Boxes extends Boxing {
      me(): Promise<Box<User>> {
        return gives<Box<User>>()(this.get<User>("me"), true);
      }
      json(): Promise<User> {
        return gives<User>()(this.get<User>("me", { box: false, convJson: true }), true);
      }
    }
    class None extends APISession {
      me(): Promise<Response> {
        return gives<Response>()(this.get("me", { box: false, convJson: false }), true);
      }
      json(): Promise<User> {
        return gives<User>()(this.get<User>("me", { box: false, convJson: true }), true);
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

  it("is what the session declares, where the class of the endpoint does not say", async () => {
    class OfPlain extends APIEndpoint<Plain> {
      me = () => gives<Typed>()(this._get<User>(), true);
      json = () => gives<User>()(this._get<User>("", { convJson: true }), true);
      boxed = () => gives<Box<User>>()(this._get<User>("", { box: true }), true);
      either = (by: RequestOptions) => gives<unknown>()(this._get<User>("", by), true);
    }
    class OfAny extends APIEndpoint<APISession> {
      me = () => gives<Typed>()(this._get<User>(), true);
      json = () => gives<User>()(this._put<User>("x", { convJson: true }), true);
    }
    class OfParsing extends APIEndpoint<Parsing> {
      me = () => gives<User>()(this._get<User>(), true);
      raw = () => gives<Typed>()(this._post<User>("", { convJson: false }), true);
    }
    class OfBoxing extends APIEndpoint<Boxing> {
      me = () => gives<Box<User>>()(this._get<User>(), true);
      still = () => gives<Box<User>>()(this._get<User>("", { convJson: false }), true);
      json = () => gives<User>()(this._patch<User>("x", { box: false, convJson: true }), true);
      raw = () => gives<Typed>()(this._delete<User>("x", { box: false }), true);
    }
    class OfWide extends APIEndpoint<Wide> {
      me = () => gives<Any>()(this._get<User>(), true);
      half = () => gives<User | Typed>()(this._get<User>("", { box: false }), true);
      json = () => gives<User | Box<User>>()(this._get<User>("", { convJson: true }), true);
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

  it("is what the class of the endpoint declares, else what its session does", async () => {
    class Parses extends APIEndpoint<Plain> {
      override readonly _convJson = true;
      me = () => gives<User>()(this._get<User>(), true);
      raw = () => gives<Typed>()(this._get<User>("", { convJson: false }), true);
    }
    class Boxes extends APIEndpoint<Parsing> {
      override readonly _box = true;
      me = () => gives<Box<User>>()(this._get<User>(), true);
      json = () => gives<User>()(this._get<User>("", { box: false, convJson: true }), true);
    }
    class Unboxes extends APIEndpoint<Both> {
      override readonly _box = false;
      override readonly _convJson = true;
      me = () => gives<User>()(this._get<User>(), true);
      boxed = () => gives<Box<User>>()(this._get<User>("", { box: true }), true);
      raw = () => gives<Response>()(this._get("", { convJson: false }), true);
    }
    class StillBoxes extends APIEndpoint<Boxing> {
      override readonly _convJson = true;
      me = () => gives<Box<User>>()(this._get<User>(), true);
    }
    class Open extends APIEndpoint<Plain> {
      override readonly _box: boolean = some;
      me = () => gives<Box<User> | Typed>()(this._get<User>(), true);
    }
    class Undoes extends APIEndpoint<Parsing> {
      override readonly _convJson = false;
      me = () => gives<Typed>()(this._get<User>(), true);
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

describe("what must not compile about results", () => {
  it("options that a subclass does not take", () => {
    class Sub extends APISession {}
    const tries = [
      // @ts-expect-error: what its calls give is for the class to declare
      () => new Sub({ ...options, convJson: true }),
      // @ts-expect-error: so for boxes
      () => new Sub({ ...options, box: true }),
      // @ts-expect-error: so for their attributes
      () => new Sub({ ...options, boxAttrs: { dots: true } }),
      // @ts-expect-error: so where it is opened
      () => Sub.open({ ...options, convJson: true }),
      // @ts-expect-error: so where the class declares it
      () => new Parsing({ ...options, convJson: false }),
    ];
    assertEquals(tries.length, 5);
  });

  it("values that are none", () => {
    const session = new APISession(options);
    const tries = [
      // @ts-expect-error: true or false
      () => new APISession({ ...options, box: "yes" }),
      // @ts-expect-error: true or false
      () => new APISession({ ...options, convJson: null }),
      // @ts-expect-error: no such attribute
      () => new APISession({ ...options, boxAttrs: { frozn: true } }),
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
      // @ts-expect-error: keywords are no path
      () => session.get({ box: true }),
    ];
    assertEquals(tries.length, 9);
  });

  it("fields that are none, or that are written", () => {
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
      // @ts-expect-error: it is not null that stands for none
      override readonly _convJson = null;
    }
    void (() => {
      const session = new Parsing(options);
      // @ts-expect-error: what its calls give is the class's
      session._convJson = true;
      // @ts-expect-error: so for a session used as it is
      new APISession(options)._box = true;
    });
    const flags: readonly ResultFlag[] = [undefined, true, false];
    assertEquals([typeof Wrong, typeof WrongPart, flags.length], ["function", "function", 3]);
  });

  it("results that are taken for something else", () => {
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
      // @ts-expect-error: a box has no fields but those of the type
      async () => (await new Boxing(options).get<User>("x")).last_name,
    ];
    assertEquals(tries.length, 9);
  });
});

describe("the type of a box by its attributes", () => {
  it("has the names that the keywords ask for, where the type of the JSON is inferred", async () => {
    const plain = new Plain(options);
    const attributes = { camelCase: true } as const;
    const value = await gives<BoxValue<{ readonly camelCase: true }> | Response>()(
      plain.get("x", { box: true, boxAttrs: attributes }),
      true,
    );
    assert(isBox(value));
    assertEquals(value["firstName"] as unknown, "Ada");
  });

  it("has those that are given as the second type", async () => {
    type Camel = { readonly camelCase: true };
    const box = await gives<Boxed<User, Camel>>()(
      new Plain(options).get<User, Camel>("x", { box: true, boxAttrs: { camelCase: true } }),
      true,
    );
    assertEquals(box.firstName, "Ada");
  });

  it("has those of the session, where the class of an endpoint does not say", async () => {
    class Camels extends APISession {
      override readonly _box = true;
      override readonly _boxAttrs = { camelCase: true } as const;
    }
    class Users extends APIEndpoint<Camels> {
      async names(): Promise<string[]> {
        const box = await this._get<User>();
        const asked = await this._get<User>("", { box: true });
        return [box.firstName, asked.firstName];
      }
    }
    assertEquals(await new Users(new Camels(options)).names(), ["Ada", "Ada"]);
  });
});

describe("the type of a result that is taken back", () => {
  it("both taken back give the response, with a type argument too", () => {
    const off = { box: false, convJson: false } as const;
    void (() => gives<Typed>()(new Plain(options).get<User>("x", off), true));
    void (() => gives<Typed>()(new Raw(options).get<User>("x", { convJson: false }), true));
  });

  it("a class that declares neither gives the response", () => {
    void (() => gives<Typed>()(new Raw(options).get<User>("x"), true));
    const off = new APISession({ ...options, box: false, convJson: false });
    void (() => gives<Typed>()(off.get<User>("x"), true));
    class Undoes extends APIEndpoint<Boxing> {
      override readonly _box = false;
      read = () => gives<Typed>()(this._get<User>(), true);
    }
    class UndoesBoxesOfParsing extends APIEndpoint<Parsing> {
      override readonly _box = false;
      read = () => gives<User>()(this._get<User>(), true);
    }
    void [Undoes, UndoesBoxesOfParsing];
  });

  it("box taken back leaves JSON that the class declares", () => {
    void (() => gives<User>()(new Parsing(options).get<User>("x", { box: false }), true));
    class Parses extends APIEndpoint<Boxing> {
      override readonly _convJson = true;
      read = () => gives<User>()(this._get<User>("", { box: false }), true);
    }
    void Parses;
  });
});

describe("whose calls an endpoint makes", () => {
  it("an endpoint of a class that declares its results has to name that class", () => {
    class Unnamed extends APIEndpoint<Plain> {}
    // @ts-expect-error: the session is missing
    class Forgotten extends APIEndpoint {}
    class Named extends APIEndpoint<Parsing> {
      read = () => gives<User>()(this._get<User>(), true);
    }
    new Unnamed(new Plain(options));
    // @ts-expect-error: its calls would be typed Response
    new Unnamed(new Parsing(options));
    // @ts-expect-error: here, too
    const plain: APISession = new Boxing(options);
    class Sdk extends Parsing {
      readonly named: Named = new Named(this);
      // @ts-expect-error: and in the class itself
      readonly unnamed: Unnamed = new Unnamed(this);
    }
    assert(new Sdk(options).named instanceof Named);
    assert(plain instanceof Boxing);
    assertEquals(typeof Forgotten, "function");
  });
});

describe("the type of a raw response", () => {
  it("has a json() of the type argument, and is a plain response without one", async () => {
    const typed = await gives<Typed>()(new Plain(options).get<User>("x"), true);
    const user = await gives<User>()(typed.json(), true);
    assertEquals(user, ada);

    const response: Response = await new Plain(options).get<User>("x");
    await close(response);
    void ((): Promise<Typed> => new Plain(options).get("x"));
    // @ts-expect-error: it is the response
    void ((): Promise<User> => new Plain(options).get("x"));
  });
});

describe("the type of a result in a generic class", () => {
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

  it("is what the session of its constraint declares", async () => {
    class Users extends Crud<User, Directory> {
      own = () => gives<User>()(this._get<User>(7), true);
    }
    const users = new Users(new Directory(options));
    assertEquals(await gives<User>()(users.get(7), true), ada);
    assertEquals([await users.own(), await users.withResponse(7)], [ada, ada]);
    await close(await users.response(7));
    void (() => gives<User[]>()(users.list(), true));
    void (() => gives<User | undefined>()(users.first(), true));
  });

  it("is known in a generic session, which can be the session of an endpoint", async () => {
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

  it("does not accept a session with other results", () => {
    class Undeclared extends APISession {}
    // @ts-expect-error: a session whose results are raw
    void (() => new Crud<User, Undeclared>(new Undeclared(options)));
    // @ts-expect-error: here, too
    void (() => new Crud<User, Directory>(new APISession(options)));
    void (() => new Crud<User, Directory>(new Directory(options)));
  });

  it("is a union for an endpoint of any client", () => {
    class Files extends APIEndpoint<AnyClient> {
      any = () => gives<Any>()(this._get<User>(), true);
      json = () => gives<User>()(this._get<User>("", { box: false, convJson: true }), true);
    }
    void (() => [new Files(new APISession(options)), new Files(new Boxing(options))]);
    void (() => new Files(new APIClient({ convJson: true })));
  });
});
