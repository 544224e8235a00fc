/** Several authentication schemes in one client, of which each call uses those that it requires. */
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import {
  type Auth,
  type AuthChanges,
  type AuthInput,
  type AuthRequest,
  type AuthSend,
  checkedAuth,
} from "../http/auth.ts";
import { checkedHeaders } from "../http/headers.ts";

/**
 * The schemes of an API whose operations require different ones, as OpenAPI's `security`.
 *
 * Each call names its alternatives, and each alternative the schemes that are sent together. The
 * first alternative counts whose schemes all have a value. If there is none, the call is refused
 * before anything is sent. As the `auth` of a client, it sends no credentials with a call that names
 * nothing, and is closed with the client.
 *
 * @typeParam N The names of the schemes
 *
 * @example
 * ```ts
 * import { APIClient, type ClientOptions } from "@restwright/restwright";
 * import { ApiKeyAuth, AuthSchemes, BearerAuth } from "@restwright/restwright/auth";
 *
 * interface ForgeOptions extends ClientOptions {
 *   readonly token?: string;
 *   readonly key?: string;
 * }
 * class Forge extends APIClient {
 *   static override readonly baseUrl: string = "https://forge.example.com";
 *   readonly #schemes: AuthSchemes<"token" | "key">;
 *
 *   constructor({ token, key, ...options }: ForgeOptions = {}) {
 *     const schemes = new AuthSchemes({
 *       token: token === undefined ? undefined : new BearerAuth(token),
 *       key: key === undefined ? undefined : new ApiKeyAuth(key),
 *     });
 *     super({ ...options, auth: schemes });
 *     this.#schemes = schemes;
 *   }
 *   issues(): Promise<unknown> {
 *     return this._get("/issues", { auth: this.#schemes.use(["token"], ["key"]), convJson: true });
 *   }
 * }
 * const fetch = () => Promise.resolve(Response.json([]));
 * await new Forge({ key: "k-123", fetch }).issues(); // with X-API-Key
 * const error = await new Forge({ fetch }).issues().catch((error: Error) => error);
 * console.log(String(error).includes("token, or key")); // true
 * ```
 *
 * @category Authentication
 */
export class AuthSchemes<N extends string = string> implements Auth {
  readonly #schemes: ReadonlyMap<string, Auth>;
  readonly #names: readonly string[];

  /**
   * Stores the schemes. No request is sent.
   *
   * @param schemes Each scheme by its name; undefined or null if it has no value
   * @throws {UnexpectedValueError} If one is neither a scheme nor a pair of user name and password
   */
  constructor(schemes: Readonly<Record<N, AuthInput | undefined>>) {
    if (typeof schemes !== "object" || schemes === null) {
      throw new UnexpectedValueError("schemes", "a mapping from names to schemes", schemes);
    }
    const entries = Object.entries<AuthInput | undefined>(schemes)
      .map(([name, scheme]) => [name, checkedAuth(`schemes.${name}`, scheme)] as const);
    this.#names = entries.map(([name]) => name);
    this.#schemes = new Map(entries.filter((entry): entry is [string, Auth] => entry[1] !== null));
  }

  /**
   * Returns the `auth` of a call: the first alternative whose schemes all have a value.
   *
   * @param alternatives The names of the schemes that are sent together, for each alternative. An
   * empty one needs no credentials. No alternative at all sends none
   * @throws {UnexpectedValueError} If there is no scheme of a name
   */
  use(...alternatives: readonly (readonly N[])[]): Auth | null {
    const unknown = alternatives.flat().find((name) => !this.#names.includes(name));
    if (unknown !== undefined) {
      const expected = `one of the schemes ${this.#names.join(", ")}`;
      throw new UnexpectedValueError("alternatives", expected, unknown);
    }
    if (alternatives.length === 0) return null;
    const names = alternatives.find((each) => each.every((name) => this.#schemes.has(name)));
    if (names === undefined) return refusing(alternatives);
    const schemes = names.map((name) => this.#schemes.get(name)!);
    return schemes.length > 1 ? together(schemes) : schemes[0] ?? null;
  }

  /** Sends a request whose call names no scheme: without credentials. */
  authenticate(_request: AuthRequest, send: AuthSend): Promise<Response> {
    return send();
  }

  /** Closes all schemes. If several fail, rejects with the first error. */
  async close(): Promise<void> {
    const closed = await Promise.allSettled(
      [...this.#schemes.values()].map(async (scheme) => await scheme.close?.()),
    );
    const failed = closed.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }
}

/** Returns the scheme of a call for which no alternative has its values. */
function refusing(alternatives: readonly (readonly string[])[]): Auth {
  const wanted = alternatives.map((names) => names.join(" and ")).join(", or ");
  const expected = `set for this call: it requires credentials for ${wanted}`;
  return {
    authenticate() {
      throw new UnexpectedValueError("auth", expected, describedAs("missing"));
    },
  };
}

/** Returns the scheme that sends the changes of several ones. The first one is outermost. */
function together(schemes: readonly Auth[]): Auth {
  return {
    authenticate(request, send) {
      const run = (index: number, inner: AuthRequest, before: AuthChanges): Promise<Response> => {
        const scheme = schemes[index];
        if (scheme === undefined) return send(before);
        return scheme.authenticate(inner, (own = {}) => {
          const headers = checkedHeaders(own.headers ?? {});
          const { url = inner.url } = own;
          return run(index + 1, { ...inner, url, headers: withHeaders(inner.headers, headers) }, {
            url,
            headers: { ...checkedHeaders(before.headers ?? {}), ...headers },
            cookies: { ...before.cookies, ...own.cookies },
          });
        });
      };
      return run(0, request, {});
    },
  };
}

function withHeaders(
  headers: AuthRequest["headers"],
  changes: Readonly<Record<string, string | null>>,
): AuthRequest["headers"] {
  const merged: Record<string, string> = { ...headers };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete merged[name];
    else merged[name] = value;
  }
  return merged;
}
