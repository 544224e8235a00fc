import { readFileSync } from "node:fs";
import { assertEquals, describe, it } from "#test";
import * as whole from "../../mod.ts";
import * as oauth from "../../src/auth/oauth/mod.ts";
import { RestwrightError } from "../../src/errors/base_error.ts";
import { baseErrorMap } from "../../src/errors/status_errors.ts";
import * as errors from "../../src/errors/mod.ts";
import * as files from "../../src/files/mod.ts";
import * as middleware from "../../src/middleware/mod.ts";
import * as testing from "../../src/testing/mod.ts";
import { sourceRoot } from "../support/contract_page.ts";

type ErrorClass = { readonly name: string; readonly prototype: RestwrightError };

const page = readFileSync(new URL("docs/errors.md", sourceRoot()), "utf8");

/** Returns the error classes that an entry point exports. */
function errorClasses(entry: object): ErrorClass[] {
  return Object.values(entry).filter((value) =>
    Object.prototype.isPrototypeOf.call(RestwrightError, value)
  );
}

/** Returns the names of the fields that the errors of a class write as JSON. */
function fieldsInJson(prototype: RestwrightError): string[] {
  // The only field whose value is converted.
  const error: RestwrightError = Object.assign(Object.create(prototype), { issues: [] });
  return Object.keys(error.toJSON());
}

describe("the page on errors", () => {
  it("has each status with its class, and shows which of them are retried", () => {
    const rows = [...page.matchAll(/\| (\d{3}) +\| `(\w+)`( \(retried\))? +(?=\|)/g)]
      .map(([, status, name, retried]) => [status, name, retried !== undefined]);

    assertEquals(
      rows.sort(([one], [other]) => Number(one) - Number(other)),
      Object.entries(baseErrorMap).map((
        [status, { name, retryable }],
      ) => [status, name, retryable]),
    );
  });

  it("lists the statuses whose classes the root entry point exports", () => {
    const list = /^The root entry point exports the classes for ([^.]*)\./m.exec(page)?.[1] ?? "";
    const listed = [...list.matchAll(/(\d{3})(?:\s+to\s+(\d{3}))?/g)].flatMap(([, first, last]) => {
      const count = Number(last ?? first) - Number(first) + 1;
      return Array.from({ length: count }, (_, index) => Number(first) + index);
    });

    const exported = Object.entries(baseErrorMap)
      .filter(([, { name }]) => name in whole).map(([status]) => Number(status));
    // 420 is not a standard status, and has the class of 429.
    assertEquals(listed, exported.filter((status) => status !== 420));
  });

  it("has the fields that each class writes as JSON", () => {
    const [table] = /^\| written as JSON[^]*?\|$(?!\n\|)/m.exec(page) ?? [""];
    const rows = [...table.matchAll(/^\| `(\w+)` +\| (.*?) +\|$/gm)]
      .map(([, name, fields]) => [name, fields!.replaceAll("`", "").split(", ")]);

    const written = [errors, oauth, files, middleware, testing].flatMap(errorClasses)
      .map(({ name, prototype }) => ({
        name,
        fields: fieldsInJson(prototype),
        inherited: fieldsInJson(Object.getPrototypeOf(prototype)),
      }))
      .filter(({ fields, inherited }) => fields.length > inherited.length)
      .map(({ name, fields }) => [name, fields.slice(["name", "message"].length)]);
    assertEquals(rows.sort(), written.sort());
  });
});
