/** Streams: server-sent events and lines of JSON, by their media type and their schemas. */

import type { Node, Source } from "../../read/source.ts";
import { itemsAt as listAt } from "../../read/fields.ts";
import type { Media } from "../../read/media.ts";
import { kindOf } from "../pages/mod.ts";
import type {
  MethodStream,
  Parameter,
  RequestBody,
  StreamChoice,
  StreamEvent,
  Type,
} from "../../model/mod.ts";
import { isRecord, type TypePlanner } from "../types/mod.ts";
import { keyword, unionOf, unknownType } from "../../algebra/types.ts";

/** The data of an event by its schema. */
interface EventData {
  /** The types of the event; none if the schema does not say it. */
  readonly names: readonly string[];
  readonly data: Type;
  readonly isText: boolean;
  /** The literal data, such as `[DONE]`. */
  readonly literal: unknown;
}

/** How many events of a stream are told apart. */
const MAX_EVENTS = 500;

/** Plans a stream by its media type; undefined if the toolkit does not read it. */
export function planStream(
  source: Source,
  types: TypePlanner,
  media: Media,
): MethodStream | undefined {
  const { type, schema, itemSchema } = media;
  if (type !== "text/event-stream") return planLines(source, types, media);
  const node = itemSchema ?? itemOf(source, schema);
  if (node === undefined) return { format: "events", item: keyword("string"), isText: true };
  const all = eventsIn(source, types, node)?.filter(({ literal }) => literal !== "[DONE]");
  if (all === undefined || all.length === 0) {
    const item = types.typeOf(node, "response");
    const isText = kindOf(types, item) === "text";
    const conversion = isText ? undefined : types.conversionOf(item);
    return { format: "events", item: isText ? keyword("string") : item, isText, conversion };
  }
  const isText = all.some((each) => each.isText);
  const data = isText ? keyword("string") : unionOf(all.map((each) => each.data));
  if (all.some(({ names }) => names.length === 0)) {
    const conversion = isText ? undefined : types.conversionOf(data);
    return { format: "events", item: data, isText, conversion };
  }
  return { format: "events", item: data, isText, ...typedEvents(types, all, isText) };
}

/** Plans the events that have a type each. One with the name `error` is thrown. */
function typedEvents(
  types: TypePlanner,
  all: readonly EventData[],
  isText: boolean,
): Pick<MethodStream, "events" | "errorEvent"> {
  const byName = new Map<string, Type[]>();
  for (const { names, data } of all) {
    for (const name of names) byName.set(name, [...byName.get(name) ?? [], data]);
  }
  const hasOthers = byName.size > 1;
  const errorEvent = hasOthers && byName.delete("error") ? "error" : undefined;
  const events = [...byName].map(([name, data]): StreamEvent => ({
    name,
    data: isText ? keyword("string") : unionOf(data),
  }));
  // The toolkit takes a model for each event, or for none.
  const converts = !isText && events.some(({ data }) => types.conversionOf(data) !== undefined);
  return {
    errorEvent,
    events: converts
      ? events.map((each) => ({ ...each, conversion: types.explicitConversionOf(each.data) }))
      : events,
  };
}

function planLines(
  source: Source,
  types: TypePlanner,
  { type, sent, schema, itemSchema }: Media,
): MethodStream | undefined {
  // Its records begin with a control character.
  if (type.endsWith("json-seq")) return undefined;
  const node = itemOf(source, itemSchema ?? schema);
  const item = node === undefined ? unknownType : types.typeOf(node, "response");
  return {
    format: "lines",
    item,
    isText: false,
    conversion: types.conversionOf(item),
    accept: sent === "application/x-ndjson" ? undefined : sent,
  };
}

/** Returns the schema of an item: documents before 3.2 say it as an array, or as the item itself. */
function itemOf(source: Source, schema: Node | undefined): Node | undefined {
  const node = schema && source.resolve(schema);
  if (node === undefined || !isRecord(node.value)) return undefined;
  const { type } = node.value;
  const isList = type === "array" || Array.isArray(type) && type.includes("array");
  return isList ? source.child(node, "items") : schema;
}

/** Returns the events that a schema describes; undefined if it describes their data. */
function eventsIn(
  source: Source,
  types: TypePlanner,
  schema: Node,
  outer: readonly Node[] = [],
): EventData[] | undefined {
  const node = source.resolve(schema);
  if (node === undefined || !isRecord(node.value) || outer.length > 10) return undefined;
  const nodes = [node, ...outer];
  const members = ["oneOf", "anyOf"].flatMap((key) => listAt(source, node, key));
  if (members.length > 0) {
    const all: EventData[] = [];
    for (const member of members) {
      const found = eventsIn(source, types, member, nodes);
      if (found === undefined || all.length > MAX_EVENTS) return undefined;
      all.push(...found);
    }
    return all;
  }
  const property = (name: string) => {
    for (const each of nodes) {
      const found = types.propertyNode(each, name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const [event, data] = [property("event"), property("data")];
  const names = literalsOf(event).filter((each) => typeof each === "string");
  if (data === undefined && names.length === 0) return undefined;
  const own = types.propertiesOf(types.typeOf(node, "response")).map(({ name }) => name);
  const isEvent = names.length > 0 ||
    own.every((name) => name === "data" || name === "event" || name === "id" || name === "retry");
  if (!isEvent || own.length === 0 && names.length === 0) return undefined;
  // The schema of a property is without the name that it refers to, which its type has.
  const [type] = nodes.flatMap((each) =>
    types.propertiesOf(types.typeOf(each, "response")).filter(({ name }) => name === "data")
  ).map((each) => each.type);
  return [{ names, ...dataOf(source, types, data, type) }];
}

/** Returns the data of an event: text, unless it is JSON in it, or no string at all. */
function dataOf(
  source: Source,
  types: TypePlanner,
  node: Node | undefined,
  type: Type | undefined,
): Pick<EventData, "data" | "isText" | "literal"> {
  const text = { data: keyword("string"), isText: true, literal: undefined };
  if (node === undefined || !isRecord(node.value)) return text;
  const [literal] = literalsOf(node);
  const content = source.child(node, "contentSchema");
  if (content !== undefined) {
    return { data: types.typeOf(content, "response"), isText: false, literal };
  }
  const media = node.value.contentMediaType;
  if (typeof media === "string" && /[/+]json\b/.test(media)) {
    return { data: unknownType, isText: false, literal };
  }
  const data = type ?? types.typeOf(node, "response");
  return kindOf(types, data) === "text" ? { ...text, literal } : { data, isText: false, literal };
}

function literalsOf(node: Node | undefined): readonly unknown[] {
  if (!isRecord(node?.value)) return [];
  const { const: constant, enum: values } = node.value;
  return constant !== undefined ? [constant] : Array.isArray(values) ? values : [];
}

/** The parameter by which a caller chooses the stream, if the request has nothing that does. */
export function choiceParameter(taken: readonly Parameter[]): Parameter {
  let name = "stream";
  while (taken.some((each) => each.name === name)) name += "_";
  return {
    name,
    wireName: name,
    place: "choice",
    type: { kind: "boolean" },
    shape: "scalar",
    required: false,
    style: "simple",
    explode: false,
    allowReserved: false,
    comment: {
      text: "True to read the response as a stream, while it arrives. It is not sent.",
      tags: [],
    },
  };
}

/** Finds the property `stream` of a request; undefined if it has none. */
export function choiceOf(
  types: TypePlanner,
  body: RequestBody | undefined,
  parameters: readonly Parameter[],
): StreamChoice | undefined {
  const isFlag = (type: Type) => kindOf(types, type) === "boolean";
  const hasFlag = (type: Type): boolean => {
    const found = types.resolve(type);
    return found.kind === "union"
      ? found.members.every(hasFlag)
      : types.propertiesOf(found).some((each) => each.name === "stream" && isFlag(each.type));
  };
  if (body !== undefined && hasFlag(body.type)) return { place: "body", name: "stream" };
  const isParameter = parameters.some(({ name, place, type }) =>
    name === "stream" && place === "query" && isFlag(type)
  );
  return isParameter ? { place: "params", name: "stream" } : undefined;
}
