/** Prints security schemes: their comments, their values, and the choice among them. */

import type { Imports } from "./imports.ts";
import { call, type Layout } from "./layout.ts";
import type { OAuthFlow, SecurityRequirements, SecurityScheme } from "../model/mod.ts";
import { quoted } from "./literals.ts";

/** Returns the text that an option for credentials begins with. */
export function credentialText({ scheme, key }: SecurityScheme): string {
  switch (scheme.kind) {
    case "basic":
      return "The user name and the password (Basic).";
    case "digest":
      return "The user name and the password (Digest).";
    case "bearer":
      return "The bearer token, or a function that returns it for each request.";
    case "apiKey":
      return `The API key, which is sent in the ${scheme.place} \`${scheme.name}\`.`;
    case "oauth2": {
      const text =
        "The access token of OAuth 2, a function that returns it for each request, or a scheme " +
        "that gets it.";
      return scheme.flows.length === 0
        ? text
        : `${text} The flows:\n\n${scheme.flows.map(flowText).join("\n")}`;
    }
    case "openId":
      return "The token of OpenID Connect, a function that returns it for each request, or a scheme " +
        "that gets it.";
    case "other":
      return `The scheme ${JSON.stringify(scheme.type)} of \`${key}\`.`;
  }
}

/** The schemes of the toolkit that get tokens, by the flows of OAuth 2. */
export const flowSchemes: Readonly<Record<string, string>> = {
  clientCredentials: "`ClientCredentialsAuth`",
  authorizationCode: "`RefreshTokenAuth`",
  deviceAuthorization: "`RefreshTokenAuth`",
  password: "`RefreshTokenAuth`",
  implicit: "pass the token",
};

/** The number of scopes that a comment lists. */
export const MAX_SCOPES = 10;

/** Returns a flow as an item of a list. */
export function flowText({ flow, tokenUrl, scopes }: OAuthFlow): string {
  const others = scopes.length - MAX_SCOPES;
  const listed = scopes.slice(0, MAX_SCOPES).map((scope) => `\`${scope}\``).join(", ");
  const parts = [
    flowSchemes[flow] ?? "a scheme of your own",
    ...tokenUrl === undefined ? [] : [`token URL ${tokenUrl}`],
    ...scopes.length === 0 ? [] : [`scopes ${listed}${others > 0 ? ` and ${others} more` : ""}`],
  ];
  return `- ${flow}: ${parts.join("; ")}`;
}

export function schemeOf(
  { option, scheme }: SecurityScheme,
  toolkit: string,
  imports: Imports,
): Layout {
  const given = (scheme: string) => ({
    open: `${option} === undefined`,
    yes: "undefined",
    no: scheme,
  });
  const use = (name: string, module = `${toolkit}/auth`) => imports.value(module, name);
  switch (scheme.kind) {
    case "basic":
    case "other":
      return option;
    case "digest":
      return given(`new ${use("DigestAuth", `${toolkit}/digest`)}(...${option})`);
    case "bearer":
      return given(`new ${use("BearerAuth")}(${option})`);
    case "apiKey": {
      const place = `{ ${scheme.place}: ${quoted(scheme.name)} }`;
      return given(`new ${use("ApiKeyAuth")}(${option}, ${place})`);
    }
    case "oauth2":
    case "openId":
      // A scheme of the caller is an object.
      return {
        open: `typeof ${option} === "string" || typeof ${option} === "function"`,
        yes: `new ${use("BearerAuth")}(${option})`,
        no: option,
      };
  }
}

/** Returns the call that chooses among schemes. */
export function useOf(schemes: string, security: SecurityRequirements): Layout {
  return call(`${schemes}.use`, security.map((names) => `[${names.map(quoted).join(", ")}]`));
}
