/** Checks that names that the root shares with other entry points are the same. */
import * as whole from "../../mod.ts";
import * as auth from "../../src/auth/mod.ts";
import * as box from "../../src/box/mod.ts";
import * as errors from "../../src/entries/errors.ts";
import { assert, describe, it } from "#test";

const PARTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  auth,
  box,
  errors,
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
});
