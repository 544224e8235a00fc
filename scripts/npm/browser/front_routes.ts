/** The routes that the front answers by itself because the example API does not have them. */
import type { ServerResponse } from "node:http";

/** A request that the front received. */
export interface ArrivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request, and the number of earlier requests with the same path and query. */
interface Asked extends ArrivedRequest {
  readonly times: number;
}

type FrontRoute = (request: Asked, response: ServerResponse) => void;

/** The routes, by path. */
export const frontRoutes: Readonly<Record<string, FrontRoute>> = {
  /** Responds with the request itself. */
  "/echo": echo,

  /** Responds with the body of the request. */
  "/mirror"({ headers, body }, response) {
    response.writeHead(200, { "content-type": headers["content-type"] ?? "text/plain" }).end(body);
  },

  /** Responds without CORS headers (the front omits them), so that CORS blocks the response. */
  "/closed": (_, response) => json(response, 200, {}),

  /** Responds with 503 the first `?times=` times, and then with the number of earlier requests. */
  "/busy"({ path, times }, response) {
    const wanted = Number(new URLSearchParams(path.split("?")[1]).get("times"));
    if (times < wanted) json(response, 503, {}, { "retry-after": "0.05" });
    else json(response, 200, { times });
  },

  /** Never responds. */
  "/silent"() {},

  /** Sends one chunk of the body, and then nothing. */
  "/trickle"(_, response) {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("a chunk");
  },

  /** Closes the connection before the response. */
  "/cut": (_, response) => void response.destroy(),

  /** Closes the connection within the body. */
  "/cut_body"(_, response) {
    response.writeHead(200, { "content-type": "text/plain", "content-length": "100" });
    response.write("a chunk", () => response.destroy());
  },

  /** Redirects to a book. */
  "/moved": (_, response) => void response.writeHead(302, { location: "/books/1" }).end(),

  /** Sets a cookie, and responds with the cookies of the request. */
  "/visits"({ headers }, response) {
    json(response, 200, { cookie: headers["cookie"] ?? "" }, { "set-cookie": "visited=yes" });
  },

  /** Sends a Digest challenge. Responds to a request with credentials with the request itself. */
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
