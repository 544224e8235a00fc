/** Reads the shape of an SDK from what states it: `stainless.yml`, its sources, or `api.md`. */
import { ShapeError } from "../base/errors.ts";
import { frozenShape } from "../frozen/mod.ts";
import type { SdkShape } from "./shape.ts";
import type { Problem } from "../base/problems.ts";
import type { DocumentChanges } from "../read/read.ts";
import { readApiMd } from "./api_md.ts";
import { readStainless, type StainlessConfig } from "./config.ts";
import { mergedShape } from "./merged_shape.ts";
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
  { stainless, sdk, apiMd }: {
    readonly stainless?: string | undefined;
    readonly sdk?: string | undefined;
    readonly apiMd?: string | undefined;
  },
): StatedShape | undefined {
  if (apiMd !== undefined) return { ...readApiMd(apiMd), problems: () => [] };
  const frozen = sdk === undefined ? undefined : frozenShape(sdk);
  const config = stainless === undefined ? undefined : readConfiguration(stainless);
  if (frozen === undefined || config === undefined) return config ?? frozen;
  return {
    shape: mergedShape(config.shape, frozen.shape),
    changes: {
      ...config.changes,
      complete(document) {
        config.changes.complete(document);
        frozen.changes.complete(document);
      },
    },
    ignored: [...config.ignored, ...frozen.ignored],
    problems: () => [...config.problems(), ...frozen.problems()],
  };
}

function readConfiguration(stainless: string): StainlessConfig {
  const config = readStainless(stainless);
  if (config.shape.resources.length === 0) {
    const message =
      "has no resources for TypeScript: it must be the whole configuration of the SDK";
    throw new ShapeError("stainless.yml", message);
  }
  return config;
}
