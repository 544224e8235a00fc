import type { Auth, AuthChanges } from "../../src/http/auth.ts";

/** Returns the changes that an authentication scheme makes to a request. */
export async function changesOf(auth: Auth, url = "https://a.example/x"): Promise<AuthChanges> {
  const sent: AuthChanges[] = [];
  const parts = { method: "GET", url, headers: {}, body: undefined };
  const request = { ...parts, isTrusted: true, isReplayable: true, readBody: () => undefined };
  await auth.authenticate(request, (changes = {}) => {
    sent.push(changes);
    return Promise.resolve(new Response());
  });
  if (sent.length !== 1) throw new Error(`the scheme sent ${sent.length} requests`);
  return sent[0]!;
}
