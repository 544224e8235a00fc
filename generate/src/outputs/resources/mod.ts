/** The SDK as a client with resources, as the SDKs of Stainless have them. */

import type { Output } from "../output.ts";
import { sdkFiles } from "../../print/sdk_files.ts";
import { printPageClasses, printResourceClient } from "./client.ts";
import { printResource } from "./resources.ts";

/** The SDK as a client with resources, as the SDKs of Stainless have them. */
export const resources: Output = {
  name: "resources",
  files(model, { toolkit }) {
    const texts = new Map([["client.ts", printResourceClient(model, toolkit)]]);
    for (const resource of model.endpoints) {
      if (resource.file === "") continue;
      texts.set(`resources/${resource.file}.ts`, printResource(resource, model, toolkit));
    }
    const { pageClasses = [] } = model;
    if (pageClasses.length > 0) texts.set("pagination.ts", printPageClasses(pageClasses, toolkit));
    const exports = printExports(model.client.className, toolkit);
    return sdkFiles(model, texts, { toolkit, exports });
  },
};

/** Returns the exports that callers expect beside those of the output: errors, pages and uploads. */
function printExports(className: string, toolkit: string): string {
  const names = [
    ..."APIConnectionError APIConnectionTimeoutError APIError".split(" "),
    "type APIPromise",
    ..."APIUserAbortError AuthenticationError BadRequestError ConflictError".split(" "),
    ..."InternalServerError NotFoundError PagePromise PermissionDeniedError RateLimitError".split(
      " ",
    ),
    ..."Stream toFile UnprocessableEntityError".split(" "),
    "type Uploadable",
  ];
  const list = names.map((name) => `  ${name},\n`).join("");
  return `export { ${className} as default } from "./client.ts";\n` +
    `export {\n${list}} from "${toolkit}/resources";\n`;
}
