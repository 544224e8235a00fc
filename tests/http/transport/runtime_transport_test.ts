import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { UnsupportedOptionError } from "../../../src/entries/errors.ts";
import { checkRuntime, hasTransports } from "../../../src/http/transport/runtime_transport.ts";
import { loadUndici } from "../../../src/http/transport/undici.ts";

describe("the runtimes that can change proxies and TLS", () => {
  for (const option of ["proxies", "cert", "ca", "sslVerify", "verify"]) {
    // contract: http-18
    it(`do not include browsers and workers: ${option} causes an error that names it`, () => {
      for (const name of ["Browser", "Cloudflare-Workers", "toString"]) {
        const error = assertThrows(() => checkRuntime(option, name), UnsupportedOptionError);
        assertEquals(error.option, option);
        assert(error.message.startsWith(`"${option}" is not supported here: `), error.message);
      }
    });

    it(`are Deno, Node and Bun: ${option} is accepted`, () => {
      for (const name of ["Deno", "Node", "Bun"]) checkRuntime(option, name);
      checkRuntime(option);
    });
  }

  it("are the only ones with transports other than fetch", () => {
    for (const name of ["Browser", "Cloudflare-Workers", "toString"]) {
      assertEquals(hasTransports(name), false);
    }
    for (const name of ["Deno", "Node", "Bun"]) assertEquals(hasTransports(name), true);
  });

  // contract: http-18
  it("include Node only with undici: the error names the package and how to install it", async () => {
    const load = () => loadUndici("proxies", "no-such-package-here");
    const error = await assertRejects(load, UnsupportedOptionError, "npm install undici@8");
    assertEquals(error.option, "proxies");
    assert(error.cause !== undefined);
  });
});
