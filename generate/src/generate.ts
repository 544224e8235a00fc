/** The generator: reads a document, plans the SDK, and prints it. */
import { guideOf } from "./guide/mod.ts";
import { parseNames, printNames } from "./names/names_file.ts";
import { parseOverrides } from "./names/overrides_file.ts";
import { checkOptions } from "./options/check.ts";
import type { GenerateOptions } from "./options/mod.ts";
import { TOOLKIT } from "./outputs/output.ts";
import { readOverlays } from "./overlay/overlay.ts";
import { planSdk } from "./plan/mod.ts";
import type { SdkModel } from "./model/mod.ts";
import {
  FileError,
  InternalError,
  NamesError,
  OptionError,
  OverridesError,
} from "./base/errors.ts";
import type { LoadedSource } from "./read/loaded_source.ts";
import { readSource } from "./read/read.ts";
import { countKinds, listsOf, type Report, wholeListsOf } from "./report.ts";
import { statedShape } from "./sdk/stated_shape.ts";
import { printSdk, sdkOutput } from "./outputs/sdk.ts";

/** The output of the generator. */
export interface GenerateResult {
  /** The texts of all files by their paths, such as `endpoints/pets.ts`. */
  readonly files: ReadonlyMap<string, string>;
  /** The files of the other outputs by their names: `tests` has `pets_test.ts`. */
  readonly outputs: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The text of the names file, with the names of this run and of earlier ones. */
  readonly names: string;
  /** The numbers and the problems. */
  readonly report: Report;
}

/**
 * Writes an SDK on Restwright from an OpenAPI document. It touches neither disk nor network.
 *
 * ```ts
 * import { generate } from "@restwright/generate";
 *
 * const document = `
 * openapi: 3.1.0
 * info: { title: Pets, version: "1" }
 * servers: [{ url: https://api.example.com }]
 * paths:
 *   /pets/{id}:
 *     get:
 *       tags: [pets]
 *       operationId: getPet
 *       parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
 *       responses:
 *         200:
 *           description: The pet
 *           content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } }
 * components:
 *   schemas:
 *     Pet: { type: object, required: [name], properties: { name: { type: string } } }
 * `;
 * const { files, report } = await generate(document);
 * console.log([...files.keys()], report.operations);
 * ```
 *
 * @param document The text of the document, JSON or YAML
 * @param options The options
 * @throws {DocumentError} If the document is neither JSON nor YAML, or not OpenAPI
 * @throws {NamesError} If the names file is broken
 * @throws {OverridesError} If the file of overrides is broken, or does not fit the document
 * @throws {OverlayError} If an overlay is broken, or does not fit the document
 * @throws {ShapeError} If `stainless.yml` or `api.md` is broken
 * @throws {OptionError} If an option is unknown or has a wrong value
 */
export async function generate(
  document: string,
  options: GenerateOptions = {},
): Promise<GenerateResult> {
  const { plan: _, ...result } = await generatePlanned(document, options);
  return result;
}

/** Calls a function, whose errors are bugs of the generator unless they are about another file. */
function withoutBugs<T>(source: LoadedSource, call: () => T): T {
  try {
    return call();
  } catch (error) {
    const types = [FileError, NamesError, OptionError, OverridesError];
    if (types.some((type) => error instanceof type)) throw error;
    throw new InternalError(error, source.visited);
  }
}

/** Generates an SDK, and returns its plan, too. */
export async function generatePlanned(
  document: string,
  options: GenerateOptions,
): Promise<GenerateResult & { readonly plan: SdkModel }> {
  checkOptions(options);
  const pins = options.names === undefined ? new Map<string, string>() : parseNames(options.names);
  const overrides = options.overrides === undefined ? undefined : parseOverrides(options.overrides);
  const stated = statedShape(options);
  const overlays = await readOverlays(options.overlays, options.file);
  options.onStep?.("read");
  const source = await readSource(document, {
    ...options,
    overlays: overlays.changes,
    changes: stated?.changes,
  });
  options.onStep?.("plan");
  const { toolkit = TOOLKIT, outputs: wanted = [] } = options;
  const form = stated === undefined ? "classes" : "resources";
  const all = [sdkOutput(form), ...wanted];
  const parts = new Set(all.flatMap(({ needs = [] }) => needs));
  const reservedNames = all.flatMap((each) => each.reservedNames ?? []);
  const plan = withoutBugs(source, () =>
    planSdk(source, {
      ...options,
      ...{ pins, overrides, parts, reservedNames, shape: stated?.shape },
    }));
  options.onStep?.("print");
  const files = withoutBugs(source, () => printSdk(plan, { toolkit }));
  const choices = wanted.find(({ guide }) => guide !== undefined)?.guide;
  const outputs = withoutBugs(source, () => {
    const guide = choices && guideOf(plan, toolkit, choices);
    return new Map(wanted.map((each) => [each.name, each.files(plan, { toolkit, guide })]));
  });
  const problems = [
    ...overlays.problems(),
    ...stated?.problems() ?? [],
    ...source.problems(),
  ];
  return {
    plan,
    files,
    outputs,
    names: printNames(plan.pins, options.names),
    report: {
      version: source.version,
      operations: plan.groups.reduce((sum, { methods }) => sum + methods.length, 0),
      types: plan.groups.reduce(
        (sum, { types }) => sum + types.length,
        plan.models.length + plan.errors.length,
      ),
      tests: [...outputs.get("tests")?.values() ?? []].reduce(
        (sum, text) => sum + (text.match(/^test\(/gm)?.length ?? 0),
        0,
      ),
      files: [...outputs.values()].reduce((sum, { size }) => sum + size, files.size),
      lists: listsOf(plan),
      wholeLists: wholeListsOf(plan),
      ignored: stated?.ignored ?? [],
      leftOut: plan.leftOut,
      missingTypes: plan.missingTypes,
      problemsByKind: countKinds(problems),
      problems,
    },
  };
}
