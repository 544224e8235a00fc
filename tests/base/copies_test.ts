import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { after, assert, assertEquals, before, describe, it } from "#test";
import * as whole from "../../mod.ts";
import * as http from "../../src/http/mod.ts";
import * as middleware from "../../src/middleware/mod.ts";
import { mockTransport } from "../../src/testing/mod.ts";
import type * as testing from "../../src/testing/mod.ts";

/** The entry points of which two copies meet. */
const ours = { ...whole, ...http, ...middleware };

/** Loads the toolkit a second time, like an SDK that brings its own copy. */
async function loadCopy(folder: string): Promise<[typeof ours, typeof testing]> {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  for (const path of ["mod.ts", "package.json", "src"]) {
    await cp(`${root}${path}`, `${folder}/${path}`, { recursive: true });
  }
  const load = (path: string) => import(pathToFileURL(`${folder}/${path}`).href);
  const parts = ["mod.ts", "src/http/mod.ts", "src/middleware/mod.ts"];
  const loaded = await Promise.all(parts.map(load));
  return [Object.assign({}, ...loaded), await load("src/testing/mod.ts")];
}

describe("objects of another copy of the toolkit", () => {
  let folder: string;
  let theirs: typeof ours;
  let theirTesting: typeof testing;

  before(async () => {
    // In the repository, so that the copy finds the packages.
    const build = fileURLToPath(new URL("../../.build/", import.meta.url));
    await mkdir(build, { recursive: true });
    folder = await mkdtemp(`${build}copy-`);
    [theirs, theirTesting] = await loadCopy(folder);
  });
  after(() => rm(folder, { recursive: true }));

  const url = "https://a.example";

  it("are of other classes", () => {
    assert(theirs.APISession !== ours.APISession && theirs.HttpSession !== ours.HttpSession);
  });

  it("can be the HTTP session of a client: its headers, scheme, cookies and fetch", async () => {
    const fetch = mockTransport({
      "GET /x": new Response("ok", { headers: { "set-cookie": "a=1" } }),
    });
    const session = new theirs.HttpSession({ fetch, headers: { "X-A": "1" }, auth: ["ada", "pw"] });
    const api = new ours.APISession({ url, session: session as unknown as http.HttpSession });
    await api.get("x");
    await api.get("x");
    const { headers } = fetch.calls[1]!;
    assertEquals(
      [headers["x-a"], headers["authorization"], headers["cookie"]],
      ["1", `Basic ${btoa("ada:pw")}`, "a=1"],
    );
  });

  it("can be the context of a call, with its keys", async () => {
    const key = new theirs.ContextKey<string>("user");
    const seen: (string | undefined)[] = [];
    const api = new ours.APISession({
      url,
      fetch: mockTransport({ "GET /x": 204 }),
      middleware: [(request, next) => {
        seen.push(request.context.get(key as unknown as middleware.ContextKey<string>));
        return next(request);
      }],
    });
    const context = new theirs.RequestContext().set(key, "ada");
    await api.get("x", { context: context as unknown as middleware.RequestContext });
    assertEquals(seen, ["ada"]);
  });

  it("can be the replies of a mock transport", async () => {
    const replies = theirTesting.replies(202, { id: 1 });
    const api = new ours.APISession({ url, fetch: mockTransport({ "GET /x": replies }) });
    assertEquals((await api.get("x")).status, 202);
    assertEquals(await api.get("x", { convJson: true }), { id: 1 });
  });

  it("can be the endpoint that another endpoint belongs to", async () => {
    const fetch = mockTransport({ "GET /v1/books/7/pages": [1] });
    const api = new theirs.APISession({ url, fetch });
    class Books extends theirs.APIEndpoint {
      protected override readonly _path: string = "v1/books/7";
    }
    class Pages extends ours.APIEndpoint {
      protected override readonly _path: string = "pages";
      list(): Promise<unknown> {
        return this._get<unknown>({ convJson: true });
      }
    }
    const parent = new Books(api as never) as unknown as whole.APIEndpoint;
    assertEquals(await new Pages(parent as never).list(), [1]);
  });
});
