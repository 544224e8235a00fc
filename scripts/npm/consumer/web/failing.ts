/** Failures that a user meets: error statuses, network errors, timeouts and aborts. */
import {
  APIError,
  APISession,
  DeadlineExceededError,
  NotFoundError,
  TransportError,
} from "@restwright/restwright";
import { ServiceUnavailableError } from "@restwright/restwright/errors";
import { Library, Reading, Refusal } from "./library.ts";
import { impatient, logger } from "./impatient.ts";
import { check, errorOf, type Scene } from "./scene.ts";

/** The scenes about failures. */
export const failing: Readonly<Record<string, Scene>> = {
  async "an error status has an error class, and the error has the body"({ url }) {
    const error = await errorOf(new Reading({ url }).get("books/9999"), NotFoundError);
    check("it has the status", error instanceof APIError && error.status === 404);
    check("it has the body", JSON.parse(error.body).error === "there is no book 9999");
    check("it was not retried", error.retries === 0);
  },

  async "a client's error has data that a model decoded"({ url }) {
    const error = await errorOf(new Library({ baseUrl: url }).books.get(9999), NotFoundError);
    check("the data is an instance", error.data instanceof Refusal);
    check("it has the request id", /^r-\d+$/.test(error.requestId ?? ""));
  },

  async "a 503 is retried after the time in Retry-After"({ url }) {
    // With the backoff alone, the test would time out; only Retry-After makes it fast.
    const options = { url, logger, backoff: 1000 };
    const answer = await new Reading(options).get<{ times: number }>("busy?times=2");
    check("the third attempt was answered", answer.times === 2);
    const client = new Library({ baseUrl: url, logger, retries: 1, finalWait: false });
    const error = await errorOf(client.anything("/busy?times=9"), ServiceUnavailableError);
    check("the retries are limited", error.retries === 1);
  },

  async "a broken connection is a TransportError"({ url }) {
    const options = { baseUrl: url, ...impatient, retries: 2 };
    const error = await errorOf(new Library(options).anything("/cut"), TransportError);
    check("it was retried", error.retries === 2);
  },

  async "an incomplete body is a TransportError"({ url }) {
    const response = await new APISession({ url, timeout: 5 }).get("cut_body");
    await errorOf(response.text(), TransportError);
  },

  async "reading a whole body rejects with the reason of the abort"({ url }) {
    const session = new APISession({ url, logger, timeout: 0.2 });
    const stalled = await session.get("trickle");
    const error = await errorOf(stalled.json(), TransportError);
    check("it was the timeout", error.kind === "timeout");
    const enough = new Error("enough");
    const controller = new AbortController();
    const response = await session.get("trickle", { signal: controller.signal, timeout: null });
    const text = response.text();
    controller.abort(enough);
    check("it was the signal", await errorOf(text, Error) === enough);
  },

  async "a server that sends nothing causes a timeout"({ url }) {
    const options = { url, logger, timeout: 0.2, retries: 0, finalWait: false };
    const error = await errorOf(new Reading(options).get("silent"), TransportError);
    check("it is a timeout", error.kind === "timeout");
  },

  async "a call ends at its deadline"({ url }) {
    const client = new Library({ baseUrl: url, logger });
    const error = await errorOf(
      client.anything("/silent", { deadline: 0.2 }),
      DeadlineExceededError,
    );
    check("it has the seconds", error.deadline === 0.2);
  },

  async "a signal aborts a call before it starts, while it waits, and while its body is read"(
    { url },
  ) {
    const session = new APISession({ url, logger });
    const enough = new Error("enough");
    const aborted = { signal: AbortSignal.abort(enough) };
    check("before", await errorOf(session.get("books", aborted), Error) === enough);

    const waiting = new AbortController();
    setTimeout(() => waiting.abort(enough), 50);
    const silence = session.get("silent", { signal: waiting.signal });
    check("while it waits", await errorOf(silence, Error) === enough);

    const readingOn = new AbortController();
    const { body } = await session.get("trickle", { signal: readingOn.signal });
    const reader = body?.getReader();
    check("a chunk comes", (await reader?.read())?.done === false);
    readingOn.abort(enough);
    check("while it is read", await errorOf(reader!.read(), Error) === enough);
  },
};
