/** The transport that replies from a list of routes, and the assertions about its requests. */
import { isOfCopy } from "../base/foreign_objects.ts";
import { check, isPlain } from "../base/checks.ts";
import { isError } from "../errors/base_error.ts";
import { describedAs, UnexpectedValueError, withHint } from "../errors/unexpected_value_error.ts";
import type { Transport, TransportInit } from "../http/transport.ts";
import { checkExpectedCall, compareCall, differences, type ExpectedCall } from "./expected_call.ts";
import { type MockCall, readCall } from "./mock_call.ts";
import { MockError } from "./mock_error.ts";
import { closestFirst, matchRoute, parseRoute, type RoutePattern } from "./mock_route.ts";

/**
 * A function that builds the reply to a request. It returns a `Response`, a status, or an object or
 * array that becomes a JSON body; or it throws an error, such as a `TransportError` for a lost
 * connection.
 *
 * @category Test doubles
 */
export type MockHandler = (
  call: MockCall,
) => Response | number | object | Promise<Response | number | object>;

/**
 * A reply of a mock transport.
 *
 * - A `Response` is copied for each request.
 * - A number is a status from 200 to 599, without a body.
 * - An error is thrown: a `TransportError` simulates a lost connection.
 * - A function builds the reply.
 * - Any other object or array is the JSON body of a response with status 200. An object that only has
 *   a `status` and other parts of a response, such as `{ status: 201, body: {} }`, is refused: pass
 *   `Response.json(body, { status: 201 })`.
 *
 * @category Test doubles
 */
export type MockReply = Response | number | Error | MockHandler | object;

/**
 * Replies that a route uses one after another. Create them with {@linkcode replies}.
 *
 * @category Test doubles
 */
export class MockReplies {
  /** The replies, in order. */
  readonly steps: readonly MockReply[];

  /** Stores the replies. */
  constructor(steps: readonly MockReply[]) {
    this.steps = steps;
  }

  /** The name of the class. */
  get [Symbol.toStringTag](): string {
    return "MockReplies";
  }
}

/** Reports if a reply is a list of replies, also of another copy of the toolkit. */
function isReplies(reply: MockReply | MockReplies): reply is MockReplies {
  return reply instanceof MockReplies || isOfCopy(reply, "MockReplies", ["steps"]);
}

/**
 * Creates the replies of a route for one request after another. One more request fails with a
 * {@linkcode MockError}.
 *
 * @example A job that is busy, loses the connection, and is done
 * ```ts
 * import { APISession, TransportError } from "@restwright/restwright";
 * import { fakeClock, mockTransport, replies } from "@restwright/restwright/testing";
 *
 * const lost = new TransportError("connection lost", { kind: "reset" });
 * const mock = mockTransport({ "GET /jobs/1": replies(503, lost, { state: "done" }) });
 * const clock = fakeClock({ autoAdvance: true });
 * const session = new APISession({ url: "https://api.example.com", fetch: mock, clock });
 *
 * console.log(await session.get("jobs/1", { convJson: true })); // { state: "done" }
 * mock.assertDone();
 * ```
 *
 * @param steps The replies, in order
 *
 * @category Test doubles
 */
export function replies(...steps: readonly MockReply[]): MockReplies {
  return new MockReplies(steps);
}

/**
 * A transport that replies from a list of routes, and records the requests.
 *
 * Pass it as the option `fetch` of a session, for all requests, or as `adapter`, for those to the
 * base URL.
 *
 * @category Test doubles
 */
export interface MockTransport extends Transport {
  /** The requests since the last reset, in order, with those that no route matched. */
  readonly calls: readonly MockCall[];

  /**
   * Checks that a request was sent.
   *
   * @param route The method and the path, a pattern or a full URL, as in the routes
   * @param expected The parts of the request to compare. Default: only method and path
   * @throws {MockError} If no request matches, or if `times` is another number
   */
  assertCalled(route: string, expected?: ExpectedCall): void;

  /**
   * Checks that all scripted replies were used, and that each request matched a route.
   *
   * @throws {MockError} If not
   */
  assertDone(): void;

  /**
   * Forgets the requests so far, and begins all scripted replies again, as if the transport were new.
   * `calls` is a new, empty array.
   *
   * A request that is still in progress belongs to the time before: it is not recorded in the new
   * array, and uses no reply of the new ones. Variables of functions that reply are not reset.
   */
  reset(): void;
}

/** The requests and the used replies since the last reset. */
interface MockRun {
  readonly calls: MockCall[];
  readonly unmatched: MockCall[];
  /** The number of used replies of each route. */
  readonly used: number[];
}

/**
 * Creates a transport that replies from a list of routes.
 *
 * A route is a method and a path: `GET /books/:id`. `:id` matches one segment, and `*` matches any
 * text. The path is the whole path of the URL, with that of the base URL; the query is not compared.
 * With a full URL, such as `GET https://api.example.com/books`, a route matches one origin. The
 * first route that matches is used. If none matches, the call fails with a {@linkcode MockError},
 * and is not retried.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { mockTransport } from "@restwright/restwright/testing";
 *
 * const mock = mockTransport({
 *   "GET /books/:id": ({ pathParams }) => ({ id: Number(pathParams["id"]) }),
 *   "POST /books": Response.json({ id: 8 }, { status: 201 }),
 *   "DELETE /books/*": 204,
 * });
 * const session = new APISession({ url: "https://api.example.com", fetch: mock });
 *
 * console.log(await session.get("books/7", { convJson: true })); // { id: 7 }
 * await session.post("books", { json: { title: "Indigo" }, convJson: true });
 * mock.assertCalled("POST /books", { json: { title: "Indigo" } });
 * ```
 *
 * @param routes The replies, by method and path
 * @throws {UnexpectedValueError} If a route or a reply is not valid
 *
 * @category Test doubles
 */
export function mockTransport(
  routes: Readonly<Record<string, MockReply | MockReplies>>,
): MockTransport {
  const known = Object.entries(routes).map(([name, reply]) => {
    const steps = isReplies(reply) ? reply.steps : undefined;
    for (const step of steps ?? [reply]) checkedReply(`the reply to ${name}`, step);
    return { ...parseRoute(name), reply, steps };
  });
  const begin = (): MockRun => ({ calls: [], unmatched: [], used: known.map(() => 0) });
  let run = begin();

  async function replyTo(address: string, init: TransportInit): Promise<Response> {
    const { calls, unmatched, used } = run;
    const url = new URL(address);
    const { method } = init;
    const matches = known.map((route) => matchRoute(route, method, url));
    const index = matches.findIndex((params) => params !== undefined);
    const call = await readCall(url, init, matches[index] ?? {});
    calls.push(call);
    const route = known[index];
    if (route === undefined) {
      unmatched.push(call);
      throw new MockError(noRoute(call, closestFirst(known, method, url)));
    }
    const { name, steps } = route;
    if (steps !== undefined && used[index] === steps.length) {
      throw new MockError(
        `all replies to ${name} are used (${steps.length}): add one for ${textOf(call)}`,
      );
    }
    const reply = steps === undefined ? route.reply : steps[used[index]!++];
    if (typeof reply !== "function") return toResponse(reply);
    const result: unknown = await reply(call);
    return result instanceof Response
      ? result
      : toResponse(checkedResult(`the result of the function for ${name}`, result));
  }

  const transport: Transport = (url, init) => abortable(() => replyTo(url, init), init.signal);
  const mock = Object.assign(transport, {
    assertCalled: (route: string, expected: ExpectedCall = {}) =>
      assertCalled(run.calls, parseRoute(route), expected),
    assertDone: () => assertDone(known, run),
    reset: () => void (run = begin()),
  });
  const calls = { get: () => run.calls, enumerable: true };
  return Object.defineProperty(mock, "calls", calls) as MockTransport;
}

const expectedReply = "a Response, a status from 200 to 599, an object or array for JSON, an error";

function checkedReply(option: string, reply: unknown): unknown {
  refuseDescription(option, reply);
  return checkedAnyReply(option, reply);
}

const checkedAnyReply: (option: string, reply: unknown) => unknown = check(
  `${expectedReply}, or a function`,
  (reply) => typeof reply === "function" || isResult(reply),
);

function checkedResult(option: string, result: unknown): unknown {
  refuseDescription(option, result);
  return checkedAnyResult(option, result);
}

const checkedAnyResult: (option: string, result: unknown) => unknown = check(
  expectedReply,
  isResult,
);

/** The names that an object with the parts of a response has in other libraries. */
const responseParts = ["body", "contentType", "headers", "json", "status", "statusText"];

/**
 * Refuses an object that describes a response, as in `{ status: 201, body: {} }`: it would be the JSON
 * body of a response with status 200. JSON with a status and other names is not meant.
 */
function refuseDescription(option: string, reply: unknown): void {
  if (!isPlain(reply) || Array.isArray(reply)) return;
  const { status } = reply;
  const names = Object.keys(reply);
  if (!Number.isInteger(status) || (status as number) < 100 || (status as number) > 599) return;
  if (names.some((name) => !responseParts.includes(name))) return;
  const remedy = names.length === 1
    ? `Pass ${status} for a response without a body`
    : `Pass Response.json(body, { status: ${status} })`;
  throw new UnexpectedValueError(
    option,
    expectedReply,
    withHint(
      describedAs(`an object with only ${names.join(" and ")}`),
      `${remedy}. If it is itself the JSON body, pass Response.json({ ${names.join(", ")} })`,
    ),
  );
}

function isResult(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && value >= 200 && value <= 599;
  return value instanceof Response || isError(value) || isPlain(value);
}

/** Returns a new response, or throws the error that takes its place. */
function toResponse(reply: unknown): Response {
  if (isError(reply)) throw reply;
  if (reply instanceof Response) return reply.clone();
  if (typeof reply === "number") return new Response(null, { status: reply });
  return Response.json(reply);
}

/** Does some work, and rejects with the reason of a signal as soon as it is aborted, like fetch. */
export async function abortable(
  work: () => Promise<Response>,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  if (!signal) return await work();
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function assertCalled(
  calls: readonly MockCall[],
  route: RoutePattern,
  expected: ExpectedCall,
): void {
  checkExpectedCall(expected);
  const sent = calls.filter(({ method, url }) => matchRoute(route, method, new URL(url)));
  const compared = sent.map((call) => ({ call, lines: compareCall(call, expected) }));
  const matching = compared.filter(({ lines }) => lines.length === 0).length;
  const { times } = expected;
  if (times === undefined ? matching > 0 : matching === times) return;

  const wanted = `${route.name} must be requested ${timesText(times)}`;
  const found = `but ${matching} of ${calls.length} requests match`;
  const [closest] = compared.filter(({ lines }) => lines.length > 0)
    .sort((one, other) => differences(one.lines) - differences(other.lines));
  throw new MockError(
    closest === undefined || matching > (times ?? 0)
      ? `${wanted}, ${found}${listed(calls.map(textOf))}`
      : `${wanted}, ${found}. The closest is ${textOf(closest.call)} (- expected, + sent):\n` +
        closest.lines.join("\n"),
  );
}

function assertDone(
  routes: readonly (RoutePattern & { steps: readonly MockReply[] | undefined })[],
  { unmatched, used }: MockRun,
): void {
  const problems = [
    ...routes.flatMap(({ name, steps }, index) =>
      steps === undefined || used[index] === steps.length
        ? []
        : [`${name}: ${used[index]} of ${steps.length} replies are used`]
    ),
    ...unmatched.map((call) => `${textOf(call)}: no route matches`),
  ];
  if (problems.length > 0) throw new MockError(`the mock is not done${listed(problems)}`);
}

function noRoute(call: MockCall, names: readonly string[]): string {
  return `no route matches ${textOf(call)}; the routes, closest first${listed(names)}`;
}

function textOf({ method, url }: MockCall): string {
  return `${method} ${url}`;
}

function timesText(times: number | undefined): string {
  if (times === undefined) return "at least once";
  return times === 1 ? "once" : `${times} times`;
}

/** Returns lines for the end of a message. */
function listed(lines: readonly string[]): string {
  return `:${lines.length === 0 ? " none" : lines.map((line) => `\n  ${line}`).join("")}`;
}
