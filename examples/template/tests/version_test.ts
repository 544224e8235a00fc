import assert from "node:assert/strict";
import { test } from "node:test";
import deno from "../deno.json" with { type: "json" };
import npm from "../package.json" with { type: "json" };
import { Bookshop } from "../src/mod.ts";

test("JSR, npm and the User-Agent have the same version", () => {
  assert.equal(npm.version, deno.version);
  assert.equal(Bookshop.libVersion, deno.version);
});
