/** Changes that break nobody: additions of the new SDK, and other differences. */

import type { Change, ChangeKind } from "./changes.ts";

/** The changes that break nobody. */
export interface Additions {
  /** The additions for callers. */
  readonly added: readonly Change[];
  /** The other differences for them. */
  readonly changed: readonly Change[];
}

/** A change as it is seen from the new SDK. */
interface Reversed {
  readonly kind: ChangeKind;
  readonly list: keyof Additions;
  /** The message, or how it is made of that of the change. */
  readonly message: string | ((message: string) => string);
}

const isNew = (message: string): string => message.replace("was removed", "is new");
const swapped = (message: string): string => message.replace(/was (.*), is (.*)$/, "was $2, is $1");
const optional = "was required, is optional";

/**
 * Each change on the way back: a method that would be removed is one that was added. Null for changes that
 * break callers in both directions, or that follow from others.
 */
const reversed: Readonly<Record<ChangeKind, Reversed | null>> = {
  "client-renamed": null,
  "option-removed": { kind: "option-added", list: "added", message: isNew },
  "option-required": { kind: "option-optional", list: "changed", message: optional },
  "method-removed": { kind: "method-added", list: "added", message: isNew },
  "method-renamed": null,
  "arguments-changed": null,
  "parameter-removed": { kind: "parameter-added", list: "added", message: isNew },
  "parameter-required": { kind: "parameter-optional", list: "changed", message: optional },
  "body-required": { kind: "body-optional", list: "changed", message: optional },
  "property-removed": {
    kind: "property-added",
    list: "added",
    message: (message) =>
      message.startsWith("has no") ? "can have properties of any name" : isNew(message),
  },
  "property-required": { kind: "property-optional", list: "changed", message: optional },
  "property-optional": {
    kind: "property-required",
    list: "changed",
    message: "was optional, is always there",
  },
  "value-removed": { kind: "value-added", list: "added", message: isNew },
  "value-added": null,
  "null-removed": { kind: "null-added", list: "changed", message: "can be null now" },
  "null-added": { kind: "null-removed", list: "changed", message: "cannot be null any more" },
  "type-changed": { kind: "type-changed", list: "changed", message: swapped },
  "export-removed": null,
  "error-changed": { kind: "error-changed", list: "changed", message: swapped },
  "credentials-required": { kind: "credentials-changed", list: "changed", message: swapped },
  "event-removed": { kind: "event-added", list: "added", message: isNew },
  "option-added": null,
  "option-optional": null,
  "method-added": null,
  "method-deprecated": null,
  "parameter-added": null,
  "parameter-optional": null,
  "body-optional": null,
  "property-added": null,
  "credentials-changed": null,
  "event-added": null,
};

/**
 * Returns the changes that break nobody.
 *
 * @param breaking The changes that break callers
 * @param backwards The changes that would break callers of the new SDK if they got the old one
 */
export function additionsOf(
  breaking: readonly Change[],
  backwards: readonly Change[],
): Additions {
  const lists: Record<keyof Additions, Change[]> = { added: [], changed: [] };
  const places = new Set(breaking.map(({ place }) => place));
  const news = new Set(breaking.map(({ place, message }) => `${place} ${message}`));
  for (const change of backwards) {
    const found = reversed[change.kind];
    if (found === null) continue;
    const { kind, list, message } = found;
    const { place } = change;
    // Something new that breaks callers is in the other list.
    const isBreaking = change.kind === "value-removed"
      ? news.has(
        `${place} ${change.message.replace(/^the (.*) was removed$/, "can have the new $1")}`,
      )
      : places.has(place);
    if (isBreaking) continue;
    const text = typeof message === "string" ? message : message(change.message);
    lists[list].push({ ...change, kind, message: text });
  }
  return lists;
}
