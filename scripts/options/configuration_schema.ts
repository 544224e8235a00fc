/** Writes the JSON Schema of the generator's `restwright.json`, which is published with it. */
import { CONFIGURATION_ROWS } from "../../generate/src/write/arguments.ts";
import { configurationSchema } from "../../generate/src/write/configuration.ts";

/** The file with the schema, relative to the root. */
export const CONFIGURATION_SCHEMA = "generate/restwright.schema.json";

/** Returns the text of the file. */
export function configurationSchemaText(): string {
  return `${JSON.stringify(configurationSchema(CONFIGURATION_ROWS), null, 2)}\n`;
}
