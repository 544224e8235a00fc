/**
 * A user's test with MSW, which keeps a clone of each response. It prints the status of a call whose
 * token is renewed after a 401, for each scheme that does so.
 */
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { APIClient } from "@restwright/restwright";
import { SessionTokenAuth } from "@restwright/restwright/auth";
import { DigestAuth } from "@restwright/restwright/digest";
import { ClientCredentialsAuth } from "@restwright/restwright/oauth";

const challenge = 'Digest realm="r", nonce="n", qop="auth"';
let issued = 0;
const server = setupServer(
  http.post(
    "https://api.example.com/token",
    () => HttpResponse.json({ access_token: `t${++issued}`, expires_in: 3600 }),
  ),
  http.get("https://api.example.com/me", ({ request: { headers } }) => {
    const sent = headers.get("authorization") ?? headers.get("x-session-token") ?? "";
    return sent.endsWith("t2") || sent.startsWith("Digest")
      ? HttpResponse.json({ name: "Ada" })
      : new HttpResponse("no", { status: 401, headers: { "www-authenticate": challenge } });
  }),
);
server.listen();

class Library extends APIClient {
  static baseUrl = "https://api.example.com";
  static logger = null;
  read = () => this._get("/me");
}
let logins = 0;
const login = () => Promise.resolve(`t${++logins}`);
const client = { tokenUrl: "/token", clientId: "a", clientSecret: "b" };
const schemes = [
  (library) => new SessionTokenAuth(library, { login }),
  (library) => new ClientCredentialsAuth(library, client),
  () => new DigestAuth("ada", "countess"),
];
for (const scheme of schemes) {
  const library = new Library();
  library.httpSession.auth = scheme(library);
  console.log((await library.read()).status);
}
server.close();
