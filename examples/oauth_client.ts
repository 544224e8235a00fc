/** A client of an API with OAuth 2: it gets its access tokens by its own id and secret. */
import { APIClient, type ClientOptions } from "../mod.ts";
import type { HttpSession } from "../src/http/mod.ts";
import { ClientCredentialsAuth } from "../src/auth/oauth/mod.ts";
import type { TokenStore } from "../src/auth/stores/mod.ts";

export interface ReportsOptions extends ClientOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Keeps the token, so that the next start of the program needs no new one. */
  readonly store?: TokenStore;
}

export class Reports extends APIClient {
  static override readonly baseUrl: string = "https://reports.example.com";
  static readonly tokenUrl: string = "https://login.example.com/oauth2/token";
  override readonly _convJson = true;

  constructor(options: ReportsOptions) {
    super(options);
  }

  protected override _buildSession(options: ReportsOptions): HttpSession {
    const { clientId, clientSecret, store } = options;
    const { tokenUrl } = this.constructor as typeof Reports;
    const http = super._buildSession(options);
    const scope = "reports.read";
    http.auth = new ClientCredentialsAuth(this, { tokenUrl, clientId, clientSecret, scope, store });
    return http;
  }

  titles(): Promise<string[]> {
    return this._get<string[]>("/titles");
  }
}
