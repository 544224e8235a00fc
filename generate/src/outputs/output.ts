/** Outputs: functions from the model of an SDK to the texts of files. */

import type { Guide, GuideOptions } from "../guide/mod.ts";
import type { ModelPart, SdkModel } from "../model/mod.ts";

/** The specifier of the toolkit, if no other is given. */
export const TOOLKIT = "@restwright/restwright";

/** A function from the model of an SDK to the texts of files. */
export interface Output {
  /** Its name, by which the result has its files. */
  readonly name: string;
  /** Names that its files import or declare, and that no type of the SDK gets. */
  readonly reservedNames?: readonly string[] | undefined;
  /** The parts of the model that it needs, and that are made only if an output needs them. */
  readonly needs?: readonly ModelPart[] | undefined;
  /** Returns the texts of the files by their paths, such as `pets_test.ts`. */
  files(model: SdkModel, context: OutputContext): ReadonlyMap<string, string>;
  /**
   * The choices for the guide of the SDK, if the output shows it. All outputs then have it in their
   * context: tests run its programs.
   */
  readonly guide?: GuideOptions | undefined;
}

/** The surroundings of an output. */
export interface OutputContext {
  /** The specifier of the toolkit. */
  readonly toolkit: string;
  /** The guide, if an output shows it. */
  readonly guide?: Guide | undefined;
}

/** The options that each output beside the SDK has. */
export interface OutputOptions {
  /** The specifier by which the files of the output import the SDK, such as `../src/api/mod.ts`. */
  readonly sdk: string;
  /** The folder of the output's files, for links from other files and to them. */
  readonly folder?: string | undefined;
}

/**
 * An output that users choose beside the SDK. It is declared once: in a program, it is an element of
 * the option `outputs`; on the command line, its name is an option with the folder to write to.
 */
export interface OutputKind<Options extends OutputOptions = OutputOptions> {
  /** Its name: `tests` for the option `--tests FOLDER`. */
  readonly name: string;
  /** The text of `--help`. */
  readonly help: string;
  /** Its own options, beside the folder, by their names in a program. */
  readonly options: Readonly<Record<string, OutputOption>>;
  /** The end of the names of its files, by which they differ from those of the SDK. */
  readonly ending: string;
  /** The folders below its own that have files of it, too. */
  readonly folders?: readonly string[] | undefined;
  /** Its folder in a repository that `init` makes; undefined if it is made only when it is asked for. */
  readonly repositoryFolder?: string | undefined;
  /** Its own options in such a repository. */
  readonly repositoryOptions?: Readonly<Record<string, string>> | undefined;
  /**
   * Returns the output with its options.
   *
   * @throws {OptionError} If an option has a wrong value
   */
  with(options: Options): Output;
}

/** An option of an output. */
export interface OutputOption {
  /** The word for the value in `--help`, such as `NAME`; undefined for a flag. */
  readonly argument?: string | undefined;
  /** The values that are allowed, if they are listed. */
  readonly values?: readonly string[] | undefined;
  /** The text of `--help`. */
  readonly help: string;
}
