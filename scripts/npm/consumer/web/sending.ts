/** Sending requests: headers, forms with files, logins, and options that only servers support. */
import { APIError, APISession, RestwrightError } from "@restwright/restwright";
import { BearerAuth } from "@restwright/restwright/auth";
import { DigestAuth } from "@restwright/restwright/digest";
import { UnsupportedOptionError } from "@restwright/restwright/errors";
import { Library, Reading } from "./library.ts";
import { check, type Echo, errorOf, type Scene } from "./scene.ts";

/** The scenes about sending requests. */
export const sending: Readonly<Record<string, Scene>> = {
  async "headers and credentials are sent"({ url }) {
    const session = new Reading({ url, auth: new BearerAuth("t-456") });
    session.httpSession.headers.set("X-API-Key", "k-123");
    const { method, headers, body } = await session.patch<Echo>("echo", { json: { a: 1 } });
    check("the method and the body", method === "PATCH" && body === '{"a":1}');
    check("the type", headers["content-type"] === "application/json");
    check("the session's header", headers["x-api-key"] === "k-123");
    check("the token", headers["authorization"] === "Bearer t-456");
  },

  async "files are sent as a form, with their names"({ url }) {
    const notes = new File(["a note"], "nötes.txt", { type: "text/plain" });
    const files = { notes, picture: ["p.png", new Uint8Array([1, 2, 3])] } as const;
    const { headers, body } = await new Reading({ url })
      .post<Echo>("echo", { files, data: { shelf: "A 3" } });
    const type = headers["content-type"] ?? "";
    const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(type)?.[1];
    check("the content type has the boundary", boundary !== undefined && body.includes(boundary));
    for (const part of ['filename="nötes.txt"', "a note", 'filename="p.png"', "A 3"]) {
      check(`the form has ${part}`, body.includes(part));
    }
  },

  async "each request sends the token of the login, until the logout"({ url }) {
    const session = await Reading.open({ url, username: "ada", password: "countess-1815" });
    const { username } = await session.get<{ username: string }>("members/me");
    check("the user is logged in", username === "ada");
    const http = session.httpSession;
    await session.close();
    check("the token was removed", http.headers.get("X-Session-Token") === undefined);
    await errorOf(session.get("members/me"), RestwrightError);
    const stranger = await errorOf(new Reading({ url }).get("members/me"), APIError);
    check("another session is not logged in", stranger.status === 401);
  },

  async "a challenge that CORS exposes is answered"({ url }) {
    const session = new Reading({ url, auth: new DigestAuth("ada", "countess") });
    const { headers } = await session.get<Echo>("challenge");
    check(
      "the answer is Digest",
      headers["authorization"]?.startsWith('Digest username="ada"') === true,
    );
  },

  async "a redirect is followed"({ url }) {
    const response = await new APISession({ url }).get("moved");
    check("the body is that of the target", (await response.json()).id === 1);
    check(
      "the response has the URL of the target",
      response.redirected && response.url === `${url}/books/1`,
    );
  },

  async "options that browsers do not support throw an error"({ url }) {
    const pem = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----";
    const options = {
      proxies: { all: "http://127.0.0.1:3128" },
      cert: [pem, pem],
      ca: pem,
      sslVerify: false,
    } as const;
    for (const [option, value] of Object.entries(options)) {
      for (
        const make of [
          () => new APISession({ url, [option]: value }),
          () => new Library({ baseUrl: url, [option]: value }),
        ]
      ) {
        const error = await errorOf(new Promise((built) => built(make())), UnsupportedOptionError);
        check(`the error names ${option}`, error.option === option);
      }
    }
    const secure = new APISession({ url: url.replace("http:", "https:") });
    const error = await errorOf(secure.get("books", { verify: false }), UnsupportedOptionError);
    check("the error names the option of a call", error.option === "verify");
  },
};
