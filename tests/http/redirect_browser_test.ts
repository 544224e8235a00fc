import { spawnSync } from "node:child_process";
import { assertEquals, describe, it } from "#test";
import { ROOT } from "../../scripts/shared/source_files.ts";
import { findNode } from "../support/node.ts";

/** Follows a redirect to another origin, and prints the status, the final URL and the secret. */
const program = `
import { APISession } from "./mod.ts";
const adapter = async (url, { headers }) =>
  url.startsWith("https://a.example")
    ? new Response(null, { status: 302, headers: { location: "https://b.example/y" } })
    : Response.json({ secret: headers["x-secret"] ?? null });
const options = { url: "https://a.example", adapter, adapterPath: "https://", retries: 0 };
const session = new APISession(options);
const response = await session.get("x", { headers: { "X-Secret": "s" } });
console.log(response.status, response.url, (await response.json()).secret);
`;

describe("code for browsers on another runtime, as in a test runner with jsdom", () => {
  const node = findNode();
  const ignore = node === undefined ? "Node 22.18 or later is not installed" : undefined;

  it("follows redirects, and keeps credentials from other origins", () => {
    const { stdout, stderr } = spawnSync(
      node!,
      ["--conditions=browser", "--no-warnings", "--input-type=module", "--eval", program],
      { cwd: ROOT, encoding: "utf8" },
    );
    assertEquals([stdout, stderr], ["200 https://b.example/y null\n", ""]);
  }, { ignore });
});
