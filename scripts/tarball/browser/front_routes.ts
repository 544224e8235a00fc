/** What the front of the example API answers by itself: what the API does not do. */
import type { ServerResponse } from "node:http";

/** A request that arrived. */
export interface ArrivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request, and how often its like came before. */
interface Asked extends ArrivedRequest {
  readonly times: number;
}

type FrontRoute = (request: Asked, response: ServerResponse) => void;

/** The routes by their paths. */
export const frontRoutes: Readonly<Record<string, FrontRoute>> = {
  /** What arrived. */
  "/echo": echo,

  /** Nothing for other origins to see: the front gives it no header of CORS. */
  "/closed": (_, response) => json(response, 200, {}),

  /** A 503 as often as the query says, and how often it was. */
  "/busy"({ path, times }, response) {
    const wanted = Number(new URLSearchParams(path.split("?")[1]).get("times"));
    if (times < wanted) json(response, 503, {}, { "retry-after": "0.05" });
    else json(response, 200, { times });
  },

  /** No answer at all. */
  "/silent"() {},

  /** One chunk, and nothing after it. */
  "/trickle"(_, response) {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("a chunk");
  },

  /** A connection that breaks before the answer, */
  "/cut": (_, response) => void response.destroy(),

  /** and one that breaks in it. */
  "/cut_body"(_, response) {
    response.writeHead(200, { "content-type": "text/plain", "content-length": "100" });
    response.write("a chunk", () => response.destroy());
  },

  /** A redirect to a book. */
  "/moved": (_, response) => void response.writeHead(302, { location: "/books/1" }).end(),

  /** A cookie, and those that came. */
  "/visits"({ headers }, response) {
    json(response, 200, { cookie: headers["cookie"] ?? "" }, { "set-cookie": "visited=yes" });
  },

  /** A challenge, and what came after it. */
  "/challenge"(request, response) {
    if (request.headers["authorization"] !== undefined) return echo(request, response);
    const challenge = 'Digest realm="library", nonce="n-1", qop="auth", algorithm=SHA-256';
    json(response, 401, {}, { "www-authenticate": challenge });
  },
};

function echo({ method, headers, body }: ArrivedRequest, response: ServerResponse): void {
  json(response, 200, { method, headers, body });
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...headers, "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
