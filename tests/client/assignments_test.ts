/** Checks assignments to clients that would not change their requests. */
import { assertEquals, assertStringIncludes, assertThrows, describe, it } from "#test";
import { APIClient, type ClientOptions, UnexpectedValueError } from "../../mod.ts";
import { type AuthOption, BearerAuth } from "../../src/auth/mod.ts";
import { recordingLogger, silentLogger } from "../../src/testing/mod.ts";
import { scripted } from "../support/scripted.ts";

interface LibraryOptions extends ClientOptions {
  readonly apiKey?: string;
  readonly password?: string;
}

class Library extends APIClient {
  static override readonly baseUrl: string = "https://library.example.com/v1";
  static override readonly authOption: AuthOption = {
    name: "apiKey",
    scheme: (key) => new BearerAuth(key),
    optional: true,
  };
  static override readonly credentialOptions: readonly string[] = ["password"];

  constructor(options: LibraryOptions = {}) {
    super(options);
  }
}

/** Assigns a value in the way of a program in JavaScript. */
function assign(client: object, name: string, value: unknown): void {
  (client as Record<string, unknown>)[name] = value;
}

/** Returns a client whose constructor has ended. */
async function built(options: LibraryOptions = {}): Promise<Library> {
  const library = new Library(options);
  await library.ready;
  return library;
}

describe("an assignment to a client", () => {
  it("of another base URL throws, and names the way to change it", async () => {
    const library = await built();
    for (const name of ["baseUrl", "baseURL"]) {
      const error = assertThrows(
        () => assign(library, name, "https://other.example.com"),
        UnexpectedValueError,
      );
      assertStringIncludes(error.message, `"${name}" must be left as it is`);
      assertStringIncludes(error.message, "withOptions({ baseUrl })");
    }
  });

  it("of another credential throws, and does not show it", async () => {
    const library = await built({ apiKey: "k-123", password: "old-secret" });
    for (const name of ["apiKey", "password"]) {
      const error = assertThrows(() => assign(library, name, "new-secret"), UnexpectedValueError);
      assertStringIncludes(error.message, `withOptions({ ${name} })`);
      assertEquals(error.message.includes("secret"), false);
    }
  });

  it("of another key throws if the key is that of the environment", async () => {
    class FromEnv extends Library {
      static override readonly authOption: AuthOption = {
        name: "apiKey",
        scheme: (key) => new BearerAuth(key),
        env: "PATH", // a variable that each system has
      };
    }
    const library = new FromEnv();
    await library.ready;
    assertThrows(() => assign(library, "apiKey", "k2"), UnexpectedValueError);
  });

  it("still throws after an assignment of the same value", async () => {
    const library = await built({ apiKey: "k-123" });
    const values = { baseUrl: "https://library.example.com/v1/", apiKey: "k-123" };
    for (const [name, value] of Object.entries(values)) {
      assign(library, name, value);
      assertEquals(Reflect.get(library, name), value);
      assertThrows(() => assign(library, name, "other"), UnexpectedValueError);
      assertEquals(Reflect.get(library, name), value);
    }
  });

  it("right after the construction is a warning, which does not show the value", () => {
    const logger = recordingLogger();
    const library = new Library({ apiKey: "k-123", logger });
    assign(library, "baseUrl", "https://u:new-secret@other.example.com");
    assign(library, "apiKey", "new-secret");
    const messages = logger.records.map(({ message }) => `${message}`);
    assertEquals(messages.length, 2);
    assertStringIncludes(messages[0]!, "withOptions({ baseUrl })");
    assertStringIncludes(messages[1]!, "withOptions({ apiKey })");
    assertEquals(messages.join().includes("secret"), false);
  });

  it("is possible for the class itself, with the value that was passed or its own", () => {
    const logger = recordingLogger();
    class Own extends Library {
      constructor(options: LibraryOptions = {}) {
        super(options);
        assign(this, "apiKey", options.apiKey);
        assign(this, "password", options.password ?? "of the class");
        assign(this, "baseUrl", "https://library.example.com/v1/");
        assign(this, "baseURL", options.baseUrl);
      }
    }
    const own = new Own({ apiKey: "k-123", logger });
    const { apiKey, password, baseUrl, baseURL } = own as unknown as Record<string, unknown>;
    assertEquals([apiKey, password, baseUrl, baseURL], [
      ...["k-123", "of the class", "https://library.example.com/v1/", undefined],
    ]);
    assertEquals(Object.keys(own).includes("apiKey"), true);
    assertEquals(logger.records, []);
  });

  it("in its constructor makes a field of the class, whatever the value is", async () => {
    class Trimmed extends Library {
      constructor(options: LibraryOptions = {}) {
        super(options);
        assign(this, "apiKey", options.apiKey?.trim());
        assign(this, "password", "own default");
      }
    }
    const own = new Trimmed({ apiKey: " k-123 ", password: "p", logger: silentLogger });
    await own.ready;
    assign(own, "apiKey", "next");
    assertEquals(["apiKey", "password"].map((name) => Reflect.get(own, name)), [
      ...["next", "own default"],
    ]);
  });

  it("is not judged if it is to a prototype, a proxy or an object made of a client", async () => {
    class Own extends Library {}
    const fetch = scripted(() => Response.json({}));
    const library = await built({ apiKey: "k-123", fetch });
    const objects = [Own.prototype, Object.create(library) as object, new Proxy(library, {})];
    for (const object of objects) {
      for (const name of ["baseUrl", "baseURL", "apiKey"]) {
        assign(object, name, "https://other.example.com");
        assertEquals(Reflect.get(object, name), "https://other.example.com");
      }
    }
  });

  it("is possible if the class declares the field", async () => {
    class Own extends Library {
      apiKey = "own";
      baseUrl: string = "own";
    }
    const own = new Own({ apiKey: "k-123" });
    await own.ready;
    own.apiKey = "other";
    own.baseUrl = "other";
    assertEquals([own.apiKey, own.baseUrl], ["other", "other"]);
  });

  it("leaves no trace in the keys of a client", () => {
    const keys = Object.keys(new Library({ apiKey: "k-123" }));
    assertEquals(keys.filter((key) => /apiKey|password|baseUrl/i.test(key)), []);
  });
});
