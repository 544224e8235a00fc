import type { ValidationIssue } from "../errors/validation_error.ts";
import type { StandardIssue, StandardSchema } from "../standard_schema.ts";
import { issueMessage } from "./issue_message.ts";
import type { Decoded } from "./response_model.ts";

/**
 * Decodes a value by a schema of any library, or each element of an array.
 *
 * @param schema The schema
 * @param isList Whether the value is to be an array of what the schema describes
 * @param value The value
 */
export async function decodeBySchema(
  schema: StandardSchema,
  isList: boolean,
  value: unknown,
): Promise<Decoded> {
  if (!isList) return await decodeOne(schema, value, []);
  if (!Array.isArray(value)) {
    return { issues: [{ path: [], message: `expected an array, got ${kindOf(value)}` }] };
  }
  const issues: ValidationIssue[] = [];
  const values: unknown[] = [];
  for (const [index, each] of value.entries()) {
    const answer = decodeOne(schema, each, [index]);
    // Most schemas answer at once: to await each element of a long list would cost more than it.
    const decoded = "then" in answer ? await answer : answer;
    if (decoded.issues === undefined) values.push(decoded.value);
    // Not spread: there may be more issues than a call can have arguments.
    else for (const issue of decoded.issues) issues.push(issue);
  }
  return issues.length === 0 ? { value: values } : { issues };
}

function decodeOne(
  schema: StandardSchema,
  value: unknown,
  above: readonly number[],
): Decoded | PromiseLike<Decoded> {
  const decoded = (answer: SchemaAnswer): Decoded => {
    if (answer.issues === undefined) return { value: answer.value };
    // Not `map`: paths of arktype are of a class of their own, which makes [0] of an empty one.
    const issues = Array.from(answer.issues, ({ path = [], message }) => {
      const within = Array.from(path, keyOf);
      return { path: [...above, ...within], message: issueMessage(message, value, within) };
    });
    if (issues.length === 0) issues.push({ path: [...above], message: "the schema refuses it" });
    return { issues };
  };
  const checked: SchemaAnswer | PromiseLike<SchemaAnswer> = schema["~standard"].validate(value);
  // Not `instanceof Promise`: that of another realm is one too.
  return "then" in checked ? checked.then(decoded) : decoded(checked);
}

/** Either of the two answers of a schema. */
interface SchemaAnswer {
  readonly value?: unknown;
  readonly issues?: readonly StandardIssue[] | undefined;
}

function keyOf(segment: NonNullable<StandardIssue["path"]>[number]): string | number {
  const key = typeof segment === "object" ? segment.key : segment;
  return typeof key === "number" ? key : String(key);
}

function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
