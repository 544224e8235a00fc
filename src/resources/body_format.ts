/** The format of the raw methods: JSON if the server says so, otherwise text. */
import { mediaTypeOf } from "../base/media_type.ts";
import { type ResponseFormat, textFormat } from "../content/response_format.ts";

/** Reads a body by its content type. An empty body is null. */
export const bodyFormat: ResponseFormat<unknown> = {
  accept: "application/json",
  async read(response) {
    const text = await textFormat.read(response);
    if (text === "") return null;
    const { format } = mediaTypeOf(response.headers.get("content-type"));
    return format === "json" ? JSON.parse(text) : text;
  },
};
