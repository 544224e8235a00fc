/** Prints the classes of errors. */

import type { ErrorClass, SdkModel } from "../../model/mod.ts";
import { printComment, WIDTH } from "../../print/comments.ts";
import { Imports } from "../../print/imports.ts";
import { addReferences, addStatedTypes } from "../../algebra/references.ts";
import { modelOf } from "../../print/streams.ts";
import { printAfter } from "../../print/types.ts";
import { unionOf } from "../../algebra/types.ts";

/** Returns the text of `errors.ts`. */
export function printErrors(plan: SdkModel, toolkit: string): string {
  const imports = new Imports("./");
  const own = new Map(plan.errors.map((each) => [each.className, each]));
  const classes = plan.errors.map((each) => {
    if (!own.has(each.base)) imports.value(`${toolkit}/errors`, each.base);
    return printClass(each, own.get(each.base), { toolkit, imports });
  });
  return imports.print() + classes.join("\n");
}

function printClass(
  { className, base, data, conversion, comment }: ErrorClass,
  baseClass: ErrorClass | undefined,
  { toolkit, imports }: { readonly toolkit: string; readonly imports: Imports },
): string {
  const addName = (name: string) => imports.type("../models.ts", name);
  addReferences(data, addName);
  const start = "  declare readonly data:";
  const type = printAfter(unionOf([data, { kind: "undefined" }]), {
    indent: 2,
    used: start.length + " ;".length,
  });
  const head = `export class ${className} extends ${base} {`;
  const shown = head.length <= WIDTH ? head : head.replace(" extends", "\n  extends");
  const reason = conversion === undefined ? "is not JSON" : "does not match this type";
  const lines = [`  /** The body; undefined if it ${reason}. */\n${start}${type};\n`];
  if (conversion !== undefined) {
    addStatedTypes(conversion, addName);
    const model = "  static override readonly errorModel: unknown = ";
    const place = { indent: 2, used: model.length + ";".length };
    lines.unshift(`${model}${modelOf(conversion, { toolkit, imports }, place)};\n`);
  } else if (baseClass?.conversion !== undefined) {
    lines.unshift("  static override readonly errorModel: unknown = undefined;\n");
  }
  return `${printComment(comment, 0)}${shown}\n${lines.join("\n")}}\n`;
}
