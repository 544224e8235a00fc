/** A client of httpbin, the service that tells what it was sent, of generation 2. */

import {
  APIClient,
  APIEndpoint,
  type APIPromise,
  type AuthInput,
  path,
  type RequestOptions,
} from "../mod.ts";

/** What httpbin saw of a request; `/anything` alone tells the method, the files and the JSON. */
export interface Echo {
  readonly url: string;
  readonly method?: string;
  readonly args: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string | readonly string[]>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}
/** What can be sent to be echoed. */
export type Sent = Pick<RequestOptions, "params" | "headers" | "json" | "data" | "files">;
/** The cookies that httpbin got. */
export type Cookies = { readonly cookies: Readonly<Record<string, string>> };
/** Whom httpbin let in. */
export type LoggedIn = { readonly authenticated: boolean; readonly user: string };

/** Echoes of every method. */
export class Anything extends APIEndpoint<HttpbinClient> {
  protected override readonly _path: string = "/anything";
  /** Sends a GET, which has no body. */
  get = (sent: Pick<Sent, "params" | "headers"> = {}): APIPromise<Echo> =>
    this._get<Echo>("", sent);
  /** Sends a POST. */
  post = (sent: Sent = {}): APIPromise<Echo> => this._post<Echo>("", sent);
  /** Sends a PUT. */
  put = (sent: Sent = {}): APIPromise<Echo> => this._put<Echo>("", sent);
  /** Sends a PATCH. */
  patch = (sent: Sent = {}): APIPromise<Echo> => this._patch<Echo>("", sent);
  /** Sends a DELETE. */
  delete = (sent: Sent = {}): APIPromise<Echo> => this._delete<Echo>("", sent);
}

/** A client of httpbin: its JSON is parsed, unless a call says otherwise. */
export class HttpbinClient extends APIClient {
  static override readonly baseUrl: string = "https://httpbin.org";
  override readonly _convJson = true as const;
  /** Echoes of every method. */
  readonly anything: Anything = new Anything(this);
  /** Reads the cookies that the client sends. */
  cookies = (): APIPromise<Cookies> => this._get<Cookies>("/cookies");
  /** Has cookies set, and reads them all where httpbin redirects to. */
  setCookies = (params: Cookies["cookies"]): APIPromise<Cookies> =>
    this._get<Cookies>("/cookies/set", { params, followRedirects: true });
  /** Echoes after some seconds, at most ten. */
  delay = (seconds: number, limits: Pick<RequestOptions, "timeout"> = {}): APIPromise<Echo> =>
    this._get<Echo>(path`/delay/${seconds}`, limits);
  /** Echoes after so many redirects, which a client follows where it is told to. */
  redirect = (times: number, followRedirects = true): APIPromise<Echo> =>
    this._get<Echo>(path`/redirect/${times}`, { followRedirects });
  /** Shows a name and a password, by default those that are asked for. */
  basicAuth = (
    user: string,
    passwd: string,
    auth: AuthInput = [user, passwd],
  ): APIPromise<LoggedIn> => this._get<LoggedIn>(path`/basic-auth/${user}/${passwd}`, { auth });

  /** Asks for a status; one that is no success raises the error of its class. */
  async status(code: number): Promise<number> {
    const response = await this._get(path`/status/${code}`, { convJson: false });
    await response.body?.cancel();
    return response.status;
  }
}
