/** Prints the README: a title, and the sections of the guide between two comments. */

import type { Guide, Program } from "../../guide/mod.ts";
import { groupHeading, groupText, INDEX, type Reference } from "./reference.ts";
import { markedPart } from "../../base/marked_part.ts";
import { Imports } from "../../print/imports.ts";
import { codeBlock, firstLine, prose } from "../../print/markdown.ts";
import { linkTo } from "./type_text.ts";

/** The most groups that the README lists. */
const MAX_GROUPS = 30;

/**
 * Prints a README. Of a file that is there, only the part between the comments is replaced.
 *
 * @param folder The path from the README to the folder of the reference: empty, or with a slash at its end
 */
export function printReadme(guide: Guide, reference: Reference, folder: string): string {
  const { client } = reference.model;
  const sections = guide.sections.map(({ title, blocks }) =>
    [`## ${title}`, ...blocks.map((each) => printBlock(each, guide))].join("\n\n")
  );
  // It comes after the first call, because it is what a reader looks for next.
  const [first = -1] = guide.sections.flatMap(({ title }, index) =>
    title === "First call" ? [index] : []
  );
  sections.splice(first + 1, 0, referenceSection(reference, folder));
  const about =
    `A client of the ${client.className} API for Node, Deno, Bun and browsers, made with ` +
    "Restwright.";
  return `# ${client.className}\n\n${prose(about)}\n\n${markedPart(sections.join("\n\n"))}\n`;
}

function printBlock(block: string | Program, { npm, toolkit }: Guide): string {
  if (typeof block !== "string") {
    const imports = new Imports("./");
    for (const { from, name, isType } of block.imports) {
      const module = from === "sdk" ? npm : from.replace("toolkit", toolkit);
      if (isType === true) imports.type(module, name);
      else imports.value(module, name);
    }
    return codeBlock("ts", imports.print() + block.code);
  }
  return prose(block);
}

/** Lists the groups of methods, with links to the reference. */
function referenceSection({ model, groups, pages }: Reference, folder: string): string {
  const methods = model.groups.reduce((sum, each) => sum + each.methods.length, 0);
  const all = pages.flatMap((page) => page.groups);
  const lines = all.slice(0, MAX_GROUPS).map((group) => {
    const { path, anchor } = groups.get(group.path.join("."))!;
    const link = linkTo({ path: folder + path, anchor }, "README.md");
    const about = firstLine(groupText(group));
    return `- [\`${groupHeading(group)}\`](${link})${about === "" ? "" : `: ${about}`}`;
  });
  const others = all.length - lines.length;
  const text = `The [reference](${folder}${INDEX}) has the parameters, results and errors of ` +
    (methods === 1 ? "the method" : `all ${methods} methods`) +
    ", and the types with their fields.";
  return [
    "## Methods",
    prose(text),
    lines.join("\n") + (others > 0 ? `\n- and ${others} more in the reference` : ""),
  ].join("\n\n");
}
