/** The SDK as a client with classes of endpoints. */

import type { Output } from "../output.ts";
import { importedNames } from "../../print/imported_names.ts";
import { sdkFiles } from "../../print/sdk_files.ts";
import { printClient } from "./client.ts";
import { printEndpoint } from "./endpoints.ts";
import { printErrors } from "./errors.ts";

/** The SDK as a client with classes of endpoints. */
export const classes: Output = {
  name: "classes",
  reservedNames: importedNames,
  needs: ["examples"],
  files(model, { toolkit }) {
    const texts = new Map([["client.ts", printClient(model, toolkit)]]);
    for (const group of model.groups) {
      texts.set(`endpoints/${group.file}.ts`, printEndpoint(group, model, toolkit));
    }
    if (model.errors.length > 0) texts.set("errors.ts", printErrors(model, toolkit));
    return sdkFiles(model, texts, { toolkit });
  },
};
