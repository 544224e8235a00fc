import { checkedBoxAttrs } from "../box/box_attrs.ts";
import type { BoxAttrs } from "../box/mod.ts";
import { checkedFlag } from "../checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { BodyFormat } from "../models/model_class.ts";
import { checkedModel, type ResponseModel } from "./response_model.ts";
import type { RequestOptions } from "./request_options.ts";

/** What becomes of a response with a success status (rule 10). */
export type Conversion =
  | { readonly kind: "raw" }
  /** Its body, parsed from JSON. */
  | { readonly kind: "json" }
  /** What a model makes of its body. */
  | {
    readonly kind: "model";
    readonly model: ResponseModel;
    readonly format: BodyFormat | undefined;
  }
  /** A box of its JSON; where it is something else, its body parsed from JSON, or the response. */
  | {
    readonly kind: "box";
    readonly attrs: BoxAttrs | undefined;
    readonly otherwise: "json" | "raw";
  };

/** What holds where the keywords of a request do not say what becomes of its response. */
export interface ConversionDefaults {
  /** Whether JSON is boxed. */
  readonly box: boolean | undefined;
  /** How a box behaves. */
  readonly boxAttrs: BoxAttrs | undefined;
  /** Whether the body is parsed from JSON. */
  readonly convJson: boolean | undefined;
}

const raw: Conversion = { kind: "raw" };
const json: Conversion = { kind: "json" };

/**
 * What becomes of the response to a request: `responseModel` goes before `box`, and `box` before
 * `convJson`, once for each of the two it is settled whether the keyword or the default holds.
 *
 * @throws {UnexpectedValueError} Where one of them is not what was expected
 */
export function conversionOf(options: RequestOptions, defaults: ConversionDefaults): Conversion {
  const { box = defaults.box, convJson = defaults.convJson, responseModel, boxAttrs } = options;
  const isJson = convJson !== undefined && checkedFlag("convJson", convJson);
  const isBox = box !== undefined && checkedFlag("box", box);
  if (boxAttrs !== undefined) checkedBoxAttrs(boxAttrs);
  if (responseModel !== undefined) {
    const model = checkedModel("responseModel", responseModel);
    return { kind: "model", model, format: checkedFormat(options.responseFormat) };
  }
  if (!isBox) return isJson ? json : raw;
  const { boxAttrs: given = defaults.boxAttrs } = options;
  // A copy: the caller's may change while the box is loaded.
  const attrs = given === undefined ? undefined : { ...checkedBoxAttrs(given) };
  return { kind: "box", attrs, otherwise: isJson ? "json" : "raw" };
}

function checkedFormat(format: unknown): BodyFormat | undefined {
  if (format === undefined || format === "json" || format === "xml") return format;
  throw new UnexpectedValueError("responseFormat", '"json" or "xml"', format);
}
