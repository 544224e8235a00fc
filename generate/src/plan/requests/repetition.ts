/** Requests that may be repeated or answered late: headers for idempotency keys, and long polls. */

import { textAt, valueAt } from "../../read/fields.ts";
import type { Operation } from "../../read/operations.ts";
import type { Node, Source } from "../../read/source.ts";
import { statedIn } from "../../read/statements.ts";

/**
 * A name such as `Idempotency-Key`, `X-Idempotency-Key` or `Idempotence-Key`. A request id is none: a
 * server does not look for an earlier request with the same one.
 */
const KEY_HEADER = /(?:^|-)idempoten(?:cy|ce|t)-?key$/i;

const LONG_POLL = /\blong[-_ ]?poll(?:ing|s)?|LongPoll/i;

/** A UUID: the toolkit's keys are such texts. */
const SAMPLE = "f81d4fae-7dec-41d0-a765-00a0c91e6bf6";

/**
 * Returns the name of an operation's header for an idempotency key; undefined if it has none, and null if
 * the document allows no UUID in it.
 */
export function idempotencyHeaderOf(
  source: Source,
  operation: Operation,
): string | null | undefined {
  const found = operation.parameters.find(({ place, name }) =>
    place === "header" && KEY_HEADER.test(name)
  );
  if (found?.node === undefined || takesUuid(source, found.node)) return found?.name;
  const message = `the header ${JSON.stringify(found.name.slice(0, 200))} cannot be a UUID`;
  source.problem(found.node, "parameter", message, "calls get no idempotency key by themselves");
  return null;
}

/** Reports if the schema of a parameter allows a UUID as text. */
function takesUuid(source: Source, parameter: Node): boolean {
  const schema = source.child(parameter, "schema");
  const node = schema && source.resolve(schema);
  const [type = "string", least = 0, most = SAMPLE.length, pattern = "", values, constant] = [
    ..."type minLength maxLength pattern enum const".split(" ").map((key) => valueAt(node, key)),
  ];
  return [type].flat().includes("string") &&
    !(Number(least) > SAMPLE.length || Number(most) < SAMPLE.length) &&
    values === undefined && constant === undefined && matchesUuid(String(pattern));
}

/**
 * Reports if a pattern matches a UUID. Patterns that could take long are not tried: those with
 * alternatives, or with several parts of which each can have any length.
 */
function matchesUuid(pattern: string): boolean {
  const variable = pattern.match(/[*+?]|\{\d*,\d*\}/g) ?? [];
  const most = pattern.includes("(") ? 0 : 1;
  if (pattern.length > 200 || pattern.includes("|") || variable.length > most) return false;
  try {
    return new RegExp(pattern).test(SAMPLE);
  } catch {
    return false;
  }
}

/** Reports if an operation says that the server holds its answer back until there is something new. */
export function isLongPoll({ node, path, parameters }: Operation): boolean {
  const names = [path, textAt(node, "operationId") ?? "", ...parameters.map(({ name }) => name)];
  const texts = [node, ...parameters.map((each) => each.node)].flatMap((each) =>
    ["summary", "description"].map((key) => textAt(each, key) ?? "")
  );
  return names.some((name) => LONG_POLL.test(name)) ||
    texts.some((text) => statedIn(text, LONG_POLL).length > 0);
}
