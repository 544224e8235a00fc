/**
 * `deno task options`: writes what follows from the tables of options: the tables of docs/options.md,
 * the names that the generator gives to no option of its own, and the JSON Schema of restwright.json.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { CONFIGURATION_SCHEMA, configurationSchemaText } from "./configuration_schema.ts";
import { GENERATOR_OPTIONS, generatorOptionsModule } from "./generator_options.ts";
import { OPTIONS_PAGE, withOptionTables } from "./options_page.ts";

const root = new URL("../..", import.meta.url);
const page = new URL(OPTIONS_PAGE, root);
writeFileSync(page, await withOptionTables(root, readFileSync(page, "utf8")));
writeFileSync(new URL(GENERATOR_OPTIONS, root), generatorOptionsModule());
writeFileSync(new URL(CONFIGURATION_SCHEMA, root), configurationSchemaText());
