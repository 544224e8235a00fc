/** Prints the changes between two SDKs as an entry of a changelog. */

import { WIDTH, wrapMarkdown } from "../print/comments.ts";
import { type Change, partsOfLine } from "./changes.ts";
import type { DiffResult } from "./diff.ts";

/**
 * Returns the changes as an entry in the form of Keep a Changelog.
 *
 * @param shown Returns a text whose characters control no terminal
 */
export function changelogEntry(
  { changes, added, changed }: DiffResult,
  shown: (text: string) => string,
): string {
  const isOld = ({ kind }: Change) => kind === "method-deprecated";
  const sections: readonly (readonly [title: string, list: readonly Change[]])[] = [
    ["Breaking", changes],
    ["Added", added],
    ["Changed", changed.filter((each) => !isOld(each))],
    ["Deprecated", changed.filter(isOld)],
  ];
  const texts = sections.filter(([, list]) => list.length > 0).map(([title, list]) => {
    const lines = list.flatMap((each) => wrapMarkdown(`- ${itemOf(each, shown)}`, WIDTH));
    return `### ${title}\n\n${lines.join("\n")}`;
  });
  const body = texts.length === 0 ? ["Nothing changes for callers."] : texts;
  return ["## [Unreleased]", ...body].join("\n\n");
}

/** Returns a change as an item of a list: its place as code, and the message. */
function itemOf(change: Change, shown: (text: string) => string): string {
  const [place, message] = partsOfLine(change).map(shown) as [string, string];
  const marks = "`".repeat(
    1 + Math.max(0, ...(place.match(/`+/g) ?? []).map(({ length }) => length)),
  );
  const code = marks.length === 1 ? `\`${place}\`` : `${marks} ${place} ${marks}`;
  return `${code}: ${message.replace(/[<*[\]]/g, "\\$&")}`;
}
