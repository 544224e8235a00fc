/** The security of a configuration, which takes the place of that of the document. */
import type { Setting } from "../read/settings.ts";

/** Requirements and schemes in the form of OpenAPI. */
export interface DocumentSecurity {
  /** The requirements of operations that state none. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[] | undefined;
  /** The schemes by their names. Those of the document with other names stay. */
  readonly schemes: Readonly<Record<string, unknown>>;
}

/** Reads `security` and `security_schemes`. */
export function readSecurity(root: Setting): DocumentSecurity {
  const security = root.child("security")?.items().map((requirement) => {
    const scopes: Record<string, readonly string[]> = Object.create(null);
    for (const [name, list] of requirement.entries()) {
      scopes[name] = list.items().map((each) => each.text());
    }
    return scopes;
  });
  const schemes: Record<string, unknown> = Object.create(null);
  for (const [name, setting] of root.child("security_schemes")?.entries() ?? []) {
    const scheme: Record<string, unknown> = Object.create(null);
    for (const [key, value] of setting.entries()) {
      // It replaces the word before the credentials, which no scheme of the toolkit can do.
      if (key === "x-stainless-auth") value.lose(key);
      else scheme[key] = value.whole();
    }
    schemes[name] = scheme;
  }
  return { security, schemes };
}

/** Writes requirements and schemes into a document of OpenAPI 3. */
export function writeSecurity(document: unknown, { security, schemes }: DocumentSecurity): void {
  if (!isObject(document)) return;
  if (security !== undefined) document["security"] = security;
  if (Object.keys(schemes).length === 0) return;
  const components = objectAt(document, "components");
  Object.assign(objectAt(components, "securitySchemes"), schemes);
}

/** Returns the object of a key, and makes it if there is none. */
function objectAt(holder: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = holder[key];
  if (isObject(value)) return value;
  const made: Record<string, unknown> = Object.create(null);
  holder[key] = made;
  return made;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
