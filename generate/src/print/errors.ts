/** Prints the classes of errors. */

import type { Plan } from "../plan/plan.ts";
import { printComment, WIDTH } from "./comments.ts";
import { Imports } from "./imports.ts";
import { addReferences } from "./references.ts";
import { printAfter } from "./types.ts";
import { unionOf } from "../plan/type_algebra.ts";

/** Returns the text of `errors.ts`. */
export function printErrors(plan: Plan, toolkit: string): string {
  const imports = new Imports();
  const classes = plan.errors.map(({ className, base, data, comment }) => {
    imports.value(`${toolkit}/errors`, base);
    addReferences(data, (name) => imports.type("./models.ts", name));
    const start = "  declare readonly data:";
    const type = printAfter(unionOf([data, { kind: "undefined" }]), {
      indent: 2,
      used: start.length + " ;".length,
    });
    const head = `export class ${className} extends ${base} {`;
    const shown = head.length <= WIDTH ? head : head.replace(" extends", "\n  extends");
    return `${printComment(comment, 0)}${shown}\n` +
      `  /** The body; undefined if it is not JSON. */\n${start}${type};\n}\n`;
  });
  return imports.print() + classes.join("\n");
}
