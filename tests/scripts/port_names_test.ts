/** The names of ports in a package that was built without them. */
import { assertEquals, describe, it } from "#test";
import { withPortNames } from "../../scripts/port_names.ts";

const ports = {
  "#cookies": { browser: "./src/cookies/none.js", default: "./src/cookies/mod.js" },
  "#log": { default: "./src/log/npm.js" },
};

describe("the names of ports", () => {
  it("are put back where the source has them, in imports of both kinds", () => {
    const path = "src/http/http_session.js";
    const source = 'import { log } from "#log";\nconst { CookieJar } = await import("#cookies");\n';
    const code = 'import { log } from "../log/npm.js";\n' +
      'const { CookieJar } = await import("../cookies/mod.js");\n';
    assertEquals(withPortNames({ path, code, source }, ports), source);
  });

  it("are found from the same folder and from the top", () => {
    const source = 'import "#cookies";';
    const named = (path: string, code: string) => withPortNames({ path, code, source }, ports);
    assertEquals(named("src/cookies/x.js", 'import "./mod.js";'), source);
    assertEquals(named("mod.js", 'import "./src/cookies/mod.js";'), source);
  });

  it("do not come where a module names the file by itself", () => {
    const code = 'export * from "./src/cookies/mod.js";';
    const module = { path: "mod.js", code, source: 'export * from "./src/cookies/mod.ts";' };
    assertEquals(withPortNames(module, ports), code);
  });
});
