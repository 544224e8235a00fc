/** An API whose access tokens wear out, with a token server that rotates and detects reuse. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { turn } from "../until.ts";

/** A token request that the server has received. */
export interface TokenRequest {
  /** The id of the process that sent it. */
  readonly worker: string;
  readonly refreshToken: string;
}

/** A refresh token that was used twice, so that the server revoked the login. */
export interface Reuse {
  /** The process that used it first. */
  readonly first: string;
  readonly second: string;
}

/** Options of the server. */
export interface TokenServerOptions {
  /**
   * The calls that an access token is good for, so that its expiry does not depend on the machine's speed.
   * It does not end before the process that requested it has used it, however slow that is.
   */
  readonly callsPerToken: number;
  /** Milliseconds that a token request takes. Default: 5 */
  readonly delay?: number;
  /**
   * True if the refresh token that was used last may be used again, as in the reuse interval of many
   * providers. It then leads to other tokens, and those of its first use end. Default: false
   */
  readonly allowsReuse?: boolean;
}

/** The API and the token server, on one port. */
export class TokenServer {
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #options: TokenServerOptions;
  /** The login whose tokens are accepted. */
  #login = 0;
  #number = 0;
  #left = 0;
  /** True if a refresh token of the login was used twice, so that none is accepted any more. */
  isRevoked = false;
  /** The processes that used the refresh tokens of this login, by token. */
  readonly #used = new Map<string, string>();
  /** The refresh token that was used last. */
  #last = "";
  /** The number of times that the last refresh token was used again, if the server allows it. */
  repetitions = 0;
  /** The token requests so far, also those that were refused. */
  readonly tokenRequests: TokenRequest[] = [];
  readonly reuses: Reuse[] = [];
  /** The processes that were killed or paused, for whose first call no token waits. */
  readonly gone = new Set<string>();
  /** The process that requested the access token; undefined if it has used it. */
  #requester: string | undefined;
  /** The access tokens that ended, with that of each login. They are counted when a call is refused. */
  readonly ended = new Set<string>();
  accepted = 0;
  url = "";
  /**
   * Called when a token request has arrived, and when its tokens exist but are not yet sent. If it returns
   * "drop" for one that has arrived, the request is not processed.
   */
  onTokenRequest: (when: "received" | "processed", worker: string) => "drop" | void = () => {};
  /** Called for each accepted call, with the number of calls for which the token is still good. */
  onAccepted: (left: number) => void = () => {};

  constructor(options: TokenServerOptions) {
    this.#options = options;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    if (typeof address !== "object" || address === null) throw new Error("no port");
    this.url = `http://127.0.0.1:${address.port}`;
    return this;
  }

  /** The text of the access token that is accepted. */
  get current(): string {
    return `a-${this.#login}-${this.#number}`;
  }

  /** Makes a new login, and returns its refresh token. Nothing but that is accepted afterwards. */
  logIn(): string {
    this.#login++;
    this.#number = this.#left = 0;
    this.#requester = undefined;
    this.isRevoked = false;
    this.#used.clear();
    return `r-${this.#login}-0`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => undefined);
    // The process was killed while it sent the request.
    if (body === undefined) return;
    const worker = String(request.headers["x-worker"]);
    const [status, content] = request.url === "/token"
      ? await this.#exchange(worker, new URLSearchParams(body).get("refresh_token") ?? "")
      : this.#call(worker, request.headers.authorization);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(content));
  }

  async #exchange(worker: string, refreshToken: string): Promise<[status: number, body: object]> {
    this.tokenRequests.push({ worker, refreshToken });
    const isDropped = this.onTokenRequest("received", worker) === "drop";
    await turn(this.#options.delay ?? 5);
    if (isDropped) return [503, {}];
    const first = this.#used.get(refreshToken);
    const isAllowed = this.#options.allowsReuse === true && refreshToken === this.#last;
    if (first !== undefined && !isAllowed) {
      this.reuses.push({ first, second: worker });
      this.isRevoked = true;
    }
    const isValid = refreshToken === `r-${this.#login}-${this.#number}` || isAllowed;
    if (this.isRevoked || !isValid) return [400, { error: "invalid_grant" }];
    if (isAllowed) this.repetitions++;
    this.#used.set(refreshToken, worker);
    this.#last = refreshToken;
    this.#number++;
    this.#left = this.#options.callsPerToken;
    this.#requester = worker;
    const tokens = {
      access_token: this.current,
      refresh_token: `r-${this.#login}-${this.#number}`,
    };
    this.onTokenRequest("processed", worker);
    await turn(this.#options.delay ?? 5);
    return [200, tokens];
  }

  #call(worker: string, authorization: string | undefined): [status: number, body: object] {
    const isKept = this.#requester !== undefined && !this.gone.has(this.#requester);
    if (!this.isRevoked && this.#left <= 0 && !isKept) this.ended.add(this.current);
    const isAccepted = !this.isRevoked && authorization === `Bearer ${this.current}` &&
      (this.#left > 0 || isKept);
    if (!isAccepted) return [401, {}];
    if (worker === this.#requester) this.#requester = undefined;
    this.#left--;
    this.accepted++;
    this.onAccepted(this.#left);
    return [200, {}];
  }
}
