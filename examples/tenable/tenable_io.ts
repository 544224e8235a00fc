// A port of a Python SDK: a slice of what pyTenable offers on top of RESTfly 1.x, written anew. Its
// names are those of the original in camelCase. docs/migration_restfly.md compares the two.

import {
  APISession,
  type LoginRequests,
  type RequestOptions,
  type RetryOptions,
  type SessionOptions,
  voidFormat,
} from "../../mod.ts";
import { ExportsAPI } from "./exports.ts";
import { ScansAPI } from "./scans.ts";

/** Options of {@linkcode TenableIO}. The keys win over `username` and `password`. */
export interface TenableOptions extends SessionOptions {
  readonly accessKey?: string;
  readonly secretKey?: string;
  readonly username?: string;
  readonly password?: string;
}

/** A session with Tenable Vulnerability Management, by API keys or by a login. */
export class TenableIO extends APISession {
  static override readonly url: string = "https://cloud.tenable.com";
  static override readonly libName: string = "tenable-io";
  static override readonly libVersion: string = "1.0.0";
  static override readonly requestIdHeader = "x-request-uuid";
  static override readonly restrictedPaths: readonly string[] = ["session"]; // no password in logs
  static override readonly errorOnUnexpectedInput: boolean = true;
  static override readonly optionNames: readonly string[] = [
    ...["accessKey", "secretKey", "username", "password"],
  ];

  readonly exports: ExportsAPI = new ExportsAPI(this);
  readonly scans: ScansAPI = new ScansAPI(this);

  constructor(options: TenableOptions = {}) {
    super(options);
  }

  protected override async _authenticate(
    { accessKey, secretKey, username, password }: TenableOptions,
    login: LoginRequests,
  ): Promise<void> {
    const { headers } = this.httpSession;
    if (accessKey && secretKey) {
      headers.set("X-APIKeys", `accessKey=${accessKey}; secretKey=${secretKey}`);
    } else if (username && password) {
      const json = { username, password };
      const { token } = await login.post<{ token: string }>("session", { json, convJson: true });
      headers.set("X-Cookie", `token=${token}`);
    } else {
      this._log.warn("Starting an unauthenticated session.");
    }
  }

  protected override async _deauthenticate(): Promise<void> {
    const { headers } = this.httpSession;
    if (headers.get("X-Cookie") === undefined) return; // API keys need no logout
    try {
      await this.delete("session", { format: voidFormat }); // drops the body, if there is one
    } finally {
      headers.set("X-Cookie", null);
    }
  }

  /** Repeats the id of the request that failed, so that the server's log has both. */
  protected override _retryRequest(
    response: Response,
    retries: number,
    options: RetryOptions,
  ): RequestOptions {
    const headers = {
      ...options.headers,
      "X-Tio-Last-Request-Uuid": response.headers.get("X-Tio-Last-Request-Uuid"),
      "X-Tio-Retry-Count": String(retries),
    };
    return { ...options, headers };
  }
}
