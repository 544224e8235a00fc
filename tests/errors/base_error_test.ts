import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { after, assert, assertEquals, before, describe, it } from "#test";
import { addNote } from "../../src/errors/base_error.ts";
import * as ours from "../../src/errors/mod.ts";

type Errors = typeof ours;

/** Loads the error classes a second time, like an SDK that bundles another copy of the toolkit. */
async function loadCopy(folder: string): Promise<Errors> {
  for (const room of ["base", "errors"]) {
    const source = fileURLToPath(new URL(`../../src/${room}`, import.meta.url));
    await cp(source, `${folder}/${room}`, { recursive: true });
  }
  await writeFile(`${folder}/package.json`, JSON.stringify({ type: "module" }));
  return await import(pathToFileURL(`${folder}/errors/mod.ts`).href);
}

/** Returns one error of each class. */
function oneOfEach(errors: Errors): Record<string, Error> {
  const response = new Response("no", { status: 404 });
  return {
    APIError: new errors.APIError(response),
    DeadlineExceededError: new errors.DeadlineExceededError(2),
    DecodeError: new errors.DecodeError("not JSON", { response, body: "no" }),
    NotFoundError: new errors.NotFoundError(response),
    RestwrightError: new errors.RestwrightError("a message"),
    ServiceUnavailableError: new errors.ServiceUnavailableError(response),
    TransportError: new errors.TransportError("a message"),
    UnexpectedValueError: new errors.UnexpectedValueError("a", "a string", 1),
  };
}

/** Returns the names of the classes in one copy of the toolkit that an error is an instance of. */
function classesOf(error: unknown, errors: Errors): string[] {
  return Object.keys(oneOfEach(errors)).filter((name) => {
    const errorClass: unknown = Reflect.get(errors, name);
    return typeof errorClass === "function" && error instanceof errorClass;
  });
}

const expected: Record<string, string[]> = {
  APIError: ["APIError", "RestwrightError"],
  DeadlineExceededError: ["DeadlineExceededError", "RestwrightError"],
  DecodeError: ["DecodeError", "RestwrightError"],
  NotFoundError: ["APIError", "NotFoundError", "RestwrightError"],
  RestwrightError: ["RestwrightError"],
  ServiceUnavailableError: ["APIError", "RestwrightError", "ServiceUnavailableError"],
  TransportError: ["RestwrightError", "TransportError"],
  UnexpectedValueError: ["RestwrightError", "UnexpectedValueError"],
};

describe("errors of two copies of the toolkit", () => {
  let folder: string;
  let theirs: Errors;

  before(async () => {
    folder = await mkdtemp(`${tmpdir()}/restwright-copy-`);
    theirs = await loadCopy(folder);
  });

  after(() => rm(folder, { recursive: true }));

  it("have different classes in each copy", () => {
    assert(theirs.RestwrightError !== ours.RestwrightError);
    assert(theirs.NotFoundError !== ours.NotFoundError);
  });

  for (const [name, classes] of Object.entries(expected)) {
    // contract: fault-13
    it(`are instances of the same classes in both copies: ${name}`, () => {
      for (const maker of [ours, theirs]) {
        for (const judge of [ours, theirs]) {
          assertEquals(classesOf(oneOfEach(maker)[name], judge), classes);
        }
      }
    });
  }

  it("are instances of the base classes of both copies if an SDK derives their class", () => {
    class GoneError extends theirs.NotFoundError {}
    const error = new GoneError(new Response(null, { status: 404 }));
    assertEquals(classesOf(error, ours), ["APIError", "NotFoundError", "RestwrightError"]);
  });

  // contract: fault-13
  it("are instances of an SDK's class only if the SDK created them", () => {
    class GoneError extends ours.NotFoundError {}
    const response = new Response(null, { status: 404 });
    assert(new GoneError(response) instanceof GoneError);
    assert(!(new ours.NotFoundError(response) instanceof GoneError));
    assert(!(new theirs.NotFoundError(response) instanceof GoneError));
    class LongGoneError extends GoneError {}
    assert(new LongGoneError(response) instanceof GoneError);
    assert(!(new GoneError(response) instanceof LongGoneError));
  });

  it("are not instances of another SDK's class of the same name", () => {
    const make = (base: Errors["APIError"]) => class GoneError extends base {};
    const One = make(ours.APIError);
    const Other = make(theirs.APIError);
    assert(!(new Other(new Response()) instanceof One));
  });

  it("are not instances of a toolkit class whose name an SDK's class has", () => {
    class NotFoundError extends theirs.APIError {}
    assert(!(new NotFoundError(new Response()) instanceof ours.NotFoundError));
  });

  it("have a retryable that the other copy can read", () => {
    const error: unknown = new theirs.ServiceUnavailableError(new Response(null, { status: 503 }));
    assert(error instanceof ours.APIError);
    assertEquals([error.retryable, error.status], [true, 503]);
  });
});

describe("the base class of the errors", () => {
  for (
    const [kind, value] of [
      ["null", null],
      ["undefined", undefined],
      ["a string", "RestwrightError"],
      ["a number", 404],
      ["a plain object that looks like one", { name: "RestwrightError", message: "" }],
      ["another error", new TypeError("no")],
      ["an object without a prototype", Object.create(null)],
    ] as const
  ) {
    it(`is not the class of ${kind}`, () => {
      assert(!((value as unknown) instanceof ours.RestwrightError));
      assert(!((value as unknown) instanceof ours.APIError));
    });
  }

  it("accepts an object with the prototype of a class as its instance", () => {
    assert(Object.create(ours.TransportError.prototype) instanceof ours.TransportError);
  });

  it("uses the name of the derived class", () => {
    class GoneError extends ours.APIError {}
    const error = new GoneError(new Response(null, { status: 410 }));
    assertEquals(error.name, "GoneError");
    assertEquals(String(error), "GoneError: 410");
  });

  it("creates a stack with the message", () => {
    const error = new ours.TransportError("nobody listens");
    assert(error.stack?.includes("nobody listens"), error.stack);
  });

  it("creates an error with a cause only if one is passed", () => {
    assert(!("cause" in new ours.TransportError("no")));
    assert(!("cause" in new ours.APIError(new Response())));
    assert(!("cause" in new ours.DeadlineExceededError(1)));
    assert(!("cause" in new ours.UnexpectedValueError("a", "a string", 1)));
    const cause = new Error("beneath");
    assert(new ours.TransportError("no", { cause }).cause === cause);
    assert(new ours.APIError(new Response(), { cause }).cause === cause);
    assert(new ours.DeadlineExceededError(1, cause).cause === cause);
    assert(new ours.UnexpectedValueError("a", "a string", 1, cause).cause === cause);
  });

  it("serializes as JSON with name, message and data", () => {
    const request = { method: "GET", url: "https://api.example.com/x" };
    const response = new Response("secret", { status: 503, headers: { "x-secret": "secret" } });
    const shown = (error: Error) => JSON.parse(JSON.stringify(error));
    assertEquals(shown(new ours.RestwrightError("a message")), {
      name: "RestwrightError",
      message: "a message",
    });
    assertEquals(
      shown(new ours.ServiceUnavailableError(response, { retries: 2, request, body: "secret" })),
      {
        name: "ServiceUnavailableError",
        message: "503: GET https://api.example.com/x (after 2 retries)",
        status: 503,
        retries: 2,
        retryable: true,
        request,
      },
    );
    assertEquals(shown(new ours.TransportError("no", { kind: "dns", retries: 1, request })), {
      name: "TransportError",
      message: "no",
      kind: "dns",
      retries: 1,
      retryable: true,
      request,
    });
    assertEquals(shown(new ours.DeadlineExceededError(2.5)), {
      name: "DeadlineExceededError",
      message: "the call took longer than its deadline of 2.5 s",
      deadline: 2.5,
    });
    assertEquals(shown(new ours.DecodeError("not JSON", { response, body: "secret", request })), {
      name: "DecodeError",
      message: "not JSON",
      status: 503,
      request,
    });
  });

  it("serializes a derived class as JSON without its own fields, unless its toJSON adds them", () => {
    class LateError extends ours.TransportError {
      readonly token: string = "secret";
    }
    class CountedError extends LateError {
      override toJSON(): Record<string, unknown> {
        return { ...super.toJSON(), kind: "late", count: 7 };
      }
    }
    const base = ["name", "message", "request", "kind", "retries", "retryable"];
    assertEquals(Object.keys(new LateError("no").toJSON()), base);
    const counted = new CountedError("no").toJSON();
    assertEquals(Object.keys(counted), [...base, "count"]);
    assertEquals([counted["name"], counted["kind"]], ["CountedError", "late"]);
  });
});

describe("addNote", () => {
  it("appends to the message and to the stack why an error was not retried", () => {
    const error = new ours.TransportError("the line is $& dead");
    addNote(error, "the body is $& gone");
    const expected = "the line is $& dead (not retried: the body is $& gone)";
    assertEquals(error.message, expected);
    // In some runtimes, the stack has no message.
    const shown = String(error.stack);
    assertEquals(shown.includes(expected), shown.includes("the line"));
    assert(Object.keys(error).every((name) => name !== "message" && name !== "stack"));
  });

  it("keeps the message within its limit", () => {
    const error = new ours.RestwrightError("a".repeat(20_000));
    addNote(error, "the body is gone");
    assert(error.message.length < 10_100);
  });

  it("does not fail if a class does not allow it", () => {
    class Fixed extends ours.RestwrightError {
      override get message(): string {
        return "fixed";
      }
    }
    for (const error of [new Fixed(), Object.freeze(new ours.RestwrightError("frozen"))]) {
      const { message } = error;
      addNote(error, "the body is gone");
      assertEquals(error.message, message);
    }
  });

  it("accepts an error without a message", () => {
    const error = new ours.RestwrightError("");
    addNote(error, "the body is gone");
    assertEquals(error.message, " (not retried: the body is gone)");
  });
});
