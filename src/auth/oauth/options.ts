/** The options of the OAuth schemes, and their checks. */
import { type Check, check, checkedFlag, checkedOptions, isPlain } from "../../base/checks.ts";
import { pathAsGiven, UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { isFullUri, splitUrl } from "../../http/url.ts";
import { refuseInsecure, type TokenEndpoint } from "./token_request.ts";
import type { TokenStore } from "../token_store.ts";

/**
 * The options that both schemes have.
 *
 * @category Authentication
 */
export interface OAuthOptions {
  /**
   * The URL of the token endpoint: a full URL, or a path below the base URL of the session. It must be
   * an `https:` URL, unless its host is this machine or `allowInsecure` is set.
   */
  readonly tokenUrl: string;
  /**
   * True to send the secrets to a token endpoint without TLS, where everyone on the way can read
   * them (RFC 6749 §3.2 forbids that).
   *
   * @default {false}
   */
  readonly allowInsecure?: boolean | undefined;
  /** The client's id. */
  readonly clientId: string;
  /**
   * Sends id and secret in the Authorization header, or in the body of the token request
   * (RFC 6749 §2.3.1). Use the body only if the server does not accept the header.
   *
   * @default {"client_secret_basic"}
   */
  readonly authMethod?: "client_secret_basic" | "client_secret_post" | undefined;
  /** The scopes to ask for, separated by spaces. Default: those that the server chooses */
  readonly scope?: string | undefined;
  /**
   * Other parameters of the token request. Default: none
   *
   * @example `{ parameters: { audience: "https://api.example.com" } }`
   */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /**
   * Seconds before its expiry at which a token is renewed. A token that lives shorter is renewed
   * before each request.
   *
   * @default {30}
   */
  readonly expiryMargin?: number | undefined;
  /**
   * Reports if an error response means that the token is not valid any more, for APIs that do not
   * answer 401. It is called with each response of a status of at least 400, and may read its body. It
   * is not called with the response to the repeated request. Default: the status is 401
   *
   * @example `{ isExpired: ({ status }) => status === 401 || status === 419 }`
   */
  readonly isExpired?: ((response: Response) => boolean | Promise<boolean>) | undefined;
  /** Keeps the token, so that it survives a restart, or is shared by several processes. Default: memory */
  readonly store?: TokenStore | undefined;
  /**
   * Seconds after which the lock of the store is free, even if the process that has it was killed or
   * paused. A token request under the lock ends after nine tenths of that time. It has an effect only
   * with a store that has the method `lock`; with another one it is refused.
   *
   * @default {30}
   */
  readonly lockLifetime?: number | undefined;
}

/**
 * Options of {@linkcode ClientCredentialsAuth}.
 *
 * @category Authentication
 */
export interface ClientCredentialsOptions extends OAuthOptions {
  /** The client's secret. */
  readonly clientSecret: string;
}

/**
 * Options of {@linkcode RefreshTokenAuth}.
 *
 * @category Authentication
 */
export interface RefreshTokenOptions extends OAuthOptions {
  /** The client's secret. Default: none, for a public client such as a program on a desktop */
  readonly clientSecret?: string | undefined;
  /**
   * The first refresh token. It is used if the store has none, because servers may replace it at
   * each renewal. Default: that of the store
   */
  readonly refreshToken?: string | undefined;
}

/** The options that the schemes have in common, with the secret that one of them requires. */
export type SourceOptions = OAuthOptions & Pick<RefreshTokenOptions, "clientSecret">;

/** The parameters that the toolkit sets itself. */
const reserved = ["grant_type", "client_id", "client_secret", "refresh_token", "scope"];

/** The names of the options that both schemes have. */
const commonNames: readonly (keyof SourceOptions)[] = [
  "allowInsecure",
  "authMethod",
  "clientId",
  "clientSecret",
  "expiryMargin",
  "isExpired",
  "lockLifetime",
  "parameters",
  "scope",
  "store",
  "tokenUrl",
];

/**
 * Checks that each option of a scheme is known.
 *
 * @param options The options
 * @param ownNames The names of the options that only this scheme has
 */
export function checkedOAuthOptions<T extends object>(
  options: T,
  ownNames: readonly string[] = [],
): T {
  return checkedOptions(options, [...commonNames, ...ownNames]);
}

export const checkedSecret: Check<string> = check(
  "a string that is not empty",
  (value) => typeof value === "string" && value !== "",
);

/** Checks a secret or another text that may be left out. */
export const checkedOptional: Check<string | undefined> = (option, value) =>
  value === undefined ? undefined : checkedSecret(option, value);

/** Checks the options of the token endpoint. */
export function checkedEndpoint(
  {
    tokenUrl,
    allowInsecure = false,
    clientId,
    clientSecret,
    authMethod = "client_secret_basic",
  }: SourceOptions,
): TokenEndpoint {
  const isKnown = authMethod === "client_secret_basic" || authMethod === "client_secret_post";
  if (!isKnown) {
    const expected = '"client_secret_basic" or "client_secret_post"';
    throw new UnexpectedValueError("authMethod", expected, authMethod);
  }
  return {
    url: checkedTokenUrl(tokenUrl, checkedFlag("allowInsecure", allowInsecure)),
    allowInsecure,
    clientId: checkedSecret("clientId", clientId),
    clientSecret,
    isSecretInBody: authMethod === "client_secret_post",
  };
}

function checkedTokenUrl(url: unknown, allowInsecure: boolean): string {
  const text = checkedSecret("tokenUrl", url);
  if (!isFullUri(text)) return text;
  const split = splitUrl(text, "tokenUrl", pathAsGiven);
  if (!allowInsecure) refuseInsecure(split.url);
  // Credentials in the URL would be sent beside those of the client.
  if (split.authorization === undefined) return text;
  const expected = "a full URL without user name and password, or a path";
  throw new UnexpectedValueError("tokenUrl", expected, pathAsGiven(text));
}

/** Checks other parameters of the token request. */
export function checkedParameters(parameters: unknown): Readonly<Record<string, string>> {
  if (!isPlain(parameters) || Array.isArray(parameters)) {
    throw new UnexpectedValueError("parameters", "a mapping from names to strings", parameters);
  }
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      const option = `parameters.${name}`;
      if (!reserved.includes(name)) return [name, checkedSecret(option, value)];
      throw new UnexpectedValueError(option, "left out, because another option sets it", value);
    }),
  );
}
