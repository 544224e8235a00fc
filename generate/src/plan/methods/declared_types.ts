/** The types of methods that get a name of their own, because they are too long for a signature. */

import type {
  Comment,
  Conversion,
  Declaration,
  MethodResult,
  MethodStream,
  Pages,
  Parameter,
  ParamsObject,
  RequestBody,
  StreamEvent,
  Type,
} from "../../model/mod.ts";
import { pascalCase, type TypeNames } from "../../names/type_names.ts";

const noText: Comment = { text: "", tags: [] };

/** Returns the type of a page in which the items have the type that was declared for them. */
export function withItems(body: Type, { items, item }: Pages): Type {
  const [step, ...rest] = items;
  if (step === undefined) return body.kind === "array" ? { ...body, items: item } : body;
  if (body.kind !== "object" || rest.length > 0) return body;
  return {
    ...body,
    properties: body.properties.map((each) =>
      each.name === step.name && each.type.kind === "array"
        ? { ...each, type: { ...each.type, items: item } }
        : each
    ),
  };
}

/** Returns a stream whose types are short enough for a signature. */
export function declareStream(
  stream: MethodStream,
  declare: (suffix: string, type: Type) => Type,
): MethodStream {
  const typed = ({ conversion }: StreamEvent | MethodStream, type: Type) =>
    conversion && typedConversion(conversion, type);
  if (stream.events === undefined || stream.events.length === 0) {
    const item = declare(stream.format === "lines" ? "Line" : "Event", stream.item);
    return { ...stream, item, conversion: typed(stream, item) };
  }
  const events = stream.events.map((each) => {
    const data = declare(`${pascalCase(each.name)} Event`, each.data);
    return { ...each, data, conversion: typed(each, data) };
  });
  if (stream.isText) return { ...stream, events };
  const properties = events.map(({ name, data }) => ({
    name,
    type: data,
    optional: false,
    readonly: true,
    comment: noText,
  }));
  const map = declare("Events", { kind: "object", properties });
  return { ...stream, events, eventsType: map.kind === "reference" ? map.name : undefined };
}

/** Returns a type that is short enough for a signature: objects and long unions get a name. */
export function declared(
  declarations: Declaration[],
  names: TypeNames,
  wanted: string,
  type: Type,
  comment: Comment,
): Type {
  switch (type.kind) {
    case "array": {
      const items = declared(declarations, names, `${wanted} Item`, type.items, comment);
      return items === type.items ? type : { ...type, items };
    }
    case "object":
      if (type.properties.length === 0) return type;
      break;
    case "union":
      // A union of two names, or with null, reads well as it is.
      if (type.members.length <= 2 && type.members.every(isShort)) return type;
      if (type.members.length === 2 && type.members[1]!.kind === "null") {
        const [value, empty] = type.members as [Type, Type];
        return { ...type, members: [declared(declarations, names, wanted, value, comment), empty] };
      }
      break;
    case "intersection":
    case "tuple":
      break;
    default:
      return type;
  }
  const name = names.take(wanted);
  declarations.push({ name, type, comment });
  return { kind: "reference", name };
}

/** Returns a parameter, body or result with the type that was declared for it. */
export function withType<T extends Parameter | RequestBody | MethodResult>(plan: T, type: Type): T {
  const { conversion } = plan;
  return { ...plan, type, conversion: conversion && typedConversion(conversion, type) };
}

/** Returns a conversion whose objects state the types that have a name. */
export function typedConversion(conversion: Conversion, type: Type): Conversion {
  switch (conversion.kind) {
    case "object":
      return { ...conversion, type: conversion.type ?? type };
    case "list":
      return type.kind === "array"
        ? { ...conversion, of: typedConversion(conversion.of, type.items) }
        : conversion;
    case "nullable": {
      const others = type.kind === "union"
        ? type.members.filter(({ kind }) => kind !== "null")
        : [];
      return others.length === 1
        ? { ...conversion, of: typedConversion(conversion.of, others[0]!) }
        : conversion;
    }
    default:
      return conversion;
  }
}

function isShort(type: Type): boolean {
  return type.kind === "array" ? isShort(type.items) : !("members" in type) &&
    !("properties" in type) && type.kind !== "tuple";
}

/** Declares the type of the object with all parameters except those of the path, if there are any. */
export function declareParams(
  declarations: Declaration[],
  names: TypeNames,
  prefix: string,
  parameters: readonly Parameter[],
): ParamsObject | undefined {
  if (parameters.length === 0) return undefined;
  const type = names.take(`${prefix} Params`);
  const properties = parameters.map(({ name, type, required, comment }) => ({
    name,
    type,
    optional: !required,
    comment,
  }));
  declarations.push({ name: type, type: { kind: "object", properties }, comment: noText });
  const fields = parameters.map((parameter) => ({ property: parameter.name, parameter }));
  return { type, isRequired: parameters.some(({ required }) => required), fields };
}
