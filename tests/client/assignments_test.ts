/** Checks assignments to clients that would not change their requests. */
import { assertEquals, assertStringIncludes, assertThrows, describe, it } from "#test";
import { APIClient, type ClientOptions, UnexpectedValueError } from "../../mod.ts";
import { type AuthOption, BearerAuth } from "../../src/auth/mod.ts";

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

describe("an assignment to a client", () => {
  it("of another base URL throws, and names the way to change it", () => {
    const library = new Library();
    for (const name of ["baseUrl", "baseURL"]) {
      const error = assertThrows(
        () => assign(library, name, "https://other.example.com"),
        UnexpectedValueError,
      );
      assertStringIncludes(error.message, `"${name}" must be left as it is`);
      assertStringIncludes(error.message, "withOptions({ baseUrl })");
    }
  });

  it("of another credential throws, and does not show it", () => {
    const library = new Library({ apiKey: "k-123", password: "old-secret" });
    for (const name of ["apiKey", "password"]) {
      const error = assertThrows(() => assign(library, name, "new-secret"), UnexpectedValueError);
      assertStringIncludes(error.message, `withOptions({ ${name} })`);
      assertEquals(error.message.includes("secret"), false);
    }
  });

  it("is possible for the class itself, with the value that was passed or its own", () => {
    class Own extends Library {
      constructor(options: LibraryOptions = {}) {
        super(options);
        assign(this, "apiKey", options.apiKey);
        assign(this, "password", options.password ?? "of the class");
        assign(this, "baseUrl", "https://library.example.com/v1/");
      }
    }
    const own = new Own({ apiKey: "k-123" });
    const { apiKey, password, baseUrl } = own as unknown as Record<string, unknown>;
    assertEquals([apiKey, password, baseUrl], [
      "k-123",
      "of the class",
      "https://library.example.com/v1/",
    ]);
    assertEquals(Object.keys(own).includes("apiKey"), true);
  });

  it("is possible if the class declares the field", () => {
    class Own extends Library {
      apiKey = "own";
      baseUrl: string = "own";
    }
    const own = new Own({ apiKey: "k-123" });
    own.apiKey = "other";
    own.baseUrl = "other";
    assertEquals([own.apiKey, own.baseUrl], ["other", "other"]);
  });

  it("leaves no trace in the keys of a client", () => {
    const keys = Object.keys(new Library({ apiKey: "k-123" }));
    assertEquals(keys.filter((key) => /apiKey|password|baseUrl/i.test(key)), []);
  });
});
