/** The package's entry points: their shared names are the same, and the root has no others. */
import * as whole from "../../mod.ts";
import * as auth from "../../src/auth/mod.ts";
import * as box from "../../src/box/mod.ts";
import * as client from "../../src/entries/client.ts";
import * as session from "../../src/entries/session.ts";
import * as errors from "../../src/errors/mod.ts";
import { assert, assertEquals, describe, it } from "#test";

const PARTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  auth,
  box,
  client,
  errors,
  session,
};

describe("the entry points", () => {
  for (const [name, part] of Object.entries(PARTS)) {
    it(`${name} gives what the whole package gives under the same names`, () => {
      for (const [key, value] of Object.entries(part)) {
        const isShared = name !== "errors" || key in whole;
        assert(!isShared || Reflect.get(whole, key) === value, `${key} is another one`);
      }
    });
  }

  it("make up the whole package together", () => {
    const { auth, client, session } = PARTS;
    const parts = new Set([auth, client, session].flatMap((part) => Object.keys(part!)));
    const others = Object.keys(whole).filter((name) => !parts.has(name));

    assertEquals(others.filter((name) => !(name in errors)), []);
    assertEquals([...parts].filter((name) => !(name in whole)), []);
  });

  it("keep the generations apart", () => {
    assert(!("APIClient" in session) && !("APISession" in client));
  });
});
