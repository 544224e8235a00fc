import { APIClient, APIError, type ClientOptions, path, TransportError } from "../../../mod.ts";
import { attr, element, integer, model, string } from "../../../src/models/mod.ts";
import { pageNumber } from "../../../src/paging/mod.ts";
import { ndjson } from "../../../src/streams/mod.ts";
import { type CallRecord, RECORDS } from "./ledger.ts";

class User extends model("user", { id: attr(integer), name: element(string) }) {}

/** The kinds of calls, in turn. */
export const kinds = [
  ...["JSON", "with a shared signal", "JSON model", "XML model", "all pages", "POST with a key"],
  ...["POST without a retry", "PUT", "DELETE", "stream", "raw body", "aborted"],
] as const;

/** A kind of call. */
export type Kind = (typeof kinds)[number];

/** A client with one method for all kinds of calls. */
export class SoakClient extends APIClient {
  readonly #shared: AbortSignal;

  /**
   * @param options The base URL, and a timeout if the server may be silent
   * @param shared A signal that lives as long as the program
   */
  constructor(options: ClientOptions, shared: AbortSignal) {
    super({
      ...options,
      retries: 3,
      backoff: () => 0.001,
      finalWait: false,
      idempotencyHeader: "idempotency-key",
      logger: null,
    });
    this.#shared = shared;
  }

  /**
   * Makes a call, and checks its result.
   *
   * @param kind The kind
   * @param number The number of the call, which is also its id at the server
   * @throws If the call fails, or its result is wrong
   */
  async make(kind: Kind, number: number): Promise<void> {
    const headers = { "x-call": String(number) };
    const user = { id: number, name: `user ${number}` };
    const users = path`/users/${number}`;
    const convJson = true;
    switch (kind) {
      case "JSON":
        return same(await this._get(users, { headers, convJson }), user);
      case "with a shared signal":
        return same(await this._get(users, { headers, convJson, signal: this.#shared }), user);
      case "JSON model":
        return same({ ...await this._get(users, { headers, responseModel: User }) }, user);
      case "XML model": {
        const params = { xml: "" };
        return same({ ...await this._get(users, { headers, params, responseModel: User }) }, user);
      }
      case "all pages": {
        const next = pageNumber("page", { first: 0, total: "total" });
        const items = await this._pages<number>("/list", { headers, items: "items", next })
          .collect();
        return same(items, Array.from({ length: RECORDS }, (_, at) => at));
      }
      case "POST with a key":
        return same(await this._post("/orders", { headers, json: user, convJson }), user);
      case "POST without a retry": {
        const none = { "idempotency-key": null };
        const options = { retryMethods: ["GET"], headers: { ...headers, ...none } };
        return same(await this._post("/notes", { ...options, json: user, convJson }), user);
      }
      case "PUT":
        return same(await this._put(users, { headers, json: user, convJson }), user);
      case "DELETE":
        return same(await this._delete(users, { headers, convJson }), user);
      case "stream": {
        const ids: unknown[] = [];
        const stream = await this._get("/records", { headers, format: ndjson() });
        for await (const record of stream) ids.push(Object(record).id);
        return same(ids, Array.from({ length: RECORDS }, (_, at) => at));
      }
      case "raw body": {
        const response = await this._get(path`/raw/${number}`, { headers });
        return same(await response.json(), user);
      }
      case "aborted": {
        const controller = new AbortController();
        const call = this._get(users, { headers, convJson, signal: controller.signal });
        queueMicrotask(() => controller.abort(new Error("aborted by the soak")));
        const error = await call.then(() => undefined, (error: unknown) => error);
        if (!(error instanceof Error && error.message === "aborted by the soak")) {
          throw new RangeError(`expected the abort, but got ${error}`);
        }
      }
    }
  }
}

/** Throws if a result is not the expected one. */
function same(found: unknown, expected: unknown): void {
  const [text, wanted] = [JSON.stringify(found), JSON.stringify(expected)];
  if (text !== wanted) throw new RangeError(`expected ${wanted}, but got ${text}`);
}

/** The end of a call. */
export interface Outcome {
  readonly kind: Kind;
  readonly number: number;
  /** The error; undefined if the call returned the right result. */
  readonly error: unknown;
}

/** Returns the reason why the end of a call is wrong; undefined if it is right. */
export function faultOf(
  { kind, number, error }: Outcome,
  record: CallRecord | undefined,
): string | undefined {
  const call = `call ${number} (${kind})`;
  const { requests = 0, faults = 0, applied = 0 } = record ?? {};
  const isOnce = kind === "POST with a key" || kind === "POST without a retry";
  if (isOnce && applied > 1) return `${call} was done ${applied} times`;
  if (error === undefined) {
    return isOnce && applied !== 1 ? `${call} succeeded, but was not done` : undefined;
  }
  if (!(error instanceof APIError || error instanceof TransportError)) {
    return `${call} failed with ${error}`;
  }
  // A stream is not retried after its response began, and this POST not at all after a 503.
  const least = kind === "stream" || kind === "POST without a retry" ? 1 : 4;
  return faults < least
    ? `${call} failed with ${error} after ${requests} requests and ${faults} faults`
    : undefined;
}
