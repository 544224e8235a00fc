/** The JSON Schemas of parameters, bodies and responses. This is the room's one way in. */

export { SchemaWriter } from "./schema_writer.ts";
