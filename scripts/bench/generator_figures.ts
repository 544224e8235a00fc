/** The figures of generators beside each other, and their table. */
import { METHODS } from "../shared/path_methods.ts";

/** The time and the memory of a process. */
export interface Usage {
  /** Seconds from its start to its end. */
  readonly seconds: number;
  /** Seconds of the processor, of all threads and children together. */
  readonly cpu: number;
  /** The most memory that it had at a time, in MB. */
  readonly megabytes: number;
}

/** Gzipped sizes of a bundle in bytes: whole, and without the runtime; undefined if that is inlined. */
export type BundleSize = readonly [whole: number, alone: number | undefined];

/** The sizes of programs. */
export interface Sizes {
  readonly ten: BundleSize;
  readonly all: BundleSize;
  /** Ten operations on a client with only the classes that it needs. */
  readonly parts: BundleSize | undefined;
}

/** The figures of a generator. */
export interface GeneratorFigures {
  readonly name: string;
  /** A usage for each round. */
  readonly runs: readonly Usage[];
  /** The number of the document's operations. */
  readonly operations: number;
  /** The number of operations in the output. */
  readonly found: number;
  /** The compiler's usage, for each round. */
  readonly compilers: readonly Usage[];
  /** The compiler's errors. */
  readonly errors: number;
  /** Undefined if the output has only types. */
  readonly sizes: Sizes | undefined;
}

/**
 * Parses what the processes of a run wrote: one JSON object in each line. The main process ends last,
 * and the largest one counts for the memory, because they may not run at the same time.
 *
 * @throws {Error} If there is no line
 */
export function usageIn(text: string): Usage {
  const lines: Usage[] = text.trim().split("\n").filter((line) => line !== "").map((line) =>
    JSON.parse(line)
  );
  if (lines.length === 0) throw new Error("a process did not write its usage");
  return {
    seconds: Math.max(...lines.map(({ seconds }) => seconds)),
    cpu: lines.reduce((sum, { cpu }) => sum + cpu, 0),
    megabytes: Math.max(...lines.map(({ megabytes }) => megabytes)),
  };
}

/** Counts the operations of a document. */
export function countOperations(
  { paths }: { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> },
): number {
  return Object.values(paths).reduce(
    (sum, item) => sum + METHODS.filter((method) => item[method] !== undefined).length,
    0,
  );
}

/** Returns the median; of an even number of values, the larger one in the middle. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

/**
 * Formats the figures as a Markdown table. The ratios are those of the first row: each is the median
 * of the rounds' ratios, because the speed of a machine changes between rounds.
 */
export function generatorTable(figures: readonly GeneratorFigures[]): string {
  const [own] = figures;
  const head = [
    ...["", "time", "ratio", "CPU", "memory", "operations lost"],
    ...["tsc: errors", "tsc: time", "ratio", "ten operations", "all operations"],
  ];
  const rows = figures.map((each) => [
    each.name,
    seconds(each.runs.map((run) => run.seconds)),
    ratio(each.runs, own!.runs),
    seconds(each.runs.map(({ cpu }) => cpu)),
    `${Math.round(median(each.runs.map(({ megabytes }) => megabytes)))} MB`,
    `${each.operations - each.found} of ${each.operations}`,
    String(each.errors),
    seconds(each.compilers.map((run) => run.seconds)),
    ratio(each.compilers, own!.compilers),
    each.sizes === undefined ? "only types" : size(each.sizes.ten),
    each.sizes === undefined ? "only types" : size(each.sizes.all),
  ]);
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  const parts = own?.sizes?.parts;
  const note = parts === undefined
    ? ""
    : `\n\nThe ten operations on a client with only the classes of endpoints that they need: ${
      size(parts)
    }.`;
  return `${lines.join("\n")}${note}`;
}

function seconds(values: readonly number[]): string {
  return `${median(values).toFixed(2)} s`;
}

function ratio(runs: readonly Usage[], own: readonly Usage[]): string {
  return median(runs.map(({ seconds }, round) => seconds / own[round]!.seconds)).toFixed(2);
}

function size([whole, alone]: BundleSize): string {
  const text = kilobytes(whole);
  return alone === undefined || alone === whole ? text : `${text}, ${kilobytes(alone)} without`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
