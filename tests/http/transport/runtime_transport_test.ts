import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { UnsupportedOptionError } from "../../../mod.ts";
import { checkRuntime, hasTransports } from "../../../src/http/transport/runtime_transport.ts";
import { loadUndici } from "../../../src/http/transport/undici.ts";

describe("where the program does not decide on proxies and TLS", () => {
  for (const option of ["proxies", "cert", "ca", "sslVerify", "verify"]) {
    // contract: http-18
    it(`${option} is an error that names it, in browsers and in workers`, () => {
      for (const name of ["Browser", "Cloudflare-Workers", "toString"]) {
        const error = assertThrows(() => checkRuntime(option, name), UnsupportedOptionError);
        assertEquals(error.option, option);
        assert(error.message.startsWith(`"${option}" is not supported here: `), error.message);
      }
    });

    it(`${option} is taken where the program decides`, () => {
      for (const name of ["Deno", "Node", "Bun"]) checkRuntime(option, name);
      checkRuntime(option);
    });
  }

  it("a method goes by fetch, since there is no other transport", () => {
    for (const name of ["Browser", "Cloudflare-Workers", "toString"]) {
      assertEquals(hasTransports(name), false);
    }
    for (const name of ["Deno", "Node", "Bun"]) assertEquals(hasTransports(name), true);
  });

  // contract: http-18
  it("the package that Node takes is named where it is not installed, with how to get it", async () => {
    const load = () => loadUndici("proxies", "no-such-package-here");
    const error = await assertRejects(load, UnsupportedOptionError, "npm install undici@8");
    assertEquals(error.option, "proxies");
    assert(error.cause !== undefined);
  });
});
