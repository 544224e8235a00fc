/** A generation 2 client of httpbin, a service that describes the requests it receives. */

import { APIClient, APIEndpoint, type APIPromise, path, type RequestOptions } from "../mod.ts";
import type { AuthInput } from "../src/auth/mod.ts";
import { discardBody } from "../src/http/mod.ts";

/**
 * A request as httpbin received it. Only `/anything` reports the method, the files and the JSON.
 */
export interface Echo {
  readonly url: string;
  readonly method?: string;
  readonly args: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string | readonly string[]>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}
/** Options of a request to be echoed. */
export type Sent = Pick<RequestOptions, "params" | "headers" | "json" | "data" | "files">;
/** The cookies that httpbin received. */
export type Cookies = { readonly cookies: Readonly<Record<string, string>> };
/** The user that httpbin authenticated. */
export type LoggedIn = { readonly authenticated: boolean; readonly user: string };

/** An endpoint that echoes requests of every method. */
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

/** A client of httpbin. It parses JSON, unless a call turns that off. */
export class HttpbinClient extends APIClient {
  static override readonly baseUrl: string = "https://httpbin.org";
  override readonly _convJson = true;
  /** The endpoint that echoes requests of every method. */
  readonly anything: Anything = new Anything(this);
  /** Reads the cookies that the client sends. */
  cookies = (): APIPromise<Cookies> => this._get<Cookies>("/cookies");
  /** Sets cookies, and reads all cookies at the URL that httpbin redirects to. */
  setCookies = (params: Cookies["cookies"]): APIPromise<Cookies> =>
    this._get<Cookies>("/cookies/set", { params, followRedirects: true });
  /** Gets an echo after a number of seconds, at most ten. */
  delay = (seconds: number, limits: Pick<RequestOptions, "timeout"> = {}): APIPromise<Echo> =>
    this._get<Echo>(path`/delay/${seconds}`, limits);
  /** Gets an echo after a number of redirects, or the first redirect if they are not followed. */
  redirect = (times: number, followRedirects = true): APIPromise<Echo> =>
    this._get<Echo>(path`/redirect/${times}`, { followRedirects });
  /** Sends a name and a password. By default they are the ones that httpbin requires. */
  basicAuth = (
    user: string,
    passwd: string,
    auth: AuthInput = [user, passwd],
  ): APIPromise<LoggedIn> => this._get<LoggedIn>(path`/basic-auth/${user}/${passwd}`, { auth });

  /** Requests a status. If it is not a success, this rejects with the error of its class. */
  async status(code: number): Promise<number> {
    const response = await this._get(path`/status/${code}`, { convJson: false });
    discardBody(response);
    return response.status;
  }
}
