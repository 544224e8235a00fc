/** The comments of methods: what the document says, with links to types, the result, and an example. */

import { nameOf } from "../algebra/groups.ts";
import type { Comment, Method, MethodGroup, Type } from "../model/mod.ts";
import { exampleCall } from "./example_call.ts";

/** The columns before each line of a method's comment. */
const MARGIN = "   * ".length;

type Tag = Comment["tags"][number];

/** Returns a group whose methods have the comments that its file shows. */
export function documented(group: MethodGroup): MethodGroup {
  const methods = group.methods.map((method) => ({
    ...method,
    comment: commentOf(group, method),
  }));
  return { ...group, methods };
}

function commentOf(group: MethodGroup, method: Method): Comment {
  const { text, tags } = method.comment;
  return {
    text,
    tags: [
      ...paramTags(method),
      ...returnTags(method),
      ...tags.filter(([tag]) => tag !== "param"),
    ],
    example: exampleCall(nameOf(group, method), method, MARGIN)?.code,
  };
}

/** Returns the tags of arguments, with links to the types of the body and of the object of parameters. */
function paramTags({ comment, signature, params }: Method): Tag[] {
  return signature.arguments.flatMap(({ name, role, type }): Tag[] => {
    const found = comment.tags.find(([tag, text]) =>
      tag === "param" && text.startsWith(`${name} `)
    );
    const link = role === "params"
      ? params?.type
      : role === "body" && type.kind === "reference"
      ? type.name
      : undefined;
    if (link !== undefined) return [["param", found?.[1] ?? name, link]];
    return found === undefined ? [] : [found];
  });
}

/** Returns the tag of the result: how it is read, and a link to its type. */
function returnTags({ pages, stream, result }: Method): Tag[] {
  if (pages !== undefined) {
    const text =
      "The list: await it for the first page, or iterate over it for the items of all pages.";
    return [["returns", text, nameOfType(pages.item)]];
  }
  if (stream !== undefined && stream.choice === undefined) {
    return [["returns", `The stream: iterate over it for its ${stream.format}.`]];
  }
  if (result.kind === "bytes") {
    return [["returns", "The response, whose body is a stream of bytes that nothing has read."]];
  }
  const { kind, type } = result;
  const link = kind === "json" ? nameOfType(type.kind === "array" ? type.items : type) : undefined;
  return link === undefined ? [] : [["returns", type.kind === "array" ? "A list of" : "", link]];
}

function nameOfType(type: Type): string | undefined {
  return type.kind === "reference" ? type.name : undefined;
}
