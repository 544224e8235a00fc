/** `deno task options`: writes the tables of docs/options.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { OPTIONS_PAGE, withOptionTables } from "./options_page.ts";

const root = new URL("../..", import.meta.url);
const page = new URL(OPTIONS_PAGE, root);
writeFileSync(page, await withOptionTables(root, readFileSync(page, "utf8")));
