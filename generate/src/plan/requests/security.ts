/** Security schemes, and which of them an operation requires. */

import type { Node, Source } from "../../read/source.ts";
import { entriesAt, isToken, objectAt, textAt } from "../../read/fields.ts";
import type { CredentialShape } from "../../sdk/shape.ts";
import type { OAuthFlow, SecurityRequirements, SecurityScheme } from "../../model/mod.ts";
import { authName, camelCase, optionName, wordsOf } from "../../names/words.ts";
import type { RenamedOption } from "./servers.ts";

/** The schemes of a document, and a function for what an operation requires. */
export interface Security {
  readonly schemes: readonly SecurityScheme[];
  /** The schemes whose options cannot have their own names. */
  readonly renamed: readonly RenamedOption[];
  /** Returns the requirements in a node's `security`; undefined if it states none. */
  readonly of: (node: Node) => SecurityRequirements | undefined;
}

/**
 * Plans the security schemes as options of the client.
 *
 * @param taken The names of options that schemes cannot have
 */
export function planSecurity(source: Source, taken: ReadonlySet<string>): Security {
  const components = objectAt(source, source.root, "components");
  const options = new Set(taken);
  const byKey = new Map<string, SecurityScheme | "connection">();
  const schemes: SecurityScheme[] = [];
  const renamed: RenamedOption[] = [];
  const declared = entriesAt(source, components, "securitySchemes");
  const wished = new Set(declared.map(([key]) => wantedName(key)));
  for (const [key, child] of declared.toSorted(([a], [b]) => a < b ? -1 : 1)) {
    const node = source.resolve(child);
    if (node === undefined) continue;
    if (textAt(node, "type") === "mutualTLS") {
      // The options `cert` and `ca` of the client are for that.
      byKey.set(key, "connection");
      continue;
    }
    const scheme = schemeOf(source, node);
    if (scheme === undefined) continue;
    const wanted = wantedName(key);
    const option = optionName(wanted, options, authName, wished);
    if (option !== wanted) renamed.push({ node, wanted, option });
    options.add(option);
    const text = textAt(node, "description")?.trim() ?? "";
    const plan = { key, option, comment: { text, tags: [] }, scheme };
    byKey.set(key, plan);
    schemes.push(plan);
  }
  const order = new Map(declared.map(([key], index) => [key, index]));
  schemes.sort((a, b) => order.get(a.key)! - order.get(b.key)!);

  const alternative = (node: Node): string[] | undefined => {
    const names: string[] = [];
    for (const [key, child] of source.children(node)) {
      const scheme = byKey.get(key);
      if (scheme === undefined) {
        const message = `there is no usable security scheme ${JSON.stringify(key.slice(0, 200))}`;
        source.problem(child, "security", message, "calls are sent without it");
      } else if (scheme !== "connection") names.push(scheme.option);
    }
    return names;
  };
  const of = (node: Node): SecurityRequirements | undefined => {
    const security = source.child(node, "security");
    if (security === undefined) return undefined;
    if (!Array.isArray(security.value)) {
      source.problem(security, "security", "security must be a list", "ignored");
      return undefined;
    }
    const alternatives = [...source.children(security)].flatMap(([, each]) => {
      const names = typeof each.value === "object" && each.value !== null
        ? alternative(each)
        : undefined;
      return names === undefined ? [] : [names];
    });
    // The first alternative whose schemes have a value counts: without credentials is the last one.
    const isOptional = alternatives.some(({ length }) => length === 0);
    const required = alternatives.filter(({ length }) => length > 0);
    const unique = [...new Map(required.map((names) => [names.join(), names])).values()];
    if (unique.length === 0) return [];
    return isOptional ? [...unique, []] : unique;
  };
  return { schemes, renamed, of };
}

/** Returns the name that the option of a scheme has if it is free. */
function wantedName(key: string): string {
  return camelCase(wordsOf(key)) || "credentials";
}

function schemeOf(source: Source, node: Node): SecurityScheme["scheme"] | undefined {
  const type = textAt(node, "type");
  switch (type) {
    case "http": {
      const name = textAt(node, "scheme")?.toLowerCase();
      if (name === "basic" || name === "bearer" || name === "digest") return { kind: name };
      return { kind: "other", type: textAt(node, "scheme") ?? "http" };
    }
    case "apiKey": {
      const [place, name] = [textAt(node, "in"), textAt(node, "name")];
      if (name !== undefined && (place === "header" || place === "query" || place === "cookie")) {
        if (place === "query" || isToken(name)) return { kind: "apiKey", place, name };
        const message = `a ${place} cannot have the name ${JSON.stringify(name.slice(0, 200))}`;
        source.problem(node, "security", message, "left out");
        return undefined;
      }
      const message = "an API key must have a name, and a place of header, query or cookie";
      source.problem(node, "security", message, "left out");
      return undefined;
    }
    case "oauth2":
      return { kind: "oauth2", flows: flowsOf(source, node) };
    case "openIdConnect":
      return { kind: "openId", url: textAt(node, "openIdConnectUrl") ?? "" };
    default: {
      const message = `${JSON.stringify(type ?? null)} is not a type of a security scheme`;
      source.problem(node, "security", message, "left out");
      return undefined;
    }
  }
}

function flowsOf(source: Source, node: Node): OAuthFlow[] {
  return entriesAt(source, node, "flows").map(([flow, each]) => ({
    flow,
    tokenUrl: textAt(each, "tokenUrl"),
    scopes: entriesAt(source, each, "scopes").map(([scope]) => scope),
  }));
}

/** Reports if two operations require the same. */
export function isSameSecurity(
  a: SecurityRequirements | undefined,
  b: SecurityRequirements | undefined,
): boolean {
  return JSON.stringify(a ?? []) === JSON.stringify(b ?? []);
}

/** Returns the scheme of the document that sends a credential in a certain way. */
export function schemeFor(
  { kind, place, name, scheme: wanted }: CredentialShape,
  schemes: readonly SecurityScheme[],
): SecurityScheme | undefined {
  const fitting = schemes.filter(({ scheme }) => {
    switch (kind) {
      case "bearer":
        return scheme.kind === "bearer" || scheme.kind === "oauth2" || scheme.kind === "openId";
      case "basic":
        return scheme.kind === "basic";
      case "apiKey":
        return scheme.kind === "apiKey" && scheme.place === place &&
          scheme.name.toLowerCase() === name.toLowerCase();
    }
  });
  const letters = (text: string): string => text.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
  return fitting.find(({ key }) => wanted !== undefined && letters(key) === letters(wanted)) ??
    fitting[0];
}
