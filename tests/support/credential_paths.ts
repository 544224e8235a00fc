/** Paths of requests from origin to origin, by redirects or links, and the credentials on the way. */

/** The origins. The session trusts the first two. */
export const origins = {
  api: "https://api.example.com",
  eu: "https://eu.example.com",
  evil: "https://evil.example.com",
  port: "https://api.example.com:8443",
  plain: "http://api.example.com",
} as const;

/** The name of an origin. */
export type OriginName = keyof typeof origins;

/** The paths: each origin is left by a redirect, or by a link, to the next one. */
export const paths: readonly (readonly OriginName[])[] = [
  ["api", "api"],
  ["api", "eu"],
  ["api", "evil"],
  ["api", "port"],
  ["api", "plain"],
  ["eu", "api"],
  ["evil", "evil"],
  ["evil", "api"],
  ["evil", "eu"],
  ["api", "api", "evil"],
  ["api", "eu", "api"],
  ["api", "eu", "evil"],
  ["api", "evil", "evil"],
  ["api", "evil", "api"],
  ["api", "evil", "eu"],
  ["api", "plain", "api"],
  ["evil", "evil", "api"],
  ["api", "evil", "api", "api"],
  ["api", "evil", "api", "eu"],
];

/** The owner of a credential. */
export type Owner = "session" | "call";

/**
 * Reports if the last request of a path has the credentials of an owner.
 *
 * The rule: credentials go from one request to the next if both are at the same origin, or if the session
 * trusts both origins. Once dropped, they do not come back. Those of the session go only to origins
 * that it trusts; those of the call also go to the URL that the call names.
 */
export function hasCredentials(path: readonly OriginName[], owner: Owner): boolean {
  const isTrusted = (name: OriginName) => name === "api" || name === "eu";
  const areKept = path.slice(1).every((to, index) => {
    const from = path[index]!;
    return from === to || isTrusted(from) && isTrusted(to);
  });
  return areKept && (owner === "call" || isTrusted(path.at(-1)!));
}
