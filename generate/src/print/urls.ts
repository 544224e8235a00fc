/** Paths and URLs as literals, whose texts can hold nothing but themselves. */

import type { Server } from "../model/mod.ts";
import { escapeOf, quoted } from "./literals.ts";

/** Returns a text for a template literal. */
function templateText(text: string): string {
  return text.replace(/[\\`]|\$(?=\{)/g, "\\$&")
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\p{Cs}]/gu, escapeOf);
}

/** Returns a string, or a template literal if there are expressions. */
export function template(
  parts: readonly (string | { readonly expression: string })[],
  tag = "",
): string {
  if (parts.every((part) => typeof part === "string")) return quoted(parts.join(""));
  // The end of one text and the beginning of the next one may be `$` and `{`.
  const texts = parts.map((part) =>
    typeof part === "string" ? templateText(part).replace(/\$$/, "\\$") : `\${${part.expression}}`
  );
  return `${tag}\`${texts.join("")}\``;
}

/** Returns the URL of a server, with the values of the options in it. */
export function serverUrl({ parts }: Server): string {
  return template(
    parts.map((part) => typeof part === "string" ? part : { expression: part.variable }),
  );
}
