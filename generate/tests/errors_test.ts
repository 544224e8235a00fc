import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { assert, assertEquals, describe, it } from "#test";
import { isErrorWith, RequestConflictError } from "../../src/entries/errors.ts";
import { mockTransport, silentLogger } from "../../src/testing/mod.ts";
import { generate } from "../mod.ts";
import { compareFolder } from "../src/write/folder.ts";
import {
  Loans,
  LoansInvalidContentError,
  LoansNoLongerExistsError,
  LoansNotFoundError,
  LoansPaymentRequiredError,
  LoansRenewRequestConflictError,
  LoansRequestConflictError,
  LoansTooManyRequestsError,
  Missing,
  MissingRequestConflictError,
} from "./support/loans/mod.ts";

const support = new URL("./support/", import.meta.url);
const at = "2026-11-20T10:00:00.000Z";

const verbs = { end: "DELETE", get: "GET", renew: "PUT" } as const;

/** Returns the error of a call that gets this response. */
async function errorOf(method: keyof typeof verbs, response: Response): Promise<unknown> {
  const fetch = mockTransport({ [`${verbs[method]} /loans/7`]: response });
  const { loans } = new Loans({ fetch, logger: silentLogger, retries: 0 });
  return await loans[method]("7").then(() => undefined, (error: unknown) => error);
}

// Nothing here narrows a member of `data` to a date or bigint, so the compiler checks their types.
describe("an error class of a generated client", () => {
  it("is written by the generator as the folder has it", async () => {
    const document = await readFile(new URL("loans.yaml", support), "utf8");
    const { files, report } = await generate(document, { dates: true, bigint: true });
    const { added, changed, stale } = await compareFolder(
      fileURLToPath(new URL("loans", support)),
      files,
    );
    assertEquals([report.problems, added, changed, stale], [[], [], [], []]);
  });

  it("has the dates and bigints of its data converted", async () => {
    const text = `{"since":"${at}","number":"9007199254740993","message":"gone"}`;
    const headers = { "content-type": "application/problem+json" };
    const error = await errorOf("get", new Response(text, { status: 404, headers }));
    assert(error instanceof LoansNotFoundError);
    assertEquals(error.data?.since.getTime(), Date.parse(at));
    assertEquals(error.data?.number, 9007199254740993n);
    assertEquals(error.data?.message, "gone");
    assert(isErrorWith(error, Missing));
  });

  it("has those of a type without a name converted, and what its type does not state", async () => {
    const day = "2026-11-21";
    const body = { reserved: at, day, dates: [at], reader: "Ada", shelf: 3 };
    const error = await errorOf("renew", Response.json(body, { status: 409 }));
    assert(error instanceof LoansRenewRequestConflictError);
    const { reserved, day: date, dates: [first], ...others } = error.data!;
    assertEquals(
      [reserved.getTime(), date.getTime(), first?.getTime()],
      [at, day, at].map(Date.parse),
    );
    assertEquals<object>(others, { reader: "Ada", shelf: 3 });
  });

  it("has those of all types converted, if the operation states none", async () => {
    for (const body of [{ since: at }, { reserved: at, day: "2026-11-21", dates: [at] }]) {
      const error = await errorOf("end", Response.json(body, { status: 409 }));
      assert(error instanceof LoansRequestConflictError);
      const { data } = error;
      const found = data !== undefined && "since" in data ? data.since : data?.reserved;
      assertEquals(found?.getTime(), Date.parse(at));
    }
  });

  it("has those of a list and of one of several types converted", async () => {
    const list = await errorOf("renew", Response.json([{ since: at }], { status: 422 }));
    assert(list instanceof LoansInvalidContentError);
    assertEquals(list.data?.map(({ since }) => since.getTime()), [Date.parse(at)]);
    for (const kind of ["returned", "lost"]) {
      const gone = await errorOf("renew", Response.json({ kind, at }, { status: 410 }));
      assert(gone instanceof LoansNoLongerExistsError);
      const when = gone.data?.kind === "returned" ? gone.data.at.toISOString() : gone.data?.at;
      assertEquals([gone.data?.kind, when], [kind, at]);
    }
  });

  it("has no data if the body does not match, and still its text", async () => {
    const error = await errorOf("get", Response.json({ since: "yesterday" }, { status: 404 }));
    assert(error instanceof LoansNotFoundError);
    assertEquals([error.data, error.body], [undefined, '{"since":"yesterday"}']);
  });

  it("is a subclass of the one class of its status, if operations state different data", async () => {
    const missing = await errorOf("get", Response.json({ since: at }, { status: 409 }));
    const body = { reserved: at, day: "2026-11-21", dates: [at] };
    const reserved = await errorOf("renew", Response.json(body, { status: 409 }));
    const times = [missing, reserved].map((error) => {
      // The data of the common class is the union of both types.
      if (!(error instanceof LoansRequestConflictError) || error.data === undefined) return 0;
      const { data } = error;
      return ("since" in data ? data.since : data.reserved).getTime();
    });
    assertEquals(times, [Date.parse(at), Date.parse(at)]);
    assert(missing instanceof MissingRequestConflictError);
    assert(!(missing instanceof LoansRenewRequestConflictError));
    assert(missing instanceof RequestConflictError);
  });

  it("is named after the reason of a status that the toolkit has no class for", async () => {
    const error = await errorOf("renew", Response.json({ since: at }, { status: 402 }));
    assert(error instanceof LoansPaymentRequiredError);
    assertEquals([error.status, error.data?.since.getTime()], [402, Date.parse(at)]);
  });

  it("has the parsed body if there is nothing to convert", async () => {
    const error = await errorOf("get", Response.json({ message: 5 }, { status: 429 }));
    assert(error instanceof LoansTooManyRequestsError);
    assertEquals<unknown>(error.data, { message: 5 });
  });
});
