/** The store that several processes can share: one with a lock and with versions. */
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import type { OAuthToken, TokenStore } from "../token_store.ts";

/**
 * A token store with a lock and with versions, so that processes can share it.
 *
 * @category Authentication
 */
export interface SharedTokenStore extends Required<TokenStore> {
  /** Returns the stored token with its version; null if there is none. */
  load(): Promise<OAuthToken | null>;
  /** Saves a token, whatever the store has: for the token of a new login. */
  save(token: OAuthToken): Promise<void>;
}

/** Returns the text of a token for a store. The store has the version in another place. */
export function tokenText({ version: _, ...token }: OAuthToken): string {
  return JSON.stringify(token);
}

/**
 * Returns the token in the text of a store.
 *
 * @param text The text
 * @param version Its version, which the store has in another place
 * @param place The place for the message
 * @throws {UnexpectedValueError} If the text is not JSON. The error does not show it, because it is secret
 */
export function tokenIn(text: string, version: string | number, place: string): OAuthToken {
  let token: unknown;
  try {
    token = JSON.parse(text);
  } catch {
    throw new UnexpectedValueError(place, "a token as JSON, as this store writes it", text);
  }
  return { ...token as OAuthToken, version };
}
