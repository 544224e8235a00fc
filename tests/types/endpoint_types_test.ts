import { assert, assertEquals, describe, it } from "#test";
import {
  type AnyClient,
  APIClient,
  APIEndpoint,
  type APIPromise,
  APISession,
  type CallOptions,
  type Path,
  type RequestOptions,
  type TypedResponse,
} from "../../mod.ts";
import type { Box, BoxAttrs } from "../../src/box/mod.ts";
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
  readonly first_name: string;
}
type Typed = TypedResponse<User>;

const userSchema: StandardSchema<User> = {
  "~standard": {
    version: 1,
    vendor: "tests",
    validate: (value) => ({ value: value as User }),
  },
};

class Plain extends APISession {}
class Parsing extends APISession {
  override readonly _convJson = true;
}

const ada: User = { first_name: "Ada" };
const options = {
  url: "https://api.example.com",
  adapter: scripted(() => Response.json(ada)),
};

const some: boolean = Date.now() > 0;

describe("the types of a request method whose path can be left out", () => {
  it("have the same results for options in place of a path as for a path and options", async () => {
    class Users extends APIEndpoint<Plain> {
      none = () => resolves<Typed>()(this._get<User>(), true);
      plain = () => resolves<Typed>()(this._get<User>({ params: { page: 1 } }), true);
      untyped = () => resolves<Response>()(this._post({ json: 1 }), true);
      json = () => resolves<User>()(this._get<User>({ convJson: true }), true);
      raw = () => resolves<Typed>()(this._options<User>({ convJson: false }), true);
      box = () => resolves<Box<User>>()(this._get<User>({ box: true }), true);
      boxed = () =>
        resolves<Box<User, { camelCase: true }>>()(
          this._get<User, { camelCase: true }>({ box: true, boxAttrs: { camelCase: true } }),
          true,
        );
      unboxed = () => resolves<Typed>()(this._get<User>({ box: false }), true);
      both = () => resolves<User>()(this._get<User>({ box: false, convJson: true }), true);
      neither = () => resolves<Typed>()(this._get<User>({ box: false, convJson: false }), true);
      model = () => resolves<User>()(this._get({ responseModel: userSchema }), true);
      models = () => resolves<User[]>()(this._post({ json: 1, responseModel: [userSchema] }), true);
      wide = () => resolves<User | Typed | Box<User>>()(this._get<User>({ convJson: some }), true);
      put = () => resolves<Typed>()(this._put<User>({ json: 1 }), true);
      patch = () => resolves<User>()(this._patch<User>({ json: 1, convJson: true }), true);
      remove = () => resolves<User>()(this._delete({ json: 1, responseModel: userSchema }), true);
      removeAll = () => resolves<Response>()(this._delete(), true);
      head = () => resolves<Response>()(this._head({ params: { page: 1 } }), true);
      open = (by: RequestOptions) => resolves<unknown>()(this._get<User>(by), true);
      passed = (by: CallOptions) =>
        resolves<User>()(this._get<User>({ ...by, convJson: true }), true);
    }
    class Parsed extends APIEndpoint<Parsing> {
      none = () => resolves<User>()(this._get<User>(), true);
      json = (by: CallOptions) => resolves<User>()(this._get<User>(by), true);
    }
    const users = new Users(new Plain(options));
    const parsed = new Parsed(new Parsing(options));
    assertEquals(await users.json(), ada);
    assertEquals(await users.model(), ada);
    assertEquals((await users.boxed()).firstName, "Ada");
    assertEquals([await parsed.none(), await parsed.json({ timeout: 5 })], [ada, ada]);
  });

  it("refuse undefined in place of a path or the options", () => {
    class Users extends APIEndpoint<Parsing> {
      wrong(id: number | undefined, by?: CallOptions): unknown[] {
        return [
          // @ts-expect-error: a forgotten id would delete the whole collection
          () => this._delete(undefined),
          // @ts-expect-error: the same
          () => this._delete(id),
          // @ts-expect-error: the same
          () => this._put(id, { json: 1 }),
          // @ts-expect-error: a forgotten id would address the whole collection
          () => this._get(id),
          // @ts-expect-error: undefined may be a forgotten id
          () => this._get(by),
          // @ts-expect-error: options twice
          () => this._get({}, {}),
          // @ts-expect-error: an unknown option
          () => this._get({ retires: 0 }),
          () => this._get("", by),
          () => this._get<User>(7, by),
        ];
      }
    }
    assert(new Users(new Parsing(options)).wrong(7).length > 0);
  });
});

describe("the result type of a call of an endpoint in another one", () => {
  class Posts extends APIEndpoint<Plain> {
    override readonly _convJson = true;
    override readonly _boxAttrs = { camelCase: true } as const;
    readonly comments: Comments = new Comments(this);
    readonly drafts: Drafts = new Drafts(this);
  }
  class Comments extends APIEndpoint<Plain, Posts> {
    readonly likes: Likes = new Likes(this);
    get = () => resolves<User>()(this._get<User>(7), true);
    box = () =>
      resolves<Box<User, { readonly camelCase: true }>>()(
        this._get<User>(7, { box: true }),
        true,
      );
    raw = () => resolves<Typed>()(this._get<User>({ convJson: false }), true);
    api = (): Plain => this._api;
  }
  class Drafts extends APIEndpoint<Plain, Posts> {
    override readonly _convJson = false;
    get = () => resolves<Typed>()(this._get<User>(7), true);
  }
  class Likes extends APIEndpoint<Plain, Comments> {
    get = () => resolves<User>()(this._get<User>(7), true);
  }

  it("follows the class of the endpoint, then the other one, then the session", async () => {
    const posts = new Posts(new Plain(options));
    assertEquals(await posts.comments.get(), ada);
    assertEquals(await posts.comments.likes.get(), ada);
    assertEquals((await posts.comments.box()).firstName, "Ada");
    assertEquals(await (await posts.comments.raw()).json(), ada);
    assertEquals(await (await posts.drafts.get()).json(), ada);
  });

  it("needs an endpoint of the same session", () => {
    class OfOther extends APIEndpoint<Parsing> {}
    // @ts-expect-error: the other endpoint belongs to another class of sessions
    class Wrong extends APIEndpoint<Plain, OfOther> {}
    // @ts-expect-error: the parent is an endpoint
    (() => new Drafts(new Plain(options)));
    assert(new Wrong(new OfOther(new Parsing(options))) instanceof APIEndpoint);
  });
});

describe("a generic base class of endpoints", () => {
  abstract class Crud<T, S extends Parsing = Parsing> extends APIEndpoint<S> {
    list(options: CallOptions = {}): APIPromise<T[]> {
      return this._get<T[]>(options);
    }
    get(id: Path): APIPromise<T> {
      return this._get<T>(id);
    }
    create(json: Partial<T>): APIPromise<T> {
      return this._post<T>({ json });
    }
    replace(id: Path, json: T): APIPromise<T> {
      return this._put<T>(id, { json });
    }
    count(): APIPromise<number> {
      return this.list().map((items) => items.length);
    }
  }

  it("returns promises of its type parameter", async () => {
    class Users extends Crud<User> {
      protected override readonly _path: string = "users";
    }
    const adapter = scripted(() => Response.json([ada]));
    const users = new Users(new Parsing({ ...options, adapter }));
    await resolves<User>()(users.get(7), true);
    await resolves<User>()(users.create({}), true);
    const list = await resolves<User[]>()(users.list(), true);
    const { data } = await users.list({ params: { page: 2 } }).withResponse();

    assertEquals([list, data, await users.count()], [[ada], [ada], 1]);
    assertEquals(adapter.calls.map(({ init, url }) => `${init.method} ${new URL(url).pathname}`), [
      "GET /users/7",
      "POST /users",
      "GET /users",
      "GET /users",
      "GET /users",
    ]);
  });

  it("can be nested, and can choose the conversion itself", async () => {
    abstract class Below<T, P extends Parent> extends APIEndpoint<APIClient, P> {
      override readonly _convJson = true;
      all(): APIPromise<T[]> {
        return this._get<T[]>();
      }
    }
    class Parent extends APIEndpoint<APIClient> {
      protected override readonly _path: string = "/users/7";
      readonly friends: Friends = new Friends(this);
    }
    class Friends extends Below<User, Parent> {
      protected override readonly _path: string = "/friends";
    }
    const adapter = scripted(() => Response.json([ada]));
    const client = new APIClient({ baseUrl: options.url, adapter });

    assertEquals(await resolves<User[]>()(new Parent(client).friends.all(), true), [ada]);
    assertEquals(adapter.calls[0]!.url, `${options.url}/users/7/friends`);
  });

  it("needs no type argument for a client that does not declare how it converts responses", async () => {
    class Users extends APIEndpoint {
      protected override readonly _path: string = "/users";
      raw(): APIPromise<Typed> {
        return this._get<User>(7);
      }
      parsed(): APIPromise<User> {
        return this._get<User>(7, { convJson: true });
      }
      checked(): APIPromise<User> {
        return this._get(7, { responseModel: userSchema });
      }
    }
    class Parsed extends APIEndpoint {
      override readonly _convJson = true;
      get(): APIPromise<User> {
        return this._get<User>("users/7");
      }
    }
    class Directory extends APIClient {
      readonly users: Users = new Users(this);
      readonly parsed: Parsed = new Parsed(this);
    }
    const { users, parsed } = new Directory({ baseUrl: options.url, adapter: options.adapter });
    assertEquals(await (await resolves<Typed>()(users.raw(), true)).json(), ada);
    assertEquals([await users.parsed(), await users.checked(), await parsed.get()], [
      ada,
      ada,
      ada,
    ]);
    assertEquals(await new Users(new Plain(options)).parsed(), ada);
    assertEquals(await new Users(new APISession(options)).parsed(), ada);
  });

  it("needs the type argument for a client that declares how it converts responses", () => {
    class Users extends APIEndpoint {}
    class Boxing extends APIClient {
      override readonly _box = true;
      // @ts-expect-error the results are boxes
      readonly users: Users = new Users(this);
    }
    // @ts-expect-error the results are JSON
    new Users(new Parsing(options));
    // @ts-expect-error the results are JSON
    new Users(new APISession({ ...options, convJson: true }));
    class Named extends APIEndpoint<Parsing> {}
    new Named(new Parsing(options));
    assert(new Boxing({ baseUrl: options.url }).users instanceof Users);
  });

  it("accepts clients of any kind if it names AnyClient, and converts responses itself", async () => {
    class Users extends APIEndpoint<AnyClient> {
      override readonly _convJson = true;
      override readonly _box = false;
      get(): APIPromise<User> {
        return this._get<User>("users/7");
      }
    }
    class Open extends APIEndpoint<AnyClient> {
      get(): APIPromise<User> {
        // @ts-expect-error the client decides if this is JSON, a box or a response
        return this._get<User>("users/7");
      }
    }
    class Boxing extends APIClient {
      override readonly _box = true;
    }
    const boxing = new Boxing({ baseUrl: options.url, adapter: options.adapter });
    for (const client of [new Parsing(options), boxing, new Plain(options)]) {
      assertEquals(await new Users(client).get(), ada);
    }
    class Raw extends APIEndpoint<APISession> {}
    // @ts-expect-error APISession names calls that return the response
    new Raw(new Parsing(options));
    assert(new Open(new Parsing(options)) instanceof APIEndpoint);
  });

  it("has fields that a subclass can declare", () => {
    class Flags extends APIEndpoint<Plain> {
      override readonly _box: boolean | undefined = some;
      override readonly _boxAttrs: BoxAttrs = { camelCase: true };
    }
    assert(new Flags(new Plain(options)) instanceof APIEndpoint);
  });
});
