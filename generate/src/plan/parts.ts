/** Adds the parts to a model that only some outputs need. */

import type { Callback, CallSample, Method, ModelPart, SdkModel, Webhook } from "../model/mod.ts";
import { entriesAt, objectAt, textAt } from "../read/fields.ts";
import type { Operation } from "../read/operations.ts";
import type { Node, Source } from "../read/source.ts";
import { pinKey } from "./names/mod.ts";
import { SchemaWriter } from "./schemas/mod.ts";
import { webhookItems } from "./webhooks/mod.ts";

/** The parts that are made of the tests of methods. */
export const partsWithTests: readonly ModelPart[] = ["samples", "tests"];

/** A model without the parts that are added last. */
export type Unfinished = Omit<SdkModel, "callbacks" | "schemas" | "webhooks">;

/** Returns a model with its webhooks and callbacks, and with the parts that outputs need. */
export function withParts(
  source: Source,
  model: Unfinished,
  operations: readonly Operation[],
  parts: ReadonlySet<ModelPart> = new Set(),
): SdkModel {
  const writer = parts.has("schemas") ? new SchemaWriter(source) : undefined;
  const byKey = new Map(operations.map((each) => [pinKey(each), each]));
  const change = ({ tests, ...method }: Method): Method => ({
    ...method,
    ...parts.has("tests") ? { tests } : {},
    ...parts.has("samples") ? { sample: sampleOf(tests) } : {},
    ...writer === undefined ? {} : { schemas: writer.schemasOf(byKey.get(method.operation)!) },
  });
  const isChanged = parts.size > 0;
  const groups = isChanged
    ? model.groups.map((each) => ({ ...each, methods: each.methods.map(change) }))
    : model.groups;
  const called = new Set(
    groups.flatMap(({ methods }) => methods.map(({ operation }) => operation)),
  );
  const callbacks = operations.filter((each) => called.has(pinKey(each)))
    .flatMap((each) => callbacksOf(source, each, writer));
  const webhooks = webhookItems(source)
    .flatMap(([name, item]) => requestsOf(source, name, item, writer));
  return { ...model, groups, webhooks, callbacks, schemas: writer?.definitions() };
}

/** Returns the sample of a call, which is that of its first test without an error. */
function sampleOf(tests: Method["tests"]): CallSample | undefined {
  const test = tests?.find(({ outcome }) => outcome.kind !== "error");
  if (test === undefined) return undefined;
  const { path, body, params, outcome } = test;
  const result = outcome.kind === "json" || outcome.kind === "xml" ? outcome.data : undefined;
  return { path, body, params, result };
}

/** Returns the callbacks of an operation. */
function callbacksOf(
  source: Source,
  operation: Operation,
  writer: SchemaWriter | undefined,
): Callback[] {
  return entriesAt(source, operation.node, "callbacks").flatMap(([name, child]) => {
    const callback = source.resolve(child);
    const urls = callback === undefined ? [] : [...source.children(callback)];
    return urls.filter(([url]) => !url.startsWith("x-")).flatMap(([url, item]) =>
      requestsOf(source, name, item, writer).map((each) => ({
        ...each,
        operation: pinKey(operation),
        url,
      }))
    );
  });
}

/** Returns the requests of a path item that the API sends. */
function requestsOf(
  source: Source,
  name: string,
  child: Node,
  writer: SchemaWriter | undefined,
): Webhook[] {
  const item = source.resolve(child);
  return ["get", "put", "post", "delete", "options", "head", "patch"].flatMap((verb) => {
    const node = objectAt(source, item, verb);
    if (node === undefined) return [];
    const texts = [textAt(node, "summary")?.trim(), textAt(node, "description")?.trim()];
    return [{
      ...{ name, verb: verb.toUpperCase() },
      text: texts.filter((each) => each !== undefined && each !== "").join("\n\n"),
      bodies: writer?.bodiesOf(node),
    }];
  });
}
