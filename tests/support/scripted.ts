import type { Transport, TransportInit } from "../../src/http/transport.ts";

/** One answer of a scripted transport: a status, a response, or an error that it rejects with. */
export type Answer = number | Response | Error | (() => Response | Promise<Response>);

/** A transport that answers from a list, and keeps what it was asked. */
export interface ScriptedTransport extends Transport {
  /** What it was asked, in order. */
  readonly calls: { readonly url: string; readonly init: TransportInit }[];
}

/** Makes a transport that gives these answers in turn; the last one again and again. */
export function scripted(...answers: readonly Answer[]): ScriptedTransport {
  const calls: { readonly url: string; readonly init: TransportInit }[] = [];
  const transport: Transport = async (url, init) => {
    const answer = answers[Math.min(calls.length, answers.length - 1)];
    calls.push({ url, init });
    if (answer instanceof Error) throw answer;
    if (typeof answer === "function") return await answer();
    return typeof answer === "number" ? statusOnly(answer) : answer!.clone();
  };
  return Object.assign(transport, { calls });
}

/** What fetch rejects with on Node where nobody listens. */
export function refusedConnection(): Error {
  const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), {
    code: "ECONNREFUSED",
  });
  return new TypeError("fetch failed", { cause });
}

/** A response of which nothing but the status is known; also one that `Response` refuses. */
function statusOnly(status: number): Response {
  const isRegular = status >= 200 && status <= 599;
  const response = new Response(null, { status: isRegular ? status : 200 });
  if (!isRegular) Object.defineProperty(response, "status", { value: status });
  return response;
}
