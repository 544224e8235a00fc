import Keyv from "keyv";
import { assertEquals, assertThrows, describe, it } from "#test";
import { UnexpectedValueError } from "../../../mod.ts";
import { keyedStore } from "../../../src/auth/stores/mod.ts";
import type { OAuthToken } from "../../../src/auth/oauth/mod.ts";

const token: OAuthToken = { accessToken: "a-1", expiresAt: 1, refreshToken: "r-1" };

describe("a keyed store", () => {
  for (
    const [name, place] of [
      ["a Map", new Map<string, OAuthToken>()],
      ["a Keyv instance", new Keyv<OAuthToken>()],
    ] as const
  ) {
    it(`keeps a token in ${name}, below its key`, async () => {
      const store = keyedStore(place, "ada");
      assertEquals((await store.load()) ?? null, null);
      await store.save(token);
      assertEquals(await store.load(), token);
      assertEquals(await keyedStore(place, "bob").load() ?? null, null);
      assertEquals([store.lock, store.replace], [undefined, undefined]);
    });
  }

  it("bad input: a place without methods, and a key that is not a string, are refused", () => {
    assertThrows(() => keyedStore({} as never, "ada"), UnexpectedValueError);
    assertThrows(() => keyedStore(new Map(), 7 as never), UnexpectedValueError);
  });
});
