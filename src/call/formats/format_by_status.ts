/** The format of `formatByStatus`: JSON, text or bytes by the status and the content type of the response. */
import { mediaTypeOf } from "../../base/media_type.ts";
import type { FormatByStatus } from "../../content/response_format.ts";
import { textWithCharset } from "../../http/incoming_response.ts";
import type { Format } from "../call.ts";
import { parsedFormat } from "./json.ts";
import { modelFormat } from "./model.ts";

/** Returns the format that reads each response as the kind that is stated for its status. */
export function byStatusFormat({ kinds, accept, model }: FormatByStatus<unknown>): Format {
  const json = model === undefined ? parsedFormat : modelFormat(model, "json");
  return {
    ...(accept !== undefined && { headers: { accept } }),
    receive: (incoming) => incoming.readBytes(),
    convert(received, run) {
      const { response, body } = received;
      switch (kinds[response.status] ?? kindOf(response.headers.get("content-type"))) {
        case "json":
          if (body === undefined || body.length === 0) return null;
          return json.convert(received, run);
        case "text":
          return textWithCharset(body!, response);
        case "bytes":
          return typeof body === "string" ? new TextEncoder().encode(body) : body;
      }
    },
  };
}

/** Returns the kind of a body by its content type. Without one, it is JSON, as with `convJson`. */
function kindOf(contentType: string | null): FormatByStatus<unknown>["kinds"][number] {
  const { essence, format } = mediaTypeOf(contentType);
  if (format === "json" || essence === "") return "json";
  return format === "xml" || essence.startsWith("text/") ? "text" : "bytes";
}
