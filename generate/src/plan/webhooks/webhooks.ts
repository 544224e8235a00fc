/** Plans the types of webhooks and callbacks, and the object that reads webhooks. */

import { keyOf, unionOf } from "../../algebra/types.ts";
import type { Declaration, Type, WebhookEvent, WebhookReader } from "../../model/mod.ts";
import { pascalCase, type TypeNames } from "../../names/type_names.ts";
import { freeName } from "../../names/words.ts";
import { entriesAt, objectAt, textAt } from "../../read/fields.ts";
import { mediaOf, preferred } from "../../read/media.ts";
import type { Operation } from "../../read/operations.ts";
import type { Node, Source } from "../../read/source.ts";
import { declared, type SdkParts, typedConversion } from "../methods/mod.ts";
import type { TypePlanner } from "../types/mod.ts";

/** The types of webhooks and callbacks, and the object that reads webhooks. */
export interface PlannedWebhooks {
  /** The types that have a name for them alone. */
  readonly declarations: readonly Declaration[];
  /** The events, also those of an SDK without such an object. */
  readonly events: readonly WebhookEvent[];
  /** undefined without webhooks, or without a scheme by which they are signed. */
  readonly reader: WebhookReader | undefined;
}

/** A request that the API sends, with its JSON. */
interface Payload {
  /** The name in the document. */
  readonly name: string;
  readonly text: string;
  readonly type: Type;
  /** The request body of the document. */
  readonly body: Node;
}

/** The properties that tell events apart, those with usual names first. */
const USUAL = ["type", "event", "event_type", "eventType", "kind", "name", "action"];

/**
 * Plans the types of the requests that the API sends.
 *
 * @param fields The fields of the client, of which the object that reads webhooks has none
 */
export function planWebhooks(
  source: Source,
  operations: readonly Operation[],
  { types, typeNames, client, tests, options }: SdkParts,
  fields: readonly string[],
): PlannedWebhooks {
  const declarations: Declaration[] = [];
  const payloads = webhookItems(source).flatMap(([name, item]) => {
    const found = payloadsOf(source, types, name, item);
    if (found.length === 0) reportEmpty(source, item, "webhook");
    return found;
  });
  const planned = plannedEvents(types, typeNames, payloads, { declarations, tests });
  declareCallbacks(source, operations, { types, typeNames }, declarations);
  if (planned === undefined) return { declarations, events: [], reader: undefined };
  const { events } = planned;
  const eventType = typeNames.take(`${client.className} Webhook Event`);
  const comment = { text: "The body of a webhook that the document lists.", tags: [] };
  const type = unionOf(planned.events.map(({ data }) => data));
  declarations.push({ name: eventType, type, comment });
  const { webhooks: scheme } = options;
  if (scheme === undefined) return { declarations, events, reader: undefined };
  return {
    declarations,
    events,
    reader: {
      ...{ ...planned, scheme, eventType },
      field: ["webhooks", "webhookEvents"].find((each) => !fields.includes(each)) ??
        freeName("webhookEvents", new Set(fields)),
      className: typeNames.take(`${client.className} Webhooks`),
      optionsType: typeNames.take(`${client.className} Webhook Options`),
    },
  };
}

/** Lists the path items of webhooks: those of OpenAPI 3.1, and of the extension for earlier versions. */
export function webhookItems(source: Source): (readonly [name: string, item: Node])[] {
  const own = entriesAt(source, source.root, "webhooks");
  const names = new Set(own.map(([name]) => name));
  // A document can list them twice, for tools that know the extension only.
  const others = entriesAt(source, source.root, "x-webhooks").filter(([name]) => !names.has(name));
  return [...own, ...others];
}

/** Reports a webhook or a callback of which there is no type. */
function reportEmpty(source: Source, node: Node, kind: "callback" | "webhook"): void {
  source.problem(node, "unsupported", `a ${kind} states no JSON that it sends`, "left out");
}

/** Returns the JSON of the requests of a path item. */
function payloadsOf(source: Source, types: TypePlanner, name: string, child: Node): Payload[] {
  const item = source.resolve(child);
  return ["post", "put", "patch", "delete", "get"].flatMap((verb): Payload[] => {
    const node = objectAt(source, item, verb);
    const body = node && source.child(node, "requestBody");
    const resolved = body && source.resolve(body);
    const media = resolved && preferred(mediaOf(source, resolved), ["json"]);
    if (node === undefined || media?.schema === undefined) return [];
    const texts = [textAt(node, "summary")?.trim(), textAt(node, "description")?.trim()];
    const text = texts.filter((each) => each !== undefined && each !== "").join("\n\n");
    return [{ name, text, type: types.typeOf(media.schema, "response"), body: resolved! }];
  });
}

/** Declares the types of the JSON that callbacks send. */
function declareCallbacks(
  source: Source,
  operations: readonly Operation[],
  { types, typeNames }: Pick<SdkParts, "types" | "typeNames">,
  declarations: Declaration[],
): void {
  for (const { node, operationId = "" } of operations) {
    for (const [name, child] of entriesAt(source, node, "callbacks")) {
      const callback = source.resolve(child);
      const items = callback === undefined ? [] : [...source.children(callback)];
      const payloads = items.flatMap(([url, item]) =>
        url.startsWith("x-") ? [] : payloadsOf(source, types, name, item)
      );
      if (payloads.length === 0) reportEmpty(source, child, "callback");
      for (const { type, text } of payloads) {
        const wanted = `${operationId} ${name} Callback`;
        declared(declarations, typeNames, wanted, type, { text, tags: [] });
      }
    }
  }
}

/** Returns the events of webhooks, and the property that tells them apart, if there is one. */
function plannedEvents(
  types: TypePlanner,
  typeNames: TypeNames,
  payloads: readonly Payload[],
  { declarations, tests }: { readonly declarations: Declaration[] } & Pick<SdkParts, "tests">,
): Pick<WebhookReader, "events" | "property"> | undefined {
  if (payloads.length === 0) return undefined;
  const methods = new Set<string>();
  const event = (
    { type, text, body }: Payload,
    name: string,
    values: readonly string[],
  ): WebhookEvent => {
    const wanted = `unwrap${pascalCase(name) || "Event"}`;
    let own = wanted;
    for (let number = 2; methods.has(own); number++) own = `${wanted}${number}`;
    methods.add(own);
    const method = values.length > 0 ? "unwrap" : own;
    const data = declared(declarations, typeNames, `${name} Event`, type, { text, tags: [] });
    const conversion = types.conversionOf(type);
    return {
      ...{ name, method, text, data, values },
      conversion: conversion && typedConversion(conversion, data),
      ...tests === undefined ? {} : { sample: tests.eventOf(type, body) },
    };
  };
  const all = payloads.flatMap((each) =>
    alternativesIn(types, each.type).map((type) => ({ ...each, type }))
  );
  // Several webhooks can send the same event.
  const known = new Set<string>();
  const single = all.filter(({ type }) => {
    const key = keyOf(type);
    const isKnown = known.has(key);
    known.add(key);
    return !isKnown;
  });
  const told = propertyOf(types, single.map(({ type }) => type));
  if (told === undefined) return { events: payloads.map((each) => event(each, each.name, [])) };
  const { property, values } = told;
  // One webhook can have all events, whose names are then the values.
  const isShared = all.length > payloads.length;
  const events = single.map((each, index) =>
    event(each, isShared ? values[index]![0]! : each.name, values[index]!)
  );
  return { events, property };
}

/** Lists the members of unions, also of those inside of them, under their names, and each of them once. */
function alternativesIn(types: TypePlanner, type: Type): Type[] {
  const alternatives: Type[] = [];
  const seen = new Set<Type>();
  // Not recursive, because a document can have thousands of unions inside of each other.
  const waiting = [type];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const found = types.resolve(next);
    if (seen.has(found)) continue;
    seen.add(found);
    if (found.kind !== "union") alternatives.push(next);
    else for (const each of found.members.toReversed()) waiting.push(each);
  }
  return alternatives;
}

/** Returns the property with different constants in all types, and these constants. */
function propertyOf(
  types: TypePlanner,
  alternatives: readonly Type[],
): { readonly property: string; readonly values: readonly (readonly string[])[] } | undefined {
  const all = alternatives.map((each) =>
    new Map(types.propertiesOf(each).map((property) => [property.name, property]))
  );
  const names = [...all[0]?.keys() ?? []];
  const sorted = [...USUAL.filter((name) => names.includes(name)), ...names];
  for (const property of new Set(sorted)) {
    const values: string[][] = [];
    const before = new Set<string>();
    for (const properties of all) {
      const found = properties.get(property);
      const own = found === undefined || found.optional ? [] : constantsOf(types, found.type);
      if (own.length === 0 || own.some((value) => before.has(value))) break;
      for (const value of own) before.add(value);
      values.push(own);
    }
    if (values.length > 0 && values.length === all.length) return { property, values };
  }
  return undefined;
}

/** Returns the texts that a type allows; none if it allows others. */
function constantsOf(types: TypePlanner, type: Type): string[] {
  const found = alternativesIn(types, type).map((each) => types.resolve(each));
  const texts = found.flatMap((each) =>
    each.kind === "literal" && typeof each.value === "string" ? [each.value] : []
  );
  // An open enum allows any text, so that events of later versions come through.
  return found.every(({ kind }) => kind === "literal" || kind === "openString")
    ? [...new Set(texts)]
    : [];
}
