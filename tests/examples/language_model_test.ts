import process from "node:process";
import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import {
  API_KEY,
  events,
  failure,
  type LanguageModelApi,
  startLanguageModelApi,
} from "../../examples/language_model/api.ts";
import type { ChatRequest } from "../../examples/language_model/chat.ts";
import {
  ContextLengthError,
  ErrorBody,
  QuotaError,
  RateLimitError,
  UnknownModelError,
} from "../../examples/language_model/errors.ts";
import {
  LanguageModel,
  type LanguageModelOptions,
} from "../../examples/language_model/language_model.ts";
import {
  APIError,
  NotFoundError,
  TransportError,
  UnauthorizedError,
  UnexpectedValueError,
} from "../../mod.ts";
import { BadRequestError, isErrorWith } from "../../src/entries/errors.ts";
import { fakeClock, recordingLogger, silentLogger } from "../../src/testing/mod.ts";

describe("the client of a language model of the examples", () => {
  let api: LanguageModelApi;
  before(async () => {
    api = await startLanguageModelApi();
  });
  after(() => api.stop());

  const ask = (content: string, model = "parrot"): ChatRequest => ({
    model,
    messages: [{ role: "system", content: "You are a parrot." }, { role: "user", content }],
  });

  /** Creates a client. Its waits end at once; `requests()` returns what it has sent. */
  function start(options: LanguageModelOptions = {}) {
    const clock = fakeClock({ autoAdvance: true });
    const client = new LanguageModel({
      baseUrl: api.url,
      apiKey: API_KEY,
      clock,
      timeout: null, // the clock would end it at once
      logger: silentLogger,
      ...options,
    });
    const count = api.requests.length;
    return { client, clock, requests: () => api.requests.slice(count) };
  }

  describe("completions", () => {
    it("returns a whole answer, and its response if it is requested", async () => {
      const { client } = start();
      const { data, response } = await client.chat.completions.create(ask("Hello, Ada"))
        .withResponse();
      assertEquals(data.choices[0]?.message.content, "Hello, Ada");
      assertEquals(data.usage.completion_tokens, 2);
      assert(response.headers.get("x-request-id")?.startsWith("req-"));
    });

    it("streams an answer as typed chunks, and has the id of the request", async () => {
      const { client } = start();
      const stream = await client.chat.completions.stream(ask("Hello, my dear Ada"));
      const parts: (string | undefined)[] = [];
      let reason: string | null | undefined;
      for await (const { data: { choices: [choice] } } of stream) {
        parts.push(choice?.delta.content);
        reason = choice?.finish_reason;
      }
      assertEquals(parts, ["Hello, ", "my ", "dear ", "Ada"]);
      assertEquals(reason, "stop");
      assert(stream.requestId?.startsWith("req-"), `${stream.requestId}`);
    });

    it("throws an error in a stream, after the chunks before it", async () => {
      const { client } = start();
      const parts: (string | undefined)[] = [];
      const error = await assertRejects(async () => {
        const stream = client.chat.completions.stream(ask("Hello, Ada", "parrot-moody"));
        for await (const { data } of stream) parts.push(data.choices[0]?.delta.content);
      }, APIError);
      assertEquals(parts, ["Hello, "]);
      assertEquals([error.message, error.status], ["200: The parrot refuses (server_error).", 200]);
      assert(isErrorWith(error, ErrorBody) && error.data.error.code === "server_error");
    });

    it("throws an error in a stream that has no code", async () => {
      const { client } = start();
      const { error: problem } = await failure(500, null).json();
      api.answerNext(events({ error: problem }));
      const error = await assertRejects(async () => {
        for await (const _ of client.chat.completions.stream(ask("Hello"))) { /* no chunk */ }
      }, APIError);
      assertEquals(error.status, 200);
      assert(isErrorWith(error, ErrorBody) && error.data.error.code === null);
    });

    it("makes a call again whose stream begins with a rate limit", async () => {
      const { client, requests } = start();
      const { error } = await failure(429, "rate_limit_exceeded").json();
      api.answerNext(events({ error }));
      let text = "";
      for await (const { data } of client.chat.completions.stream(ask("Hello, Ada"))) {
        text += data.choices[0]?.delta.content;
      }
      assertEquals([text, requests().length], ["Hello, Ada", 2]);
    });

    it("throws a lost connection if a stream ends without its last event", async () => {
      const { client } = start();
      const parts: (string | undefined)[] = [];
      const error = await assertRejects(async () => {
        const stream = client.chat.completions.stream(ask("Hello, Ada", "parrot-mute"));
        for await (const { data } of stream) parts.push(data.choices[0]?.delta.content);
      }, TransportError);
      assertEquals([parts.join(), error.kind], ["Hello, ", "reset"]);
    });

    it("throws the error of a status before the stream begins", async () => {
      const { client } = start();
      await assertRejects(
        () => client.chat.completions.stream(ask("Hello", "crow")),
        UnknownModelError,
      );
    });

    it("lists and retrieves the stored ones", async () => {
      const { client, requests } = start();
      const { completions } = client.chat;
      for (const text of ["one", "two", "three"]) {
        await completions.create({ ...ask(text), store: true });
      }
      const answers: (string | null | undefined)[] = [];
      for await (const { choices } of completions.list({ limit: 2 }, { prefetch: true })) {
        answers.push(choices[0]?.message.content);
      }
      assertEquals(answers, ["one", "two", "three"]);
      const page = await completions.list({ limit: 2 });
      const { id } = page.items[1]!;
      assertEquals((await completions.retrieve(id)).choices[0]?.message.content, "two");
      const lists = requests().map(({ url }) => new URL(url)).filter(({ search }) => search !== "");
      assertEquals(lists.map(({ search }) => search), [
        "?limit=2",
        `?limit=2&after=${id}`,
        "?limit=2",
      ]);
    });
  });

  describe("files", () => {
    it("uploads a form, lists by purpose, downloads and deletes", async () => {
      const { client, requests } = start();
      const { files } = client;
      const file = new File(["one\ntwo\n"], "words.txt", { type: "text/plain" });
      const { id, ...stored } = await files.create(file, "user_data");
      assertEquals(stored, { filename: "words.txt", bytes: 8, purpose: "user_data" });
      const type = requests()[0]?.headers.get("content-type");
      assert(type?.startsWith("multipart/form-data"), `${type}`);

      for (const name of ["a", "b", "c"]) await files.create([name, "{}"], "batch");
      const batches = await files.list({ purpose: "batch", limit: 2 }).collect();
      assertEquals(batches.map(({ filename }) => filename), ["a", "b", "c"]);
      assertEquals(requests().length, 6);

      assertEquals(await (await files.content(id)).text(), "one\ntwo\n");
      assertEquals((await files.delete(id)).deleted, true);
      await assertRejects(() => files.retrieve(id), NotFoundError);
    });

    it("sends the whole form again when an upload is retried", async () => {
      const { client, requests } = start();
      api.answerNext(failure(503, null));
      const { bytes } = await client.files.create(["a.jsonl", "{}"], "batch");
      assertEquals([bytes, requests().length], [2, 2]);
      const keys = requests().map(({ headers }) => headers.get("idempotency-key"));
      assert(keys[0] !== null && keys[0] === keys[1], `${keys}`);
    });
  });

  describe("models", () => {
    it("lists and retrieves them", async () => {
      const { client } = start();
      const ids = (await client.models.list().collect()).map(({ id }) => id);
      assertEquals(ids, ["parrot", "parrot-moody", "parrot-mute"]);
      assertEquals((await client.models.retrieve("parrot")).owned_by, "ada");
    });
  });

  describe("errors", () => {
    it("have a class for their code", async () => {
      const { client } = start({ retries: 0 });
      const { completions } = client.chat;
      api.answerNext(failure(429, "rate_limit_exceeded"), failure(429, "insufficient_quota"));
      await assertRejects(() => completions.create(ask("Hello")), RateLimitError);
      await assertRejects(() => completions.create(ask("Hello")), QuotaError);
      const error = await assertRejects(
        () => completions.create(ask("one two three four five six seven eight nine")),
        ContextLengthError,
      );
      assertEquals([error.name, error.status], ["ContextLengthError", 400]);
      await assertRejects(() => completions.create(ask("Hello", "crow")), UnknownModelError);
    });

    it("have the class of their status without a code that is known", async () => {
      const { client } = start();
      api.answerNext(failure(400, "new_code"), new Response("<h1>Bad</h1>", { status: 400 }));
      for (const data of [true, false]) {
        const error = await assertRejects(() => client.models.list(), BadRequestError);
        assertEquals(isErrorWith(error, ErrorBody), data);
      }
    });

    it("are retried by their class: a rate limit is, an empty account is not", async () => {
      const { client, requests } = start();
      api.answerNext(failure(429, "rate_limit_exceeded"), failure(429, "insufficient_quota"));
      const error = await assertRejects(() => client.models.list(), QuotaError);
      assertEquals([error.retries, requests().length], [1, 2]);
    });

    it("have the explanation of the API, as a message and as data", async () => {
      const { client } = start();
      const call = () => client.files.retrieve("file-x");
      const error = await assertRejects(call, NotFoundError);
      assertEquals(error.message, "404: The parrot refuses (invalid_request_error).");
      assert(error.requestId?.startsWith("req-"));
      assert(isErrorWith(error, ErrorBody));
      assertEquals([error.data.error.code, error.data.error.param], [null, null]);
    });
  });

  describe("retries", () => {
    it("wait as long as the server asks for in milliseconds", async () => {
      const { client, clock } = start();
      const headers = { "retry-after-ms": "1250" };
      api.answerNext(failure(429, "rate_limit_exceeded", { headers }));
      await client.models.retrieve("parrot");
      assertEquals(clock.waits, [1.25]);
    });

    it("follow the advice of the server", async () => {
      const { client, requests } = start();
      api.answerNext(
        failure(400, null, { headers: { "x-should-retry": "true" } }),
        failure(503, null, { headers: { "x-should-retry": "false" } }),
      );
      const error = await assertRejects(() => client.models.retrieve("parrot"), APIError);
      assertEquals([error.status, error.retries, requests().length], [503, 1, 2]);
    });

    it("wait longer each time, a conflict or a server error included", async () => {
      const { client, clock, requests } = start();
      api.answerNext(failure(409, null), failure(500, null), failure(500, null));
      const error = await assertRejects(() => client.models.retrieve("parrot"), APIError);
      assertEquals([error.status, requests().length], [500, 3]);
      const [first = 0, second = 0] = clock.waits;
      assert(first >= 0.25 && first <= 0.5 && second >= 0.5 && second <= 1, `${clock.waits}`);
    });
  });

  describe("credentials", () => {
    const [KEY, ORGANIZATION] = ["LANGUAGE_MODEL_API_KEY", "LANGUAGE_MODEL_ORGANIZATION"];
    const sent = (requests: readonly Request[]) =>
      requests.map(({ headers }) => [
        headers.get("authorization"),
        headers.get("openai-organization"),
      ]);

    it("come from the options, and a copy can have others", async () => {
      const { client, requests } = start({ organization: "org-a" });
      await client.models.list();
      await client.withOptions({ organization: "org-b" }).models.list();
      await client.withOptions({ retries: 0 }).models.list();
      assertEquals(sent(requests()).map(([, organization]) => organization), [
        "org-a",
        "org-b",
        "org-a",
      ]);
    });

    it("come from the environment", async () => {
      process.env[KEY] = API_KEY;
      process.env[ORGANIZATION] = "org-env";
      try {
        const { client, requests } = start({ apiKey: undefined });
        await client.models.list();
        assertEquals(sent(requests()), [[`Bearer ${API_KEY}`, "org-env"]]);
      } finally {
        delete process.env[KEY];
        delete process.env[ORGANIZATION];
      }
    });

    it("are required", () => {
      let error: unknown;
      try {
        new LanguageModel();
      } catch (reason) {
        error = reason;
      }
      assert(error instanceof UnexpectedValueError && error.option === "apiKey", `${error}`);
    });

    it("are not in the log", async () => {
      const logger = recordingLogger();
      const { client } = start({ apiKey: "sk-wrong", logger });
      await assertRejects(() => client.models.list(), UnauthorizedError);
      const log = logger.messages().join();
      assertEquals([log.includes("/models"), log.includes("sk-wrong")], [true, false]);
    });
  });
});
