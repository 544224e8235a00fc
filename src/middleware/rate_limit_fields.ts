/** Reads the rate limits that a server reports in its headers, in each of their formats. */
import { type RateLimit, readRateLimit, readWait } from "../errors/retry_after.ts";
import { type BareItem, type ListMember, parseList } from "./structured_fields.ts";

/** A limit that a server reported. */
export interface ReportedLimit extends RateLimit {
  /** The name of its policy. */
  readonly name: string;
}

/**
 * The name of a limit by `Retry-After`. No policy has it, because it has a space at the beginning.
 */
export const RETRY_AFTER = " retry-after";

/**
 * Reads the limits in the headers of a response: `Retry-After` of a status 429 or 503, also in
 * milliseconds, or else `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10), or else
 * `X-RateLimit-Remaining`, `X-RateLimit-Reset` and `X-RateLimit-Limit`, also without `X-`. Malformed
 * fields are ignored.
 *
 * @param response The response
 * @param now The current time, in milliseconds since 1970
 * @returns The limits; empty if the response has none
 */
export function readLimits(response: Response, now: number): ReportedLimit[] {
  const { status, headers } = response;
  if (status === 429 || status === 503) {
    const reset = readWait(headers, now);
    if (reset !== undefined) return [{ name: RETRY_AFTER, remaining: 0, reset, quota: undefined }];
  }
  const limits = readStructured(headers.get("ratelimit"), headers.get("ratelimit-policy"));
  if (limits !== undefined) return limits;
  const limit = readRateLimit(response, now);
  return limit === undefined ? [] : [{ name: "", ...limit }];
}

/** The policy of a limit: its quota, the unit and the window in seconds. */
interface Policy {
  readonly quota: number;
  readonly unit: string;
  readonly window: number | undefined;
}

/** Returns the limits of `RateLimit`; undefined if it is missing or malformed. */
function readStructured(
  field: string | null,
  policyField: string | null,
): ReportedLimit[] | undefined {
  const members = membersOf(field);
  if (members === undefined || members.length === 0) return undefined;
  const policies = readPolicies(policyField);
  const limits: ReportedLimit[] = [];
  for (const { item, params } of members) {
    const name = stringOf(item as BareItem);
    const remaining = integerOf(params.get("r"));
    const time = params.get("t");
    const partition = params.get("pk");
    if (name === undefined || remaining === undefined) return undefined;
    if (time !== undefined && integerOf(time) === undefined) return undefined;
    if (partition !== undefined && partition.type !== "bytes") return undefined;
    const policy = policies.get(name);
    const reset = integerOf(time) ?? policy?.window;
    // Without a time, it is unknown how long to wait.
    if (reset === undefined) continue;
    const isOfRequests = policy === undefined || policy.unit === "requests";
    // A number of bytes does not limit the number of requests until it is used up.
    if (!isOfRequests && remaining > 0) continue;
    limits.push({
      name: `${name} ${partition?.value ?? ""}`,
      remaining,
      reset,
      quota: isOfRequests ? policy?.quota : undefined,
    });
  }
  return limits;
}

/** Returns the policies of `RateLimit-Policy` by name; none if it is missing or malformed. */
function readPolicies(field: string | null): Map<string, Policy> {
  const policies = new Map<string, Policy>();
  for (const { item, params } of membersOf(field) ?? []) {
    const name = stringOf(item as BareItem);
    const quota = integerOf(params.get("q"));
    const unit = params.has("qu") ? stringOf(params.get("qu")!) : "requests";
    const window = integerOf(params.get("w"));
    const isWindowWrong = params.has("w") && !window;
    if (name === undefined || quota === undefined || unit === undefined || isWindowWrong) {
      return new Map();
    }
    policies.set(name, { quota, unit, window });
  }
  return policies;
}

function membersOf(field: string | null): ListMember[] | undefined {
  return field === null ? undefined : parseList(field);
}

/** Returns the value of a string; undefined for another item. An inner list has no type. */
function stringOf({ type, value }: BareItem): string | undefined {
  return type === "string" ? String(value) : undefined;
}

/** Returns the value of an integer of at least 0; undefined for another item. */
function integerOf(item: BareItem | undefined): number | undefined {
  if (item?.type !== "integer") return undefined;
  return Number(item.value) >= 0 ? Number(item.value) : undefined;
}
