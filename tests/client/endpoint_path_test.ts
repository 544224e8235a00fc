/** Tests of the path that the constructor of an endpoint takes. */
import { assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APIClient, APIEndpoint, APISession, type Path, path } from "../../mod.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { scripted } from "../support/scripted.ts";

class Issues extends APIEndpoint<APIClient> {
  protected override readonly _path: string = "/issues";

  send(target?: Path): Promise<Response> {
    return target === undefined ? this._get() : this._get(target);
  }
}
class Repository extends APIEndpoint<APIClient> {
  readonly issues: Comments = new Comments(this, "issues/7");

  send(target?: Path): Promise<Response> {
    return target === undefined ? this._get() : this._get(target);
  }
}
class Comments extends APIEndpoint<APIClient, Repository> {
  protected override readonly _path: string = "comments";

  send(target: Path): Promise<Response> {
    return this._get(target);
  }
}

function start() {
  const fetch = scripted(() => new Response("{}"));
  const client = new APIClient({ baseUrl: "https://api.example.com/v1", fetch });
  const sent = () => fetch.calls.map(({ url }) => url.slice("https://api.example.com/v1".length));
  return { client, sent };
}

describe("the path of an endpoint's constructor", () => {
  it("is put before the field of the class and the path of the call", async () => {
    const { client, sent } = start();
    const issues = new Issues(client, path`/repos/${"a/b"}/${7}`);
    await issues.send();
    await issues.send("/3");
    await issues.send("?state=open");
    assertEquals(sent(), [
      "/repos/a%2Fb/7/issues",
      "/repos/a%2Fb/7/issues/3",
      "/repos/a%2Fb/7/issues?state=open",
    ]);
  });

  it("is the whole path if the class has none, and may be a number", async () => {
    const { client, sent } = start();
    await new Repository(client, "/repos/1").send();
    await new Repository(client, 7).send("/x");
    assertEquals(sent(), ["/repos/1", "/7/x"]);
  });

  it("comes after the path of an outer endpoint", async () => {
    const { client, sent } = start();
    await new Repository(client, "/repos/1").issues.send("9");
    assertEquals(sent(), ["/repos/1/issues/7/comments/9"]);
  });

  it("differs between endpoints of one class", async () => {
    const { client, sent } = start();
    const [one, other] = [new Issues(client, "/a"), new Issues(client, "/b")];
    await Promise.all([one.send(), other.send(), new Issues(client).send()]);
    assertEquals(sent(), ["/a/issues", "/b/issues", "/issues"]);
  });

  it("cannot be left through dot segments, and a full URL replaces it", async () => {
    const { client, sent } = start();
    const issues = new Issues(client, "/repos/1");
    for (const target of ["..", "../../x", "%2e%2e/x"]) {
      await assertRejects(() => issues.send(target), UnexpectedValueError);
    }
    await issues.send("https://api.example.com/v1/elsewhere");
    assertEquals(sent(), ["/elsewhere"]);
  });

  it("is joined with one slash in a session", async () => {
    class Things extends APIEndpoint<APISession> {
      protected override readonly _path: string = "/things/";

      send(): Promise<Response> {
        return this._get("1");
      }
    }
    const adapter = scripted(200);
    const session = new APISession({ url: "https://api.example.com", adapter });
    await new Things(session, "/box/").send();
    assertEquals(adapter.calls[0]!.url, "https://api.example.com/box/things/1");
  });

  it("is rejected if it is neither a string nor a finite number", () => {
    const { client } = start();
    for (const wrong of [null, {}, NaN, true]) {
      const error = assertThrows(
        () => new Issues(client, wrong as unknown as Path),
        UnexpectedValueError,
      );
      assertEquals(error.option, "path");
    }
  });
});
