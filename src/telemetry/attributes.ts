/** The names of spans, and the values of their attributes by the semantic conventions. */
import type { Attributes } from "@opentelemetry/api";
import { isError } from "../errors/base_error.ts";
import type { OptInAttribute } from "./options.ts";

// Attributes by the semantic conventions of OpenTelemetry for HTTP clients (1.23 and later).

/** The value of `http.request.method` for unknown methods, and of `error.type` for unknown errors. */
export const OTHER = "_OTHER";

/** The attributes of a method. */
export interface MethodAttributes extends Attributes {
  /** The method, or `_OTHER`. */
  "http.request.method": string;
}

/** Returns the attributes of a method. An unknown one could have any value. */
export function methodAttributes(method: string, known: ReadonlySet<string>): MethodAttributes {
  if (known.has(method)) return { "http.request.method": method };
  return { "http.request.method": OTHER, "http.request.method_original": method };
}

/**
 * Returns the name of a span: the method, and the template of the URL if it is known.
 *
 * @param attributes The attributes of the method
 * @param template The template
 */
export function spanName(
  { "http.request.method": method }: MethodAttributes,
  template?: string,
): string {
  const name = method === OTHER ? "HTTP" : method;
  return template === undefined ? name : `${name} ${template}`;
}

/** Returns the attributes of the server that a request is sent to. */
export function serverAttributes(url: string, optIn: ReadonlySet<OptInAttribute>): Attributes {
  const { hostname, port, protocol } = new URL(url);
  return {
    // An IPv6 address has brackets only in a URL.
    "server.address": hostname.replace(/^\[|\]$/g, ""),
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
    ...(optIn.has("url.scheme") && { "url.scheme": protocol.slice(0, -1) }),
  };
}

/** Returns the User-Agent of a request, if it is asked for. */
export function agentAttributes(
  headers: Readonly<Record<string, string>>,
  optIn: ReadonlySet<OptInAttribute>,
): Attributes {
  const agent = headers["user-agent"];
  const isWanted = optIn.has("user_agent.original") && agent !== undefined;
  return isWanted ? { "user_agent.original": agent } : {};
}

/** Returns a URL or a path without its query and fragment. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#][^]*/, "");
}

/** Returns the class of an error, for `error.type`. */
export function errorType(error: unknown): string {
  return isError(error) && error.name ? String(error.name) : OTHER;
}
