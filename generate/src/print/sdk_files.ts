/** The files that each SDK has: its types and its entry, and the first lines of all files. */

import { FIRST_LINE } from "../base/first_line.ts";
import type { SdkModel } from "../model/mod.ts";
import { printComment } from "./comments.ts";
import { printModels } from "./models.ts";
import { printWebhooks } from "./webhooks.ts";

/**
 * Returns the files of an SDK, with those that all SDKs have.
 *
 * @param own The texts of the other files by their paths
 * @param exports The exports of `mod.ts` beside those of the files
 */
export function sdkFiles(
  { client, models, webhookReader }: SdkModel,
  own: ReadonlyMap<string, string>,
  { toolkit, exports = "" }: { readonly toolkit: string; readonly exports?: string },
): Map<string, string> {
  const texts = new Map(own);
  if (models.length > 0) texts.set("models.ts", printModels(models, toolkit));
  if (webhookReader !== undefined) {
    texts.set("webhooks.ts", printWebhooks(webhookReader, toolkit));
  }
  const comment = { ...client.comment, tags: [...client.comment.tags, ["module", ""] as const] };
  const all = [...texts.keys()].map((path) => `export * from "./${path}";\n`);
  texts.set("mod.ts", `${printComment(comment, 0)}\n${all.join("")}${exports}`);
  return ownFiles(texts, FIRST_LINE);
}

/** Returns files of code with the line by which the generator knows its own files. */
export function ownFiles(
  texts: ReadonlyMap<string, string>,
  firstLine: string,
): Map<string, string> {
  return new Map(
    [...texts].map(([path, text]) => [path, `${firstLine}\n// deno-fmt-ignore-file\n\n${text}`]),
  );
}
