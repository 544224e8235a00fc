/** The package's entry points: each a part of the whole, none with a class of its own copy. */
import * as whole from "../../mod.ts";
import * as auth from "../../src/auth/mod.ts";
import * as client from "../../src/entries/client.ts";
import * as session from "../../src/entries/session.ts";
import * as errors from "../../src/errors/mod.ts";
import { assert, assertEquals, describe, it } from "#test";

const PARTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  auth,
  client,
  errors,
  session,
};

describe("the entry points", () => {
  for (const [name, part] of Object.entries(PARTS)) {
    it(`${name} gives what the whole package gives under the same names`, () => {
      for (const [key, value] of Object.entries(part)) {
        assert(Reflect.get(whole, key) === value, `${key} is another one`);
      }
    });
  }

  it("make up the whole package together", () => {
    const names = new Set(Object.values(PARTS).flatMap((part) => Object.keys(part)));
    assertEquals([...names].sort(), Object.keys(whole).sort());
  });

  it("keep the generations apart", () => {
    assert(!("APIClient" in session) && !("APISession" in client));
  });
});
