import { assertEquals, describe, it } from "#test";
import { APIEndpoint, APISession } from "../../mod.ts";
import { every, type PollOptions, type PollRule } from "../../src/polling/mod.ts";
import { scripted } from "../support/scripted.ts";

// The compiler checks the types in this file. The tests only make these checks part of a run.

/** `true` if two types are identical. */
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true
  : false;

/** Compiles only if the type argument is `true`. */
function holds<Fact extends true>(fact?: Fact): void {
  void fact;
}

interface Running {
  readonly state: "running";
}
interface Done {
  readonly state: "done";
  readonly url: string;
}
type Job = Running | Done;

const interval: PollRule = every(0);

class Jobs extends APIEndpoint<Api> {
  protected override readonly _path: string = "jobs";

  narrowed() {
    const job = this._poll(({ signal }) => this._get<Job>("7", { signal, convJson: true }), {
      until: (each) => each.state === "done",
      interval,
    });
    holds<Same<typeof job, Promise<Done>>>();
    return job;
  }

  declared() {
    const isDone = (job: Job): job is Done => {
      if (job.state === "running") return false;
      return true;
    };
    const job = this._poll(() => this._get<Job>("7", { convJson: true }), {
      until: isDone,
      interval,
    });
    holds<Same<typeof job, Promise<Done>>>();
    return job;
  }

  byStatus() {
    const job = this._poll(({ signal }) => this._get<Job>("7", { signal, convJson: true }), {
      until: (_, { status }) => status !== 202,
      interval,
      onProgress: ({ result, wait }) => {
        holds<Same<typeof result, Job>>();
        holds<Same<typeof wait, number>>();
      },
    });
    holds<Same<typeof job, Promise<Job>>>();
    return job;
  }

  responses() {
    const response = this._poll(() => this._get("7"), { until: ({ ok }) => ok, interval });
    holds<Same<typeof response, Promise<Response>>>();
    return response;
  }

  mapped() {
    const state = this._poll(
      () => this._get<Job>("7", { convJson: true }).map((job) => job.state),
      { until: (each) => each === "done", interval },
    );
    holds<Same<typeof state, Promise<"done">>>();
    return state;
  }

  withOptions(options: Pick<PollOptions<Job>, "deadline" | "signal" | "onProgress">) {
    const until = (job: Job) => job.state === "done";
    return this._poll(() => this._get<Job>("7", { convJson: true }), {
      ...options,
      until,
      interval,
    });
  }

  wrong() {
    void (() => {
      const call = () => this._get<Job>("7", { convJson: true });
      // @ts-expect-error the rule is missing
      this._poll(call, { until: (job) => job.state === "done" });
      // @ts-expect-error a number is not a rule
      this._poll(call, { until: (job) => job.state === "done", interval: 5 });
      // @ts-expect-error a misspelled option
      this._poll(call, { until: (job) => job.state === "done", interval, dedline: 5 });
      // @ts-expect-error a promise is not a boolean
      this._poll(call, { until: async () => await Promise.resolve(true), interval });
      // @ts-expect-error another field
      this._poll(call, { until: (job) => job.status === "done", interval });
      // @ts-expect-error an async function has no response
      this._poll(async () => await call(), { until: () => true, interval });
    });
  }
}

class Api extends APISession {
  readonly jobs: Jobs = new Jobs(this);
}

describe("the types of _poll", () => {
  const done = () => Response.json({ state: "done", url: "/7" });
  const { jobs } = new Api({ url: "https://api.example.com", fetch: scripted(done) });

  it("follow the call, and the result that until accepts", async () => {
    assertEquals((await jobs.narrowed()).url, "/7");
    assertEquals((await jobs.declared()).url, "/7");
    assertEquals((await jobs.byStatus()).state, "done");
    assertEquals((await jobs.responses()).status, 200);
    assertEquals(await jobs.mapped(), "done");
    assertEquals((await jobs.withOptions({ deadline: 5 })).state, "done");
    assertEquals(typeof jobs.wrong, "function");
  });
});
