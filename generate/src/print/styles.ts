/** Parameters in the styles of OpenAPI, as calls of the toolkit's functions. */

import type { Parameter, ParameterStyle } from "../model/mod.ts";
import type { Imports } from "./imports.ts";
import { documentOf } from "./conversion_code.ts";
import { call, type Layout, object } from "./layout.ts";
import { quoted } from "./literals.ts";

/** The file of a parameter. */
interface Place {
  readonly toolkit: string;
  readonly imports: Imports;
}

/** The parts of a parameter that its style depends on. */
type StyledParameter = Pick<
  Parameter,
  "style" | "shape" | "place" | "explode" | "allowReserved" | "wireName" | "conversion"
>;

/** Returns the value of a parameter: as it is, or in a style that is not its place's own. */
export function styledValue(
  parameter: StyledParameter,
  value: string,
  { toolkit, imports }: Place,
): Layout {
  const style = styleOf(parameter);
  const options = optionsOf(parameter, style);
  const given = convertedValue(parameter, value, { toolkit, imports });
  if (isPlain(parameter, style, options)) return given;
  const printed = style === "json" ? "asJson" : style;
  imports.value(`${toolkit}/styles`, printed);
  const { wireName } = parameter;
  const args = [...(style === "matrix" ? [quoted(wireName)] : []), given];
  return call(printed, options.length > 0 ? [...args, object(options)] : args);
}

/** Returns the value of a parameter with its dates and bigints as JSON has them. */
export function convertedValue(
  { conversion, place, shape, style }: StyledParameter,
  value: string,
  { toolkit, imports }: Place,
): string {
  if (conversion === undefined) return value;
  const guard = place === "path" ? "" : `${value} && `;
  const converted = `${documentOf(conversion, { toolkit, imports })}.toJsonValue(${value})`;
  if (style === "json") return `${guard}${converted}`;
  const type = shape === "array" ? "string[]" : shape === "object" ? "object" : "string";
  return `${guard}${converted} as ${type}`;
}

/** Returns the style. With `explode`, or without anything to delimit, delimiters are those of a form. */
function styleOf({ style, explode, shape }: StyledParameter): ParameterStyle {
  const isDelimited = style === "spaceDelimited" || style === "pipeDelimited";
  return isDelimited && (explode || isScalar(shape)) ? "form" : style;
}

/** Returns the options that differ from those of the style. */
function optionsOf(
  { explode, shape, place, allowReserved }: StyledParameter,
  style: ParameterStyle,
): string[] {
  const exploded = explodedByDefault[style];
  // Only an object looks another way in the style `simple`.
  const matters = style === "simple" ? shape === "object" : !isScalar(shape);
  const differs = exploded !== undefined && explode !== exploded && matters;
  return [
    ...differs ? [`explode: ${explode}`] : [],
    ...allowReserved && place !== "header" ? ["allowReserved: true"] : [],
  ];
}

/** The styles that can be exploded, and if they are by default. */
const explodedByDefault: Readonly<Partial<Record<ParameterStyle, boolean>>> = {
  ...{ form: true, cookie: true, simple: false, label: false, matrix: false },
};

/** Reports if the place sends a value in its style by itself. */
function isPlain(
  { shape, place, explode }: StyledParameter,
  style: ParameterStyle,
  options: readonly string[],
): boolean {
  if (options.length > 0) return false;
  if (style === "simple") return shape === "text";
  return style === "form" && place === "query" && (isScalar(shape) || shape === "array" && explode);
}

function isScalar(shape: Parameter["shape"]): boolean {
  return shape === "scalar" || shape === "text";
}
