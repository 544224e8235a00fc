import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertThrows,
  describe,
  it,
} from "#test";
import {
  APIClient,
  APIEndpoint,
  APISession,
  type ClientOptions,
  NotFoundError,
  RestwrightError,
  type SessionOptions,
} from "../mod.ts";
import type { ErrorMap } from "../src/entries/errors.ts";
import type { HttpSession } from "../src/http/mod.ts";
import { attr, element, elements, integer, Model, string } from "../src/models/mod.ts";
import { APIIterator } from "../src/paging/mod.ts";
import { mockTransport, recordingLogger, silentLogger } from "../src/testing/mod.ts";

// The mistakes that an author of an SDK is likely to make, with the whole message of each. The
// casts are those of an author who writes JavaScript, or who silences the compiler.

const url = "https://api.example.com";
const logger = silentLogger;

/** Options of a session whose API has one list and one book. */
function options(): SessionOptions {
  const fetch = mockTransport({ "GET /books": [{ id: 1 }], "GET /books/1": { id: 1 } });
  return { url, fetch, logger };
}

function session(changes: object = {}): APISession {
  return new APISession({ ...options(), ...changes });
}

/** A mistake: it throws or rejects with an error of the toolkit. */
interface Mistake {
  readonly title: string;
  readonly make: () => unknown;
  readonly message: string;
}

class Book extends Model {
  declare readonly id: number;
  static override readonly fields = { id: attr(integer) };
}

class Books extends APIEndpoint<APISession> {
  protected override readonly _path: string = "books";

  list(): Promise<Response> {
    return this._get();
  }
}

/** An iterator whose `_getPage` does something wrong. */
function iterateWith(getPage: (iterator: { page: unknown; _api: APISession }) => unknown) {
  class Wrong extends APIIterator<unknown, APISession> {
    protected override async _getPage(): Promise<void> {
      return await getPage(this as never) as undefined;
    }
  }
  return new Wrong({ api: session() }).next();
}

const ofTheBaseUrl: readonly Mistake[] = [
  {
    title: "a URL that is a field and no static",
    make() {
      class Library extends APISession {
        readonly url: string = "https://api.example.com";
      }
      return new Library({ logger });
    },
    message:
      '"url" must be set, as the option "url", or in the class with "static override readonly ' +
      'url: string = …" (a field that is not static has no effect), but is an empty string',
  },
  {
    title: "the option of the other generation",
    make: () => new APIClient({ url, logger } as ClientOptions),
    message:
      '"baseUrl" must be set, as the option "baseUrl", or in the class with "static override ' +
      'readonly baseUrl: string = …" (a field that is not static has no effect), but is an empty ' +
      'string. Write "baseUrl" for "url"',
  },
  {
    title: "a URL without a scheme",
    make: () => session({ url: "api.example.com/v1" }),
    message:
      '"url" must be a full URL that begins with http:// or https://, but is a string of 18 ' +
      'characters. Write "https://api.example.com"',
  },
  {
    title: "a host on this machine without a scheme",
    make: () => session({ url: "localhost:8080" }),
    message:
      '"url" must be a full URL that begins with http:// or https://, but is a string of 14 ' +
      'characters. Write "http://localhost:8080"',
  },
  {
    title: "a URL object",
    make: () => session({ url: new URL(url) }),
    message:
      '"url" must be a full URL that begins with http:// or https://, but is an instance of URL. ' +
      "Pass its href, which is a string",
  },
];

const ofOptions: readonly Mistake[] = [
  {
    title: "an option with a wrong letter",
    make: () => session().get("books", { param: { page: 1 } } as object),
    message: '"param" is not a known option: did you mean "params"?',
  },
  {
    title: "an option with two letters swapped",
    make: () => session().get("books", { retires: 1 } as object),
    message: '"retires" is not a known option: did you mean "retries"?',
  },
  {
    title: "the name that fetch has for a body",
    make: () => session().post("books", { body: { id: 2 } } as object),
    message: '"body" is not a known option: did you mean "json"?',
  },
  {
    title: "a token in place of a scheme",
    make: () => session({ auth: "5eCr3t" }),
    message:
      '"auth" must be a pair of user name and password, a scheme such as new BearerAuth(token), or ' +
      "null, but is a string of 6 characters",
  },
  {
    title: "two bodies",
    make: () => session().post("books", { json: { id: 2 }, data: { id: 2 } }),
    message:
      '"json, data" must be passed one at a time, because a request has only one body, but is ' +
      "not: leave out all but one",
  },
  {
    title: "a body of a GET",
    make: () => session().get("books", { json: { page: 2 } }),
    message: '"json" must be left out, because a GET request has no body, but is an object. Use ' +
      "params for values in the URL",
  },
  {
    title: "an error map with a name as a key",
    make: () => session().get("books", { errorMap: { notFound: NotFoundError } as never }),
    message: '"errorMap.notFound" must be under a status, such as 404, but is under "notFound"',
  },
  {
    title: "an error map with an error of JavaScript",
    make() {
      class Missing extends Error {}
      class Library extends APISession {
        static override readonly errorMap: ErrorMap = { 404: Missing } as unknown as ErrorMap;
      }
      return new Library(options());
    },
    message: '"errorMap.404" must be a class that extends APIError, but is the class Missing',
  },
  {
    title: "a transport that returns parsed JSON",
    make: () => session({ fetch: () => Promise.resolve({ id: 1 }) }).get("books"),
    message:
      '"fetch or adapter" must be a function that returns a Response or a promise of one, but is a ' +
      "function that returned an object",
  },
];

const ofClasses: readonly Mistake[] = [
  {
    title: "an endpoint without its session",
    make: () => new Books(undefined as unknown as APISession),
    message:
      '"parent of Books" must be the session, client or endpoint that it belongs to, as in new ' +
      "Books(this), but is undefined",
  },
  {
    title: "an endpoint whose path is a static",
    make() {
      class Loans extends APIEndpoint<APISession> {
        static readonly _path: string = "loans";
        list(): Promise<Response> {
          return this._get();
        }
      }
      return new Loans(session()).list();
    },
    message:
      '"Loans._path" must be a field, as in "protected override readonly _path: string = …", but ' +
      "is a static",
  },
  {
    title: "a call after close()",
    async make() {
      const closed = session();
      const books = new Books(closed);
      await closed.close();
      return await books.list();
    },
    message:
      "the session is closed: call close() after the last request, or create another session",
  },
  {
    title: "httpSession in _buildSession",
    make() {
      class Library extends APISession {
        protected override _buildSession(): HttpSession {
          this.httpSession.headers.set("X-Client", "1");
          return this.httpSession;
        }
      }
      return new Library(options()).get("books");
    },
    message: "`httpSession` is not available inside _buildSession(): use the HttpSession that " +
      "super._buildSession() returns",
  },
  {
    title: "a _buildSession that returns nothing",
    make() {
      class Library extends APISession {
        protected override _buildSession(given: SessionOptions): HttpSession {
          super._buildSession(given).headers.set("X-Client", "1");
          return undefined as unknown as HttpSession;
        }
      }
      return new Library(options()).get("books");
    },
    message:
      '"_buildSession" must be a hook that returns an HttpSession, but is undefined. Return ' +
      "what super._buildSession(options) returns",
  },
  {
    title: "an async _buildSession, even if it fails",
    make() {
      class Library extends APISession {
        protected override _buildSession(): HttpSession {
          return Promise.reject(new Error("no token")) as unknown as HttpSession;
        }
      }
      return new Library(options()).get("books");
    },
    message:
      '"_buildSession" must be a hook that returns an HttpSession, but is an instance of Promise. ' +
      "Remove async, and move what must be awaited to _authenticate()",
  },
  {
    title: "a request through the session in _authenticate",
    make() {
      class Library extends APISession {
        protected override async _authenticate(): Promise<void> {
          await this.get("books");
        }
      }
      return new Library(options()).get("books");
    },
    message: "a request in _authenticate waits for itself: send it through `login`, the " +
      "second parameter of _authenticate",
  },
];

const ofIterators: readonly Mistake[] = [
  {
    title: "an iterator without its session",
    make: () => {
      class Pages extends APIIterator<unknown> {
        protected override _getPage(): Promise<void> {
          return Promise.resolve();
        }
      }
      return new Pages(undefined as never);
    },
    message:
      '"client" must be the client or session that the iterator calls, as in new Books({ client }), ' +
      "but is undefined",
  },
  {
    title: "a page that is returned",
    make: () => iterateWith(() => [1, 2]),
    message:
      "Wrong._getPage returned an array of 2 elements, but must store the elements: assign " +
      "them to this.page",
  },
  {
    title: "a page that is not awaited",
    make: () =>
      iterateWith((iterator) => {
        iterator.page = iterator._api.get("books", { convJson: true });
      }),
    message:
      "Wrong._getPage must store an array in page, but stored an instance of Promise: await it first",
  },
  {
    title: "a page that is a response",
    make: () =>
      iterateWith(async (iterator) => {
        iterator.page = await iterator._api.get("books");
      }),
    message:
      "Wrong._getPage must store an array in page, but stored an instance of Response: convert it, " +
      "with convJson: true or a responseModel",
  },
];

const ofModels: readonly Mistake[] = [
  {
    title: "an array in place of a class",
    make: () => elements([Book] as never),
    message:
      '"type of the field" must be a type such as string, a model class, or a function that returns ' +
      "one, as in () => Book, but is an array of 1 element",
  },
  {
    title: "a class that is not loaded yet, because two files import each other",
    make: () => element(undefined as never),
    message:
      '"type of the field" must be a type such as string, a model class, or a function that returns ' +
      "one, as in () => Book, but is undefined",
  },
  {
    title: "a constructor of JavaScript in place of a type",
    make: () => element(Number as never),
    message:
      '"type of the field" must be a type such as string, a model class, or a function that returns ' +
      "one, as in () => Book, but is the class Number",
  },
  {
    title: "an option of a field with a wrong letter",
    make: () => element(string, { optinal: true } as object),
    message: '"optinal" is not a known option: did you mean "optional"?',
  },
  {
    title: "a type without a place",
    make() {
      class Loan extends Model {
        static override readonly fields = { id: integer } as never;
      }
      return session().get("books/1", { responseModel: Loan });
    },
    message: '"Loan.fields.id" must be created with attr, element, elements, text or rest, as in ' +
      "element(string), but is an object",
  },
  {
    title: "a class that does not extend Model",
    make() {
      class Loan {}
      return session().get("books/1", { responseModel: Loan as never });
    },
    message:
      '"responseModel" must be a model class (one that extends Model), a Standard Schema, or an ' +
      "array with one of these, but is the class Loan",
  },
];

const subjects: readonly (readonly [string, readonly Mistake[]])[] = [
  ["the base URL", ofTheBaseUrl],
  ["options", ofOptions],
  ["sessions and endpoints", ofClasses],
  ["iterators", ofIterators],
  ["models", ofModels],
];

for (const [subject, mistakes] of subjects) {
  describe(`the message of a mistake with ${subject}`, () => {
    for (const { title, make, message } of mistakes) {
      it(`has the place, the requirement and the remedy for ${title}`, async () => {
        const error = await assertRejects(async () => await make());

        assertInstanceOf(error, RestwrightError);
        assertEquals(error.message, message);
      });
    }
  });
}

describe("the message of a value that may be secret", () => {
  it("does not show a URL without a scheme that is not a host", () => {
    for (const text of ["ada:hunter2@api.example.com", "hunter2", "eyJhbGci.eyJzdWIi.hunter2"]) {
      const error = assertThrows(() => session({ url: text }), RestwrightError);

      assertEquals(
        error.message,
        '"url" must be a full URL that begins with http:// or https://, but is a string of ' +
          `${text.length} characters`,
      );
    }
  });

  it("shows the host of a URL without a scheme, but not its path", () => {
    const error = assertThrows(() => session({ url: "api.example.com/hunter2" }), RestwrightError);

    assert(!error.message.includes("hunter2"), error.message);
  });
});

describe("a warning about a likely mistake", () => {
  /** Returns the warnings of a session after its first call. */
  async function warningsOf(
    Session: new (options: SessionOptions) => APISession,
    changes: object = {},
    call: object = {},
  ): Promise<string[]> {
    const log = recordingLogger();
    const { fetch } = options();
    await new Session({ url, fetch, logger: log, ...changes }).get("books", call);
    return log.messages("warn");
  }

  const inMilliseconds = '"timeout" is 30000 seconds: times are in seconds, not in milliseconds. ' +
    "Pass 30 for 30 seconds";

  it("is logged for a timeout in milliseconds, of a session or a call", async () => {
    assertEquals(await warningsOf(APISession, { timeout: 30_000 }), [inMilliseconds]);
    assertEquals(await warningsOf(APISession, {}, { timeout: 30_000 }), [inMilliseconds]);
  });

  it("is not logged for a timeout of up to two hours, or for none", async () => {
    for (const timeout of [0.5, 7200, null]) {
      assertEquals(await warningsOf(APISession, { timeout }, { timeout }), []);
    }
  });

  it("is logged for a field with the name of a static", async () => {
    class Library extends APISession {
      readonly retries: number = 0;
    }

    assertEquals(await warningsOf(Library), [
      '"retries" is a field of Library, and has no effect: declare it with "static override ' +
      'readonly retries"',
    ]);
  });

  it("is not logged for a static, or for fields of the SDK", async () => {
    class Library extends APISession {
      static override readonly retries: number = 0;
      readonly url: string = "https://docs.example.com";
      readonly shelves: number = 7;
    }

    assertEquals(await warningsOf(Library), []);
  });
});
