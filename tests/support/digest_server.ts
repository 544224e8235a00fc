import { createHash } from "node:crypto";
import type { Transport } from "../../src/http/transport.ts";

/** The requirements and the behaviour of a {@linkcode DigestServer}. */
export interface DigestPolicy {
  /** The accepted user names and passwords, in UTF-8. Default: ada, countess */
  readonly users?: Readonly<Record<string, string>>;
  /** Returns the realm of a path. Default: the same for all paths */
  readonly realm?: (path: string) => string;
  /** The algorithm. Default: MD5 */
  readonly algorithm?: string;
  /** The offered qop; null for none, as in RFC 2069. Default: auth */
  readonly qop?: string | null;
  /** Further parameters of the challenge, such as `charset=UTF-8`. */
  readonly more?: string;
  /** Other challenges that the server sends before the Digest challenge. */
  readonly before?: string;
  /** The number of requests for which a nonce is valid. Default: no limit */
  readonly uses?: number;
  /** The number of requests with a nonce after which the server announces the next one. */
  readonly nextAfter?: number;
  /** True if a challenge reports that a nonce is stale. Default: true */
  readonly saysStale?: boolean;
  /** The server's proof that it knows the password, right or wrong. Default: none */
  readonly proof?: "right" | "wrong";
}

/** A request that the server receives. */
interface Incoming {
  readonly method: string;
  readonly uri: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A response of the server. */
interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The server side of Digest authentication. It is written from RFC 7616 with Node's hashes, and
 * shares no code with the toolkit.
 */
export class DigestServer {
  /** The requests so far: method, path and query, nonce and count. */
  readonly seen: string[] = [];
  /** The Authorization headers of the requests so far. */
  readonly authorizations: (string | undefined)[] = [];
  /** The reasons why requests were refused. */
  readonly refusals: string[] = [];
  /** Delays answers to requests without credentials until it resolves. */
  gate: Promise<void> | undefined;
  readonly #policy: DigestPolicy;
  readonly #counts = new Map<string, Set<number>>();
  readonly #secrets = new Map<string, string>();
  #nonces = 0;

  constructor(policy: DigestPolicy = {}) {
    this.#policy = policy;
  }

  /** Invalidates every nonce. */
  forget(): void {
    this.#counts.clear();
  }

  /** A transport that sends requests to this server. */
  readonly transport: Transport = async (url, { method, headers, body }) => {
    const { pathname, search } = new URL(url);
    const text = body === undefined ? "" : await new Response(body).text();
    const authorization = headers["authorization"];
    const answer = this.answer({ method, uri: pathname + search, authorization, body: text });
    if (authorization === undefined) await this.gate;
    return new Response(answer.status === 401 ? "who?" : "well kept", answer);
  };

  answer({ method, uri, authorization, body }: Incoming): Outgoing {
    this.authorizations.push(authorization);
    const params = paramsOf(authorization);
    const nonce = params.get("nonce");
    this.seen.push(
      `${method} ${uri} ${nonce === undefined ? "-" : `${nonce} ${params.get("nc") ?? "-"}`}`,
    );
    const problem = nonce === undefined ? "no answer" : this.#problem(method, uri, body, params);
    if (problem !== undefined) {
      this.refusals.push(problem);
      const isStale = problem === "stale" && (this.#policy.saysStale ?? true);
      return { status: 401, headers: { "www-authenticate": this.#challenge(uri, isStale) } };
    }
    const info: string[] = [];
    const { proof, nextAfter } = this.#policy;
    if (proof !== undefined) info.push(...this.#proof(params, proof, uri));
    if (nextAfter !== undefined && this.#counts.get(nonce!)!.size >= nextAfter) {
      info.push(`nextnonce="${this.#newNonce()}"`);
    }
    const headers = info.length === 0 ? {} : { "authentication-info": info.join(", ") };
    return { status: 200, headers };
  }

  #challenge(uri: string, isStale: boolean): string {
    const { algorithm, qop = "auth", more, before } = this.#policy;
    const fields = [
      `realm="${bytes(this.#realm(uri)).replace(/["\\]/g, "\\$&")}"`,
      `nonce="${this.#newNonce()}"`,
      'opaque="o,\\"1"',
      ...(qop === null ? [] : [`qop="${qop}"`]),
      ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
      ...(isStale ? ["stale=true"] : []),
      ...(more === undefined ? [] : [more]),
    ];
    return `${before === undefined ? "" : `${before}, `}Digest ${fields.join(", ")}`;
  }

  #newNonce(): string {
    const nonce = `n${++this.#nonces}`;
    this.#counts.set(nonce, new Set());
    return nonce;
  }

  #realm(uri: string): string {
    return this.#policy.realm?.(uri) ?? "the realm";
  }

  #hash(text: string): string {
    const name = (this.#policy.algorithm ?? "MD5").toLowerCase().replace("-sess", "");
    return createHash(name.replace("sha-", "sha")).update(text, "latin1").digest("hex");
  }

  #problem(
    method: string,
    uri: string,
    body: string,
    params: ReadonlyMap<string, string>,
  ): string | undefined {
    const { users = { ada: "countess" }, qop = "auth", uses = Infinity } = this.#policy;
    const counts = this.#counts.get(params.get("nonce")!);
    const name = this.#username(params, users);
    if (name === undefined) return "user";
    if (params.get("realm") !== bytes(this.#realm(uri))) return "realm";
    if (params.get("opaque") !== 'o,"1') return "opaque";
    if (params.get("uri") !== uri) return "uri";
    if (params.get("algorithm") !== this.#policy.algorithm) return "algorithm";
    const used = params.get("qop");
    if (qop === null ? used !== undefined : !qop.split(/, */).includes(used ?? "")) return "qop";
    const secret = this.#secret(name, users[name]!, params, uri);
    const a2 = this.#hash(
      `${method}:${uri}${used === "auth-int" ? `:${this.#hash(bytes(body))}` : ""}`,
    );
    const parts = used === undefined ? [] : [params.get("nc"), params.get("cnonce"), used];
    const expected = this.#hash([secret, params.get("nonce"), ...parts, a2].join(":"));
    if (params.get("response") !== expected) return "response";
    if (counts === undefined || counts.size >= uses) return "stale";
    const count = used === undefined ? counts.size + 1 : Number.parseInt(params.get("nc")!, 16);
    if (counts.has(count)) return `count ${count} again`;
    counts.add(count);
    return undefined;
  }

  #username(
    params: ReadonlyMap<string, string>,
    users: Readonly<Record<string, string>>,
  ): string | undefined {
    const extended = /^UTF-8''(.*)$/.exec(params.get("username*") ?? "")?.[1];
    const sent = extended === undefined ? params.get("username") : decodeURIComponent(extended);
    return Object.keys(users).find((name) => {
      if (params.get("userhash") !== "true") {
        return sent === (extended === undefined ? bytes(name) : name);
      }
      return sent === this.#hash(`${bytes(name)}:${params.get("realm")}`);
    });
  }

  /**
   * Returns the hash of the credentials. The -sess algorithms compute it once, with the first nonce
   * (RFC 7616 §3.4.2).
   */
  #secret(
    name: string,
    password: string,
    params: ReadonlyMap<string, string>,
    uri: string,
  ): string {
    const plain = this.#hash(`${bytes(name)}:${bytes(this.#realm(uri))}:${bytes(password)}`);
    if (!this.#policy.algorithm?.endsWith("-sess")) return plain;
    const cnonce = params.get("cnonce")!;
    const known = this.#secrets.get(cnonce);
    const secret = known ?? this.#hash(`${plain}:${params.get("nonce")}:${cnonce}`);
    this.#secrets.set(cnonce, secret);
    return secret;
  }

  #proof(params: ReadonlyMap<string, string>, kind: "right" | "wrong", uri: string): string[] {
    const { users = { ada: "countess" } } = this.#policy;
    const [name, password] = Object.entries(users)[0]!;
    const secret = this.#secret(name, kind === "right" ? password : "guess", params, uri);
    const [nonce, nc, cnonce, qop] = ["nonce", "nc", "cnonce", "qop"].map((key) => params.get(key));
    const proof = this.#hash([secret, nonce, nc, cnonce, qop, this.#hash(`:${uri}`)].join(":"));
    return [`rspauth="${proof}"`, `qop=${qop}`, `nc=${nc}`, `cnonce="${cnonce}"`];
  }
}

/** Encodes a text in UTF-8, with one character for each byte. */
function bytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** Parses the parameters of an Authorization header. */
export function paramsOf(authorization: string | undefined): ReadonlyMap<string, string> {
  const found = (authorization ?? "").matchAll(/([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g);
  return new Map(
    Array.from(found, ([, name, quoted, plain]) => [
      name!,
      plain ?? quoted!.replace(/\\(.)/g, "$1"),
    ]),
  );
}
