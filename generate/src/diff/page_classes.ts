/** Compares the classes of pages of clients with resources. */

import { nameOf } from "../algebra/groups.ts";
import type { SdkModel, Type } from "../model/mod.ts";
import type { Changes } from "./changes.ts";
import { allFindings, newFindings, type TypeComparison } from "./types.ts";

/** Adds what breaks those who read the fields of pages. */
export function comparePageClasses(
  plans: { readonly old: SdkModel; readonly new: SdkModel },
  types: TypeComparison,
  changes: Changes,
): void {
  const news = new Map(plans.new.pageClasses.map((each) => [each.className, each]));
  for (const { className, fields } of plans.old.pageClasses) {
    const found = news.get(className);
    if (found === undefined) continue;
    const [oldType, newType] = [fields, found.fields].map((properties): Type => ({
      kind: "object",
      properties,
    })) as [Type, Type];
    const findings = newFindings();
    types.compare(oldType, newType, "response", className, findings);
    const users = plans.old.groups.flatMap((group) =>
      group.methods.filter(({ pages }) => pages?.className === className)
        .map((method) => nameOf(group, method))
    );
    for (const finding of allFindings(findings)) {
      for (const user of users) changes.add(finding, user);
    }
  }
}
