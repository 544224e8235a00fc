/** Checks that shared names of the entry points are the same, and that the root has no others. */
import * as whole from "../../mod.ts";
import * as auth from "../../src/auth/mod.ts";
import * as box from "../../src/box/mod.ts";
import * as client from "../../src/entries/client.ts";
import * as session from "../../src/entries/session.ts";
import * as errors from "../../src/entries/errors.ts";
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
    it(`share their exports with the whole package: ${name}`, () => {
      for (const [key, value] of Object.entries(part)) {
        const isShared = name !== "errors" || key in whole;
        assert(!isShared || Reflect.get(whole, key) === value, `${key} is another one`);
      }
    });
  }

  it("export everything that the whole package exports", () => {
    const { auth, client, session } = PARTS;
    const parts = new Set([auth, client, session].flatMap((part) => Object.keys(part!)));
    const others = Object.keys(whole).filter((name) => !parts.has(name));

    assertEquals(others.filter((name) => !(name in errors)), []);
    assertEquals([...parts].filter((name) => !(name in whole)), []);
  });

  it("export only one of the generations each", () => {
    assert(!("APIClient" in session) && !("APISession" in client));
  });
});
