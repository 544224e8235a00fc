/** Reads the shape of an SDK from the file that states it: `stainless.yml` or `api.md`. */
import { ShapeError } from "../base/errors.ts";
import type { SdkShape } from "./shape.ts";
import type { Problem } from "../base/problems.ts";
import type { DocumentChanges } from "../read/read.ts";
import { readApiMd } from "./api_md.ts";
import { readStainless } from "./config.ts";
import type { IgnoredSetting } from "../read/settings.ts";

/** The shape that a file states, and its changes of the document. */
export interface StatedShape {
  readonly shape: SdkShape;
  /** The changes of the document before it is planned; undefined for `api.md`. */
  readonly changes?: DocumentChanges | undefined;
  /** The settings that have no effect. */
  readonly ignored: readonly IgnoredSetting[];
  /** Returns the problems of the file. Those of its changes come after the document was read. */
  problems(): Problem[];
}

/**
 * Reads the shape that the options state.
 *
 * @returns The shape; undefined if no file states one
 * @throws {ShapeError} If the file is broken, or states no methods
 */
export function statedShape(
  { stainless, apiMd }: {
    readonly stainless?: string | undefined;
    readonly apiMd?: string | undefined;
  },
): StatedShape | undefined {
  if (apiMd !== undefined) return { ...readApiMd(apiMd), problems: () => [] };
  if (stainless === undefined) return undefined;
  const config = readStainless(stainless);
  if (config.shape.resources.length === 0) {
    const message =
      "has no resources for TypeScript: it must be the whole configuration of the SDK";
    throw new ShapeError("stainless.yml", message);
  }
  return config;
}
