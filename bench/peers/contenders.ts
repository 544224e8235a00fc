// The clients that are compared. Each row of a contender is a call that ends in a parsed body. A
// contender has no row for a feature that it lacks.

import createClient from "openapi-fetch";
import ky from "ky";
import axios from "axios";
import OpenAI from "openai";
import { createFetch } from "ofetch";
import { up } from "up-fetch";
import { request as octokit } from "@octokit/request";
import { z } from "zod";
import { APIError, APISession } from "../../mod.ts";
import { element, integer, model, string } from "../../src/models/mod.ts";

/** The rows of the comparison, in the order in which they are printed. */
export const ROWS = [
  "GET JSON",
  "GET with params and headers",
  "POST JSON",
  "GET with a timeout",
  "GET with a signal",
  "GET checked by zod",
  "GET as a model",
  "404 caught",
  "one retry",
] as const;

/** The name of a row. */
export type Row = (typeof ROWS)[number];

/** The calls of a contender. */
export type Calls = Partial<Record<Row, () => Promise<unknown>>>;

/** A client with its calls. */
export interface Contender {
  readonly name: string;
  /**
   * Returns the calls of the client, which use a fetch function, a base URL without a path, and a
   * signal of their own: some clients leave something behind at a signal, which slows others down.
   */
  readonly calls: (fetch: typeof globalThis.fetch, origin: string, signal: AbortSignal) => Calls;
}

const params = { page: 2, size: 100 };
const headers = { "x-request": "7" };
const body = { name: "Ada" };
const user = z.object({ id: z.number().int(), name: z.string() });
class User extends model("user", { id: element(integer), name: element(string) }) {}

/** Seconds of the rows with a timeout. None of them passes. */
const TIMEOUT = 30;

export const bareFetch: Contender = {
  name: "fetch by hand",
  calls: (fetch, origin, signal) => {
    const parsed = async (
      path: string,
      init?: RequestInit,
    ): Promise<unknown> => {
      const response = await fetch(origin + path, init);
      if (!response.ok) {
        throw Object.assign(new Error(`${response.status}`), { response });
      }
      return await response.json();
    };
    return {
      "GET JSON": () => parsed("/users/7"),
      "GET with params and headers": () =>
        parsed(`/users?${new URLSearchParams({ page: "2", size: "100" })}`, {
          headers,
        }),
      "POST JSON": () =>
        parsed("/users", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      "GET with a timeout": () =>
        parsed("/users/7", { signal: AbortSignal.timeout(TIMEOUT * 1000) }),
      "GET with a signal": () => parsed("/users/7", { signal }),
      "GET checked by zod": async () => user.parse(await parsed("/users/7")),
      "404 caught": () => parsed("/missing").catch(({ response }) => response.json()),
      "one retry": () => parsed("/flaky").catch(() => parsed("/flaky")),
    };
  },
};

const restwright: Contender = {
  name: "restwright",
  calls: (fetch, url, signal) => {
    const noWait = { retries: 1, backoff: 0, finalWait: false };
    const own = fetch === globalThis.fetch ? {} : { fetch };
    const session = new APISession({ url, ...own, logger: null, ...noWait });
    const convJson = true;
    return {
      "GET JSON": () => session.get("users/7", { convJson }),
      "GET with params and headers": () => session.get("users", { params, headers, convJson }),
      "POST JSON": () => session.post("users", { json: body, convJson }),
      "GET with a timeout": () => session.get("users/7", { timeout: TIMEOUT, convJson }),
      "GET with a signal": () => session.get("users/7", { signal, convJson }),
      "GET checked by zod": () => session.get("users/7", { responseModel: user }),
      "GET as a model": () => session.get("users/7", { responseModel: User }),
      "404 caught": () =>
        session.get("missing", { convJson }).catch((error) => {
          if (!(error instanceof APIError)) throw error;
          return JSON.parse(error.body);
        }),
      "one retry": () => session.get("flaky", { convJson }),
    };
  },
};

const ofetch: Contender = {
  name: "ofetch",
  calls: (fetch, baseURL, signal) => {
    const api = createFetch({
      fetch,
      Headers,
      AbortController,
      defaults: { baseURL, retry: 0 },
    });
    return {
      "GET JSON": () => api("/users/7"),
      "GET with params and headers": () => api("/users", { query: params, headers }),
      "POST JSON": () => api("/users", { method: "POST", body }),
      "GET with a timeout": () => api("/users/7", { timeout: TIMEOUT * 1000 }),
      "GET with a signal": () => api("/users/7", { signal }),
      "GET checked by zod": async () => user.parse(await api("/users/7")),
      "404 caught": () => api("/missing").catch((error) => error.data),
      "one retry": () => api("/flaky", { retry: 1, retryDelay: 0 }),
    };
  },
};

const openapiFetch: Contender = {
  name: "openapi-fetch",
  calls: (fetch, baseUrl, signal) => {
    // deno-lint-ignore no-explicit-any -- the paths of an OpenAPI document, which there is none of
    const api = createClient<any>({
      baseUrl,
      fetch: (request) => fetch(request),
    });
    const data = async (
      answer: Promise<{ data?: unknown; error?: unknown }>,
    ): Promise<unknown> => {
      const { data, error } = await answer;
      return data ?? error;
    };
    return {
      "GET JSON": () => data(api.GET("/users/7", {})),
      "GET with params and headers": () =>
        data(api.GET("/users", { params: { query: params }, headers })),
      "POST JSON": () => data(api.POST("/users", { body })),
      "GET with a timeout": () =>
        data(
          api.GET("/users/7", { signal: AbortSignal.timeout(TIMEOUT * 1000) }),
        ),
      "GET with a signal": () => data(api.GET("/users/7", { signal })),
      "GET checked by zod": async () => user.parse(await data(api.GET("/users/7", {}))),
      "404 caught": () => data(api.GET("/missing", {})),
    };
  },
};

const kyContender: Contender = {
  name: "ky",
  calls: (fetch, prefix, signal) => {
    const api = ky.create({ prefix, fetch, retry: 0, timeout: false });
    return {
      "GET JSON": () => api.get("users/7").json(),
      "GET with params and headers": () =>
        api.get("users", { searchParams: params, headers }).json(),
      "POST JSON": () => api.post("users", { json: body }).json(),
      "GET with a timeout": () => api.get("users/7", { timeout: TIMEOUT * 1000 }).json(),
      "GET with a signal": () => api.get("users/7", { signal }).json(),
      "GET checked by zod": async () => user.parse(await api.get("users/7").json()),
      "404 caught": () => api.get("missing").json().catch((error) => error.data),
      "one retry": () => api.get("flaky", { retry: { limit: 1, delay: () => 0 } }).json(),
    };
  },
};

const axiosContender: Contender = {
  name: "axios (fetch)",
  calls: (fetch, baseURL, signal) => {
    const api = axios.create({ adapter: "fetch", baseURL, env: { fetch } });
    const data = async (answer: Promise<{ data: unknown }>): Promise<unknown> =>
      (await answer).data;
    return {
      "GET JSON": () => data(api.get("/users/7")),
      "GET with params and headers": () => data(api.get("/users", { params, headers })),
      "POST JSON": () => data(api.post("/users", body)),
      "GET with a timeout": () => data(api.get("/users/7", { timeout: TIMEOUT * 1000 })),
      "GET with a signal": () => data(api.get("/users/7", { signal })),
      "GET checked by zod": async () => user.parse(await data(api.get("/users/7"))),
      "404 caught": () => data(api.get("/missing")).catch((error) => error.response.data),
    };
  },
};

const openai: Contender = {
  name: "openai's core",
  calls: (fetch, baseURL, signal) => {
    const settings = {
      apiKey: "key",
      baseURL,
      fetch,
      dangerouslyAllowBrowser: true,
    };
    const api = new OpenAI({ ...settings, maxRetries: 0 });
    const retrying = new OpenAI({ ...settings, maxRetries: 1 });
    return {
      "GET JSON": () => api.get("/users/7"),
      "GET with params and headers": () => api.get("/users", { query: params, headers }),
      "POST JSON": () => api.post("/users", { body }),
      "GET with a timeout": () => api.get("/users/7", { timeout: TIMEOUT * 1000 }),
      "GET with a signal": () => api.get("/users/7", { signal }),
      "GET checked by zod": async () => user.parse(await api.get("/users/7")),
      "404 caught": () => api.get("/missing").catch((error) => error.error),
      "one retry": () => retrying.get("/flaky"),
    };
  },
};

const upFetch: Contender = {
  name: "up-fetch",
  calls: (fetch, baseUrl, signal) => {
    const api = up(fetch, () => ({ baseUrl }));
    return {
      "GET JSON": () => api("/users/7"),
      "GET with params and headers": () => api("/users", { params, headers }),
      "POST JSON": () => api("/users", { method: "POST", body }),
      "GET with a timeout": () => api("/users/7", { timeout: TIMEOUT * 1000 }),
      "GET with a signal": () => api("/users/7", { signal }),
      "GET checked by zod": () => api("/users/7", { schema: user }),
      "404 caught": () => api("/missing").catch((error) => error.data),
      "one retry": () => api("/flaky", { retry: { attempts: 1, delay: 0 } }),
    };
  },
};

const octokitContender: Contender = {
  name: "@octokit/request",
  calls: (fetch, baseUrl, signal) => {
    const api = octokit.defaults({ baseUrl, request: { fetch } });
    const data = async (answer: Promise<{ data: unknown }>): Promise<unknown> =>
      (await answer).data;
    return {
      "GET JSON": () => data(api("GET /users/7")),
      "GET with params and headers": () => data(api("GET /users", { ...params, headers })),
      "POST JSON": () => data(api("POST /users", body)),
      "GET with a timeout": () =>
        data(api("GET /users/7", {
          request: { fetch, signal: AbortSignal.timeout(TIMEOUT * 1000) },
        })),
      "GET with a signal": () => data(api("GET /users/7", { request: { fetch, signal } })),
      "GET checked by zod": async () => user.parse(await data(api("GET /users/7"))),
      "404 caught": () => data(api("GET /missing")).catch((error) => error.response.data),
    };
  },
};

/** The contenders. The first is the baseline of the ratios, the second is this toolkit. */
export const CONTENDERS: readonly Contender[] = [
  bareFetch,
  restwright,
  ofetch,
  openapiFetch,
  upFetch,
  kyContender,
  octokitContender,
  axiosContender,
  openai,
];
