import type { Attempt } from "../http/send.ts";

/** The identities of the requests with the same objects, and those with further objects. */
class IdentityNode {
  readonly children: WeakMap<object, IdentityNode> = new WeakMap();
  readonly identities: Map<string, object> = new Map();

  child(key: object): IdentityNode {
    let node = this.children.get(key);
    if (node === undefined) this.children.set(key, node = new IdentityNode());
    return node;
  }
}

const root = new IdentityNode();

/**
 * Returns an object that stands for the session and the credentials of an attempt. Attempts of the
 * same HTTP session, with the same scheme and the same settings, have the same object.
 *
 * The object is empty, because the settings contain secrets. It is new for each object with headers,
 * named cookies or a scheme, so that it can be collected with them: a server may have a copy of its
 * client for each user.
 *
 * @returns The object; undefined if a part of the attempt cannot be compared
 */
export function identityOf({ http, verify, call }: Attempt): object | undefined {
  const { settings, fetchInit, withoutCredentials } = call;
  const { auth = http.auth, headers, cookies, fetch, adapters, credentials, userAgent } = settings;
  if ((fetchInit ?? fetch ?? adapters) !== undefined || cookies?.store !== undefined) {
    return undefined;
  }
  if (withoutCredentials) return undefined;
  const hasHeaders = headers !== undefined && Object.keys(headers).length > 0;
  const { identities } = root.child(http).child(auth ?? http)
    .child(hasHeaders ? headers : http).child(cookies?.named ? cookies : http);
  const { followRedirects, maxRedirects } = settings;
  const others = [
    credentials,
    userAgent,
    settings.auth === null,
    verify,
    followRedirects,
    maxRedirects,
  ];
  const key = JSON.stringify(others);
  let identity = identities.get(key);
  if (identity === undefined) identities.set(key, identity = Object.freeze({}));
  return identity;
}
