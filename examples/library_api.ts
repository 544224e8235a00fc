// A small HTTP API for trying out clients: a lending library in memory, on Deno, Node and Bun.
//
//   GET    /books?author=&onLoan=&page=&size=   one page: { items, total, page, size }; page from 0
//   POST   /books                               201 and the book
//   GET    /books/<id>   PUT   PATCH            the book
//   DELETE /books/<id>                          204
//   GET    /cards/<id>                          a card of an old catalogue, in XML; 2 is not valid
//   GET    /librarian/tip                       429 with Retry-After a few times, then a book
//   POST   /members                             201; { username, password }
//   GET    /members/me                          the member of the header X-Session-Token
//   POST   /session                             201 and { token }; { username, password }
//   DELETE /session                             204
//
// Bodies are JSON. Books and pages of books can also be XML: requests select it by their content
// type, and responses are XML for `Accept: application/xml`.
//
// Errors are a 4xx with { error }, or a 422 with { error, problems: [{ field, expected }] }. Each
// response has an id in its header X-Request-Id: r-1, r-2 …

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { inFormat, readBody } from "./library/body_format.ts";
import { bookRoutes, type LibrarianOptions } from "./library/book_routes.ts";
import { cardRoutes } from "./library/card_routes.ts";
import { memberRoutes } from "./library/member_routes.ts";
import { type Answer, refused, type Route } from "./library/route.ts";

/** The running API. */
export interface LibraryApi {
  /** Its base URL, without a trailing slash. */
  readonly url: string;
  /** The requests so far, such as `GET /books?page=1`. */
  readonly requests: readonly string[];
  /** Closes every connection and stops the API. Its data is lost. */
  stop(): Promise<void>;
}

/** Starts the API on a loopback port that the system picks. */
export async function startLibraryApi(options: LibrarianOptions = {}): Promise<LibraryApi> {
  const routes = [...bookRoutes(options), ...cardRoutes(), ...memberRoutes()];
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    response.setHeader("x-request-id", `r-${requests.push(`${request.method} ${request.url}`)}`);
    write(response, inFormat(await answerTo(request, routes), request.headers.accept));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the API has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerTo(request: IncomingMessage, routes: readonly Route[]): Promise<Answer> {
  const [pathname = "/", search = ""] = (request.url ?? "/").split("?", 2);
  const route = routes.find(({ path }) => path.test(pathname));
  if (route === undefined) return refused(404, `there is nothing at ${pathname}`);
  // A HEAD is answered like a GET; node:http omits the body.
  const method = request.method === "HEAD" ? "GET" : request.method ?? "GET";
  const handler = Object.hasOwn(route.methods, method) ? route.methods[method] : undefined;
  if (handler === undefined) {
    const allow = Object.keys(route.methods).join(", ");
    return { ...refused(405, `${pathname} supports only ${allow}`), headers: { allow } };
  }
  const sent = await readBody(request, route.model);
  if ("refusal" in sent) return sent.refusal;
  const id = Number(route.path.exec(pathname)?.[1]);
  const token = String(request.headers["x-session-token"] ?? "");
  return handler({ query: new URLSearchParams(search), id, token, body: sent.body });
}

function write(response: ServerResponse, { status, body, xml, headers }: Answer): void {
  if (xml === undefined && body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const type = xml === undefined ? "application/json" : "application/xml";
  response.writeHead(status, { ...headers, "content-type": type });
  response.end(xml ?? JSON.stringify(body));
}
