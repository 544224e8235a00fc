/** A client of a SOAP 1.1 service: calls with a header, typed results, and faults as errors. */
import { APIClient, ServerError } from "../mod.ts";
import type { ErrorFunction, ErrorMap } from "../src/entries/errors.ts";
import {
  attr,
  dateOnly,
  element,
  integer,
  literal,
  type Model,
  model,
  type ModelClass,
  scalar,
  string,
  text,
  type TypeInput,
  union,
} from "../src/models/mod.ts";

const SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
const LIBRARY = "https://library.example.com/soap";

const library = { namespace: LIBRARY, rename: "PascalCase" } as const;

/** The header block that identifies the caller. */
export class LibraryCard extends model("LibraryCard", {
  mustUnderstand: attr(literal("1"), { name: "mustUnderstand", namespace: SOAP, default: "1" }),
  number: text(string),
}, library) {}

/** Returns the model of an envelope around a body. */
const envelope = <T>(body: TypeInput<T>) =>
  model("Envelope", {
    card: element(LibraryCard, { within: "Header", optional: true }),
    body: element(body, { within: "Body" }),
  }, { namespace: SOAP, prefixes: { soap: SOAP, lib: LIBRARY } });

export class Reserve extends model("Reserve", {
  bookId: element(integer),
  until: element(dateOnly),
}, library) {}

export class Reservation extends model("ReserveResponse", {
  bookId: element(integer),
  shelf: element(string),
  until: element(dateOnly),
}, library) {}

/** A detail of a fault: somebody else has the book. */
export class BookOnLoan extends model("BookOnLoan", {
  bookId: element(integer),
  backOn: element(dateOnly),
}, library) {}

/** A detail of a fault: the library does not have the book. */
export class UnknownBook extends model("UnknownBook", { bookId: element(integer) }, library) {}

/** The code of a fault, such as `Client` for `soap:Client`. The prefix is up to the service. */
const faultCode = scalar<string>({
  expected: "a name such as soap:Client",
  parse: (text) => text.trim().replace(/^.*:/, ""),
  format: (name) => `soap:${name}`,
});

/** The children of a fault have no namespace. */
export class Fault extends model("Fault", {
  code: element(faultCode, { tag: "faultcode", namespace: "" }),
  reason: element(string, { tag: "faultstring", namespace: "" }),
  detail: element(union([BookOnLoan, UnknownBook]), { within: "{}detail", optional: true }),
}, { namespace: SOAP }) {}

class ReserveCall extends envelope(Reserve) {}
class ReserveReply extends envelope(Reservation) {}
class FaultReply extends envelope(Fault) {}

/** The error for a fault, which has the status 500. */
export class FaultError extends ServerError {
  static override readonly errorModel: unknown = FaultReply;
  declare readonly data: FaultReply | undefined;

  /** The fault; undefined if the body is something else, such as the page of a proxy. */
  get fault(): Fault | undefined {
    return this.data?.body;
  }
}

export class LibraryService extends APIClient {
  static override readonly baseUrl: string = "https://library.example.com";
  static override readonly errorMap: ErrorMap = { 500: FaultError };
  static override readonly errorFunc: ErrorFunction = (_response, { data, redact }) =>
    data instanceof FaultReply ? redact(data.body.reason) : undefined;

  /** Reserves a book. Rejects with a FaultError if the book is on loan or unknown. */
  reserve(card: string, bookId: number, until: Date): Promise<Reservation> {
    const call = ReserveCall.of({
      card: LibraryCard.of({ number: card }),
      body: Reserve.of({ bookId, until }),
    });
    return this.#call("Reserve", call, ReserveReply);
  }

  async #call<T>(action: string, xml: Model, reply: ModelClass<{ body: T }>): Promise<T> {
    const headers = { "content-type": "text/xml; charset=utf-8", SOAPAction: `"${action}"` };
    return (await this._post("/soap", { xml, headers, responseModel: reply })).body;
  }
}
