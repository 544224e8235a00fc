/** An SDK for httpbin, the service that tells what it was sent. */

import { APIEndpoint, APISession, type AuthInput, type RequestOptions } from "../mod.ts";

/** What httpbin saw of a request; `/anything` alone tells the method and the JSON. */
export interface Echo {
  readonly url: string;
  readonly method?: string;
  readonly args: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
}
/** What can be sent to be echoed. */
export type Sent = Pick<RequestOptions, "params" | "headers" | "json">;
/** The cookies that httpbin got. */
export type Cookies = { readonly cookies: Readonly<Record<string, string>> };
/** Whom httpbin let in. */
export type LoggedIn = { readonly authenticated: boolean; readonly user: string };

/** Echoes of every method. */
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

/** A session with httpbin: its JSON is parsed, unless a call says otherwise. */
export class Httpbin extends APISession {
  static override readonly url: string = "https://httpbin.org";
  override readonly _convJson = true as const;
  /** Echoes of every method. */
  readonly anything: Anything = new Anything(this);
  /** Reads the cookies that the session sends. */
  cookies = (): Promise<Cookies> => this.get<Cookies>("cookies");
  /** Has cookies set, and reads them all where httpbin redirects to. */
  setCookies = (params: Cookies["cookies"]): Promise<Cookies> =>
    this.get<Cookies>("cookies/set", { params });
  /** Echoes after some seconds, at most ten. */
  delay = (seconds: number, limits: Pick<RequestOptions, "timeout"> = {}): Promise<Echo> =>
    this.get<Echo>(`delay/${seconds}`, limits);
  /** Echoes after so many redirects. */
  redirect = (times: number): Promise<Echo> => this.get<Echo>(`redirect/${times}`);

  /** Asks for a status; one that is no success raises the error of its class. */
  async status(code: number): Promise<number> {
    const response = await this.get(`status/${code}`, { convJson: false });
    await response.body?.cancel();
    return response.status;
  }
  /** Shows a name and a password, by default those that are asked for. */
  basicAuth(user: string, passwd: string, auth: AuthInput = [user, passwd]): Promise<LoggedIn> {
    const path = `basic-auth/${encodeURIComponent(user)}/${encodeURIComponent(passwd)}`;
    return this.get<LoggedIn>(path, { auth });
  }
}
