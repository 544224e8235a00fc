// Reads request bodies in JSON or XML, and chooses the format of answers.

import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { ModelError, XmlError } from "../../src/entries/errors.ts";
import { type Model, toXml } from "../../src/models/mod.ts";
import { type Answer, refused, unfit } from "./route.ts";

/** A body as it would be in JSON, or the answer to a request whose body cannot be read. */
export type Sent = { readonly body: unknown } | { readonly refusal: Answer };

/** Reads a request's body by its content type. XML needs a model, if the route has one. */
export async function readBody(
  request: IncomingMessage,
  model: typeof Model | undefined,
): Promise<Sent> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  if (text === "") return { body: undefined };
  const isXml = xmlType.test(request.headers["content-type"] ?? "");
  if (isXml && model === undefined) return { refusal: refused(415, "the body must be JSON") };
  try {
    const json = isXml && model !== undefined ? (await model.fromXml(text)).toJsonString() : text;
    return { body: JSON.parse(json) };
  } catch (error) {
    if (error instanceof ModelError) {
      const problems = error.issues.map(({ where, expected }) => ({ field: where, expected }));
      return { refusal: unfit("the body does not match the model", problems) };
    }
    if (error instanceof XmlError) return { refusal: refused(400, "the body is not XML") };
    return { refusal: refused(400, "the body is not JSON") };
  }
}

/** Returns the answer in XML if it has a model and the Accept header names XML before JSON. */
export function inFormat(answer: Answer, accept = "*/*"): Answer {
  const { body, model, headers } = answer;
  if (model === undefined) return answer;
  const types = accept.split(",").map((type) => type.split(";", 1)[0]!.trim());
  const asked = types.find((type) =>
    xmlType.test(type) || /^(application\/json|\*\/\*)$/.test(type)
  );
  const varied = { ...answer, headers: { ...headers, vary: "accept" } };
  if (!xmlType.test(asked ?? "")) return varied;
  return { ...varied, xml: toXml(model.fromJson(JSON.stringify(body))) };
}

const xmlType = /^(?:application|text)\/xml\b/i;
