/** Bodies of requests, by their media types. */

import type { Node, Source } from "../../read/source.ts";
import { entriesAt, isToken, objectAt, textAt, valueAt } from "../../read/fields.ts";
import { isPlainJson, type Media, mediaOf, preferred } from "../../read/media.ts";
import { framingHeaders } from "../../read/operations.ts";
import {
  alternativesOf,
  isFile,
  type PartHeader,
  partsOf,
  sentConversion,
  shapeOf,
} from "./parameters.ts";
import type { FormField, Property, RequestBody, Type } from "../../model/mod.ts";
import type { TypePlanner } from "../types/mod.ts";
import { keyword, unknownType } from "../../algebra/types.ts";

/** Plans the body of an operation; undefined if it has none. */
export function planBody(
  source: Source,
  types: TypePlanner,
  operation: Node,
  verb: string,
): RequestBody | undefined {
  const child = source.child(operation, "requestBody");
  const node = child && source.resolve(child);
  if (child === undefined || node === undefined) return undefined;
  if (verb === "GET" || verb === "HEAD") {
    source.problem(child, "operation", `fetch sends no body with ${verb}`, "left out");
    return undefined;
  }
  const all = mediaOf(source, node);
  const media = chosenBody(types, all);
  if (media === undefined) {
    if (all.length === 0) {
      source.problem(node, "operation", "a request body must have a media type", "left out");
    }
    return undefined;
  }
  const isRequired = valueAt(node, "required") === true;
  const content = planContent(source, types, media, isRequired);
  return { ...content, comment: { text: textAt(node, "description")?.trim() ?? "", tags: [] } };
}

/** The part of a plan that follows from the media type of a body. */
type BodyContent = Omit<RequestBody, "comment">;

/** Plans a body by its media type. */
function planContent(
  source: Source,
  types: TypePlanner,
  media: Media,
  isRequired: boolean,
): BodyContent {
  switch (media.kind) {
    case "json":
      return jsonBody(types, media, isRequired);
    case "form":
    case "multipart":
      return formBody(source, types, media, isRequired);
    case "xml":
      return xmlBody(types, media, isRequired);
    case "text":
      return {
        kind: "text",
        contentType: media.sent,
        type: keyword("string"),
        required: isRequired,
        fields: [],
      };
    default:
      return {
        kind: "bytes",
        contentType: media.sent,
        type: unknownType,
        required: isRequired,
        fields: [],
      };
  }
}

function jsonBody(types: TypePlanner, media: Media, isRequired: boolean): BodyContent {
  const type = media.schema === undefined
    ? keyword("unknown")
    : types.typeOf(media.schema, "request");
  const required = isRequired && needsValue(types, type);
  return {
    kind: "json",
    contentType: isPlainJson(media) ? undefined : media.sent,
    type,
    conversion: types.conversionOf(type),
    required,
    isSentEmpty: isRequired && !required,
    // An object literal without properties would have its own `toString`.
    hasInherited: types.propertiesOf(type).some(({ name }) => name in {}) || undefined,
    fields: [],
  };
}

function formBody(
  source: Source,
  types: TypePlanner,
  media: Media,
  isRequired: boolean,
): BodyContent {
  const { schema } = media;
  const kind = media.kind === "form" ? "form" : "multipart";
  const direction = kind === "form" ? "request" : "multipart";
  const planned = schema === undefined ? freeForm : types.typeOf(schema, direction);
  const isForm = isObject(types, planned);
  if (!isForm && planned.kind !== "unknown") {
    source.problem(schema!, "schema", "a form must be an object", "taken as any fields");
  }
  const type = isForm ? planned : freeForm;
  const fields = types.propertiesOf(type).map((each) => fieldOf(source, types, media, each));
  // Many documents forget that a form is required, if one of its fields is.
  const required = (isRequired || kind === "multipart") && needsValue(types, type);
  const isUnchecked = kind === "form" && !isSendable(types, type, fields);
  return { kind, type, required, isSentEmpty: isRequired && !required, fields, isUnchecked };
}

/** Plans a body of XML: a model if the schema has one, or else a string. */
function xmlBody(types: TypePlanner, media: Media, isRequired: boolean): BodyContent {
  const { schema } = media;
  const isPlain = media.sent === "application/xml" || media.type.includes("*");
  const contentType = isPlain ? undefined : media.sent;
  const body = { kind: "xml", contentType, required: isRequired, fields: [] } as const;
  const model = schema && types.modelOf(schema);
  if (schema === undefined || model === undefined || model.isList) {
    return { ...body, type: keyword("string") };
  }
  // A plain object is enough for a model.
  const type = types.typeOf(schema, "request");
  return { ...body, type, conversion: types.conversionOf(type), model: model.name };
}

/** The type of a form whose fields are not known. */
const freeForm: Type = { kind: "object", properties: [], additional: keyword("unknown") };

/** Reports if each value of a type is an object. */
function isObject(types: TypePlanner, type: Type): boolean {
  const found = types.resolve(type);
  return found.kind === "object" ||
    found.kind === "union" && found.members.every((each) => isObject(types, each)) ||
    found.kind === "intersection" && found.members.some((each) => isObject(types, each));
}

/** Reports if the toolkit's type of a form accepts all values of a type, apart from its JSON. */
function isSendable(types: TypePlanner, type: Type, fields: readonly FormField[]): boolean {
  const json = new Set(fields.filter(({ style }) => style === "json").map(({ name }) => name));
  return partsOf(types, type).every((found) =>
    found.kind === "object" &&
    (found.additional === undefined || isField(types, found.additional)) &&
    types.propertiesOf(found).every((each) => json.has(each.name) || isField(types, each.type))
  );
}

/** Reports if values of a type can be fields of a form as they are. */
function isField(types: TypePlanner, type: Type, isItem = false): boolean {
  return partsOf(types, type).every((found) =>
    found.kind === "array"
      ? !isItem && isField(types, found.items, true)
      : found.kind === "boolean" || found.kind === "literal" || shapeOf(types, found) === "text"
  );
}

/** Multipart is for files: without any, JSON or a form says the same with less. */
function chosenBody(types: TypePlanner, all: readonly Media[]): Media | undefined {
  const multipart = preferred(all, ["multipart"]);
  if (multipart?.schema !== undefined) {
    const type = types.typeOf(multipart.schema, "multipart");
    if (types.propertiesOf(type).some((each) => isFile(types, each.type))) return multipart;
  }
  return preferred(all, ["json", "form", "multipart", "xml", "text", "bytes", "stream"]);
}

/** Plans a field of a form by its type and by the `encoding` of the media type. */
function fieldOf(
  source: Source,
  types: TypePlanner,
  media: Media,
  { name, type }: Property,
): FormField {
  const encodings = objectAt(source, media.node, "encoding");
  const encoding = encodings && source.child(encodings, name);
  const statedStyle = textAt(encoding, "style");
  const style = fieldStyles.find((each) => each === statedStyle) ?? "form";
  const explode = valueAt(encoding, "explode");
  const allowReserved = valueAt(encoding, "allowReserved");
  const field = { name, shape: shapeOf(types, type) };
  // With any of the three, the content type does not count.
  if ([statedStyle, explode, allowReserved].some((stated) => stated !== undefined)) {
    return {
      ...field,
      style: style === "deepObject" && field.shape !== "object" ? "form" : style,
      explode: typeof explode === "boolean" ? explode : style === "form",
      allowReserved: allowReserved === true,
      conversion: sentConversion(types, type),
    };
  }
  const stated = textAt(encoding, "contentType");
  // A list or a range of types leaves the choice to the file.
  let contentType = stated !== undefined && /^[\w.+-]+\/[\w.+-]+$/.test(stated)
    ? stated
    : undefined;
  const isJson = contentType !== undefined && /[/+]json$/.test(contentType);
  if (field.shape === "object" && contentType !== undefined && !isJson) {
    const message = `an object cannot be sent as ${contentType}`;
    source.problem(encoding!, "unsupported", message, "sent as JSON");
    contentType = undefined;
  }
  // A field of a form cannot repeat an object. A part of a multipart form can.
  const hasObjects = media.kind === "form" &&
    itemShapes(types, type).some((shape) => shape === "object" || shape === "array");
  const isWhole = field.shape === "object" || field.shape === "array" && (isJson || hasObjects);
  return {
    ...field,
    style: isWhole ? "json" : "form",
    explode: true,
    allowReserved: false,
    conversion: isWhole ? types.conversionOf(type) : sentConversion(types, type),
    contentType: media.kind === "multipart" ? contentType : undefined,
  };
}

/** Lists the shapes of the items of arrays. */
function itemShapes(types: TypePlanner, type: Type): FormField["shape"][] {
  return alternativesOf(types, type).flatMap((found) =>
    found.kind === "array" ? [shapeOf(types, found.items)] : []
  );
}

/** Lists the headers of the parts of a multipart body. */
export function partHeadersOf(source: Source, operation: Node, body: RequestBody): PartHeader[] {
  const child = source.child(operation, "requestBody");
  const contents = entriesAt(source, child && source.resolve(child), "content");
  const [, media] = contents.find(([key]) => /^\s*multipart\//i.test(key)) ?? [];
  if (media === undefined || body.kind !== "multipart") return [];
  const encodings = objectAt(source, media, "encoding");
  const headers: PartHeader[] = [];
  for (const { name: part } of body.fields) {
    const encoding = encodings && source.child(encodings, part);
    for (const [name, header] of entriesAt(source, encoding, "headers")) {
      const node = source.resolve(header);
      // OpenAPI says that a definition of the content type has no effect.
      if (node === undefined || /^content-type$/i.test(name)) continue;
      const isSet = /^content-disposition$/i.test(name) || framingHeaders.has(name.toLowerCase());
      if (isSet || !isToken(name)) {
        const message = `a part cannot have a header ${JSON.stringify(name.slice(0, 200))}`;
        source.problem(header, "parameter", message, "left out");
      } else headers.push({ part, name, node });
    }
  }
  return headers;
}

const fieldStyles = ["form", "spaceDelimited", "pipeDelimited", "deepObject"] as const;

/** Reports if a body of a type has to be there: an object without required properties does not. */
function needsValue(types: TypePlanner, type: Type): boolean {
  const found = types.resolve(type);
  switch (found.kind) {
    case "object":
      return types.propertiesOf(found).length === 0
        ? found.additional === undefined
        : types.propertiesOf(found).some(({ optional }) => !optional);
    case "intersection":
      return found.members.some((each) => needsValue(types, each));
    case "union":
      return found.members.every((each) => needsValue(types, each));
    default:
      return true;
  }
}
