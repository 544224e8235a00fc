import process from "node:process";
import { afterEach, assertEquals, assertThrows, describe, it } from "#test";
import { readEnv, UnexpectedValueError } from "../../mod.ts";

const NAME = "RESTWRIGHT_TEST_KEY";

/** Replaces globals while a function runs. */
function withGlobals<T>(globals: Record<string, unknown>, run: () => T): T {
  const names = Object.keys(globals);
  const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  for (const name of names) {
    Object.defineProperty(globalThis, name, { value: globals[name], configurable: true });
  }
  try {
    return run();
  } finally {
    for (const [index, name] of names.entries()) {
      if (before[index] === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, before[index]);
    }
  }
}

describe("readEnv", () => {
  afterEach(() => {
    delete process.env[NAME];
  });

  it("returns the value of an environment variable, without white space at its ends", () => {
    for (const value of ["k-123", " k-123\r\n"]) {
      process.env[NAME] = value;
      assertEquals(readEnv(NAME), "k-123");
    }
  });

  it("returns undefined for a variable that is not set, or empty", () => {
    assertEquals(readEnv(NAME), undefined);
    for (const value of ["", " \t"]) {
      process.env[NAME] = value;
      assertEquals(readEnv(NAME), undefined);
    }
  });

  it("returns undefined in browsers, which have no environment", () => {
    for (const shim of [undefined, {}, { env: {} }]) {
      const read = () => readEnv(NAME);
      assertEquals(withGlobals({ process: shim, Deno: undefined }, read), undefined);
    }
  });

  it("asks Deno for the state of the permission, and reads only what is granted", () => {
    const asked: unknown[] = [];
    for (const state of ["granted", "prompt", "denied"]) {
      const querySync = (permission: unknown) => {
        asked.push(permission);
        return { state };
      };
      const env = {
        get [NAME](): string {
          if (state !== "granted") throw new Error("Deno would prompt");
          return "k-123";
        },
      };
      const globals = { Deno: { permissions: { querySync } }, process: { env } };
      const value = withGlobals(globals, () => readEnv(NAME));
      assertEquals(value, state === "granted" ? "k-123" : undefined);
    }
    assertEquals(asked, Array(3).fill({ name: "env", variable: NAME }));
  });

  it("bad input: anything but the name of a variable is refused", () => {
    for (const name of ["", "A=B", "A\0", undefined, 7]) {
      const error = assertThrows(() => readEnv(name as never), UnexpectedValueError);
      assertEquals(error.option, "name");
    }
  });
});
