// The endpoint `chat.completions`: answers of a model, as a whole or while they are written. Fields
// have the names of the API.

import { APIEndpoint, type APIPromise, type CallOptions, path } from "../../mod.ts";
import type { PagePromise } from "../../src/paging/mod.ts";
import { type ServerSentEvent, sse, type StreamPromise } from "../../src/streams/mod.ts";
import type { LanguageModel } from "./language_model.ts";
import { inPages, type ListOptions, type ListParams } from "./lists.ts";

export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  /** True to keep the completion, for `retrieve` and `list`. Default: false */
  readonly store?: boolean;
}

export interface ChatCompletion {
  readonly id: string;
  /** The time in seconds since 1970. */
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly message: Message;
    readonly finish_reason: "stop" | "length" | "content_filter";
  }[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

/** A part of a completion that is being written. */
export interface ChatChunk extends Pick<ChatCompletion, "id" | "created" | "model"> {
  readonly choices: readonly {
    readonly index: number;
    readonly delta: Partial<Message>;
    readonly finish_reason: "stop" | "length" | "content_filter" | null;
  }[];
}

export class Completions extends APIEndpoint<LanguageModel> {
  protected override readonly _path: string = "/chat/completions";

  /** Returns the whole answer. */
  create(json: ChatRequest, options?: CallOptions): APIPromise<ChatCompletion> {
    return this._post<ChatCompletion>({ ...options, json });
  }

  /** Returns the answer in parts, while it is written. */
  stream(request: ChatRequest, options?: CallOptions): StreamPromise<ServerSentEvent<ChatChunk>> {
    const json = { ...request, stream: true };
    const format = sse<ChatChunk>({ json: true, until: { data: "[DONE]", required: true } });
    return this._post({ ...options, json, format, errorsInSuccess: true });
  }

  /** Returns a completion that was stored. */
  retrieve(id: string, options?: CallOptions): APIPromise<ChatCompletion> {
    return this._get<ChatCompletion>(path`/${id}`, options);
  }

  /** Lists the completions that were stored. */
  list(
    params: ListParams & { readonly model?: string } = {},
    options?: ListOptions,
  ): PagePromise<ChatCompletion> {
    return this._pages<ChatCompletion>({ ...options, ...inPages, params });
  }
}
