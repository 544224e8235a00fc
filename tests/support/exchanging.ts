import { IncomingResponse } from "../../src/http/incoming_response.ts";
import { AbortScope } from "../../src/http/abort.ts";
import type { HttpCall } from "../../src/http/send.ts";
import { followRedirects } from "../../src/http/follow_redirects.ts";
import { checkedHeaders } from "../../src/http/headers.ts";
import { HttpSession, type HttpSessionOptions } from "../../src/http/http_session.ts";
import { uploadBodyOf } from "../../src/http/request_body.ts";
import { credentialPolicy } from "../../src/http/credentials.ts";
import { runAttempt } from "./attempts.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake_clock.ts";
import { type Answer, scripted, type ScriptedTransport } from "./scripted.ts";

/** The default User-Agent. */
const AGENT = "test/1";

/** The limits of an exchange. If `maxRedirects` is undefined, redirects are not followed. */
interface Bounds {
  readonly timeout: number | undefined;
  readonly maxRedirects: number | undefined;
  readonly verify: boolean;
}

/** A request without its settings, before it was sent. */
type BareRequest = Omit<HttpCall, "settings" | "sent">;

/** Parts of one exchange, to be merged over a plain GET. */
export type ExchangePart = Partial<BareRequest & Bounds>;

/** A request without any optional part. */
const plain: BareRequest & Bounds = {
  method: "GET",
  url: "https://a.example/x",
  headers: checkedHeaders({}),
  body: { kind: "none" },
  fetchInit: undefined,
  isAuthOwn: false,
  timeout: undefined,
  maxRedirects: 30,
  summary: { method: "GET", url: "https://a.example/x" },
  verify: true,
};

/** An HTTP session on a scripted transport, and a function that sends requests with it. */
export interface Exchanging {
  /** The HTTP session. */
  readonly http: HttpSession;
  /** The transport of its requests. */
  readonly transport: ScriptedTransport;
  /** The clock that measures the idle timeout. The test moves it. */
  readonly clock: FakeClock;
  /** Sends one request: its parts are merged over a plain GET. */
  send(part?: ExchangePart, scope?: AbortScope): Promise<IncomingResponse>;
}

/** The origins that an HTTP session trusts, and the headers that go to the others too. */
export interface Trusted {
  /** The base URL. */
  readonly base?: string;
  /** Other origins. */
  readonly origins?: readonly string[];
  /** Names of headers. */
  readonly crossOriginHeaders?: readonly string[];
}

/** Options of {@linkcode exchanging}. */
export interface ExchangingOptions {
  /** The answers of the transport, in order. */
  readonly answers: readonly Answer[];
  /** The options of the HTTP session. */
  readonly session?: HttpSessionOptions;
  /** The origins that it trusts. */
  readonly trust?: Trusted;
  /** The Authorization header for the base URL. */
  readonly credentials?: string;
}

/** Creates an HTTP session. Its base URL is `https://a.example`, unless `trust` names another. */
export function exchanging(
  { answers, session, trust = {}, credentials }: ExchangingOptions,
): Exchanging {
  const clock = fakeClock();
  const transport = scripted(...answers);
  const http = new HttpSession({ fetch: transport, ...session });
  http.headers.set("User-Agent", AGENT);
  const { base = "https://a.example", origins = [], crossOriginHeaders = [] } = trust;
  return {
    http,
    transport,
    clock,
    send: async (part, scope) => {
      const { timeout = http.timeout, maxRedirects, verify, ...request } = { ...plain, ...part };
      const settings = {
        followRedirects: maxRedirects !== undefined,
        maxRedirects: maxRedirects ?? 0,
        trust: credentialPolicy(base, origins, crossOriginHeaders),
        credentials,
        verify,
      };
      if (timeout !== undefined) scope ??= new AbortScope([], undefined, clock);
      const signal = scope?.startAttempt(timeout, (error) => error);
      const upload = uploadBodyOf(request.body);
      const call = { ...request, settings, sent: {} };
      const response = followRedirects({ call, http, upload, verify, scope, signal });
      return new IncomingResponse(
        await (scope === undefined ? response : runAttempt(scope, response)),
        scope,
      );
    },
  };
}

/** Returns the headers of each request, without the default User-Agent. */
export function sentHeaders({ calls }: ScriptedTransport): Record<string, string>[] {
  return calls.map(({ init: { headers: { "user-agent": agent, ...others } } }) =>
    agent === AGENT || agent === undefined ? others : { ...others, "user-agent": agent }
  );
}

/** Creates a redirect response. */
export function redirectTo(location: string, status = 302, setCookie?: string): Response {
  const headers = new Headers({ location });
  if (setCookie !== undefined) headers.append("set-cookie", setCookie);
  return new Response("moved", { status, headers });
}
