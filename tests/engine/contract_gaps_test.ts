import { assertEquals, assertRejects, it } from "#test";
import { APIEndpoint, APIError, type APISession, type ErrorFunction } from "../../mod.ts";
import { describeGenerations } from "../support/generations.ts";
import { scripted } from "../support/scripted.ts";

const url = "https://api.example.com/v1";

describeGenerations("the verbs of an endpoint", ({ Session }) => {
  it("_post has an optional path suffix, like _get", async () => {
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
});

describeGenerations("the error function of a class", ({ Session }) => {
  it("is a static as well, and the option wins over it", async () => {
    class Terse extends Session {
      static override readonly errorFunc: ErrorFunction = ({ status }) => `status ${status}`;
    }
    const adapter = scripted(404);
    const error = await assertRejects(() => new Terse({ url, adapter }).get("x"), APIError);
    assertEquals(error.message, "status 404");
    const wordy = new Terse({ url, adapter, errorFunc: () => "nothing is there" });
    await assertRejects(() => wordy.get("x"), APIError, "nothing is there");
  });
});
