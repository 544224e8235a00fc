/** The classes of errors: one for each status and type of its data, shared by all methods. */

import type { Node, Source } from "../../read/source.ts";
import { compare, entriesAt } from "../../read/fields.ts";
import { mediaOf, preferred } from "../../read/media.ts";
import type { Conversion, ErrorClass, StatusError, Type } from "../../model/mod.ts";
import type { TypePlanner } from "../types/mod.ts";
import { isSame, unionOf } from "../../algebra/types.ts";
import { baseClasses, otherStatuses } from "../../names/error_classes.ts";
import type { TypeNames } from "../../names/type_names.ts";

/** An error that an operation states. */
export interface StatedError {
  readonly status: number;
  /** The type of its data; undefined if there is none. */
  readonly data: Type | undefined;
  /** The conversion of dates and bigints in its data. */
  readonly conversion?: Conversion | undefined;
  /** True if it comes from a range or from `default`. */
  readonly isGeneral: boolean;
}

/** Returns the last words of the name of a class of errors: `PaymentRequiredError`. */
function classWords(status: number): string {
  return baseClasses[status] ?? `${otherStatuses[status] ?? `Status${status}`} Error`;
}

/** The statuses that a range or `default` stands for: those that APIs send, and the toolkit names. */
const common: readonly number[] = [400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504];

/** The classes of errors, and which status has which one. */
export interface ErrorClasses<K> {
  readonly classes: readonly ErrorClass[];
  readonly ofClient: readonly StatusError[];
  /** All classes of an operation by status. */
  readonly of: ReadonlyMap<K, readonly StatusError[]>;
}

/** Returns the errors that the responses of an operation state, ranges and `default` included. */
export function statedErrors(
  source: Source,
  types: TypePlanner,
  responses: readonly (readonly [status: string, response: Node])[],
): StatedError[] {
  const stated = new Map<number, StatedError>();
  // A status of its own counts more than a range, and a range more than `default`.
  const sorted = responses.toSorted(([a], [b]) => rankOf(a) - rankOf(b));
  for (const [key, response] of sorted) {
    const statuses = statusesOf(key).filter((status) => !stated.has(status));
    if (statuses.length === 0) continue;
    const media = preferred(mediaOf(source, response), ["json"]);
    const data = media?.schema === undefined ? undefined : types.typeOf(media.schema, "response");
    const conversion = data && types.conversionOf(data);
    const isGeneral = rankOf(key) > 0;
    for (const status of statuses) stated.set(status, { status, data, conversion, isGeneral });
  }
  return [...stated.values()].sort((a, b) => a.status - b.status);
}

/** Lists the responses of an operation, resolved. */
export function responsesOf(source: Source, operation: Node): (readonly [string, Node])[] {
  return entriesAt(source, operation, "responses").flatMap(([status, child]) => {
    const node = source.resolve(child);
    if (node === undefined) return [];
    if (/^(?:[1-5](?:\d\d|XX)|default)$/i.test(status)) return [[status.toUpperCase(), node]];
    const message = `${JSON.stringify(status.slice(0, 100))} is not a status`;
    source.problem(child, "operation", message, "left out");
    return [];
  });
}

function rankOf(status: string): number {
  return status === "DEFAULT" ? 2 : status.endsWith("XX") ? 1 : 0;
}

function statusesOf(status: string): readonly number[] {
  if (status === "DEFAULT") return common;
  if (/^[45]XX$/.test(status)) return common.filter((each) => String(each)[0] === status[0]);
  return /^[45]\d\d$/.test(status) ? [Number(status)] : [];
}

/**
 * Plans a class for each status, named after the client. If the operations state several types of data for
 * it, its data is their union, and each type has a subclass, which is named after the data or the operation.
 *
 * The class of the status belongs to the client, unless one operation alone names that status: it is that of
 * errors that an operation does not state.
 */
export function planErrors<K>(
  stated: ReadonlyMap<K, readonly StatedError[]>,
  names: TypeNames,
  { clientName, nameOf, conversionOf }: {
    readonly clientName: string;
    /** Returns the name of an operation. */
    readonly nameOf: (key: K) => string;
    /** Returns the conversion of dates and bigints in a type. */
    readonly conversionOf: (type: Type) => Conversion | undefined;
  },
): ErrorClasses<K> {
  const classes: ErrorClass[] = [];
  const ofClient: StatusError[] = [];
  const of = new Map<K, StatusError[]>();
  for (const [status, types] of [...errorTypes(stated)].sort(([a], [b]) => a - b)) {
    const suffix = classWords(status);
    types.sort((a, b) => b.users.length - a.users.length || compare(keyOf(a.data), keyOf(b.data)));
    let base = baseClasses[status] ?? "APIError";
    if (types.length > 1) {
      const data = unionOf(types.map((each) => each.data));
      const text = `Thrown for the status ${status}. Each type of \`data\` has a subclass.`;
      const className = names.take(`${clientName} ${suffix}`);
      const conversion = conversionOf(data);
      classes.push({ className, base, data, conversion, comment: { text, tags: [] } });
      ofClient.push({ status, className });
      base = className;
    }
    for (const { data, conversion, users, isGeneral } of types) {
      const isOfClient = types.length === 1 && (users.length > 1 || isGeneral);
      const [first] = users.map(nameOf).sort(compare);
      const dataName = data.kind === "reference" ? data.name : undefined;
      // A second operation with this data must not rename the class of the first one.
      const prefix = types.length === 1 ? clientName : dataName ?? first!;
      const className = names.take(`${prefix} ${suffix}`);
      const text = `Thrown for the status ${status}.` +
        (dataName === undefined ? "" : ` The type of \`data\` is \`${dataName}\`.`);
      classes.push({ className, base, data, conversion, comment: { text, tags: [] } });
      if (isOfClient) ofClient.push({ status, className });
      for (const user of users) {
        const own = of.get(user);
        if (own === undefined) of.set(user, [{ status, className }]);
        else own.push({ status, className });
      }
    }
  }
  return { classes, ofClient, of };
}

/** A type of data of a status, and the operations that state it. */
interface ErrorType<K> extends Pick<ErrorClass, "data" | "conversion"> {
  readonly data: Type;
  readonly users: K[];
  /** True if it comes from a range or from `default` in one of them. */
  isGeneral: boolean;
}

/** Returns the different types of data by their status. */
function errorTypes<K>(
  stated: ReadonlyMap<K, readonly StatedError[]>,
): Map<number, ErrorType<K>[]> {
  const types = new Map<number, ErrorType<K>[]>();
  for (const [key, errors] of stated) {
    for (const { status, data, conversion, isGeneral } of errors) {
      if (data === undefined || data.kind === "unknown") continue;
      const own = types.get(status) ?? [];
      types.set(status, own);
      const known = own.find((each) => isSame(each.data, data));
      if (known === undefined) own.push({ data, conversion, users: [key], isGeneral });
      else {
        known.users.push(key);
        known.isGeneral ||= isGeneral;
      }
    }
  }
  return types;
}

function keyOf(type: Type): string {
  return JSON.stringify(type);
}
