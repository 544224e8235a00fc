import { ValidationError } from "../../../mod.ts";
import type { Fault, Kind, Outcome, Result, RuntimeName } from "./fault.ts";
import { badGateway, lost, lostFraming } from "./outcomes.ts";

/** How requests reach the server. */
export type Route = "direct" | "nginx" | "squid";

/** One case of the matrix. */
export interface FaultCase {
  readonly fault: Fault;
  readonly method: string;
  /** The generation: 1 is `APISession`, 2 is `APIClient`. */
  readonly generation: 1 | 2;
  readonly kind: Kind;
  /** Limits of time: all, or only those without which the call would never end. */
  readonly limits: "all" | "needed";
  /** The attempts that meet the fault: all, or only the first. */
  readonly meets: "always" | "once";
  /** The packets of the response: headers and body together, or one after the other. */
  readonly packets: "together" | "apart";
  readonly route: Route;
}

/** How a case has to end. */
export interface Expected {
  readonly result: Result;
  /** The attempts of the toolkit. */
  readonly attempts: number;
  /** The waits between the attempts, and after the last one, in seconds. */
  readonly waits: readonly number[];
  /** The requests that the server has to see. Intermediaries may send more. */
  readonly requests: number;
}

/** The number of retries (contract: limit-1). The matrix leaves it to the default. */
const RETRIES = 3;

/** The wait after each failed connection, also the last, in seconds (contract: limit-4). */
const CONNECTION_WAIT = 1;

/** The backoff in seconds, times the number of the retry (contract: limit-3). */
const BACKOFF = 1;

/**
 * Returns the outcome of a fault on a route and a runtime. An intermediary answers with a 502 if the
 * server sends no response. It passes on bodies as they are, also compressed ones.
 */
export function outcomeOf(fault: Fault, route: Route, runtime: RuntimeName): Outcome {
  const own = route === "direct" ? undefined : fault[route];
  const { except = {}, outcome } = fault;
  const direct = except[runtime] ?? (runtime === "Node 22" ? except.Node : undefined) ?? outcome;
  const isWithoutHead = direct === lost || direct === lostFraming;
  return own ?? (isWithoutHead && route !== "direct" ? badGateway : direct);
}

/** Returns how a case has to end, by the contract's rules of attempts and waits. */
export function expectedOf(tested: FaultCase, runtime: RuntimeName): Expected {
  const { fault, method, kind, limits, meets, route } = tested;
  const { result, part, retry, needs } = outcomeOf(fault, route, runtime);
  const own = method === "HEAD" && part !== "head"
    ? "empty"
    : typeof result === "object" && "raw" in result
    ? result[kind]
    // The model of the tests does not match null, which an empty body is converted to.
    : result;
  const shown = own === "empty" && kind === "model" ? { error: ValidationError } : own;
  // A runtime that sends the request again by itself hides the first failure.
  const isResent = route === "direct" && (fault.resent?.[runtime]?.includes(method) ?? false);
  const isOver = part === "body" && (kind === "raw" || kind === "stream");
  if (retry === undefined || isOver || own === "empty") {
    // Without limits, a raw body is that of fetch, with its errors.
    const isBare = isOver && kind === "raw" && limits === "needed" && needs === undefined;
    const error = isBare && typeof shown === "object" ? { error: Error } : shown;
    return { result: error, attempts: 1, waits: [], requests: 1 };
  }
  if (meets === "once") {
    if (isResent) return { ...success(method, kind), attempts: 1, waits: [], requests: 2 };
    return { ...success(method, kind), attempts: 2, waits: waitsOf(retry, 1), requests: 2 };
  }
  return {
    result: shown,
    attempts: RETRIES + 1,
    // Rule decision-2 of docs/project/contract.md: only a failed connection is followed by a wait after the last attempt.
    waits: waitsOf(retry, retry === "connection" ? RETRIES + 1 : RETRIES),
    requests: RETRIES + 1 + (isResent ? 1 : 0),
  };
}

/** Returns the result of a call without a fault. */
export function success(method: string, kind: Kind): { readonly result: Result } {
  if (method !== "HEAD") return { result: "whole" };
  return { result: kind === "model" ? { error: ValidationError } : "empty" };
}

function waitsOf(retry: "connection" | "status" | number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    if (typeof retry === "number") return retry;
    return retry === "connection" ? CONNECTION_WAIT : (index + 1) * BACKOFF;
  });
}
