/** The SDK as a client with resources, as the SDKs of Stainless have them. */

import type { Output } from "../output.ts";
import { importedNames } from "../../print/imported_names.ts";
import { FIRST_LINE } from "../../base/first_line.ts";
import { ownFiles, sdkFiles } from "../../print/sdk_files.ts";
import { printModules } from "./modules.ts";
import { printPageClasses, printResourceClient } from "./client.ts";
import { printResource } from "./resources.ts";

/** The names that only files of resources import. */
const resourceNames: readonly string[] =
  ("APIConnectionError APIConnectionTimeoutError APIPromise APIResource APIStatusError " +
    "APIUserAbortError AbstractPage baseErrorClass AuthenticationError ConflictError InternalServerError " +
    "PageSettings ParamsStyle PermissionDeniedError RateLimitError RequestOptions " +
    "ResourceBadRequestError ResourceClient ResourceClientOptions ResourceError " +
    "ResourceNotFoundError ResourcePagePromise ResourcePromise ResourceRequestOptions Stream " +
    "UnprocessableEntityError Uploadable").split(" ");

/** The SDK as a client with resources, as the SDKs of Stainless have them. */
export const resources: Output = {
  name: "resources",
  reservedNames: [...importedNames, ...resourceNames],
  needs: ["examples"],
  files(model, { toolkit }) {
    const texts = new Map([["client.ts", printResourceClient(model, toolkit)]]);
    for (const group of model.groups) {
      if (group.place !== "class") continue;
      texts.set(`resources/${group.file}.ts`, printResource(group, model, toolkit));
    }
    const { pageClasses } = model;
    const { baseError } = model.client.settings;
    if (baseError !== undefined) texts.set("errors.ts", printBaseError(baseError, toolkit));
    if (pageClasses.length > 0) texts.set("pagination.ts", printPageClasses(pageClasses, toolkit));
    const exports = printExports(model.client.className, toolkit);
    const files = sdkFiles(model, texts, { toolkit, exports });
    // Programs import all of these from `mod.ts`, which does not export them again.
    const modules = ownFiles(printModules(model, files.keys()), FIRST_LINE);
    return new Map([...files, ...modules]);
  },
};

/**
 * The exports that callers expect beside those of the output: errors, promises, pages and uploads. Some
 * have another name in the toolkit, which has classes and types of these names for other clients.
 */
const names: readonly string[] = [
  ..."APIConnectionError APIConnectionTimeoutError APIStatusError".split(" "),
  ..."APIUserAbortError AuthenticationError ConflictError".split(" "),
  ..."InternalServerError PermissionDeniedError RateLimitError".split(" "),
  "ResourceBadRequestError as BadRequestError",
  "ResourceError as APIError",
  "ResourceNotFoundError as NotFoundError",
  "ResourcePagePromise as PagePromise",
  "ResourcePromise as APIPromise",
  "Stream",
  "toFile",
  "UnprocessableEntityError",
  "type Uploadable",
];

/** Returns the text of `errors.ts`: the base class of errors. */
function printBaseError(name: string, toolkit: string): string {
  return `import { baseErrorClass } from "${toolkit}/resources";\n\n` +
    "/** The base class of all errors of this SDK. */\n" +
    `export const ${name}: ReturnType<typeof baseErrorClass> = baseErrorClass("${name}");\n` +
    "/** An error of this SDK. */\n" +
    `export type ${name} = InstanceType<ReturnType<typeof baseErrorClass>>;\n`;
}

/** Returns the exports of the SDK that are the toolkit's. */
function printExports(className: string, toolkit: string): string {
  const list = names.map((name) => `  ${name},\n`).join("");
  return `export { ${className} as default } from "./client.ts";\n` +
    `export {\n${list}} from "${toolkit}/resources";\n`;
}
