import type { Transport, TransportInit } from "../../src/http/transport.ts";

/** One answer of a scripted transport: a status, a response, or an error that it rejects with. */
export type Answer = number | Response | Error | (() => Response | Promise<Response>);

/** A transport that answers from a list, and stores its calls. */
export interface ScriptedTransport extends Transport {
  /** Its calls, in order. */
  readonly calls: { readonly url: string; readonly init: TransportInit }[];
}

/** Creates a transport that returns these answers in order. The last one is repeated. */
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

/** Creates the error that fetch rejects with on Node if no server listens. */
export function refusedConnection(): Error {
  const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), {
    code: "ECONNREFUSED",
  });
  return new TypeError("fetch failed", { cause });
}

/** Creates a response with only a status, even one that the constructor of `Response` rejects. */
function statusOnly(status: number): Response {
  const isRegular = status >= 200 && status <= 599;
  const response = new Response(null, { status: isRegular ? status : 200 });
  if (!isRegular) Object.defineProperty(response, "status", { value: status });
  return response;
}
