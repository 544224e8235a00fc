/**
 * Writes an SDK on Restwright from an OpenAPI document, and compares those of two documents.
 *
 * @module
 */

export type { Change, ChangeKind } from "./src/diff/changes.ts";
export { diff, type DiffOptions, type DiffResult, type DocumentOptions } from "./src/diff/diff.ts";
export {
  DocumentError,
  FileError,
  NamesError,
  OptionError,
  OverlayError,
  OverridesError,
  ShapeError,
} from "./src/base/errors.ts";
export { generate, type GenerateResult } from "./src/generate.ts";
export type { GenerateOptions, Step } from "./src/options/mod.ts";
export * from "./src/outputs/mod.ts";
export type {
  Output,
  OutputContext,
  OutputKind,
  OutputOption,
  OutputOptions,
} from "./src/outputs/output.ts";
export type { Guide } from "./src/guide/guide.ts";
export type { GuideOptions, Section } from "./src/guide/context.ts";
export type { Program, ProgramImport, ProgramReply } from "./src/guide/program.ts";
export type { Choice as LayoutChoice, Group as LayoutGroup, Layout } from "./src/print/layout.ts";
export type * from "./src/model/mod.ts";
export type { Location, Problem, ProblemKind } from "./src/base/problems.ts";
export type { Overlay } from "./src/overlay/overlay.ts";
export { readSdk } from "./src/frozen/mod.ts";
export type { SdkFile } from "./src/frozen/mod.ts";
export type { ReadFile } from "./src/read/read.ts";
export type { ListReport, Report, WholeListReport } from "./src/report.ts";
export type { IgnoredSetting } from "./src/read/settings.ts";
