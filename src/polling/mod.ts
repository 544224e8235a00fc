/**
 * Long operations: rules for the waits between two calls that ask if an operation is done.
 *
 * The method `_poll` of sessions, clients and endpoints takes such a rule as `interval`. Programs that
 * do not import this entry point do not contain its code.
 *
 * @example
 * ```ts
 * import { APIClient } from "@restwright/restwright";
 * import { every } from "@restwright/restwright/polling";
 * import { fakeClock, mockTransport, replies } from "@restwright/restwright/testing";
 *
 * interface Job {
 *   readonly state: "running" | "done";
 * }
 *
 * class Jobs extends APIClient {
 *   static override readonly baseUrl: string = "https://api.example.com";
 *
 *   finished(id: number): Promise<Job> {
 *     return this._poll(
 *       ({ signal }) => this._get<Job>(`/jobs/${id}`, { signal, convJson: true }),
 *       { until: (job) => job.state === "done", interval: every(2), deadline: 600 },
 *     );
 *   }
 * }
 *
 * const clock = fakeClock({ autoAdvance: true }); // not in your program
 * const fetch = mockTransport({ "GET /jobs/7": replies({ state: "running" }, { state: "done" }) });
 * console.log((await new Jobs({ fetch, clock }).finished(7)).state); // done
 * ```
 *
 * @module
 */

export { type PollCall, type PollOptions, type PollProgress, PollRule } from "./poll_rule.ts";
export { every, growing } from "./rules.ts";
