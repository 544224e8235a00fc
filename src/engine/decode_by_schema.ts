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
  const given: unknown = isList ? value : [value];
  if (!Array.isArray(given)) {
    return { issues: [{ path: [], message: `expected an array, got ${kindOf(given)}` }] };
  }
  const issues: ValidationIssue[] = [];
  const values: unknown[] = [];
  for (const [index, each] of given.entries()) {
    const checked: SchemaAnswer | PromiseLike<SchemaAnswer> = schema["~standard"].validate(each);
    // Most schemas answer at once: to await each element of a long list would cost more than it.
    // Not `instanceof Promise`: that of another realm is one too.
    const answer = "then" in checked ? await checked : checked;
    if (answer.issues === undefined) values.push(answer.value);
    else {
      for (const { path = [], message } of answer.issues.length > 0 ? answer.issues : unsaid) {
        // Not `map`: paths of arktype are of a class of their own, which makes [0] of an empty one.
        const within = Array.from(path, keyOf);
        const whole = isList ? [index, ...within] : within;
        issues.push({ path: whole, message: issueMessage(message, each, within) });
      }
    }
  }
  return issues.length > 0 ? { issues } : { value: isList ? values : values[0] };
}

/** What is told where a schema refuses a value without a reason. */
const unsaid: readonly StandardIssue[] = [{ message: "the schema refuses it" }];

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
