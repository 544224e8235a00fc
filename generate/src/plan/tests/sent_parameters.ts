/** Parameters as a request has them, by the rules of OpenAPI and without the toolkit's functions. */

import type { FormField, Pair, Parameter, Sample } from "../../model/mod.ts";
import { wireOf } from "../../algebra/samples.ts";

/** The parts of a parameter that its style depends on. */
export type StyledParameter = Pick<
  Parameter,
  "wireName" | "place" | "style" | "explode" | "allowReserved" | "shape"
>;

/** Returns a field of a form as a parameter of a query, which has the same styles. */
export function asQuery(field: FormField): StyledParameter {
  return { ...field, wireName: field.name, place: "query" };
}

/** Reports if a request can have a value as a parameter, and a test can compare it. */
export function isSendable(parameter: StyledParameter, sample: Sample): boolean {
  const { style, place, wireName } = parameter;
  // Those that fetch or the cookie jar set.
  const isReserved =
    /^(?:host|cookie|connection|content-length|expect|keep-alive|proxy-connection|trailer|transfer-encoding|date|te|upgrade)$/i;
  if (place === "header" && isReserved.test(wireName)) return false;
  if (style === "json") return true;
  if (typeof sample !== "object" || sample === null) {
    return style !== "deepObject" && isSendableText(parameter, sample);
  }
  const isScalar = (each: Sample) =>
    (typeof each !== "object" && each !== "" || isValue(each)) && isSendableText(parameter, each);
  switch (sample.kind) {
    case "bigint":
    case "date":
      return style !== "deepObject";
    case "list":
      return sample.items.length > 0 && sample.items.every(isScalar) && style !== "deepObject";
    case "object": {
      if (sample.members.length === 0) return false;
      if (style !== "deepObject") {
        const isList = (each: Sample) =>
          style === "form" && parameter.explode && typeof each === "object" &&
          each?.kind === "list" && each.items.length > 0 && each.items.every(isScalar);
        return sample.members.every(([name, each]) =>
          isSendableText(parameter, name) && name !== "" && (isScalar(each) || isList(each))
        );
      }
      return sample.members.every(([, each]) => isDeep(each));
    }
    default:
      return false;
  }
}

/** Reports if an object of a query can have a value: a scalar, a list of them, or an object. */
function isDeep(sample: Sample): boolean {
  if (typeof sample !== "object") return true;
  if (sample === null) return false;
  if (isValue(sample)) return true;
  if (sample.kind === "list") {
    return sample.items.length > 0 &&
      sample.items.every((each) => typeof each !== "object" || isValue(each));
  }
  return sample.kind === "object" && sample.members.length > 0 &&
    sample.members.every(([, each]) => isDeep(each));
}

/** Reports if a sample is a bigint or a date, which a request has as a text. */
function isValue(sample: Sample): boolean {
  return typeof sample === "object" && (sample?.kind === "bigint" || sample?.kind === "date");
}

function isSendableText(
  { place, style, allowReserved }: StyledParameter,
  sample: Sample,
): boolean {
  if (sample === null || typeof sample === "object") {
    return isValue(sample) && !(allowReserved && sample?.kind === "date");
  }
  const text = String(sample);
  if (!text.isWellFormed()) return false;
  if (allowReserved) return /^[\w.~-]+$/.test(text) && !/^\.+$/.test(text);
  if (style === "reserved") {
    return text !== "" && text.split("/").every((part) => !/^(?:\.|%2e){1,2}$/i.test(part));
  }
  switch (place) {
    case "path":
      return !/^\.{0,2}$/.test(text);
    case "cookie":
      return style === "cookie" ? /^[\w.~-]+$/.test(text) : text !== "";
    case "header":
    case "part":
      return /^[!-~](?:[ -~]*[!-~])?$/.test(text);
    default:
      return true;
  }
}

/** Returns the pairs of a parameter of a query, or of a field of a form, decoded. */
export function queryPairs(parameter: StyledParameter, sample: Sample): Pair[] {
  const { wireName: name, style, explode } = parameter;
  if (style === "json") return [[name, JSON.stringify(wireOf(sample))]];
  if (sample === null) return [];
  if (typeof sample !== "object" || isValue(sample)) return [[name, textOf(sample)]];
  if (sample.kind === "list") {
    const texts = sample.items.map(textOf);
    return isExploded(style, explode)
      ? texts.map((text) => [name, text])
      : [[name, texts.join(delimiters[style] ?? ",")]];
  }
  if (sample.kind !== "object") return [];
  if (style === "deepObject") {
    return sample.members.flatMap(([key, value]) => deepPairs(`${name}[${key}]`, value));
  }
  const fields = sample.members.flatMap(([key, value]) =>
    (typeof value === "object" && value?.kind === "list" ? value.items : [value])
      .map((each) => [key, textOf(each)] as const)
  );
  return isExploded(style, explode)
    ? fields
    : [[name, fields.flat().join(delimiters[style] ?? ",")]];
}

const delimiters: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" };

function isExploded(style: string, explode: boolean): boolean {
  return style === "deepObject" || explode;
}

function deepPairs(name: string, sample: Sample): Pair[] {
  if (typeof sample !== "object" || sample === null || isValue(sample)) {
    return [[name, textOf(sample)]];
  }
  if (sample.kind === "list") return sample.items.map((each) => [name, textOf(each)]);
  return sample.kind === "object"
    ? sample.members.flatMap(([key, value]) => deepPairs(`${name}[${key}]`, value))
    : [];
}

/** Returns the text of a path parameter, percent-encoded. */
export function pathText(parameter: StyledParameter, sample: Sample): string {
  const { style, explode, wireName, shape, allowReserved } = parameter;
  if (style === "json") return encodeText(JSON.stringify(wireOf(sample)));
  if (style === "reserved") {
    return textOf(sample).replace(
      /%[\dA-Fa-f]{2}|[^\w.~-]/gu,
      (part) => /^(?:%..|[:/[\]@!$&'()*+,;=])$/.test(part) ? part : encodeText(part),
    );
  }
  // A segment without a style keeps some characters that a style encodes.
  const isPlain = style === "simple" && shape === "text" && !allowReserved;
  const encoded = isPlain ? encodeURIComponent : encodeText;
  const start = { label: ".", matrix: ";" }[style as string] ?? "";
  const isNamed = style === "matrix";
  const name = encoded(wireName);
  const separator = explode && style === "label" ? "." : explode && isNamed ? ";" : ",";
  const isList = typeof sample === "object" && sample?.kind === "list";
  if (isList) {
    const texts = sample.items.map((each) => encoded(textOf(each)));
    if (isNamed && explode) return start + texts.map((text) => `${name}=${text}`).join(separator);
    return start + (isNamed ? `${name}=` : "") + texts.join(separator);
  }
  if (typeof sample === "object" && sample?.kind === "object") {
    const fields = sample.members.map(([key, value]) => [encoded(key), encoded(textOf(value))]);
    if (explode) return start + fields.map((each) => each.join("=")).join(separator);
    return start + (isNamed ? `${name}=` : "") + fields.flat().join(",");
  }
  return start + (isNamed ? `${name}=` : "") + encoded(textOf(sample));
}

/** Returns the value of a header. */
export function headerText({ style, explode }: StyledParameter, sample: Sample): string {
  if (style === "json") {
    return JSON.stringify(wireOf(sample)).replace(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  }
  if (typeof sample !== "object" || sample === null) return textOf(sample);
  if (sample.kind === "list") return sample.items.map(textOf).join(",");
  if (sample.kind !== "object") return textOf(sample);
  const fields = sample.members.map(([key, value]) => [key, textOf(value)]);
  return explode ? fields.map((each) => each.join("=")).join(",") : fields.flat().join(",");
}

/** Returns the cookies of a parameter, joined as in the header. */
export function cookieText(parameter: StyledParameter, sample: Sample): string {
  const { wireName, style, explode } = parameter;
  const encode = style === "cookie" ? (text: string) => text : encodeText;
  if (style === "json") return `${wireName}=${encodeText(JSON.stringify(wireOf(sample)))}`;
  if (typeof sample === "object" && sample?.kind === "list") {
    const texts = sample.items.map((each) => encode(textOf(each)));
    return explode
      ? texts.map((text) => `${wireName}=${text}`).join("; ")
      : `${wireName}=${texts.join(",")}`;
  }
  if (typeof sample === "object" && sample?.kind === "object") {
    const fields = sample.members.map(([key, value]) => [encode(key), encode(textOf(value))]);
    return explode
      ? fields.map((each) => each.join("=")).join("; ")
      : `${wireName}=${fields.flat().join(",")}`;
  }
  return `${wireName}=${encode(textOf(sample))}`;
}

/** Returns the text of a scalar. */
export function textOf(sample: Sample): string {
  const isBigint = typeof sample === "object" && sample?.kind === "bigint";
  return String(isBigint ? sample.value : wireOf(sample));
}

/** Percent-encodes all but the characters that URLs do not reserve (RFC 3986, section 2.3). */
function encodeText(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
