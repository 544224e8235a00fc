import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStrictEquals,
  assertThrows,
  describe,
  it,
} from "#test";
import {
  APIClient,
  APIEndpoint,
  APIError,
  APISession,
  type ClientOptions,
  NotFoundError,
  RestwrightError,
  type SessionOptions,
  UnexpectedValueError,
} from "../../mod.ts";
import { PollTimeoutError } from "../../src/errors/poll_timeout_error.ts";
import { every, growing, type PollOptions, PollRule } from "../../src/polling/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { type Answer, scripted } from "../support/scripted.ts";
import { turn } from "../support/until.ts";

interface Job {
  readonly state: string;
}

const url = "https://api.example.com/v1";
const running = () => Response.json({ state: "running" });
const done = () => Response.json({ state: "done" });
const isDone = (job: Job) => job.state === "done";
const interval = every(5);

/** A response of a running job that asks to wait. */
function busy(retryAfter: string): Response {
  return Response.json({ state: "running" }, { headers: { "retry-after": retryAfter } });
}

class Jobs extends APIEndpoint<Api> {
  protected override readonly _path: string = "jobs";

  finished(options: Partial<PollOptions<Job>> = {}): Promise<Job> {
    return this._poll(({ signal }) => this._get<Job>("7", { signal, convJson: true }), {
      until: isDone,
      interval,
      ...options,
    });
  }
}
class Api extends APISession {
  readonly jobs: Jobs = new Jobs(this);

  poll(...args: unknown[]): Promise<unknown> {
    return this._poll(...args as Parameters<Api["_poll"]>);
  }
  job() {
    return this.get<Job>("jobs/7", { convJson: true });
  }
}

function start(answers: readonly Answer[], options: SessionOptions = {}) {
  const clock = fakeClock({ autoAdvance: true });
  const fetch = scripted(...answers);
  const silence = { retries: 0, finalWait: false, logger: null };
  return { clock, fetch, api: new Api({ url, fetch, clock, ...silence, ...options }) };
}

describe("_poll", () => {
  it("repeats a call until its result is final", async () => {
    const { api, clock, fetch } = start([running, running, done]);
    assertEquals(await api.jobs.finished(), { state: "done" });
    assertEquals(fetch.calls.map((call) => call.url), Array(3).fill(`${url}/jobs/7`));
    assertEquals(clock.waits, [5, 5]);
  });

  it("makes one call if its result is final", async () => {
    const { api, clock, fetch } = start([done]);
    await api.jobs.finished();
    assertEquals([fetch.calls.length, clock.waits, clock.pending], [1, [], 0]);
  });

  it("is a method of sessions and clients, too", async () => {
    class Client extends APIClient {
      finished(options: PollOptions<Job>): Promise<Job> {
        return this._poll(() => this._get<Job>("/job", { convJson: true }), options);
      }
    }
    const { fetch, clock, api } = start([running, done, running, done]);
    const options: ClientOptions = { baseUrl: url, fetch, clock };
    const polled = { until: isDone, interval };
    assertEquals(await new Client(options).finished(polled), { state: "done" });
    assertEquals(await api.poll(() => api.job(), polled), { state: "done" });
    assertEquals(clock.waits, [5, 5]);
  });

  it("waits as long as the server says", async () => {
    const date = new Date(Date.UTC(2026, 0, 1) + 10_000).toUTCString();
    const { api, clock } = start([busy("7"), busy(date), busy("soon"), busy("0"), done]);
    await api.jobs.finished();
    assertEquals(clock.waits, [7, 3, 5, 0.5]);
  });

  it("waits half a second, or as long as its rule, if the server asks for less", async () => {
    const past = new Date(Date.UTC(2025, 0, 1)).toUTCString();
    const waits = async (retryAfter: string, interval: PollRule) => {
      const { api, clock } = start([busy(retryAfter), busy(retryAfter), done]);
      await api.jobs.finished({ interval, maxRetryAfter: 2 });
      return clock.waits;
    };
    for (const retryAfter of ["0", "0.0", "1e-9", past]) {
      assertEquals(await waits(retryAfter, every(1)), [0.5, 0.5]);
      assertEquals(await waits(retryAfter, growing({ first: 30 })), [0.5, 0.5]);
      assertEquals(await waits(retryAfter, growing({ first: 0.1, factor: 2 })), [0.1, 0.2]);
    }
    assertEquals(await waits("0.4", every(0.2)), [0.4, 0.4]);
    assertEquals(await waits("2", growing({ first: 30 })), [2, 2]);
    assertEquals(await waits("0", every(0)), []);
  });

  it("passes the result and its response to until", async () => {
    const { api } = start([new Response('{"state":"x"}', { status: 202 }), done]);
    const seen: unknown[] = [];
    await api.jobs.finished({
      until: (job, response) => {
        seen.push([job.state, response.status]);
        return response.status !== 202;
      },
    });
    assertEquals(seen, [["x", 202], ["done", 200]]);
  });

  it("rejects with what until throws", async () => {
    const { api, fetch } = start([running, () => Response.json({ state: "failed" })]);
    const failure = new Error("the job has failed");
    const until = ({ state }: Job) => {
      if (state === "failed") throw failure;
      return false;
    };
    const error = await api.jobs.finished({ until }).catch((reason: unknown) => reason);
    assertStrictEquals(error, failure);
    assertEquals(fetch.calls.length, 2);
  });

  it("rejects with the error of a call, after its retries", async () => {
    const { api, fetch } = start([running, 503, running, 404], { retries: 1, backoff: 0 });
    await assertRejects(() => api.jobs.finished(), NotFoundError);
    assertEquals(fetch.calls.length, 4);
  });

  it("reports the progress before each wait", async () => {
    const { api } = start([running, busy("7"), done]);
    const seen: unknown[] = [];
    await api.jobs.finished({ onProgress: (progress) => seen.push(progress) });
    const result = { state: "running" };
    assertEquals(seen, [
      { result, calls: 1, elapsed: 0, wait: 5 },
      { result, calls: 2, elapsed: 5, wait: 7 },
    ]);
  });

  it("frees the connections of responses that are not final", async () => {
    let cancelled = 0;
    const body = () => new ReadableStream({ cancel: () => void cancelled++ });
    const { api } = start([() => new Response(body(), { status: 202 }), () => new Response("end")]);
    const response = await api.poll(
      () => api.get("jobs/7"),
      { until: ({ status }: Response) => status === 200, interval },
    );
    assertInstanceOf(response, Response);
    assertEquals([cancelled, await response.text()], [1, "end"]);
  });
});

describe("the limits of _poll", () => {
  async function timeoutOf(polling: Promise<unknown>): Promise<PollTimeoutError> {
    const error = await polling.catch((reason: unknown) => reason);
    assertInstanceOf(error, PollTimeoutError);
    return error;
  }

  it("end it if a call is running at the deadline, which aborts the call", async () => {
    const clock = fakeClock();
    let signal: AbortSignal | null | undefined;
    const hanging: Answer = () => new Promise<Response>(() => {});
    const script = scripted(running, hanging);
    const fetch: typeof script = Object.assign(
      (path: string, init: Parameters<typeof script>[1]) => {
        signal = init.signal;
        return script(path, init);
      },
      { calls: script.calls },
    );
    const { api } = start([], { fetch, clock });
    const polling = timeoutOf(api.jobs.finished({ deadline: 20 }));
    await clock.advance(20);
    const error = await polling;
    assertEquals(
      error.message,
      "the operation is not done after 1 call: its deadline of 20 s has passed",
    );
    assertEquals([error.calls, error.deadline, error.lastResult], [1, 20, { state: "running" }]);
    assertEquals([signal?.aborted, clock.pending, script.calls.length], [true, 0, 2]);
  });

  it("end it at once if the next call would be too late", async () => {
    const { api, clock, fetch } = start([running]);
    const error = await timeoutOf(api.jobs.finished({ deadline: 12 }));
    assertEquals(
      error.message,
      "the operation is not done after 3 calls: the wait of 5 s would exceed the deadline of 12 s",
    );
    assertEquals([fetch.calls.length, clock.pending], [3, 0]);
    assertEquals(clock.now(), Date.UTC(2026, 0, 1) + 10_000);
  });

  it("end it if a call takes longer than the deadline, and until accepts nothing", async () => {
    const { api } = start([running]);
    const error = await timeoutOf(api.jobs.finished({ deadline: 1, interval: every(0.25) }));
    assertEquals(error.calls, 4);
  });

  it("include the longest Retry-After of the session, or one of its own", async () => {
    const answers = [busy("61"), done, busy("61"), busy("61"), done];
    const { api, clock } = start(answers, { maxRetryAfter: 60 });
    const error = await timeoutOf(api.jobs.finished());
    const asked = "the server asked to wait 61 s, more than maxRetryAfter";
    assertEquals(error.message, `the operation is not done after 1 call: ${asked} (60 s)`);
    assertEquals([error.deadline, error.lastResult], [undefined, { state: "running" }]);
    await api.jobs.finished();
    const own = await timeoutOf(api.jobs.finished({ maxRetryAfter: 50 }));
    assert(own.message.endsWith(`${asked} (50 s)`), own.message);
    await api.jobs.finished({ maxRetryAfter: null });
    assertEquals(clock.waits, [61]);
  });

  it("do not apply to the deadline of one call", async () => {
    const clock = fakeClock();
    const { api } = start([() => new Promise<Response>(() => {})], { clock });
    const failed = api.poll(
      () => api.get("jobs/7", { deadline: 3 }),
      { until: isDone, interval, deadline: 60 },
    ).catch((reason: Error) => reason);
    await clock.advance(3);
    const error = await failed;
    assertEquals((error as Error).message, "the call took longer than its deadline of 3 s");
    assertEquals(clock.pending, 0);
  });

  it("are not printed with the last result, which may have secrets", async () => {
    const { api } = start([() => Response.json({ state: "s3cret" })]);
    const error = await timeoutOf(api.jobs.finished({ deadline: 1 }));
    assertEquals(JSON.parse(JSON.stringify(error)), {
      name: "PollTimeoutError",
      message: error.message,
      calls: 1,
      deadline: 1,
    });
  });
});

describe("the signal of _poll", () => {
  const reason = new Error("the user has left");

  it("ends a wait at once", async () => {
    const clock = fakeClock();
    const { api, fetch } = start([running], { clock });
    const controller = new AbortController();
    const polling = api.jobs.finished({ signal: controller.signal, deadline: 60 })
      .catch((error: unknown) => error);
    await clock.advance(5);
    controller.abort(reason);
    assertStrictEquals(await polling, reason);
    assertEquals([fetch.calls.length, clock.pending], [2, 0]);
  });

  it("ends a call, also one that does not pass the signal on", async () => {
    const { api } = start([() => new Promise<Response>(() => {})]);
    const controller = new AbortController();
    const options = { until: isDone, interval, signal: controller.signal };
    const polling = Promise.allSettled([
      api.jobs.finished(options),
      api.poll(() => api.job(), options),
    ]);
    controller.abort(reason);
    const ends = await polling;
    assertEquals(ends.map((end) => end.status === "rejected" && end.reason), [reason, reason]);
  });

  it("sends nothing if it was aborted before", async () => {
    const { api, fetch } = start([running]);
    const error = await api.jobs.finished({ signal: AbortSignal.abort(reason) })
      .catch((each: unknown) => each);
    assertStrictEquals(error, reason);
    assertEquals(fetch.calls.length, 0);
  });

  it("may be that of the session", async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const { api } = start([running], { clock, signal: controller.signal });
    const polling = api.jobs.finished().catch((error: unknown) => error);
    await clock.advance(1);
    controller.abort(reason);
    assertStrictEquals(await polling, reason);
    assertEquals(clock.pending, 0);
  });
});

describe("an operation with a URL of its own", () => {
  class Exports extends APIEndpoint<Api> {
    protected override readonly _path: string = "exports";

    create(): Promise<Job> {
      return this._poll(({ calls, operationUrl, signal }) => {
        const options = { signal, convJson: true } as const;
        return calls === 0
          ? this._post<Job>({ ...options, json: { format: "csv" } })
          : this._get<Job>(operationUrl(), options);
      }, { until: (_, { status }) => status !== 202, interval });
    }
  }
  const pending = (headers: Record<string, string>) => new Response("{}", { status: 202, headers });

  it("is started and polled by one method", async () => {
    const { api, fetch, clock } = start([
      pending({ location: "/v1/operations/7", "retry-after": "2" }),
      pending({ "retry-after": "3" }),
      pending({ location: "8?x=1" }),
      done,
    ]);
    assertEquals(await new Exports(api).create(), { state: "done" });
    assertEquals(fetch.calls.map((call) => `${call.init.method} ${call.url}`), [
      `POST ${url}/exports`,
      `GET ${url}/operations/7`,
      `GET ${url}/operations/7`,
      `GET ${url}/operations/8?x=1`,
    ]);
    assertEquals(clock.waits, [2, 3, 5]);
  });

  for (const name of ["operation-location", "azure-asyncoperation"]) {
    it(`prefers the header ${name} to Location`, async () => {
      const headers = { [name]: "https://api.example.com/status/7", location: "/result/7" };
      const { api, fetch } = start([pending(headers), done]);
      await new Exports(api).create();
      assertEquals(fetch.calls[1]?.url, "https://api.example.com/status/7");
    });
  }

  it("gets no credentials at another origin", async () => {
    const answers = [pending({ location: "https://other.example.com/7" }), done];
    const { api, fetch } = start(answers, { headers: { authorization: "Bearer s3cret" } });
    await new Exports(api).create();
    const sent = fetch.calls.map(({ init }) => new Headers(init.headers).get("authorization"));
    assertEquals(sent, ["Bearer s3cret", null]);
  });

  it("is not started again if the response has no URL", async () => {
    const { api, fetch } = start([pending({ location: "http://" })]);
    await assertRejects(
      () => new Exports(api).create(),
      RestwrightError,
      "the responses so far have no URL of the operation",
    );
    assertEquals(fetch.calls.length, 1);
  });
});

describe("the rules of polling", () => {
  async function waitsOf(rule: PollRule, calls: number): Promise<number[]> {
    const { api, clock } = start([...Array(calls).fill(running), done]);
    await api.jobs.finished({ interval: rule });
    return clock.waits.map((wait) => Number(wait.toFixed(3)));
  }

  it("wait longer each time, up to a limit", async () => {
    assertEquals(await waitsOf(growing(), 4), [1, 1.5, 2.25, 3.375]);
    assertEquals((await waitsOf(growing(), 11)).slice(-3), [25.629, 30, 30]);
    assertEquals(await waitsOf(growing({ first: 4, factor: 2, max: 10 }), 3), [4, 8, 10]);
  });

  it("can be written as a function", async () => {
    assertEquals(await waitsOf(new PollRule((calls) => calls * 10), 3), [10, 20, 30]);
  });

  const mistakes: Readonly<Record<string, readonly [() => unknown, option: string]>> = {
    "a rule that is not a function": [() => new PollRule(5 as never), "waitAfter"],
    "a rule of nothing": [() => new PollRule(undefined as never), "waitAfter"],
    "a negative interval": [() => every(-1), "seconds"],
    "an interval that is not a number": [() => every("5" as never), "seconds"],
    "a first wait that is none": [() => growing({ first: 0 }), "first"],
    "a factor below 1": [() => growing({ factor: 0.5 }), "factor"],
    "an endless wait": [() => growing({ max: Infinity }), "max"],
  };
  for (const [name, [make, option]] of Object.entries(mistakes)) {
    it(`do not accept ${name}`, () => {
      const error = assertThrows(make, UnexpectedValueError);
      assertEquals((error as UnexpectedValueError).option, option);
    });
  }
});

describe("_poll rejects before the first call", () => {
  const { api, fetch } = start([running]);
  const call = () => api.job();
  const options = { until: isDone, interval };
  const mistakes: Readonly<Record<string, readonly [args: readonly unknown[], option: string]>> = {
    "without options": [[call], "interval"],
    "without a rule": [[call, { until: isDone }], "interval"],
    "for a number in place of a rule": [[call, { until: isDone, interval: 5 }], "interval"],
    "without until": [[call, { interval }], "until"],
    "for a promise in place of a function": [[Promise.resolve(), options], "call"],
    "for a deadline of 0": [[call, { ...options, deadline: 0 }], "deadline"],
    "for a limit that is text": [[call, { ...options, maxRetryAfter: "1" }], "maxRetryAfter"],
    "for a signal that is none": [[call, { ...options, signal: {} }], "signal"],
    "for progress that is not a function": [[call, { ...options, onProgress: 1 }], "onProgress"],
  };
  for (const [name, [args, option]] of Object.entries(mistakes)) {
    it(name, async () => {
      const error = await api.poll(...args).catch((reason: unknown) => reason);
      assertInstanceOf(error, UnexpectedValueError);
      assertEquals([error.option, fetch.calls.length], [option, 0]);
    });
  }
});

describe("_poll rejects", () => {
  it("if the function returns no call", async () => {
    const { api } = start([404]); // an unhandled rejection would fail the test
    const polling = api.poll(async () => await api.job(), { until: isDone, interval });
    await assertRejects(
      () => polling,
      UnexpectedValueError,
      '"result of call" must be what a request method returns, but is an instance of Promise',
    );
    await turn();
  });

  it("if until returns no boolean, such as a promise", async () => {
    const { api } = start([running]);
    await assertRejects(
      () => api.jobs.finished({ until: (() => Promise.resolve(false)) as never }),
      UnexpectedValueError,
      '"result of until" must be true or false',
    );
  });

  it("if a rule returns no seconds", async () => {
    const { api } = start([running]);
    await assertRejects(
      () => api.jobs.finished({ interval: new PollRule(() => NaN) }),
      UnexpectedValueError,
      '"interval after call 1" must be a number of seconds of at least 0',
    );
  });

  it("with the error of onProgress", async () => {
    const { api } = start([running]);
    const onProgress = () => {
      throw new APIError(new Response(null, { status: 418 }));
    };
    await assertRejects(() => api.jobs.finished({ onProgress }), APIError);
  });
});
