/** The store that several processes can share: one with a lock and with versions. */
import type { OAuthToken, TokenStore } from "../auth/token_store.ts";

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
