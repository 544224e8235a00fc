/** Forms with files for uploads in clients with resources. */
import { isPlain } from "../base/checks.ts";
import { isDate } from "../base/foreign_objects.ts";
import { nestedIn } from "../base/nesting.ts";
import { multipart, type MultipartOptions } from "../files/multipart.ts";
import { type FileContent, isResponse, toFile } from "./uploads.ts";

/**
 * Writes the object of a method as `multipart/form-data`. The name of an array is followed by brackets,
 * as in `tags[]`, and the fields of an object are in brackets, as in `user[name]`.
 *
 * @param form The object. Files are those that {@linkcode toFile} accepts
 * @param options The content types and headers of parts, by the names of their fields
 * @throws {UnexpectedValueError} If a value is neither a file nor JSON, is in itself, or is nested more
 * than 100 levels deep
 *
 * @example
 * ```ts
 * import { uploadForm } from "@restwright/restwright/resources";
 *
 * const form = await uploadForm({ tags: ["a"], photo: new File(["…"], "a.jpg") });
 * const text = await form.text();
 * console.log([...text.matchAll(/ name="([^"]*)"/g)].map(([, name]) => name)); // ["tags[]","photo"]
 * ```
 *
 * @category Resources
 */
export async function uploadForm(
  form: object | null | undefined,
  options: Pick<MultipartOptions, "parts"> = {},
): Promise<Blob> {
  const fields: (readonly [name: string, value: string | File])[] = [];
  for (const [name, value] of Object.entries(form ?? {})) {
    await addField(fields, name, value, [form]);
  }
  return multipart(fields, options).toBlob();
}

const scalars: ReadonlySet<string> = new Set(["bigint", "boolean", "number", "string"]);

async function addField(
  fields: (readonly [name: string, value: string | File])[],
  name: string,
  value: unknown,
  parents: readonly unknown[],
): Promise<void> {
  if (value === undefined || value === null) return;
  if (scalars.has(typeof value)) fields.push([name, String(value)]);
  else if (isDate(value)) fields.push([name, value.toISOString()]);
  else if (isPlain(value) && !isResponse(value)) {
    const within = nestedIn(value, parents, name);
    for (const [key, each] of Object.entries(value)) {
      await addField(fields, Array.isArray(value) ? `${name}[]` : `${name}[${key}]`, each, within);
    }
  } else fields.push([name, await toFile(value as FileContent)]);
}
