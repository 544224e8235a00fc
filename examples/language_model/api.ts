// A language model's API in memory, for the client in this folder, on Deno, Node and Bun. The model
// `parrot` repeats the last message word by word. The API is shaped like that of OpenAI.
//
//   POST   /v1/chat/completions       a completion; { model, messages, store }
//                                     with `stream: true`, its words as server-sent events
//   GET    /v1/chat/completions       { data, has_more }: those that are stored; ?after=&limit=
//   GET    /v1/chat/completions/<id>  a stored completion
//   GET    /v1/models                 { data }
//   GET    /v1/models/<id>            a model
//   POST   /v1/files                  a file; a form with `file` and `purpose`
//   GET    /v1/files                  { data, has_more }; ?after=&limit=&purpose=
//   GET    /v1/files/<id>             a file
//   DELETE /v1/files/<id>             { id, deleted }
//   GET    /v1/files/<id>/content     its bytes
//
// All need `Authorization: Bearer sk-1234`. An error is { error: { message, type, param, code } }.

import { createServer } from "node:http";

/** The key that the API accepts. */
export const API_KEY = "sk-1234";

/** The models. Two of them fail after their first word: one with an error, the other in silence. */
const models = ["parrot", "parrot-moody", "parrot-mute"].map((id) => ({ id, owned_by: "ada" }));

/** The length of the longest message that the models read, in words. */
const CONTEXT_LENGTH = 8;

/** The running API. */
export interface LanguageModelApi {
  /** Its base URL. */
  readonly url: string;
  /** The requests so far. Their bodies are read. */
  readonly requests: readonly Request[];
  /** Answers the next requests with these responses. */
  answerNext(...responses: readonly Response[]): void;
  /** Closes every connection and stops the API. */
  stop(): Promise<void>;
}

/** Returns the response for an error. */
export function failure(
  status: number,
  code: string | null,
  { param = null, headers = {} }: { param?: string | null; headers?: HeadersInit } = {},
): Response {
  return Response.json({ error: problem(code, param) }, { status, headers });
}

function problem(code: string | null, param: string | null = null): object {
  const type = code ?? "invalid_request_error";
  return { message: `The parrot refuses (${type}).`, type, param, code };
}

/** Starts the API on a loopback port that the system picks. */
export async function startLanguageModelApi(): Promise<LanguageModelApi> {
  const requests: Request[] = [];
  const scripted: Response[] = [];
  const routes = createRoutes();

  async function answer(request: Request): Promise<Response> {
    requests.push(request);
    const next = scripted.shift();
    if (next !== undefined) return next;
    if (request.headers.get("authorization") !== `Bearer ${API_KEY}`) {
      return failure(401, "invalid_api_key");
    }
    const { pathname, searchParams: query } = new URL(request.url);
    for (const [route, respond] of routes) {
      const match = route.exec(`${request.method} ${pathname}`);
      if (match !== null) return await respond({ id: match[1] ?? "", query, request });
    }
    return failure(404, "unknown_url");
  }

  const server = createServer(async (incoming, outgoing) => {
    const chunks: BlobPart[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = "", url = "", headers } = incoming;
    const request = new Request(`http://localhost${url}`, {
      method,
      headers: headers as Record<string, string>,
      body: chunks.length === 0 ? null : new Blob(chunks),
    });
    const response = await answer(request);
    outgoing.writeHead(response.status, {
      "x-request-id": `req-${requests.length}`,
      ...Object.fromEntries(response.headers),
    });
    outgoing.end(new Uint8Array(await response.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the API has no port");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    answerNext: (...responses) => void scripted.push(...responses),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Received {
  readonly request: Request;
  /** The id in the path. */
  readonly id: string;
  readonly query: URLSearchParams;
}

/** A route: the method and path, and the function that answers. */
type Route = readonly [RegExp, (received: Received) => Response | Promise<Response>];

/** Returns the routes of an API that has stored nothing yet. */
function createRoutes(): Route[] {
  const stored: { readonly id: string }[] = [];
  const files: { readonly id: string; readonly purpose: string; readonly content: File }[] = [];
  let count = 0;

  return [
    [/^POST \/v1\/chat\/completions$/, async ({ request }) => {
      const { model, messages, store, stream } = await request.json();
      if (models.every(({ id }) => id !== model)) {
        return failure(404, "model_not_found", { param: "model" });
      }
      const words: string[] = messages.at(-1).content.split(/(?<= )/);
      if (words.length > CONTEXT_LENGTH) {
        return failure(400, "context_length_exceeded", { param: "messages" });
      }
      const start = { id: `chat-${++count}`, created: 1_767_225_600, model };
      if (stream) return streamOf(start, words);
      const completion = completionOf(start, words);
      if (store) stored.push(completion);
      return Response.json(completion);
    }],
    [/^GET \/v1\/chat\/completions$/, ({ query }) => pageOf(stored, query)],
    [/^GET \/v1\/chat\/completions\/([^/]+)$/, ({ id }) => found(stored, id)],
    [/^GET \/v1\/models$/, () => Response.json({ data: models })],
    [/^GET \/v1\/models\/([^/]+)$/, ({ id }) => found(models, id)],
    [/^POST \/v1\/files$/, async ({ request }) => {
      const form = await request.formData();
      const [content, purpose] = [form.get("file"), String(form.get("purpose"))];
      if (!(content instanceof File)) return failure(400, null, { param: "file" });
      const { name: filename, size: bytes } = content;
      const file = { id: `file-${++count}`, filename, bytes, purpose };
      files.push({ ...file, content });
      return Response.json(file);
    }],
    [/^GET \/v1\/files$/, ({ query }) => {
      const purpose = query.get("purpose");
      return pageOf(files.filter((file) => [null, file.purpose].includes(purpose)), query);
    }],
    [/^GET \/v1\/files\/([^/]+)$/, ({ id }) => found(files, id)],
    [/^DELETE \/v1\/files\/([^/]+)$/, ({ id }) => {
      const index = files.findIndex((file) => file.id === id);
      if (index < 0) return found(files, id);
      files.splice(index, 1);
      return Response.json({ id, deleted: true });
    }],
    [/^GET \/v1\/files\/([^/]+)\/content$/, ({ id }) => {
      const file = files.find((each) => each.id === id);
      return file === undefined ? found(files, id) : new Response(file.content);
    }],
  ];
}

/** The fields that a completion and its parts have. */
interface Start {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

function completionOf(start: Start, words: readonly string[]): Start {
  const message = { role: "assistant", content: words.join("") };
  const usage = { prompt_tokens: words.length, completion_tokens: words.length };
  return Object.assign(start, { choices: [{ index: 0, message, finish_reason: "stop" }], usage });
}

/** Returns a stream of events, one for each word. */
function streamOf(start: Start, words: readonly string[]): Response {
  const chunks: unknown[] = words.map((content, index) => {
    const finish_reason = index + 1 < words.length ? null : "stop";
    return { ...start, choices: [{ index: 0, delta: { content }, finish_reason }] };
  });
  const end = start.model === "parrot" ? ["[DONE]"] : [];
  if (start.model !== "parrot") chunks.length = 1;
  if (start.model === "parrot-moody") chunks.push({ error: problem("server_error") });
  return events(...chunks, ...end);
}

/** Returns a stream of events. Their data is JSON, or text. */
export function events(...data: readonly unknown[]): Response {
  const texts = data.map((each) => typeof each === "string" ? each : JSON.stringify(each));
  return new Response(texts.map((each) => `data: ${each}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });
}

/** Returns a page of a list: at most `limit` items, which follow the one with the id `after`. */
function pageOf(items: readonly { readonly id: string }[], query: URLSearchParams): Response {
  const start = items.findIndex(({ id }) => id === query.get("after")) + 1;
  const end = start + Number(query.get("limit") ?? 20);
  return Response.json({ data: items.slice(start, end), has_more: end < items.length });
}

function found(items: readonly { readonly id: string }[], id: string): Response {
  const item = items.find((each) => each.id === id);
  return item === undefined ? failure(404, null) : Response.json(item);
}
