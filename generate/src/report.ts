/** The report of a run: counts and problems, as plain data that JSON can hold. */
import { nameOf } from "./algebra/groups.ts";
import type { SdkModel } from "./model/mod.ts";
import { overrideOf } from "./names/overrides_file.ts";
import type { Problem, ProblemKind } from "./base/problems.ts";
import type { IgnoredSetting } from "./read/settings.ts";

/** The result of a run in numbers, and all problems of the document. */
export interface Report {
  /** The version of OpenAPI or Swagger that the document states. */
  readonly version: string;
  /** The number of methods. */
  readonly operations: number;
  /** The number of exported types, errors included. */
  readonly types: number;
  /** The number of tests. */
  readonly tests: number;
  /** The number of files, those with tests included. */
  readonly files: number;
  /** The operations that are read in pages. */
  readonly lists: readonly ListReport[];
  /** The GETs whose result is a list that is returned as a whole, with the reasons. */
  readonly wholeLists: readonly WholeListReport[];
  /** The settings of `stainless.yml`, or the lines of `api.md`, that have no effect. */
  readonly ignored: readonly IgnoredSetting[];
  /**
   * The operations that `stainless.yml` or `api.md` does not name: `GET /pets/{id}`. They become no methods.
   */
  readonly leftOut: readonly string[];
  /** The types that `stainless.yml` or `api.md` names, and whose schemas were not found. */
  readonly missingTypes: readonly string[];
  /** The number of problems of each kind that occurred. */
  readonly problemsByKind: Readonly<Partial<Record<ProblemKind, number>>>;
  /** The problems, sorted by their places. */
  readonly problems: readonly Problem[];
}

/** An operation whose result is read in pages. */
export interface ListReport {
  /** The operation as in a names file: `GET /pets/{}`. */
  readonly operation: string;
  /** The method: `pets.list`. */
  readonly method: string;
  /** The rule in the form of the file of overrides. To turn it off or to change it, put it there. */
  readonly pages: Readonly<Record<string, unknown>>;
  /** Why the operation is read in pages. */
  readonly reason: string;
}

/** An operation whose result is a list that is returned as a whole. */
export interface WholeListReport {
  /** The operation as in a names file: `GET /pets/{}`. */
  readonly operation: string;
  /** The method: `pets.list`. */
  readonly method: string;
  /** Why the list is not read in pages. */
  readonly reason: string;
  /**
   * The entry for the file of overrides that would read it in pages. Check it against the API's
   * documentation: `FIELD` stands for a name that the document does not have.
   */
  readonly override: Readonly<Record<string, unknown>>;
}

/** Lists the operations of a plan that are read in pages. */
export function listsOf({ groups }: SdkModel): ListReport[] {
  return groups.flatMap((group) =>
    group.methods.flatMap((method) => {
      const { operation, pages } = method;
      if (pages?.rule === undefined) return [];
      const items = pages.items.map((each) => each.name).join(".");
      const { next, ...settings } = overrideOf(pages.rule);
      return [{
        operation,
        method: nameOf(group, method),
        pages: { next, items, ...settings },
        reason: pages.reason,
      }];
    })
  );
}

/** Lists the operations of a plan whose list is returned as a whole. */
export function wholeListsOf({ groups }: SdkModel): WholeListReport[] {
  return groups.flatMap((group) =>
    group.methods.flatMap((method) => {
      const { operation, wholeList } = method;
      if (wholeList === undefined) return [];
      return [{
        operation,
        method: nameOf(group, method),
        reason: wholeList.reason,
        override: { [operation]: { pages: wholeList.override } },
      }];
    })
  );
}

/** Counts problems by their kinds, the most frequent first. */
export function countKinds(problems: readonly Problem[]): Partial<Record<ProblemKind, number>> {
  const counts = new Map<ProblemKind, number>();
  for (const { kind } of problems) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries(
    [...counts].sort(([left, a], [right, b]) => b - a || (left < right ? -1 : 1)),
  );
}
