/** Chooses one of several values for a path such as `/{users_or_teams}/{user_or_team_id}`. */
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/**
 * Returns the segment and the value of a path that can have one of several values.
 *
 * @param values The segment before each value, and the value, by the names that callers know
 * @throws {UnexpectedValueError} If there is not exactly one value
 *
 * @example
 * ```ts
 * import { path } from "@restwright/restwright";
 * import { pathChoice } from "@restwright/restwright/resources";
 *
 * const [owners, id] = pathChoice({ user_id: ["users", undefined], team_id: ["teams", "t7"] });
 * console.log(String(path`/${owners}/${id}/rules`)); // /teams/t7/rules
 * ```
 *
 * @category Resources
 */
export function pathChoice(
  values: Readonly<Record<string, readonly [segment: string, value: string | null | undefined]>>,
): [segment: string, value: string] {
  const given = Object.entries(values).flatMap(([name, [segment, value]]) =>
    value === undefined || value === null || value === "" ? [] : [{ name, segment, value }]
  );
  const [first] = given;
  if (first !== undefined && given.length === 1) return [first.segment, first.value];
  const [wanted = "", ...others] = Object.keys(values);
  throw first === undefined
    ? new UnexpectedValueError(
      wanted,
      `passed if ${others.join(" and ")} is not: the path needs one of them`,
      describedAs("missing"),
    )
    : new UnexpectedValueError(
      given[1]!.name,
      `left out if ${first.name} is passed: the path has one of them`,
      given[1]!.value,
    );
}
