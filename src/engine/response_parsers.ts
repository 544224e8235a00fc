import { checkedBoxAttrs } from "../box/box_attrs.ts";
import type { BoxAttrs } from "../box/mod.ts";
import { checkedFlag } from "../checks.ts";
import { responseLike } from "../http/response.ts";
import { boxParser } from "./box_parser.ts";
import { modelParser } from "./model_parser.ts";
import type { ResponseParser } from "./prepared_request.ts";
import type { RequestOptions } from "./request_options.ts";
import { checkedModel } from "./response_model.ts";
import { parseJson } from "./parse_json.ts";

/** The response as it came. */
const raw: ResponseParser = {
  isRaw: true,
  receive: (incoming) => ({ response: incoming.toResponse(), body: undefined }),
  convert: responseLike,
};

/** What is parsed from JSON; null where the body is empty. */
const json: ResponseParser = {
  receive: async (incoming) => ({ response: incoming.response, body: await incoming.text() }),
  convert: parseJson,
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
 * How the response to a request is read:
 * `responseModel` goes before `box`, and `box` before `convJson`, once for each of the two it is
 * settled whether the keyword or the default holds.
 *
 * @throws {UnexpectedValueError} Where one of them is not what was expected
 */
export function parserFor(
  options: RequestOptions,
  defaults: ConversionDefaults,
): ResponseParser {
  const { box = defaults.box, convJson = defaults.convJson, responseFormat } = options;
  const fallback = convJson !== undefined && checkedFlag("convJson", convJson) ? json : raw;
  const isBox = box !== undefined && checkedFlag("box", box);
  if (options.boxAttrs !== undefined) checkedBoxAttrs(options.boxAttrs);
  const model = checkedModel("responseModel", options.responseModel);
  if (model !== undefined) return modelParser(model, responseFormat);
  if (!isBox) return fallback;
  const { boxAttrs = defaults.boxAttrs } = options;
  // A copy: the caller may change theirs before the response arrives.
  const attrs = boxAttrs === undefined ? undefined : { ...checkedBoxAttrs(boxAttrs) };
  return boxParser(attrs, json, fallback);
}
