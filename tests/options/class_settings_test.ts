import { assert, assertEquals, assertStrictEquals, assertThrows, describe, it } from "#test";
import { APIClient, UnexpectedValueError } from "../../mod.ts";
import type { Auth } from "../../src/auth/mod.ts";
import { settingsOfClass } from "../../src/options/class_settings.ts";
import { resolveSettings } from "../../src/options/resolve.ts";
import { secondGeneration } from "../../src/options/generation.ts";
import { describeGenerations } from "../support/generations.ts";
import { scripted } from "../support/scripted.ts";
import { turn } from "../support/until.ts";

const baseUrl = "https://api.example.com";

describe("the settings of a class", () => {
  it("are made once, and shared by its clients", () => {
    class Library extends APIClient {}
    const shared = settingsOfClass(Library, {});
    assertStrictEquals(settingsOfClass(Library, {}), shared);
    const settings = [{}, { retries: 0 }].map((options) =>
      resolveSettings(options, Library, {
        generation: secondGeneration,
        url: baseUrl,
        basePath: "",
      })
    );
    assertEquals(settings.map(({ retries }) => retries), [3, 0]);
    for (const { errorMap, redactFields, trust } of settings) {
      assertStrictEquals(errorMap, shared.settings.errorMap);
      assertStrictEquals(redactFields, shared.settings.redactFields);
      assertStrictEquals(trust, settings[0]!.trust);
    }
  });

  it("are made again if a static has another value", async () => {
    class Library extends APIClient {
      status(): Promise<Response> {
        return this._get("/status");
      }
    }
    const fetch = scripted(204, 204);
    await new Library({ baseUrl, fetch }).status();
    Reflect.set(Library, "product", "Reports");
    await new Library({ baseUrl, fetch }).status();
    const [before, after] = fetch.calls.map(({ init }) => init.headers["user-agent"]);
    assert(!before!.includes("Reports") && after!.includes("Reports"));
  });

  it("are not shared with a class that extends it", () => {
    class Library extends APIClient {}
    class Branch extends Library {}
    assert(settingsOfClass(Branch, {}) !== settingsOfClass(Library, {}));
  });

  it("bad input: a static that is not valid is refused for each client whose options do not replace it", () => {
    class Wrong extends APIClient {
      static override readonly retries: number = -1;
      static override readonly redactFields: readonly string[] = [7 as never];
    }
    for (const retries of [undefined, 2, undefined]) {
      // A list is merged over that of the class, so that it does not replace it.
      const options = { baseUrl, retries, redactFields: ["pin"] };
      const { option } = assertThrows(() => new Wrong(options), UnexpectedValueError);
      assertEquals(option, retries === undefined ? "retries" : "redactFields[0]");
    }
  });
});

describeGenerations("clients of one class", ({ Session }) => {
  it("have headers of their own", () => {
    const [one, other] = [0, 1].map(() => new Session({ url: baseUrl }).httpSession);
    one!.headers.set("user-agent", "mine");
    one!.headers.set("x-tenant", "7");
    assertEquals(other!.headers.names(), ["user-agent"]);
    assert(other!.headers.get("user-agent") !== "mine");
  });

  it("do not take over the base URL of another one", async () => {
    const fetch = scripted(204, 204, 204);
    for (const url of ["https://one.example.com", "https://two.example.com/v2", baseUrl]) {
      await new Session({ url, fetch }).get("a");
    }
    assertEquals(fetch.calls.map(({ url }) => url), [
      "https://one.example.com/a",
      "https://two.example.com/v2/a",
      `${baseUrl}/a`,
    ]);
  });

  it("close their scheme, also if no request was sent", async () => {
    let closed = 0;
    const auth: Auth = {
      authenticate: (_request, send) => send(),
      close: () => void closed++,
    };
    for (const session of [undefined, new Session({ url: baseUrl }).httpSession]) {
      const client = new Session({ url: baseUrl, auth, session });
      await turn();
      await client.close();
    }
    assertEquals(closed, 2);
  });
});
