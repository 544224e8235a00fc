import { errorsBy } from "../../src/entries/errors.ts";
import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import {
  APIClient,
  APIEndpoint,
  APIError,
  APISession,
  type ModelOutput,
  NotFoundError,
  type ResponseModel,
  type SessionOptions,
} from "../../mod.ts";
import type { Box } from "../../src/box/mod.ts";
import { isErrorWith } from "../../src/entries/errors.ts";
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

/** Compiles only if a value has exactly the type. Returns the value. */
function has<Expected>(): <Actual>(value: Actual, same: Same<Actual, Expected>) => Actual {
  return (value) => value;
}

/** The output of the schemas of a loan. Their input has the date as a string. */
interface Loan {
  due: Date;
  copies: number;
}

const zodLoan = z.object({
  due: z.string().transform((text) => new Date(text)),
  copies: z.number().default(1),
});
const valibotLoan = v.object({
  due: v.pipe(v.string(), v.transform((text) => new Date(text))),
  copies: v.optional(v.number(), 1),
});
const arktypeLoan = type({ due: "string.date.iso.parse", copies: "number = 1" });

const at = "2026-01-02T03:04:05.000Z";
const loan: Loan = { due: new Date(at), copies: 1 };
const one: SessionOptions = {
  url: "https://api.example.com",
  adapter: scripted(() => Response.json({ due: at })),
};
const many: SessionOptions = { ...one, adapter: scripted(() => Response.json([{ due: at }])) };

describe("the output type of a model", () => {
  it("is the output, not the input, of a schema of each library", () => {
    has<true>()(true as Same<ModelOutput<typeof zodLoan>, Loan>, true);
    has<true>()(true as Same<ModelOutput<typeof valibotLoan>, Loan>, true);
    has<true>()(true as Same<ModelOutput<typeof arktypeLoan>, Loan>, true);
    has<true>()(true as Same<ModelOutput<typeof zodLoan>, Loan>, true);
    // @ts-expect-error: the string is the input
    const input: ModelOutput<typeof zodLoan> = { due: at, copies: 1 };
    assertEquals(typeof input.due, "string");
  });

  it("is an array for a list, whether the list is readonly or not", () => {
    has<true>()(true as Same<ModelOutput<[typeof zodLoan]>, Loan[]>, true);
    has<true>()(true as Same<ModelOutput<readonly [typeof valibotLoan]>, Loan[]>, true);
    has<true>()(true as Same<ModelOutput<readonly [typeof arktypeLoan]>, Loan[]>, true);
  });

  it("includes null if the schema allows null", () => {
    const zod = zodLoan.nullable();
    const valibot = v.nullable(valibotLoan);
    const arktype = arktypeLoan.or("null");
    has<true>()(true as Same<ModelOutput<typeof zod>, Loan | null>, true);
    has<true>()(true as Same<ModelOutput<typeof valibot>, Loan | null>, true);
    has<true>()(true as Same<ModelOutput<readonly [typeof arktype]>, (Loan | null)[]>, true);
  });

  it("is known for a schema of any library from the interface", async () => {
    const models: readonly StandardSchema<unknown, Loan>[] = [zodLoan, valibotLoan, arktypeLoan];
    for (const model of models) {
      const session = new APISession(one);
      assertEquals(await resolves<Loan>()(session.get("x", { responseModel: model }), true), loan);
      const list = new APISession(many).get("x", { responseModel: [model] });
      assertEquals(await resolves<Loan[]>()(list, true), [loan]);
    }
  });
});

describe("the result type of a call with a responseModel", () => {
  it("is the output of the model for every request method of a session", async () => {
    const session = new APISession(one);
    const calls = [
      resolves<Loan>()(session.get("x", { responseModel: zodLoan }), true),
      resolves<Loan>()(session.post("x", { responseModel: valibotLoan, json: {} }), true),
      resolves<Loan>()(session.put("x", { responseModel: zodLoan, params: { a: 1 } }), true),
      resolves<Loan>()(session.patch("x", { responseModel: valibotLoan }), true),
      resolves<Loan>()(session.delete("x", { responseModel: zodLoan }), true),
    ];
    for (const call of calls) assertEquals(await call, loan);
  });

  it("is an array for a list", async () => {
    const session = new APISession(many);
    const zod = await resolves<Loan[]>()(session.get("x", { responseModel: [zodLoan] }), true);
    const list = [valibotLoan] as const;
    const valibot = await resolves<Loan[]>()(session.get("x", { responseModel: list }), true);
    assertEquals([zod, valibot], [[loan], [loan]]);
  });

  it("is the output of the model, whatever box and convJson are", async () => {
    class Boxing extends APISession {
      override readonly _box = true;
      override readonly _convJson = true;
    }
    const session = new Boxing(one);
    await resolves<Loan>()(session.get("x", { responseModel: zodLoan }), true);
    await resolves<Loan>()(session.get("x", { responseModel: zodLoan, box: false }), true);
    await resolves<Loan>()(
      new APISession(one).get("x", { responseModel: zodLoan, box: true }),
      true,
    );
    await resolves<Box<Loan>>()(session.get<Loan>("x", { responseModel: undefined }), true);
  });

  it("is the output of the model in endpoints of clients, whose methods need no declared type", async () => {
    class Loans extends APIEndpoint<APIClient> {
      get = () => resolves<Loan>()(this._get("", { responseModel: zodLoan }), true);
      list = () => resolves<Loan[]>()(this._post("", { responseModel: [valibotLoan] }), true);
      named(): Promise<Loan> {
        return this._get("", { responseModel: valibotLoan });
      }
    }
    class Converting extends APIEndpoint<APIClient> {
      override readonly _convJson = true;
      override readonly _box = true;
      get = () => resolves<Loan>()(this._get("", { responseModel: zodLoan }), true);
    }
    const { adapter } = one;
    const client = new APIClient({ baseUrl: "https://api.example.com", adapter: adapter! });
    assertEquals(await new Loans(client).get(), loan);
    assertEquals(await new Loans(client).named(), loan);
    assertEquals(await new Converting(client).get(), loan);
  });

  it("is the type of data in withResponse", async () => {
    const call = new APISession(one).get("x", { responseModel: zodLoan });
    const { data, response } = await call.withResponse();
    has<Loan>()(data, true);
    has<Response>()(response, true);
    assertEquals(data, loan);
  });
});

describe("the result type of a call with an arktype schema", () => {
  it("is the output of the schema, as with other libraries", async () => {
    class Loans extends APIEndpoint<APIClient> {
      get = () => resolves<Loan>()(this._get("", { responseModel: arktypeLoan }), true);
      add = () => resolves<Loan>()(this._post("", { json: {}, responseModel: arktypeLoan }), true);
      named(): Promise<Loan> {
        return this._put("", { json: {}, responseModel: arktypeLoan });
      }
    }
    const { adapter } = one;
    const loans = new Loans(new APIClient({ baseUrl: "https://api.example.com", adapter }));
    assertEquals([await loans.get(), await loans.add(), await loans.named()], [loan, loan, loan]);
    const session = new APISession(one);
    await resolves<Loan>()(session.get("x", { responseModel: arktypeLoan }), true);
    await resolves<Loan>()(session.get("x", { responseModel: arktypeLoan, box: true }), true);
    const list = new APISession(many).get("x", { responseModel: [arktypeLoan] });
    assertEquals(await resolves<Loan[]>()(list, true), [loan]);
    const call = (): Promise<Response> =>
      // @ts-expect-error: it is a loan
      session.get("x", { responseModel: arktypeLoan });
    assertEquals(typeof call, "function");
  });
});

describe("the compiler with a responseModel", () => {
  it("rejects a wrong result type and a value that is not a model", () => {
    const session = new APISession(one);
    const tries = [
      // @ts-expect-error: it is a loan
      (): Promise<Response> => session.get("x", { responseModel: zodLoan }),
      // @ts-expect-error: it is a loan
      (): Promise<Loan[]> => session.get("x", { responseModel: zodLoan }),
      // @ts-expect-error: it is a list
      (): Promise<Loan> => session.get("x", { responseModel: [zodLoan] }),
      // @ts-expect-error: it may be null
      (): Promise<Loan> => session.get("x", { responseModel: zodLoan.nullable() }),
      // @ts-expect-error: a loan has no such field
      async () => (await session.get("x", { responseModel: zodLoan })).title,
      // @ts-expect-error: due is a date
      async () => (await session.get("x", { responseModel: valibotLoan })).due.length,
      // @ts-expect-error: an element of a list may be missing
      async () => (await session.get("x", { responseModel: [valibotLoan] }))[0].due,
      // @ts-expect-error: a list has one model
      () => session.get("x", { responseModel: [zodLoan, valibotLoan] }),
      // @ts-expect-error: a list has one model
      () => session.get("x", { responseModel: [] }),
      // @ts-expect-error: a list of lists is not supported
      () => session.get("x", { responseModel: [[zodLoan]] }),
      // @ts-expect-error: a class is not a model
      () => session.get("x", { responseModel: Date }),
      // @ts-expect-error: null is not a model
      () => session.get("x", { responseModel: null }),
      // @ts-expect-error: an object is not a model
      () => errorsBy({ model: {} }),
      // @ts-expect-error: a class is not a model of errors
      () => errorsBy("code", {}, { model: Date }),
    ];
    assertEquals(tries.length, 14);
  });
});

describe("the type of an error's data", () => {
  const problem = z.object({ code: z.string() });
  type Problem = z.infer<typeof problem>;

  /** Makes a call that fails, and returns an error whose data a model created from the body. */
  function failure(model: ResponseModel, body: unknown): Promise<APIError> {
    const adapter = scripted(() => Response.json(body, { status: 404 }));
    const session = new APISession({ ...one, adapter, errorFrom: errorsBy({ model }) });
    return assertRejects(() => session.get("x"), APIError);
  }

  it("is unknown until isErrorWith narrows it to that of the model", async () => {
    const error: unknown = await failure(problem, { code: "gone" });
    assert(error instanceof APIError);
    has<unknown>()(error.data, true);
    // @ts-expect-error: its type is unknown
    (() => error.data.code);
    assert(isErrorWith(error, problem));
    has<Problem>()(error.data, true);
    has<number>()(error.status, true);
    assertEquals(error.data.code, "gone");
  });

  it("is the output of a model of each library, and an array for a list", async () => {
    const one: unknown = await failure(arktypeLoan, { due: at });
    assert(isErrorWith(one, arktypeLoan));
    has<Loan>()(one.data, true);
    const list: unknown = await failure([valibotLoan], [{ due: at }]);
    assert(isErrorWith(list, [valibotLoan]));
    has<Loan[]>()(list.data, true);
    assertEquals([[one.data], list.data], [[loan], [loan]]);
  });

  it("is added to the class of the error if that is known", async () => {
    const caught: unknown = await failure(problem, { code: "gone" });
    assert(caught instanceof NotFoundError && isErrorWith(caught, problem));
    has<string>()(caught.data.code, true);
    (() => caught satisfies NotFoundError);
  });

  it("is the type that a class with an errorModel declares", () => {
    class NoSuchBook extends NotFoundError {
      static override readonly errorModel: unknown = problem;
      declare readonly data: Problem | undefined;
    }
    const error = new NoSuchBook(new Response(null, { status: 404 }), { data: { code: "gone" } });
    has<Problem | undefined>()(error.data, true);
    // @ts-expect-error: the body may not have matched
    (() => error.data.code);
    assertEquals(error.data?.code, "gone");
  });

  it("cannot be narrowed by a value that is not a model", () => {
    const error: unknown = new Error("x");
    const tries = [
      // @ts-expect-error: not a model
      () => isErrorWith(error, Date),
      // @ts-expect-error: not a model
      () => isErrorWith(error, undefined),
    ];
    assertEquals(tries.length, 2);
  });
});
