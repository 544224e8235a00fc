import type { Auth, AuthChanges } from "../../src/http/auth.ts";

/** Returns the changes that an authentication scheme makes to a request. */
export async function changesOf(auth: Auth, url = "https://a.example/x"): Promise<AuthChanges> {
  const given: AuthChanges[] = [];
  const shown = { method: "GET", url, headers: {}, body: undefined };
  const request = { ...shown, isTrusted: true, isReplayable: true, readBody: () => undefined };
  await auth.authenticate(request, (changes = {}) => {
    given.push(changes);
    return Promise.resolve(new Response());
  });
  if (given.length !== 1) throw new Error(`the scheme sent ${given.length} requests`);
  return given[0]!;
}
