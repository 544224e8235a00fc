import { responseLike } from "../http/response.ts";
import { onDemand, withPart } from "../on_demand.ts";
import type { Conversion } from "./conversion.ts";
import type { Reading } from "./prepared_request.ts";
import { parseJson } from "./undecoded.ts";

const boxes = onDemand(() => import("./box_reading.ts"));
const models = onDemand(() => import("./model_reading.ts"));

/** The response as it came. */
const raw: Reading = {
  isRaw: true,
  receive: (arrival) => ({ response: arrival.handOver(), body: undefined }),
  convert: responseLike,
};

/** What is parsed from JSON; null where the body is empty. */
const json: Reading = {
  receive: async (arrival) => ({ response: arrival.response, body: await arrival.text() }),
  convert: parseJson,
};

/** How a conversion reads; a promise of it where it has to be loaded first. */
export function readingOf(conversion: Conversion): Reading | Promise<Reading> {
  if (conversion.kind === "box") {
    return withPart(boxes(), ({ boxReading }) => boxReading(conversion, json));
  }
  if (conversion.kind === "model") {
    return withPart(models(), ({ modelReading }) => modelReading(conversion));
  }
  return conversion.kind === "json" ? json : raw;
}
