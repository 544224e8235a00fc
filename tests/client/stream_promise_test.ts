/** Tests of the promise of a stream, whose items can be read without awaiting the stream. */
import process from "node:process";
import { assert, assertEquals, assertRejects, assertStrictEquals, it } from "#test";
import {
  APIClient,
  APIEndpoint,
  type APISession,
  type LoginRequests,
  NotFoundError,
  type SessionOptions,
  TransportError,
} from "../../mod.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { ndjson, type StreamPromise } from "../../src/streams/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { type Answer, scripted } from "../support/scripted.ts";
import { countedBody, readAll } from "../support/streamed.ts";
import { turn, until } from "../support/until.ts";

const numbers = () => new Response("1\n2\n3\n");

describeGenerations("the promise of a stream", ({ Session }) => {
  function start(
    answers: readonly Answer[],
    SessionClass: new (options: SessionOptions) => APISession = Session,
  ): APISession {
    const fetch = scripted(...answers);
    const quiet = { clock: fakeClock({ autoAdvance: true }), logger: recordingLogger() };
    return new SessionClass({ url: "https://api.example.com", fetch, finalWait: false, ...quiet });
  }
  const format = ndjson<number>();

  it("has the items of the stream", async () => {
    const session = start([503, numbers]);
    const items: number[] = [];
    for await (const item of session.get("x", { format })) items.push(item);
    assertEquals(items, [1, 2, 3]);
  });

  it("still has the stream itself, and the response", async () => {
    const session = start([numbers]);
    const call = session.get("x", { format });
    const { cancel } = await call;
    assertEquals(typeof cancel, "function");
    assertEquals((await call.withResponse()).response.status, 200);
    assertEquals((await readAll(call)).items, [1, 2, 3]);
  });

  it("cancels the stream at the end of a loop that leaves items", async () => {
    const { body, seen } = countedBody(["1\n", "2\n", "3\n"], "stay");
    const session = start([() => new Response(body)]);
    for await (const item of session.get("x", { format })) if (item === 2) break;
    assertEquals(seen, { pulls: 2, isCancelled: true });
  });

  it("answers calls of next and return in their order, also before there is a stream", async () => {
    const { body, seen } = countedBody(["1\n2\n", "3\n"], "stay");
    const session = start([() => new Response(body)]);
    const items = session.get("x", { format })[Symbol.asyncIterator]();
    const results = await Promise.all([items.next(), items.next(), items.return!(), items.next()]);
    assertEquals(results.map(({ done, value }) => [done, value]), [
      [false, 1],
      [false, 2],
      [true, undefined],
      [true, undefined],
    ]);
    assertEquals(seen, { pulls: 1, isCancelled: true });
  });

  it("answers calls of next in their order, also if one is made when the stream has just come", async () => {
    const session = start([() => new Response(countedBody(["1\n2\n3\n"]).body)]);
    const call = session.get("x", { format });
    const items = call[Symbol.asyncIterator]();
    const first = items.next();
    const last = call.then(() => items.next());
    const second = items.next();
    const results = await Promise.all([first, second, last]);
    assertEquals(results.map(({ value }) => value), [1, 2, 3]);
    await items.return!();
  });

  it("ends the response if the loop ends before it has come", async () => {
    const { body, seen } = countedBody(["1\n", "2\n"], "stay");
    const session = start([() => new Response(body)]);
    const items = session.get("x", { format })[Symbol.asyncIterator]();
    assertEquals(await items.return!(), { done: true, value: undefined });
    await until(() => seen.isCancelled);
    assertEquals((await items.next()).done, true);
  });

  it("throws the error of the call and of the body in the loop, and leaves none unhandled", async () => {
    const found: unknown[] = [];
    const keep = (reason: unknown) => void found.push(reason);
    process.on("unhandledRejection", keep);
    try {
      const broken = () => new Response(countedBody(["1\n"], new TypeError("terminated")).body);
      const session = start([404, 404, broken]);
      await assertRejects(async () => {
        for await (const _ of session.get("x", { format }));
      }, NotFoundError);

      // The loop begins after the call has failed.
      const items = session.get("x", { format })[Symbol.asyncIterator]();
      for (let turns = 0; turns < 3; turns++) await turn();
      await assertRejects(() => items.next(), NotFoundError);
      assertEquals((await items.next()).done, true);

      const { items: read, error } = await readAll(session.get("x", { format }));
      assertEquals(read, [1]);
      assert(error instanceof TransportError, String(error));
      for (let turns = 0; turns < 3; turns++) await turn();
    } finally {
      process.off("unhandledRejection", keep);
    }
    assertEquals(found, []);
  });

  it("belongs to endpoints, clients and logins, too", async () => {
    class Rows extends APIEndpoint<Library> {
      protected override readonly _path: string = "/rows";
      all(): StreamPromise<number> {
        return this._get({ format });
      }
    }
    class Library extends APIClient {
      static override readonly baseUrl: string = "https://api.example.com";
      readonly rows: Rows = new Rows(this);
    }
    const library = new Library({ fetch: scripted(numbers), logger: recordingLogger() });
    assertEquals((await readAll(library.rows.all())).items, [1, 2, 3]);

    const seen: number[] = [];
    class Vault extends Session {
      protected override async _authenticate(
        _: SessionOptions,
        login: LoginRequests<this>,
      ): Promise<void> {
        for await (const item of login.get("login", { format })) seen.push(item);
      }
    }
    const vault = start([numbers, numbers], Vault);
    assertEquals((await readAll(vault.get("x", { format }))).items, seen);
    await vault.close();
  });

  it("is the only one that is async iterable", async () => {
    const session = start([() => Response.json([1])]);
    const call = session.get("x", { convJson: true });
    assertStrictEquals(Symbol.asyncIterator in call, false);
    assertStrictEquals(Symbol.asyncIterator in call.map((value) => value), false);
    assertEquals(await call, [1]);
  });
});
