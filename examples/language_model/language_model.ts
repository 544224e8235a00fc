// A client of a language model's API, shaped like that of OpenAI: completions as a whole and as a
// stream, files, lists, and an error class for each code.

import {
  APIClient,
  type ClientOptions,
  type FailedAttempt,
  mergeHeaders,
  type OptionChanges,
  readEnv,
} from "../../mod.ts";
import { type AuthOption, BearerAuth } from "../../src/auth/mod.ts";
import { Completions } from "./chat.ts";
import { errorFrom, errorFunc } from "./errors.ts";
import { Files } from "./files.ts";
import { Models } from "./models.ts";

export interface LanguageModelOptions extends ClientOptions {
  /** Default: the environment variable LANGUAGE_MODEL_API_KEY */
  readonly apiKey?: string | undefined;
  /** The organization that pays. Default: the environment variable LANGUAGE_MODEL_ORGANIZATION */
  readonly organization?: string | undefined;
}

export class LanguageModel extends APIClient {
  static override readonly baseUrl: string = "https://api.example.com/v1";
  static override readonly libName: string = "language-model";
  static override readonly libVersion: string = "1.0.0";
  static override readonly authOption: AuthOption = {
    name: "apiKey",
    scheme: (key) => new BearerAuth(key),
    env: "LANGUAGE_MODEL_API_KEY",
  };
  static override readonly optionNames: readonly string[] = ["organization"];

  // A long answer that is not streamed is silent until it is written.
  static override readonly timeout: number = 600;
  static override readonly retries: number = 2;
  static override readonly backoff = (retry: number): number => 0.5 * 2 ** (retry - 1);
  static override readonly maxBackoff: number = 8;
  static override readonly jitter = "equal";
  static override readonly maxRetryAfter: number = 60;
  static override readonly finalWait = false;
  static override readonly idempotencyHeader: string = "Idempotency-Key";

  static override readonly errorFrom = errorFrom;
  static override readonly errorFunc = errorFunc;

  override readonly _convJson = true;
  readonly chat: { readonly completions: Completions } = { completions: new Completions(this) };
  readonly files: Files = new Files(this);
  readonly models: Models = new Models(this);

  constructor(options: LanguageModelOptions = {}) {
    const organization = options.organization ?? readEnv("LANGUAGE_MODEL_ORGANIZATION") ?? null;
    const headers = mergeHeaders({ "OpenAI-Organization": organization }, options.headers);
    super({ ...options, headers });
  }

  override withOptions(
    changes: OptionChanges & Pick<LanguageModelOptions, "apiKey" | "organization">,
  ): this {
    return super.withOptions(changes);
  }

  /** The server may decide itself, by a header. */
  protected override _shouldRetry({ response }: FailedAttempt): boolean | undefined {
    const advice = response?.headers.get("x-should-retry");
    if (advice === "true" || advice === "false") return advice === "true";
    return response && [408, 409, 500].includes(response.status) ? true : undefined;
  }
}
