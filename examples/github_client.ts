/** A slice of GitHub's API: issues and their comments, for a token. */
import {
  APIClient,
  APIEndpoint,
  type APIPromise,
  type CallOptions,
  type ClientOptions,
  type FailedAttempt,
  mergeHeaders,
  path,
} from "../mod.ts";
import { type AuthOption, BearerAuth } from "../src/auth/mod.ts";
import { etagCache, serverRateLimit } from "../src/middleware/mod.ts";
import { linkHeader, type PagePromise } from "../src/paging/mod.ts";

export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string | null;
  readonly state: "open" | "closed";
}

export type Comment = { readonly id: number; readonly body: string };

export type GitHubOptions = ClientOptions & { readonly token: string };

export class GitHub extends APIClient {
  static override readonly baseUrl: string = "https://api.github.com";
  static override readonly authOption: AuthOption = {
    name: "token",
    scheme: (token) => new BearerAuth(token),
  };
  static override readonly absoluteUrls = "trusted"; // a link must not choose the host
  override readonly _convJson = true;

  constructor(options: GitHubOptions) {
    const { clock, headers, middleware = [] } = options;
    const own = { Accept: "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28" };
    super({
      ...options,
      headers: mergeHeaders(own, headers),
      middleware: [etagCache(), serverRateLimit({ clock, maxWait: 3600 }), ...middleware],
    });
  }

  issues = (owner: string, repository: string): Issues =>
    new Issues(this, path`/repos/${owner}/${repository}`);

  /** A 403 without requests left is a rate limit: it is retried after its reset. */
  protected override _shouldRetry({ response }: FailedAttempt): true | undefined {
    const isLimit = response?.headers.get("x-ratelimit-remaining") === "0";
    return response?.status === 403 && isLimit ? true : undefined;
  }
}

export class Issues extends APIEndpoint<GitHub> {
  protected override readonly _path: string;

  constructor(api: GitHub, repository: string) {
    super(api);
    this._path = `${repository}/issues`;
  }

  list(params: { state?: Issue["state"] | "all" } = {}): PagePromise<Issue> {
    return this._pages<Issue>({ params, next: linkHeader() });
  }

  get(number: number, options: CallOptions = {}): APIPromise<Issue> {
    return this._get<Issue>(path`/${number}`, options);
  }

  create(issue: Pick<Issue, "title"> & Partial<Issue>): APIPromise<Issue> {
    return this._post<Issue>({ json: issue });
  }

  update(number: number, changes: Partial<Issue>): APIPromise<Issue> {
    return this._patch<Issue>(path`/${number}`, { json: changes });
  }

  comment(number: number, body: string): APIPromise<Comment> {
    return this._post<Comment>(path`/${number}/comments`, { json: { body } });
  }
}
