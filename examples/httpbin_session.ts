/** An SDK for httpbin, a service that describes the requests it receives. */

import { APIEndpoint, APISession, type RequestOptions } from "../mod.ts";
import type { AuthInput } from "../src/auth/mod.ts";
import { discardBody } from "../src/http/mod.ts";

/** A request as httpbin received it. Only `/anything` reports the method and the JSON. */
export interface Echo {
  readonly url: string;
  readonly method?: string;
  readonly args: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
}
/** Options of a request to be echoed. */
export type Sent = Pick<RequestOptions, "params" | "headers" | "json">;
/** The cookies that httpbin received. */
export type Cookies = { readonly cookies: Readonly<Record<string, string>> };
/** The user that httpbin authenticated. */
export type LoggedIn = { readonly authenticated: boolean; readonly user: string };

/** An endpoint that echoes requests of every method. */
export class Anything extends APIEndpoint<Httpbin> {
  protected override readonly _path = "anything";
  /** Sends a GET, which has no body. */
  get = (sent: Omit<Sent, "json"> = {}): Promise<Echo> => this._get<Echo>("", sent);
  /** Sends a POST. */
  post = (sent: Sent = {}): Promise<Echo> => this._post<Echo>("", sent);
  /** Sends a PUT. */
  put = (sent: Sent = {}): Promise<Echo> => this._put<Echo>("", sent);
  /** Sends a PATCH. */
  patch = (sent: Sent = {}): Promise<Echo> => this._patch<Echo>("", sent);
  /** Sends a DELETE. */
  delete = (sent: Sent = {}): Promise<Echo> => this._delete<Echo>("", sent);
}

/** A session with httpbin. It parses JSON, unless a call turns that off. */
export class Httpbin extends APISession {
  static override readonly url: string = "https://httpbin.org";
  override readonly _convJson = true;
  /** The endpoint that echoes requests of every method. */
  readonly anything: Anything = new Anything(this);
  /** Reads the cookies that the session sends. */
  cookies = (): Promise<Cookies> => this.get<Cookies>("cookies");
  /** Sets cookies, and reads all cookies at the URL that httpbin redirects to. */
  setCookies = (params: Cookies["cookies"]): Promise<Cookies> =>
    this.get<Cookies>("cookies/set", { params });
  /** Gets an echo after a number of seconds, at most ten. */
  delay = (seconds: number, limits: Pick<RequestOptions, "timeout"> = {}): Promise<Echo> =>
    this.get<Echo>(`delay/${seconds}`, limits);
  /** Gets an echo after a number of redirects. */
  redirect = (times: number): Promise<Echo> => this.get<Echo>(`redirect/${times}`);

  /** Requests a status. If it is not a success, this rejects with the error of its class. */
  async status(code: number): Promise<number> {
    const response = await this.get(`status/${code}`, { convJson: false });
    discardBody(response);
    return response.status;
  }
  /** Sends a name and a password. By default they are the ones that httpbin requires. */
  basicAuth(user: string, passwd: string, auth: AuthInput = [user, passwd]): Promise<LoggedIn> {
    const path = `basic-auth/${encodeURIComponent(user)}/${encodeURIComponent(passwd)}`;
    return this.get<LoggedIn>(path, { auth });
  }
}
