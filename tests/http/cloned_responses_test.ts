/**
 * Cancelling a body whose response was cloned waits for the clone, too (Streams Standard, `tee()`).
 * Nothing here may wait for that. A test that fails does not end.
 */
import { assertEquals, assertInstanceOf, assertRejects, describe, it } from "#test";
import { APIClient } from "../../mod.ts";
import { type Auth, SessionTokenAuth } from "../../src/auth/mod.ts";
import {
  DigestAuth,
  DigestChallengeError,
  type DigestOptions,
  DigestServerError,
} from "../../src/auth/digest/mod.ts";
import { discardBody, type Transport, type TransportInit } from "../../src/http/mod.ts";
import { ClientCredentialsAuth } from "../../src/auth/oauth/mod.ts";
import { inParts } from "../../src/files/mod.ts";
import { element, model, string } from "../../src/models/mod.ts";
import { Stream } from "../../src/resources/mod.ts";
import { streamChunks } from "../../src/base/stream_chunks.ts";
import { copiedResponse } from "../../src/testing/cassettes/record_message.ts";
import { mockTransport } from "../../src/testing/mod.ts";
import { type DigestPolicy, DigestServer } from "../support/digest_server.ts";

class Library extends APIClient {
  static override readonly baseUrl: string = "https://api.example.com";
  static override readonly logger = null;
  read(): Promise<Response> {
    return this._get("/me");
  }
  upload(content: () => ReadableStream<Uint8Array>): Promise<Response> {
    return this._post("/files", { content });
  }
}

/** Returns a fetch function that keeps a clone of each response, as logs and mock servers do. */
function cloning(fetch: Transport): Transport {
  const clones: Response[] = [];
  return async (url, init) => {
    const { body, status, headers } = await fetch(url, init);
    // As from a network: Bun copies a body that is in memory, and has nothing to wait for.
    const stream = body?.pipeThrough(new TransformStream()) ?? null;
    const response = new Response(stream, { status, headers });
    clones.push(response.clone());
    return response;
  };
}

/** An API that accepts only the second token, and issues tokens at `/token`. */
function tokenApi(): Transport {
  let issued = 0;
  return (url: string, { headers }: TransportInit) => {
    const sent = new Headers(headers);
    const isAccepted = sent.get("authorization") === "Bearer t2" ||
      sent.get("x-session-token") === "t2";
    return Promise.resolve(
      url.endsWith("/token")
        ? Response.json({ access_token: `t${++issued}`, expires_in: 3600 })
        : isAccepted
        ? Response.json("ada")
        : new Response("expired", { status: 401 }),
    );
  };
}

/** Returns one of two branches of a stream that never ends. */
function branch(text: string): ReadableStream<Uint8Array> {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
  });
  return stream.tee()[0];
}

describe("a response that was cloned", () => {
  it("does not keep a session token from being renewed", async () => {
    const library = new Library({ fetch: cloning(tokenApi()) });
    let logins = 0;
    const login = () => Promise.resolve(`t${++logins}`);
    library.httpSession.auth = new SessionTokenAuth(library, { login });
    assertEquals((await library.read()).status, 200);
  });

  it("does not keep an OAuth token from being renewed", async () => {
    const library = new Library({ fetch: cloning(tokenApi()) });
    const client = { tokenUrl: "/token", clientId: "a", clientSecret: "b" };
    library.httpSession.auth = new ClientCredentialsAuth(library, client);
    assertEquals((await library.read()).status, 200);
  });

  const digest = (policy: DigestPolicy, options?: DigestOptions) => {
    const fetch = cloning(new DigestServer(policy).transport);
    return new Library({ fetch, auth: new DigestAuth("ada", "countess", options) });
  };

  it("does not keep a Digest challenge from being answered", async () => {
    assertEquals((await digest({}).read()).status, 200);
  });

  it("does not hide a Digest challenge that cannot be answered", async () => {
    const library = digest({ algorithm: "MD4" });
    await assertRejects(() => library.read(), DigestChallengeError);
  });

  it("does not hide a Digest proof that is wrong", async () => {
    const library = digest({ proof: "wrong" }, { verifyServer: true });
    await assertRejects(() => library.read(), DigestServerError);
  });

  it("can be discarded by a scheme of the program", async () => {
    const auth: Auth = {
      async authenticate(_request, send) {
        const response = await send();
        if (response.status !== 401) return response;
        discardBody(response);
        return await send({ headers: { authorization: "Bearer t2" } });
      },
    };
    const library = new Library({ fetch: cloning(tokenApi()), auth });
    assertEquals((await library.read()).status, 200);
  });

  it("can be discarded if a mock transport replies with it several times", async () => {
    const fetch = mockTransport({ "GET /me": new Response("ada") });
    for (let call = 0; call < 2; call++) {
      const response = await new Library({ fetch }).read();
      discardBody(response);
      await assertRejects(() => response.text(), TypeError);
    }
  });

  it("can be discarded if it has no body, or if it was read", async () => {
    discardBody(new Response(null));
    const read = new Response("text");
    await read.text();
    discardBody(read);
    const locked = new Response("text");
    locked.body!.getReader();
    discardBody(locked);
  });

  it("can be recorded in part", async () => {
    const init = { headers: { "content-type": "text/event-stream" } };
    const copy = copiedResponse(new Response(branch("data: 1\n\n"), init));
    await copy.finish();
    assertEquals(copy.bytes(), new Uint8Array());
  });
});

describe("a loop over one branch of a stream can be left early", () => {
  it("when it reads chunks", async () => {
    for await (const chunk of streamChunks(branch("abc"))) {
      assertEquals(chunk.length, 3);
      break;
    }
  });

  it("when it reads content in parts", async () => {
    for await (const { bytes } of inParts(branch("abcd"), 2)) {
      assertEquals(bytes.length, 2);
      break;
    }
  });

  it("when it reads the items of a resource's stream", async () => {
    const stream = Stream.fromReadableStream<number>(branch("1\n2\n"), new AbortController());
    for await (const item of stream) {
      assertEquals(item, 1);
      break;
    }
  });

  it("when it reads the models of an XML document", async () => {
    class Book extends model("book", { title: element(string) }) {}
    const xml = new Response(branch("<books><book><title>Emma</title></book><book>"));
    for await (const book of Book.streamXml(xml, { at: "books/book" })) {
      assertInstanceOf(book, Book);
      break;
    }
  });

  it("when a scheme reads a body before it is sent", async () => {
    const auth: Auth = {
      async authenticate(request, send) {
        for await (const chunk of request.readBody() ?? []) {
          assertEquals(chunk.length, 3);
          break;
        }
        return await send();
      },
    };
    const fetch = () => Promise.resolve(new Response("ok"));
    const response = await new Library({ fetch, auth }).upload(() => branch("abc"));
    assertEquals(await response.text(), "ok");
  });
});
