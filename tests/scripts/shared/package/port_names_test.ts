/** Tests of the function that puts the names of ports back into a built package. */
import { assertEquals, describe, it } from "#test";
import { withPortNames } from "../../../../scripts/shared/package/port_names.ts";

const ports = {
  "#cookies": { browser: "./src/cookies/none.js", default: "./src/cookies/mod.js" },
  "#log": { default: "./src/log/npm.js" },
};

describe("the names of ports", () => {
  it("replace paths that are port names in the source, in imports of both kinds", () => {
    const path = "src/http/http_session.js";
    const source = 'import { log } from "#log";\nconst { CookieJar } = await import("#cookies");\n';
    const code = 'import { log } from "../log/npm.js";\n' +
      'const { CookieJar } = await import("../cookies/mod.js");\n';
    assertEquals(withPortNames({ path, code, source }, ports), source);
  });

  it("replace paths from the same folder and from the root folder", () => {
    const source = 'import "#cookies";';
    const named = (path: string, code: string) => withPortNames({ path, code, source }, ports);
    assertEquals(named("src/cookies/x.js", 'import "./mod.js";'), source);
    assertEquals(named("mod.js", 'import "./src/cookies/mod.js";'), source);
  });

  it("do not replace a path that the source has, too", () => {
    const code = 'export * from "./src/cookies/mod.js";';
    const module = { path: "mod.js", code, source: 'export * from "./src/http/cookies/mod.ts";' };
    assertEquals(withPortNames(module, ports), code);
  });
});
