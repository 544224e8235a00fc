import { assert, assertEquals, assertRejects, assertStrictEquals, it } from "#test";
import {
  APIEndpoint,
  type APISession,
  type Path,
  path,
  type RequestOptions,
  UnexpectedValueError,
} from "../../mod.ts";
import { isBox } from "../../src/box/mod.ts";
import { BadRequestError, type ErrorFrom, errorsBy } from "../../src/entries/errors.ts";
import { describeGenerations } from "../support/generations.ts";
import { scripted } from "../support/scripted.ts";

interface Comment {
  readonly first_name: string;
}

const url = "https://api.example.com/v1";
const answer = () => Response.json({ first_name: "Ada" });
const byModel: ErrorFrom = errorsBy({
  model: { "~standard": { version: 1, vendor: "tests", validate: (value) => ({ value }) } },
});

class Comments extends APIEndpoint<APISession, Post> {
  protected override readonly _path: string = "comments";

  list(options: RequestOptions = {}): Promise<unknown> {
    return this._get(options);
  }
  get(id: Path): Promise<Comment> {
    return this._get<Comment>(id);
  }
  remove(id: Path): Promise<unknown> {
    return this._delete(id);
  }
  get owner(): APISession {
    return this._api;
  }
}

class Post extends APIEndpoint<APISession> {
  protected override readonly _path: string;
  override readonly _convJson = true;
  protected override readonly _errorFrom: ErrorFrom = byModel;
  readonly comments: Comments = new Comments(this);
  readonly seen: unknown[] = [];

  constructor(api: APISession, id: number) {
    super(api);
    this._path = path`/posts/${id}`;
  }
  protected override _req(method: string, path: Path, options?: RequestOptions) {
    this.seen.push([method, path]);
    return super._req(method, path, options);
  }
}

describeGenerations("an endpoint in another endpoint", ({ Session }) => {
  function start(status?: number) {
    const adapter = scripted(status ?? answer);
    const session = new Session({ url, adapter });
    const urls = () => adapter.calls.map((call) => call.url);
    return { adapter, session, urls, post: new Post(session, 7) };
  }

  it("requests its path below the path of the other one", async () => {
    const { urls, post } = start();
    await post.comments.list();
    await post.comments.list({ params: { page: 2 } });
    await post.comments.get(5);
    await post.comments.get("5/likes");
    assertEquals(urls(), [
      `${url}/posts/7/comments`,
      `${url}/posts/7/comments?page=2`,
      `${url}/posts/7/comments/5`,
      `${url}/posts/7/comments/5/likes`,
    ]);
  });

  it("can be in an endpoint that is in another one, with any of the paths empty", async () => {
    class Likes extends APIEndpoint<APISession, Comments> {
      protected override readonly _path: string;
      constructor(parent: Comments, path: string) {
        super(parent);
        this._path = path;
      }
      list(): Promise<unknown> {
        return this._get();
      }
    }
    class Group extends APIEndpoint<APISession> {
      readonly members: Members = new Members(this);
    }
    class Members extends APIEndpoint<APISession, Group> {
      protected override readonly _path: string = "members";
      list(): Promise<unknown> {
        return this._get();
      }
    }
    const { urls, post, session } = start();
    await new Likes(post.comments, "likes").list();
    await new Likes(post.comments, "").list();
    await new Group(session).members.list();
    assertEquals(urls(), [
      `${url}/posts/7/comments/likes`,
      `${url}/posts/7/comments`,
      `${url}/members`,
    ]);
  });

  it("uses a full URI unchanged", async () => {
    const { urls, post } = start();
    await post.comments.get(`${url}/next?cursor=x`);
    assertEquals(urls(), [`${url}/next?cursor=x`]);
  });

  it("refuses paths that lead to its own path, above it, or are undefined", async () => {
    const { urls, post } = start();
    for (const id of [".", "..", "../likes", "5/..", "../../8", undefined as never]) {
      await assertRejects(() => post.comments.remove(id), UnexpectedValueError, "path");
    }
    assertEquals(urls(), []);
  });

  it("sends its requests through the other one, whose override handles them", async () => {
    const { post } = start();
    await post.comments.get(5);
    assertEquals(post.seen, [["GET", "comments/5"]]);
  });

  it("has the session of the other one as _api", () => {
    const { post, session } = start();
    assertStrictEquals(post.comments.owner, session);
  });

  it("has the settings of the other one, unless it or the call has its own", async () => {
    class Boxed extends APIEndpoint<APISession, Post> {
      override readonly _box = true;
      override readonly _boxAttrs = { camelCase: true } as const;
      async name(): Promise<string> {
        const box = await this._get<Comment>();
        assert(isBox(box));
        return box.firstName;
      }
    }
    const { post } = start();
    assertEquals(await post.comments.get(5), { first_name: "Ada" });
    assert(isBox(await post.comments.list({ box: true })));
    assert(await post.comments.list({ convJson: false }) instanceof Response);
    assertEquals(await new Boxed(post).name(), "Ada");
  });

  it("decodes errors by the model of the other one", async () => {
    const adapter = scripted(() => Response.json({ code: 3 }, { status: 400 }));
    const post = new Post(new Session({ url, adapter }), 7);
    const error = await assertRejects(() => post.comments.get(5), BadRequestError);
    assertEquals(error.data, { code: 3 });
  });
});
