/** Chooses the format of a call by its result options. */
import { checkedFlag } from "../../base/checks.ts";
import { checkedBoxAttrs } from "../../box/box_attrs.ts";
import type { BoxAttrs } from "../../box/mod.ts";
import { checkedModel } from "../../content/decode.ts";
import { isStreamFormat } from "../../content/response_format.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import type { RequestOptions } from "../../options/request_options.ts";
import type { Settings } from "../../options/settings.ts";
import type { Format } from "../call.ts";
import { boxFormat } from "./box.ts";
import { parsedFormat } from "./json.ts";
import { byStatusFormat } from "./format_by_status.ts";
import { modelFormat } from "./model.ts";
import { ownFormat } from "./own.ts";
import { rawFormat } from "./raw.ts";
import { streamed } from "./stream.ts";

/** How responses are converted if the request options do not say it. */
export interface ConversionDefaults {
  /** True if JSON is converted to a box. */
  readonly box: boolean | undefined;
  /** The settings of boxes. */
  readonly boxAttrs: BoxAttrs | undefined;
  /** True if the body is parsed as JSON. */
  readonly convJson: boolean | undefined;
}

/**
 * Returns the format of a call: `format` or `responseModel`, or else `box` before `convJson`.
 *
 * @param options The request options
 * @param settings The settings of the call
 * @param defaults How the client converts responses
 * @throws {UnexpectedValueError} If one of these options is not valid
 */
export function formatOf(
  options: RequestOptions,
  { format }: Settings,
  defaults: ConversionDefaults,
): Format {
  const { box = defaults.box, convJson = defaults.convJson } = options;
  if (format !== undefined) {
    const { responseModel } = options;
    if (responseModel !== undefined) {
      throw new UnexpectedValueError(
        "responseModel",
        "left out if format is passed",
        responseModel,
      );
    }
    if (isStreamFormat(format)) return streamed(format);
    if ("read" in format) return ownFormat(format);
    return "kinds" in format
      ? byStatusFormat(format)
      : modelFormat(format.model, format.bodyFormat);
  }
  const fallback = convJson !== undefined && checkedFlag("convJson", convJson)
    ? parsedFormat
    : rawFormat;
  const isBox = box !== undefined && checkedFlag("box", box);
  if (options.boxAttrs !== undefined) checkedBoxAttrs(options.boxAttrs);
  if (options.responseModel !== undefined) {
    const model = checkedModel("responseModel", options.responseModel);
    return modelFormat(model!, undefined);
  }
  if (!isBox) return fallback;
  const { boxAttrs = defaults.boxAttrs } = options;
  // A copy: the caller may change theirs before the response arrives.
  const attrs = boxAttrs === undefined ? undefined : { ...checkedBoxAttrs(boxAttrs) };
  return boxFormat(attrs, fallback);
}
