/** Requests that may be repeated or answered late: headers for idempotency keys, and long polls. */

import { textAt, valueAt } from "../../read/fields.ts";
import type { Operation } from "../../read/operations.ts";
import type { Node, Source } from "../../read/source.ts";

/**
 * A name such as `Idempotency-Key`, `X-Idempotency-Key` or `Idempotence-Key`. A request id is none: a
 * server does not look for an earlier request with the same one.
 */
const KEY_HEADER = /(?:^|-)idempoten(?:cy|ce|t)-?key$/i;

/** The length of a UUID as text. The toolkit's keys are UUIDs. */
const UUID_LENGTH = 36;

/** Returns the name of an operation's header for an idempotency key; undefined if it has none. */
export function idempotencyHeaderOf(source: Source, operation: Operation): string | undefined {
  const found = operation.parameters.find(({ place, name }) =>
    place === "header" && KEY_HEADER.test(name)
  );
  if (found?.node === undefined || takesUuid(source, found.node)) return found?.name;
  const message = `the header ${JSON.stringify(found.name.slice(0, 200))} cannot be a UUID`;
  source.problem(found.node, "parameter", message, "calls get no idempotency key by themselves");
  return undefined;
}

/** Reports if the schema of a parameter allows a UUID as text. */
function takesUuid(source: Source, parameter: Node): boolean {
  const schema = source.child(parameter, "schema");
  const node = schema && source.resolve(schema);
  const [type = "string", length = UUID_LENGTH] = [
    valueAt(node, "type"),
    valueAt(node, "maxLength"),
  ];
  return [type].flat().includes("string") && !(Number(length) < UUID_LENGTH);
}

/** Reports if an operation says that the server holds its answer back until there is something new. */
export function isLongPoll({ node, path, parameters }: Operation): boolean {
  const texts = [node, ...parameters.map((each) => each.node)].flatMap((each) =>
    ["operationId", "summary", "description", "name"].map((key) => textAt(each, key) ?? "")
  );
  return [path, ...texts].some((text) => /\blong[-_ ]?poll|LongPoll/i.test(text));
}
