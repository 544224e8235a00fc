import { assert, assertEquals, assertStrictEquals, assertThrows, describe, it } from "#test";
import { APIClient, NotFoundError, UnexpectedValueError } from "../../mod.ts";
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
    class Library extends APIClient {
      static override readonly baseUrl: string = baseUrl;
    }
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

  it("are made again if a static is changed in place", () => {
    class Library extends APIClient {
      static override readonly crossOriginHeaders: string[] = ["x-region"];
      static override readonly restrictedPaths: string[] = [];
      static override readonly redactFields: string[] = ["pin"];
      static override readonly errorMap: Record<number, typeof NotFoundError> = {};
      static override readonly paramsStyle: { arrays?: "comma" } = {};
    }
    const changes: readonly (() => unknown)[] = [
      () => Library.crossOriginHeaders.pop(),
      () => Library.restrictedPaths.push("login"),
      () => Library.redactFields[0] = "token",
      () => Library.errorMap[404] = NotFoundError,
      () => Library.paramsStyle.arrays = "comma",
    ];
    for (const change of changes) {
      const before = settingsOfClass(Library, {});
      change();
      assert(settingsOfClass(Library, {}) !== before, `${change}`);
    }
    const { crossOriginHeaders, settings } = settingsOfClass(Library, {});
    assertEquals(crossOriginHeaders, []);
    assertEquals([settings.restrictedPaths, settings.redactFields], [["login"], ["token"]]);
    assertStrictEquals(settings.errorMap[404], NotFoundError);
    assertEquals(settings.paramsStyle, { arrays: "comma" });
  });

  it("do not contain a base URL that an option sets, because its path may be a secret", () => {
    class Library extends APIClient {
      static override readonly baseUrl: string = baseUrl;
    }
    const trustOf = (url: string) =>
      resolveSettings({}, Library, { generation: secondGeneration, url, basePath: "" }).trust;
    assertStrictEquals(trustOf(baseUrl), trustOf(baseUrl));
    const secret = `${baseUrl}/bot123:secret`;
    assert(trustOf(secret) !== trustOf(secret));
    assertStrictEquals(trustOf(baseUrl), trustOf(baseUrl));
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

  it("trust the origins that the list contains when they are constructed", async () => {
    const origins: string[] = [];
    class Library extends Session {
      static override readonly url: string = baseUrl;
      static override readonly trustedOrigins: readonly string[] = origins;
    }
    const changes: readonly (readonly string[])[] = [
      ["https://one.example.com"],
      ["https://two.example.com"],
      [],
      ["https://one.example.com", "https://two.example.com"],
    ];
    for (const trustedOrigins of [undefined, origins]) {
      for (const list of changes) {
        origins.splice(0, Infinity, ...list);
        const fetch = scripted(204);
        const client = new Library({ auth: ["ada", "countess"], trustedOrigins, fetch });
        await client.get("https://one.example.com/x");
        await client.get("https://two.example.com/x");
        const trusted = fetch.calls.filter(({ init }) => "authorization" in init.headers);
        assertEquals(trusted.map(({ url }) => new URL(url).origin), [...list]);
      }
      origins.splice(0, Infinity, "https://one.example.com/path");
      const { option } = assertThrows(
        () => new Library({ trustedOrigins }),
        UnexpectedValueError,
      );
      assertEquals(option, "trustedOrigins[0]");
    }
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
