import { assert, assertEquals, assertRejects, describe, it } from "#test";
import {
  APIEndpoint,
  type APIPromise,
  APISession,
  NotFoundError,
  type Path,
  type RequestOptions,
  UnexpectedValueError,
} from "../../mod.ts";
import { describeGenerations } from "../support/generations.ts";
import { type Answer, scripted } from "../support/scripted.ts";

class Users extends APIEndpoint<Directory> {
  protected override readonly _path: string = "users";

  // The request methods of the base class are protected, so that an SDK can use these names.
  get(id: Path): Promise<{ name: string }> {
    return this._get<{ name: string }>(id, { convJson: true });
  }
  list(options?: RequestOptions): Promise<unknown> {
    return this._get("", options);
  }
  async send(method: "post" | "put" | "patch" | "delete" | "head", path: Path): Promise<void> {
    if (method === "post") await this._post(path, { json: 1 });
    if (method === "put") await this._put(path, { json: 1 });
    if (method === "patch") await this._patch(path, { json: 1 });
    if (method === "delete") await this._delete(path);
    if (method === "head") await this._head(path);
  }
}

class Root extends APIEndpoint<Directory> {
  read(path: Path): Promise<Response> {
    return this._get(path);
  }
  readAll(): Promise<Response> {
    return this._get();
  }
}

class Directory extends APISession {
  static override readonly url: string = "https://api.example.com/v1";
  static override readonly basePath: string = "rest";
  readonly users: Users = new Users(this);
  readonly root: Root = new Root(this);
}

function start(...answers: readonly Answer[]) {
  const adapter = scripted(...answers);
  return { adapter, directory: new Directory({ adapter, adapterPath: "https://" }) };
}

describe("an endpoint", () => {
  // contract: endpoint-1, endpoint-6, reading-1
  it("joins the suffix to the prefix and then to the base URL by slashes", async () => {
    const { adapter, directory } = start(Response.json({ name: "Ada" }));
    for (const path of [7, "7", "/7", "//7"]) {
      assertEquals(await directory.users.get(path), { name: "Ada" });
    }
    const urls = adapter.calls.map(({ url }) => url);
    assertEquals(urls, Array(4).fill("https://api.example.com/v1/rest/users/7"));
  });

  // contract: endpoint-1
  it("optional path suffix: requests its prefix if there is none", async () => {
    const { adapter, directory } = start(200);
    await directory.users.list({ params: { page: 2 } });
    assertEquals(adapter.calls[0]!.url, "https://api.example.com/v1/rest/users?page=2");
  });

  // contract: endpoint-6
  it("requests the suffix alone if it has no prefix", async () => {
    const { adapter, directory } = start(200);
    await directory.root.read("status");
    await directory.root.readAll();
    assertEquals(adapter.calls.map(({ url }) => url), [
      "https://api.example.com/v1/rest/status",
      "https://api.example.com/v1/rest/",
    ]);
  });

  // contract: endpoint-2, endpoint-3, endpoint-4, endpoint-5
  it("sends the method of _post, _put, _patch, _delete and _head", async () => {
    const { adapter, directory } = start(200);
    for (const method of ["post", "put", "patch", "delete", "head"] as const) {
      await directory.users.send(method, 7);
    }
    assertEquals(adapter.calls.map(({ init }) => init.method), [
      "POST",
      "PUT",
      "PATCH",
      "DELETE",
      "HEAD",
    ]);
  });

  // contract: req-1
  it("uses a full URI unchanged, such as the link to a next page", async () => {
    const { adapter, directory } = start(Response.json({ name: "Ada" }));
    await directory.users.get("https://api.example.com/v1/rest/users?cursor=x");
    assertEquals(adapter.calls[0]!.url, "https://api.example.com/v1/rest/users?cursor=x");
  });

  it("rejects with the error of the session", async () => {
    const { directory } = start(404);
    await assertRejects(() => directory.users.get(7), NotFoundError);
    await assertRejects(() => directory.users.get({} as never), UnexpectedValueError, "path");
  });

  // contract: reading-1
  it("refuses a path whose dot segments lead above the endpoint's path", async () => {
    const { adapter, directory } = start(200);
    for (const path of ["..", "../admin", "7/../../admin", "7/%2E%2e/../admin"]) {
      await assertRejects(() => directory.users.get(path), UnexpectedValueError, "lead above");
    }
    assertEquals(adapter.calls.length, 0);
  });

  it("refuses a path whose dot segments lead back to the endpoint's path, the whole collection", async () => {
    const { adapter, directory } = start(200);
    for (const path of [".", "./", "7/..", "7/../", "%2e", "7/%2E%2e", "7/../.", "7/..?a=1"]) {
      await assertRejects(
        () => directory.users.send("delete", path),
        UnexpectedValueError,
        "resolve",
      );
    }
    await directory.users.send("delete", "7/../8");
    await directory.users.list({ params: { a: "." } });
    assertEquals(adapter.calls.map(({ url }) => new URL(url).pathname), [
      "/v1/rest/users/8",
      "/v1/rest/users",
    ]);
  });

  // contract: reading-32
  it("refuses an undefined id, because it would address the whole collection", async () => {
    const { adapter, directory } = start(200);
    const id = undefined as never;
    await assertRejects(() => directory.users.get(id), UnexpectedValueError, "path");
    await assertRejects(() => directory.users.send("delete", id), UnexpectedValueError, "path");
    assertEquals(adapter.calls.length, 0);
  });

  // contract: service-3
  it("calls the session's _req, so that an override sees the request", async () => {
    const seen: unknown[] = [];
    class Seen extends Directory {
      protected override _req(method: string, path: Path, options?: RequestOptions) {
        seen.push([method, path]);
        return super._req(method, path, options);
      }
    }
    await new Seen({ adapter: scripted(204) }).users.send("delete", 7);
    assertEquals(seen, [["DELETE", "users/7"]]);
  });

  // contract: service-3, client-8, endpoint-8
  it("has its session as _api, with the session's type", async () => {
    class Own extends Directory {
      readonly region: string = "eu";
      readonly regional: Regional = new Regional(this);
    }
    class Regional extends APIEndpoint<Own> {
      read(): Promise<Response> {
        return this._api.get(`regions/${this._api.region}`);
      }
    }
    const adapter = scripted(200);
    const response = await new Own({ adapter }).regional.read();
    assert(response.ok);
    assertEquals(adapter.calls[0]!.url, "https://api.example.com/v1/rest/regions/eu");
  });
});

describeGenerations("the request methods of an endpoint", ({ Session }) => {
  const url = "https://api.example.com/v1";

  // contract: endpoint-2
  it("include a _post whose path suffix is optional, like that of _get", async () => {
    class Users extends APIEndpoint<APISession> {
      protected override readonly _path: string = "users";
      add(): Promise<Response> {
        return this._post();
      }
    }
    const adapter = scripted(201);
    await new Users(new Session({ url, adapter })).add();
    assertEquals(adapter.calls.map(({ init, url }) => [init.method, url]), [
      ["POST", `${url}/users`],
    ]);
  });

  class Books extends APIEndpoint<APISession> {
    protected override readonly _path: string = "books";
    call(method: (typeof pathless)[number], ...args: readonly unknown[]): Promise<Response> {
      return (this[method] as (...args: readonly unknown[]) => Promise<Response>)(...args);
    }
  }
  const pathless = ["_get", "_post", "_put", "_patch", "_delete", "_head", "_options"] as const;

  // contract: endpoint-1, endpoint-2, endpoint-3, endpoint-4, endpoint-5
  it("accept the options in place of the path", async () => {
    const adapter = scripted(200);
    const books = new Books(new Session({ url, adapter }));
    for (const method of pathless) await books.call(method, { params: { page: 2 } });
    for (const method of ["_post", "_put", "_patch", "_delete"] as const) {
      await books.call(method, { json: { ids: [1, 2] } });
    }
    assertEquals(adapter.calls.map(({ init, url }) => [init.method, url, init.body]), [
      ...["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].map((method) => [
        ...[method, `${url}/books?page=2`],
        undefined,
      ]),
      ...["POST", "PUT", "PATCH", "DELETE"].map((method) => [
        ...[method, `${url}/books`],
        '{"ids":[1,2]}',
      ]),
    ]);
  });

  it("send the request to the path of the endpoint without arguments, too", async () => {
    const adapter = scripted(200);
    const books = new Books(new Session({ url, adapter }));
    for (const method of pathless) await books.call(method);
    assertEquals(adapter.calls.map(({ url }) => url), pathless.map(() => `${url}/books`));
  });

  it("accept any plain object as the options", async () => {
    const adapter = scripted(200);
    const books = new Books(new Session({ url, adapter }));
    await books.call("_get", {});
    await books.call("_get", Object.create(null));
    const { response } = await (books.call("_get", {}) as APIPromise<Response>).withResponse();

    assert(response.ok);
    assertEquals(adapter.calls.map(({ url }) => url), Array(3).fill(`${url}/books`));
  });

  // contract: reading-32
  it("refuse an id that is undefined", async () => {
    const adapter = scripted(200);
    const books = new Books(new Session({ url, adapter }));
    for (const method of pathless) {
      for (const args of [[undefined], [undefined, {}], [undefined, { json: 1 }]]) {
        const error = await assertRejects(() => books.call(method, ...args), UnexpectedValueError);
        assert(error.message.startsWith('"path" must be a string or a finite number, but is '));
      }
    }
    assertEquals(adapter.calls.length, 0);
  });

  // contract: reading-32
  it("refuse a first argument that is neither a path nor options", async () => {
    const adapter = scripted(200);
    const books = new Books(new Session({ url, adapter }));
    const wrong = [[undefined], [null], [undefined, {}], [{}, {}], [{}, undefined], [[]], [[1]]];
    for (const args of [...wrong, [new Map()], [new URL(url)], [() => 1], [NaN], [true]]) {
      for (const method of ["_get", "_delete"] as const) {
        await assertRejects(() => books.call(method, ...args), UnexpectedValueError, "path");
      }
    }
    await assertRejects(() => books.call("_get", { id: 7 }), UnexpectedValueError, '"id" is not');
    await assertRejects(
      () => books.call("_delete", { id: 7 }),
      UnexpectedValueError,
      '"id" is not',
    );
    assertEquals(adapter.calls.length, 0);
  });
});
