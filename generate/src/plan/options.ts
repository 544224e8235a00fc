/** The options of the planner. */

import type { ModelPart } from "../model/mod.ts";
import type { Overrides } from "../names/overrides_file.ts";
import type { GenerateOptions } from "../options/mod.ts";
import type { SdkShape } from "../sdk/shape.ts";

/**
 * The options of the planner: those of the generator, and what was read from their files. The excluded ones
 * are not about the model, so that no option is forgotten here.
 */
export interface PlanOptions extends
  Omit<
    GenerateOptions,
    | "toolkit"
    | "names"
    | "overrides"
    | "overlays"
    | "outputs"
    | "stainless"
    | "apiMd"
    | "file"
    | "read"
    | "allowNet"
    | "onStep"
  > {
  /** The names of a names file: `GET /pets/{}` to `pets.get`. */
  readonly pins: ReadonlyMap<string, string>;
  /** The overrides by operation: `GET /pets/{}`. */
  readonly overrides?: ReadonlyMap<string, Overrides> | undefined;
  /** The parts of the model that only some outputs need. */
  readonly parts?: ReadonlySet<ModelPart> | undefined;
  /** The names that no type of the SDK gets, because files of the outputs have them. */
  readonly reservedNames?: readonly string[] | undefined;
  /** The resources and methods, if a configuration or a list of methods states them. */
  readonly shape?: SdkShape | undefined;
}
