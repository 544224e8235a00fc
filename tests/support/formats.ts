/** Checks that a model works in JSON and in XML, as the tables of docs/models.md say. */
import { readFileSync } from "node:fs";
import { assertEquals, assertRejects, assertThrows } from "#test";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { type Model, toXml } from "../../src/models/mod.ts";
import { sourceRoot } from "./contract_page.ts";

/** The declaration of the prefix for null. */
export const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

/** A model, whatever its fields are. */
export interface AnyModel {
  of(values: Record<string, unknown>): Model;
  fromJson(json: unknown): Model;
  fromXml(xml: string): Promise<Model>;
}

/** Checks that an instance is read from both formats, and written as both. */
export async function assertFormats(
  Class: AnyModel,
  values: Record<string, unknown>,
  json: string,
  xml: string,
): Promise<void> {
  const instance = Class.of(values);
  assertEquals(instance.toJsonString(), json);
  // The root declares the prefix for null, also if no value is null.
  assertEquals(
    toXml(instance, { declaration: false }).replace(` ${XSI}`, ""),
    xml.replace(` ${XSI}`, ""),
  );
  assertEquals(Class.fromJson(json), instance);
  assertEquals(await Class.fromXml(xml), instance);
}

/** Checks that a declaration works in JSON, and is refused when XML is first read or written. */
export async function assertRefusedInXml(
  Class: AnyModel,
  values: Record<string, unknown>,
  json: string,
): Promise<void> {
  const instance = Class.of(values);
  assertEquals(instance.toJsonString(), json);
  assertEquals(Class.fromJson(json), instance);
  assertThrows(() => toXml(instance), UnexpectedValueError);
  await assertRejects(() => Class.fromXml("<m/>"), UnexpectedValueError);
}

/** Returns the names in the first column of a table of docs/models.md. */
export function namesInTable(header: string): string[] {
  const page = readFileSync(new URL("docs/models.md", sourceRoot()), "utf8");
  const table =
    new RegExp(`^\\| ${header} .*\\n\\|[-| ]+\\n((?:\\|.*\\n)+)`, "m").exec(page)?.[1] ?? "";
  return table.trim().split("\n").flatMap((row) =>
    [...row.split("|")[1]!.matchAll(/`(\w+)/g)].map(([, name]) => name!)
  );
}
