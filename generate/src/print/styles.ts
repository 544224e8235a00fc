/** Parameters in the styles of OpenAPI, as calls of the toolkit's functions. */

import type { ParameterPlan } from "../model/mod.ts";
import type { Imports } from "./imports.ts";
import { documentOf } from "./conversions.ts";
import { call, type Layout, object } from "./layout.ts";
import { quoted } from "./literals.ts";

/** The file of a parameter. */
interface Place {
  readonly toolkit: string;
  readonly imports: Imports;
}

/** The parts of a parameter that its style depends on. */
type StyledParameter = Pick<
  ParameterPlan,
  "style" | "shape" | "place" | "explode" | "allowReserved" | "wireName" | "conversion"
>;

/** Returns the value of a parameter: as it is, or in a style that is not its place's own. */
export function styledValue(
  parameter: StyledParameter,
  value: string,
  { toolkit, imports }: Place,
): Layout {
  const { style, shape, place, explode, allowReserved, wireName } = parameter;
  const isScalar = shape === "scalar" || shape === "text";
  const options: string[] = [];
  if (allowReserved && place !== "header") options.push("allowReserved: true");
  switch (style) {
    case "form":
      if (place === "query" && options.length === 0 && (isScalar || shape === "array" && explode)) {
        return value;
      }
      if (!explode && !isScalar) options.unshift("explode: false");
      break;
    case "simple":
      if (shape === "text" && options.length === 0) return value;
      if (explode && shape === "object") options.unshift("explode: true");
      break;
    case "label":
    case "matrix":
      if (explode && !isScalar) options.unshift("explode: true");
      break;
    case "cookie":
      if (!explode && !isScalar) options.unshift("explode: false");
      break;
    case "spaceDelimited":
    case "pipeDelimited":
      // With `explode`, or without anything to delimit, it is a form.
      if (explode || isScalar) {
        return styledValue({ ...parameter, style: "form" }, value, { toolkit, imports });
      }
      break;
  }
  const printed = style === "json" ? "asJson" : style;
  imports.value(`${toolkit}/styles`, printed);
  const { conversion } = parameter;
  const given = conversion === undefined
    ? value
    : `${value} && ${documentOf(conversion, { toolkit, imports })}.toJsonValue(${value})`;
  const args = [...(style === "matrix" ? [quoted(wireName)] : []), given];
  return call(printed, options.length > 0 ? [...args, object(options)] : args);
}
