/** The options of the generator. */
import type { Overrides } from "./names/overrides_file.ts";
import type { SdkShape } from "./sdk/shape.ts";
import type { ReadFile } from "./read/read.ts";

/** The specifier of the toolkit, if no other is given. */
export const TOOLKIT = "@restwright/restwright";

/** A step of a run: the document is read, then planned, then printed. */
export type Step = "read" | "plan" | "print";

/** Options of `generate`. */
export interface GenerateOptions {
  /** The name of the client's class. Made from the document's title by default. */
  readonly name?: string | undefined;
  /** The specifier of the toolkit, which the output imports; `@restwright/restwright` by default. */
  readonly toolkit?: string | undefined;
  /** `"xml"`: schemas with a media type of XML and `xml` hints become model classes. */
  readonly models?: "xml" | undefined;
  /** If true, `date-time` and `date` become `Date`. Strings by default. */
  readonly dates?: boolean | undefined;
  /** If true, `int64` becomes `bigint`. Numbers by default. */
  readonly bigint?: boolean | undefined;
  /** If true, enums in responses accept values that the document does not list. */
  readonly openEnums?: boolean | undefined;
  /** The text of a names file of an earlier run. */
  readonly names?: string | undefined;
  /** The text of a file of overrides, which sets the pages of operations or turns them off. */
  readonly overrides?: string | undefined;
  /**
   * The specifier by which tests import the SDK, such as `../src/api/mod.ts`. With it, the result has
   * a test for each operation. No tests by default.
   */
  readonly tests?: string | undefined;
  /**
   * The text of `stainless.yml`, the configuration of the generator Stainless. The SDK gets the call
   * sites that it states, and the document is changed by its transforms.
   */
  readonly stainless?: string | undefined;
  /**
   * The text of `api.md`, the list of methods of an SDK that Stainless made, in TypeScript or Python. It
   * takes the place of the configuration.
   */
  readonly apiMd?: string | undefined;
  /** The document's name in problems, such as `specs/api.yaml`. `document` by default. */
  readonly file?: string | undefined;
  /**
   * Returns the text of another file that the document refers to; undefined if there is none. Its
   * path is relative to the folder of the document, and can begin with `../`: read only files that may
   * become part of the output. Without it, such references are problems.
   */
  readonly read?: ReadFile | undefined;
  /** If true, `read` is asked for URLs, too. They are refused by default. */
  readonly allowNet?: boolean | undefined;
  /** Is called before each step, for a progress line. */
  readonly onStep?: ((step: Step) => void) | undefined;
}

/** An option that does not exist, or has a wrong value. */
export class OptionError extends TypeError {
  /** The name of the class. */
  override readonly name = "OptionError";
}

/** The options of the planner: those of the output, and the names of earlier runs. */
export interface PlanOptions extends
  Pick<
    GenerateOptions,
    "name" | "toolkit" | "models" | "dates" | "bigint" | "openEnums" | "tests"
  > {
  /** The names of a names file: `GET /pets/{}` to `pets.get`. */
  readonly pins: ReadonlyMap<string, string>;
  /** The overrides by operation: `GET /pets/{}`. */
  readonly overrides?: ReadonlyMap<string, Overrides> | undefined;
  /** The resources and methods, if a configuration or a list of methods states them. */
  readonly shape?: SdkShape | undefined;
}

/** The names of all options, and the type of each. */
const TYPES: Readonly<Record<keyof GenerateOptions, "string" | "boolean" | "function">> = {
  ...{ name: "string", toolkit: "string", models: "string", names: "string", file: "string" },
  ...{ overrides: "string", stainless: "string", apiMd: "string", tests: "string" },
  ...{ dates: "boolean", bigint: "boolean", openEnums: "boolean", allowNet: "boolean" },
  ...{ read: "function", onStep: "function" },
};

/**
 * Checks options.
 *
 * @throws {OptionError} If an option is unknown, or has a value of another type
 */
export function checkOptions(options: GenerateOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(TYPES, name)) {
      throw new OptionError(
        `generate has no option ${JSON.stringify(name)}; it has ${Object.keys(TYPES).join(", ")}`,
      );
    }
    const type = TYPES[name as keyof GenerateOptions];
    if (value !== undefined && typeof value !== type) {
      throw new OptionError(`${name} must be a ${type}`);
    }
  }
  const { name, toolkit, models, tests } = options;
  if (options.stainless !== undefined && options.apiMd !== undefined) {
    throw new OptionError("stainless and apiMd state the same: pass one of them");
  }
  if (name !== undefined && !/^[A-Z][A-Za-z0-9_]{0,79}$/.test(name)) {
    throw new OptionError(
      `name must be the name of a class, such as PetStore, not ${JSON.stringify(name)}`,
    );
  }
  if (toolkit !== undefined && !/^[@\w.:/^~%+-]+$/.test(toolkit)) {
    throw new OptionError(
      `toolkit must be a specifier such as restwright, not ${JSON.stringify(toolkit)}`,
    );
  }
  if (tests === "") throw new OptionError("tests must be a specifier such as ../src/api/mod.ts");
  if (models !== undefined && models !== "xml") {
    throw new OptionError(`models must be "xml", not ${JSON.stringify(models)}`);
  }
}
