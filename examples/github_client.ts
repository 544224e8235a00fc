/** A slice of GitHub's API: issues and their comments, for a token. */
import {
  APIClient,
  APIEndpoint,
  type APIPromise,
  BearerAuth,
  type CallOptions,
  type ClientOptions,
  type FailedAttempt,
  type Middleware,
  path,
} from "../mod.ts";

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
  static override readonly absoluteUrls = "trusted"; // a link must not choose the host
  override readonly _convJson = true;

  constructor({ token, ...options }: GitHubOptions) {
    super({
      auth: new BearerAuth(token),
      headers: { Accept: "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28" },
      ...options,
      middleware: [revalidation(), ...options.middleware ?? []],
    });
  }

  issues = (owner: string, repository: string): Issues =>
    new Issues(this, path`/repos/${owner}/${repository}`);

  /** A 403 without requests left is a rate limit: it is retried after its reset. */
  protected override _shouldRetry({ response }: FailedAttempt): true | undefined {
    return response?.status === 403 && secondsToReset(response) !== undefined ? true : undefined;
  }

  protected override _retryWait({ response }: FailedAttempt): number | undefined {
    return response && secondsToReset(response);
  }
}

export class Issues extends APIEndpoint<GitHub> {
  protected override readonly _path: string;

  constructor(api: GitHub, repository: string) {
    super(api);
    this._path = `${repository}/issues`;
  }

  /** Yields all issues, page by page. */
  async *list(params: { state?: Issue["state"] | "all" } = {}): AsyncGenerator<Issue> {
    let page = await this._get<Issue[]>({ params }).withResponse();
    for (let next; yield* page.data, next = nextLink(page.response);) {
      page = await this._get<Issue[]>(next).withResponse();
    }
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

/** Asks the server if a stored response is still current, which does not count as a request. */
function revalidation(): Middleware {
  const stored = new Map<string, { readonly etag: string; readonly response: Response }>();
  return async (request, next) => {
    const known = request.method === "GET" ? stored.get(request.url) : undefined;
    if (known !== undefined) request.headers["if-none-match"] = known.etag;
    const response = await next(request);
    if (response.status === 304 && known !== undefined) return known.response.clone();
    const etag = response.headers.get("etag");
    if (request.method === "GET" && response.ok && etag !== null) {
      stored.set(request.url, { etag, response: response.clone() });
    }
    return response;
  };
}

function secondsToReset({ headers }: Response): number | undefined {
  const [date, reset] = [headers.get("date"), headers.get("x-ratelimit-reset")];
  if (headers.get("x-ratelimit-remaining") !== "0" || date === null || reset === null) return;
  return Math.max(0, Number(reset) - Date.parse(date) / 1000);
}

function nextLink({ headers }: Response): string | undefined {
  return /<([^>]+)>;[^,]*\brel="next"/.exec(headers.get("link") ?? "")?.[1];
}
