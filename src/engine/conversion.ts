import { checkedBoxAttrs } from "../box/box_attrs.ts";
import type { BoxAttrs } from "../box/mod.ts";
import { checkedFlag } from "../checks.ts";
import type { BodyFormat } from "../models/model_class.ts";
import { checkedModel, type ResponseModel } from "./response_model.ts";
import type { RequestOptions } from "./request_options.ts";

/** What becomes of a response with a success status (rule 10). */
export type Conversion =
  /** The response as it came, or its body, parsed from JSON. */
  | { readonly kind: "raw" | "json" }
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

/**
 * What becomes of the response to a request: `responseModel` goes before `box`, and `box` before
 * `convJson`, once for each of the two it is settled whether the keyword or the default holds.
 *
 * @throws {UnexpectedValueError} Where one of them is not what was expected
 */
export function conversionOf(options: RequestOptions, defaults: ConversionDefaults): Conversion {
  const { box = defaults.box, convJson = defaults.convJson, responseModel } = options;
  const otherwise = convJson !== undefined && checkedFlag("convJson", convJson) ? "json" : "raw";
  const isBox = box !== undefined && checkedFlag("box", box);
  if (options.boxAttrs !== undefined) checkedBoxAttrs(options.boxAttrs);
  const model = checkedModel("responseModel", responseModel);
  if (model !== undefined) return { kind: "model", model, format: options.responseFormat };
  if (!isBox) return { kind: otherwise };
  const { boxAttrs = defaults.boxAttrs } = options;
  // A copy: the caller's may change while the box is loaded.
  const attrs = boxAttrs === undefined ? undefined : { ...checkedBoxAttrs(boxAttrs) };
  return { kind: "box", attrs, otherwise };
}
