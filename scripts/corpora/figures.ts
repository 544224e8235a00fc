/** The figures of SDKs from many documents, and their table. */
import { pinKey } from "../../generate/src/plan/names/mod.ts";
import type { SdkModel } from "../../generate/src/model/mod.ts";
import type { Report } from "../../generate/src/report.ts";
import { operationsOf } from "../../generate/src/read/operations.ts";
import { readSource } from "../../generate/src/read/read.ts";
import type { Source } from "../../generate/src/read/source.ts";
import { parseFile } from "../../generate/src/read/source_files.ts";
import { counted } from "../../generate/src/write/terminal.ts";
import { type ChildResult, succeeded } from "../shared/child.ts";
import { METHODS } from "../shared/path_methods.ts";
import type { CorpusDocument } from "./documents.ts";
import { looksLikeList } from "./list_like.ts";

/** The figures of the SDK of a document. */
export interface DocumentFigures {
  readonly name: string;
  /** The operations that the document has. */
  readonly operations: number;
  /** The operations without a method, with the reason: `TRACE /pets: fetch forbids the method TRACE`. */
  readonly lost: readonly string[];
  /** The methods without a test, with the reason. */
  readonly untested: readonly string[];
  readonly tests: number;
  /** The number of GETs that look like lists in pages. */
  readonly lists: number;
  /** Those of them that are not read in pages, with the reason. */
  readonly wholeLists: readonly string[];
}

/** An operation of a document. */
interface StatedOperation {
  readonly verb: string;
  readonly path: string;
}

/** Compares a document with its SDK. */
export async function figuresOf(
  { name, text, read }: CorpusDocument,
  { plan, report }: { readonly plan: SdkModel; readonly report: Report },
): Promise<DocumentFigures> {
  const source = await readSource(text, { file: name, read });
  const stated = statedOperations(parseFile(name, name, text).value, source);
  const methods = new Map(
    plan.groups.flatMap((group) => group.methods.map((method) => [method.operation, method])),
  );
  const lost = stated.filter((each) => !methods.has(keyOf(each)));
  const paged = new Set(report.lists.map(({ operation }) => operation));
  const whole = new Map(report.wholeLists.map(({ operation, reason }) => [operation, reason]));
  const lists = operationsOf(source).filter((each) => looksLikeList(source, each)).map(pinKey);
  return {
    name,
    operations: stated.length,
    lost: lost.map((each) => `${each.verb} ${each.path}: ${reasonOf(each, report, LEFT_OUT)}`),
    untested: stated.filter((each) => methods.get(keyOf(each))?.tests?.length === 0)
      .map((each) => `${each.verb} ${each.path}: ${reasonOf(each, report, /ha(?:s|ve) no test$/)}`),
    tests: report.tests,
    lists: lists.length,
    wholeLists: lists.filter((key) => !paged.has(key))
      .map((key) => `${key}: ${whole.get(key) ?? "its result is not a list"}`),
  };
}

/**
 * Lists the operations of a document as it was written. It does not ask the generator, except for path
 * items elsewhere, so that it can judge it.
 */
function statedOperations(document: unknown, source: Source): StatedOperation[] {
  const paths = source.child(source.root, "paths");
  return Object.entries(recordOf(recordOf(document).paths)).flatMap(([path, value]) => {
    if (path.startsWith("x-")) return [];
    const item = recordOf(value);
    const node = paths && source.child(paths, path);
    const target = node === undefined || item.$ref === undefined
      ? {}
      : recordOf(source.resolve(node)?.value);
    return METHODS.filter((method) => item[method] !== undefined || target[method] !== undefined)
      .map((method) => ({ verb: method.toUpperCase(), path }));
  });
}

function keyOf({ verb, path }: StatedOperation): string {
  return `${verb} ${path.replace(/\{[^{}]*\}/g, "{}")}`;
}

/** Matches what the generator did to an operation without a method. */
const LEFT_OUT = /^left out$/;

/** Returns the problem that tells why an operation is not in the output, or in the tests. */
function reasonOf(
  { verb, path }: StatedOperation,
  { problems }: Report,
  action: RegExp,
): string {
  const item = `#/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const places = [`${item}/${verb.toLowerCase()}`, item];
  const problem = problems.find((each) =>
    places.includes(each.pointer) && action.test(each.action)
  );
  return problem?.message ?? "NO REASON IS GIVEN";
}

/** The results of a run over several documents. */
export interface RunFigures {
  /** The number of documents that were tried. */
  readonly documents: number;
  readonly generated: readonly DocumentFigures[];
  /** The number of errors of tsc for each document that has some. */
  readonly typeErrors: ReadonlyMap<string, number>;
  /** The tests by the names of runtimes. */
  readonly tests: ReadonlyMap<string, TestCounts>;
}

/** The tests that passed and failed on a runtime. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/** Finds the counts of tests in the output of Deno, Node or Bun. */
export function testCountsIn(output: string): TestCounts {
  const countOf = (word: "pass" | "fail"): number => {
    const patterns = [`^[#ℹ] ${word} (\\d+)`, `^\\s*(\\d+) ${word}$`, `\\| (\\d+) ${word}ed`];
    const found = patterns.flatMap((each) => [...output.matchAll(new RegExp(each, "gm"))]);
    return Number(found.at(-1)?.[1] ?? 0);
  };
  return { passed: countOf("pass"), failed: countOf("fail") };
}

/** Counts the errors of tsc by the folders in which they are: `sdk/pets` for `sdk/pets/mod.ts`. */
export function typeErrorsIn(output: string, folders: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, path] of output.matchAll(/^(.+?)\(\d+,\d+\): error TS\d+:/gm)) {
    const folder = folders.find((each) => path!.startsWith(`${each}/`)) ?? path!;
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

/** The errors of tsc in several SDKs. */
export interface CompiledFolders {
  /** The number of errors of each folder that has some. */
  readonly typeErrors: ReadonlyMap<string, number>;
  /** The runs that failed. */
  readonly failed: readonly ChildResult[];
}

/**
 * Compiles SDKs together. If tsc crashes, such as for lack of memory, it compiles each by itself, and
 * counts another crash as an error.
 *
 * @param compile Runs tsc over SDKs
 */
export async function compileFolders(
  folders: readonly string[],
  compile: (folders: readonly string[]) => Promise<ChildResult>,
): Promise<CompiledFolders> {
  const [first, ...others] = folders;
  if (first === undefined) return { typeErrors: new Map(), failed: [] };
  const result = await compile(folders);
  if (succeeded(result)) return { typeErrors: new Map(), failed: [] };
  const typeErrors = typeErrorsIn(result.output, folders);
  if (typeErrors.size > 0 && result.trouble === undefined) return { typeErrors, failed: [result] };
  if (others.length === 0) return { typeErrors: new Map([[first, 1]]), failed: [result] };
  const counts = new Map<string, number>();
  const failed: ChildResult[] = [];
  for (const folder of folders) {
    const alone = await compileFolders([folder], compile);
    alone.typeErrors.forEach((count, place) => counts.set(place, count));
    failed.push(...alone.failed);
  }
  return { typeErrors: counts, failed };
}

/** Formats the table of a run. */
export function figuresTable({ documents, generated, typeErrors, tests }: RunFigures): string {
  const sum = (count: (figures: DocumentFigures) => number): number =>
    generated.reduce((total, each) => total + count(each), 0);
  const lists = sum((each) => each.lists);
  const paged = lists - sum((each) => each.wholeLists.length);
  const rows = [
    ["documents", String(documents)],
    ["generated", String(generated.length)],
    ["without an error of tsc", String(generated.length - typeErrors.size)],
    ["operations", String(sum((each) => each.operations))],
    ["operations lost", String(sum((each) => each.lost.length))],
    ["methods without a test", String(sum((each) => each.untested.length))],
    ["GETs that look like lists", String(lists)],
    ["of them in pages", `${paged} (${percent(paged, lists)})`],
    ...[...tests].map(([runtime, { passed, failed }]) => [
      `tests on ${runtime}`,
      `${passed} of ${sum((each) => each.tests)} passed, ${failed} failed`,
    ]),
  ];
  return [["", ""], ["---", "---"], ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Lists what a table counts, one line each. */
export function figuresDetails(
  documents: readonly DocumentFigures[],
  typeErrors: ReadonlyMap<string, number>,
): string[] {
  return documents.flatMap(({ name, operations, tests, lists, lost, untested, wholeLists }) => {
    const errors = typeErrors.get(name) ?? 0;
    return [
      `${name}: ${counted(operations, "operation")}, ${counted(tests, "test")}, ` +
      `${counted(lists, "list")}, ${counted(errors, "error")} of tsc`,
      ...lost.map((each) => `${name}: lost: ${each}`),
      ...untested.map((each) => `${name}: no test: ${each}`),
      ...wholeLists.map((each) => `${name}: no pages: ${each}`),
    ];
  });
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "none" : `${(part / whole * 100).toFixed(1)} %`;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}
