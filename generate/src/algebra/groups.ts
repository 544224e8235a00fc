/** Groups of methods: their tree, and the names by which callers reach their methods. */

import type { Method, MethodGroup, SdkModel } from "../model/mod.ts";

/** Returns the classes of groups in another group, or in the client, whose path is empty. */
export function groupsIn(
  { groups }: Pick<SdkModel, "groups">,
  path: readonly string[],
): MethodGroup[] {
  return groups.filter((each) =>
    each.place === "class" && each.path.length === path.length + 1 &&
    path.every((name, index) => each.path[index] === name)
  );
}

/** Returns the name of a method on the client, such as `chat.completions.create`. */
export function nameOf(
  { path }: Pick<MethodGroup, "path">,
  { name }: Pick<Method, "name">,
): string {
  return [...path, name].join(".");
}
