/** The errors that the compiler prints for likely mistakes in an SDK. */
import { assertEquals, before, describe, it } from "#test";
import { typeErrors } from "../support/type_errors.ts";

const program = `
import { APIEndpoint, APISession } from "../../mod.ts";

interface Book {
  readonly id: number;
}
class Library extends APISession {
  override readonly _convJson = true;
}
class Books extends APIEndpoint<Library> {
  misspelled(): Promise<Book> {
    return this._get<Book>(1, { retires: 0 });
  }
  wrongType(): Promise<Book> {
    return this._get<Book>(1, { timeout: "3" });
  }
  withFlag(): Promise<Book> {
    return this._get<Book>(1, { convJson: true, retires: 0 });
  }
}
class Pathless extends APIEndpoint<Library> {
  misspelled(): Promise<Book> {
    return this._get<Book>({ retires: 0 });
  }
  forgotten(id: number | undefined): Promise<Book> {
    return this._delete<Book>(id);
  }
  misspelledDelete(): Promise<Book> {
    return this._delete<Book>({ retires: 0 });
  }
  optional(options?: { readonly timeout: number }): Promise<Book> {
    return this._get<Book>(options);
  }
}
class Unnamed extends APIEndpoint {}
void new Unnamed(new Library());
class Plain extends APISession {}
void new Books(new Plain());
`;

/** The lines that TypeScript prints before the reason if a call fits no overload. */
const NO_OVERLOAD = `TS2769: No overload matches this call.
  The last overload gave the following error.
    `;

describe("the compiler's error", () => {
  let errors: readonly (string | undefined)[];
  before(() => {
    errors = typeErrors(program);
  });

  const MISSPELLED = "Object literal may only specify known properties, but 'retires' does not " +
    "exist in type 'RequestOptions'. Did you mean to write 'retries'?";

  it("for a misspelled option names it and the right one", () => {
    assertEquals(errors[0], NO_OVERLOAD + MISSPELLED);
  });

  it("for an option of a wrong type names both types", () => {
    assertEquals(errors[1], `${NO_OVERLOAD}Type 'string' is not assignable to type 'number'.`);
  });

  it("for a misspelled option and a flag is the same", () => {
    assertEquals(errors[2], NO_OVERLOAD + MISSPELLED);
  });

  it("for a misspelled option without a path is the same", () => {
    assertEquals(errors[3], NO_OVERLOAD + MISSPELLED);
  });

  it("for an id that can be undefined names undefined", () => {
    assertEquals(
      errors[4],
      `${NO_OVERLOAD}Argument of type 'number | undefined' is not assignable to parameter of type ` +
        "'RequestOptions'.\n      Type 'undefined' is not assignable to type 'RequestOptions'.",
    );
  });

  it("for a misspelled option of a DELETE without a path is the same", () => {
    assertEquals(errors[5], NO_OVERLOAD + MISSPELLED);
  });

  it("for options that can be undefined in place of a path names undefined", () => {
    assertEquals(
      errors[6],
      `${NO_OVERLOAD}Argument of type '{ readonly timeout: number; } | undefined' is not assignable ` +
        "to parameter of type 'RequestOptions'.\n      Type 'undefined' is not assignable to type " +
        "'RequestOptions'.",
    );
  });

  it("for an endpoint without a type argument in a session with flags names the flag", () => {
    assertEquals(
      errors[7],
      `TS2345: Argument of type 'Library' is not assignable to parameter of type \
'Pick<ClientBase<undefined, undefined, undefined>, keyof AnyClient>'.
  The types of '"~results".convJson' are incompatible between these types.
    Type 'true' is not assignable to type 'false'.`,
    );
  });

  it("for an endpoint in a session with other flags names the flag", () => {
    assertEquals(
      errors[8],
      `TS2345: Argument of type 'Plain' is not assignable to parameter of type 'Library'.
  Types of property '_convJson' are incompatible.
    Type 'boolean | undefined' is not assignable to type 'true'.
      Type 'undefined' is not assignable to type 'true'.`,
    );
  });

  it("is the only one for each mistake", () => {
    assertEquals(errors.length, 9);
  });
});
