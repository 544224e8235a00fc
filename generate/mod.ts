/**
 * Writes an SDK on Restwright from an OpenAPI document, and compares those of two documents.
 *
 * @module
 */

export type { Change, ChangeKind } from "./src/diff/changes.ts";
export { diff, type DiffOptions, type DiffResult, type DocumentOptions } from "./src/diff/diff.ts";
export { DocumentError, NamesError, OverridesError, ShapeError } from "./src/errors.ts";
export { generate, type GenerateResult } from "./src/generate.ts";
export { type GenerateOptions, OptionError, type Step } from "./src/options.ts";
export type { Location, Problem, ProblemKind } from "./src/problems.ts";
export type { ReadFile } from "./src/read/read.ts";
export type { ListReport, Report } from "./src/report.ts";
export type { IgnoredSetting } from "./src/sdk/settings.ts";
