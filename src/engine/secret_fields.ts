/**
 * Names of fields that usually hold a secret, for `redactFields`.
 *
 * An API rarely has all of them, and may have others: spread the list into your own. Upper and lower
 * case do not matter. Names with an underscore and without one are different, so both are listed.
 *
 * @example
 * ```ts
 * import { APISession, commonSecretFields } from "@restwright/restwright";
 *
 * class Bank extends APISession {
 *   static override readonly redactFields: readonly string[] = [...commonSecretFields, "pin"];
 * }
 * const api = new Bank({ url: "https://bank.example.com" });
 * console.log(commonSecretFields.includes("client_secret")); // true
 * await api.close();
 * ```
 */
export const commonSecretFields: readonly string[] = /* @__PURE__ */ Object.freeze([
  "password",
  "passwd",
  "passphrase",
  "pwd",
  "current_password",
  "currentPassword",
  "new_password",
  "newPassword",
  "old_password",
  "oldPassword",
  "password_confirmation",
  "passwordConfirmation",
  "secret",
  "client_secret",
  "clientSecret",
  "secret_key",
  "secretKey",
  "private_key",
  "privateKey",
  "api_key",
  "api-key",
  "apiKey",
  "x-api-key",
  "api_secret",
  "apiSecret",
  "token",
  "access_token",
  "accessToken",
  "api_token",
  "apiToken",
  "auth_token",
  "authToken",
  "id_token",
  "idToken",
  "refresh_token",
  "refreshToken",
  "session_token",
  "sessionToken",
  "subject_token",
  "actor_token",
  "authorization",
  "assertion",
  "client_assertion",
  "code_verifier",
  "credentials",
]);
