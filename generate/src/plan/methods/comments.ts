/** The comments of methods. */

import { isDeprecated } from "../../read/operations.ts";
import type { Comment, Method, StatusError } from "../../model/mod.ts";
import type { Planned } from "./operations.ts";
import type { Positions } from "./signatures.ts";
import { deprecationText } from "../../read/deprecation.ts";
import { textAt } from "../../read/fields.ts";
import type { MethodShape } from "../../sdk/shape.ts";

/**
 * Returns the comment of a method.
 *
 * @param methodOf Returns the name of another method by its `operationId`, such as `pets.list`
 */
export function commentOf(
  { operation, path, body, failures }: Planned,
  errors: readonly StatusError[],
  ofClient: ReadonlyMap<number, string>,
  methodOf: (operationId: string) => string | undefined,
): Comment {
  const { node, verb, path: place } = operation;
  const summary = textAt(node, "summary")?.trim() ?? "";
  const description = textAt(node, "description")?.trim() ?? "";
  const title = summary === "" && description === ""
    ? `Sends ${verb} ${place}.`
    : sentence(summary);
  const repeats = description === "" || description === summary;
  const text = [title, repeats ? "" : description].filter((each) => each !== "").join("\n\n");
  const docs = node.value as { readonly externalDocs?: { readonly url?: unknown } };
  const url = docs.externalDocs?.url;
  const tags: Comment["tags"] = [
    ...path.flatMap(({ name, comment }) => paramTag(name, comment)),
    ...body === undefined ? [] : paramTag("body", body.comment),
    ...failures.map((each) => throwsTag(each, errors, ofClient)),
    ...typeof url === "string" ? [["see", url] as const] : [],
    ...isDeprecated(node) ? [["deprecated", deprecationText(node.value, methodOf)] as const] : [],
  ];
  return { text, tags };
}

/** Returns the tag of an argument, with the first paragraph of its comment. */
function paramTag(name: string, { text }: Comment): Comment["tags"] {
  const [line = ""] = text.split("\n\n");
  return line === "" ? [] : [["param", `${name} ${line}`]];
}

/** Returns the tag of an error that a response states. */
function throwsTag(
  [status, failure]: Planned["failures"][number],
  errors: readonly StatusError[],
  ofClient: ReadonlyMap<number, string>,
): Comment["tags"][number] {
  const [line = ""] = failure.split("\n\n");
  const className = errors.find((error) => String(error.status) === status)?.className ??
    (/^\d+$/.test(status) ? ofClient.get(Number(status)) : undefined) ?? "APIError";
  const when = status === "DEFAULT" ? "Otherwise" : status;
  return ["throws", `{${className}} ${line === "" ? when : `${when}: ${line}`}`];
}

/** Returns a summary with a full stop. */
export function sentence(text: string): string {
  return text === "" || /[.!?:`]$/.test(text) ? text : `${text}.`;
}

/** Returns the comment of a method: with those parameters only that are arguments of their own. */
export function methodComment(
  { text, tags }: Method["comment"],
  { path }: Pick<Positions, "path">,
  { deprecated, isAlias }: MethodShape,
): Comment {
  const kept = tags.filter(([tag, content]) =>
    tag !== "throws" &&
    (tag !== "param" || path.some(({ name }) => name === content.split(" ")[0]!))
  );
  const reason = deprecated ?? (isAlias ? "It is the earlier name of another method." : undefined);
  const others = kept.filter(([tag]) => tag !== "deprecated");
  return { text, tags: reason === undefined ? kept : [...others, ["deprecated", reason]] };
}
