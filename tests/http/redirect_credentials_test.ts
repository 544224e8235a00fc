/** One table of redirects: status × method × origins × kind of header. */
import { assertEquals, describe, it } from "#test";
import { APISession } from "../../mod.ts";
import { ApiKeyAuth } from "../../src/auth/mod.ts";
import type { Transport, TransportInit } from "../../src/http/mod.ts";
import { redirectTo } from "../support/exchanging.ts";
import {
  hasCredentials,
  type OriginName,
  origins,
  type Owner,
  paths,
} from "../support/credential_paths.ts";

/** The headers that count as credentials, by kind. Two of them depend on what the call sets. */
const credentials: Readonly<Record<string, Owner>> = {
  "x-session": "session", // of the HTTP session
  "x-client": "session", // of the option `headers`
  "x-copy": "session", // of a copy by withOptions, which shares the HTTP session
  "x-call": "call",
  "idempotency-key": "call", // a header with a name that sounds harmless
};

/** The headers that grant nothing, so that they go everywhere: of the session and of the call. */
const harmless = ["user-agent", "accept-language", "accept", "if-none-match", "x-source"];

/** The headers that describe the body, so that they go where it goes. */
const ofBody = ["content-type", "content-language"];

class Api extends APISession {
  static override readonly crossOriginHeaders: readonly string[] = ["X-Source"];
}

/** Sends a request along a path of redirects, and returns the last one. */
async function lastRequest(
  path: readonly OriginName[],
  status: number,
  method: string,
  isAuthOwn: boolean,
): Promise<TransportInit> {
  const urlOf = (index: number) => `${origins[path[index]!]}/${index}`;
  const calls: TransportInit[] = [];
  const fetch: Transport = (url, init) => {
    assertEquals(url, urlOf(calls.length));
    calls.push(init);
    const isLast = calls.length === path.length;
    return Promise.resolve(isLast ? new Response("{}") : redirectTo(urlOf(calls.length), status));
  };
  const original = new Api({
    url: origins.api,
    trustedOrigins: [origins.eu],
    fetch,
    logger: null,
    headers: { "X-Client": "c" },
    cookies: { sid: "s-1" },
    auth: new ApiKeyAuth("k-session", { header: "X-Scheme" }),
  });
  original.httpSession.headers.set("X-Session", "s");
  original.httpSession.headers.set("Accept-Language", "de");
  const api = original.withOptions({ headers: { "X-Copy": "c" } });
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? { json: { a: 1 } } : {};
  const own = isAuthOwn ? { auth: new ApiKeyAuth("k-call", { header: "X-Scheme" }) } : {};
  await api["_req"](method, urlOf(0), {
    ...body,
    ...own,
    headers: {
      "X-Call": "c",
      "Idempotency-Key": "i",
      "If-None-Match": '"e"',
      "X-Source": "s",
      "Accept": "text/json",
      ...hasBody && { "Content-Language": "de" },
      ...isAuthOwn && { cookie: "own=1" },
    },
  });
  return calls.at(-1)!;
}

for (const status of [301, 302, 303, 307, 308]) {
  describe(`a ${status} leads to a request that has only the headers that may go there`, () => {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"]) {
      const becomesGet = status === 303 ? method !== "HEAD" : method === "POST" && status < 303;
      const hasBody = method !== "GET" && method !== "HEAD" && !becomesGet;
      for (const owner of ["session", "call"] as const) {
        const kinds = { ...credentials, "x-scheme": owner, "cookie": owner };
        // contract: http-7, http-11, http-13
        it(`after ${method} with the scheme and the cookie of the ${owner}`, async () => {
          const [found, expected]: Record<string, unknown>[] = [{}, {}];
          for (const path of paths) {
            const name = path.join(" → ");
            const last = await lastRequest(path, status, method, owner === "call");
            found![name] = [
              last.method,
              last.body !== undefined,
              ...Object.keys(last.headers).sort(),
            ];
            const kept = Object.entries(kinds).filter(([, of]) => hasCredentials(path, of));
            const names = [...kept.map(([kind]) => kind), ...harmless, ...hasBody ? ofBody : []];
            expected![name] = [becomesGet ? "GET" : method, hasBody, ...names.sort()];
          }
          assertEquals(found, expected);
        });
      }
    }
  });
}
