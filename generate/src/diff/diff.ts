/** Compares the SDKs of two documents, and lists what breaks callers and what is new for them. */

import { parseNames } from "../names/names_file.ts";
import { parseOverrides } from "../names/overrides_file.ts";
import { linesOf } from "../options/table.ts";
import { checkOptions } from "../options/check.ts";
import type { GenerateOptions } from "../options/mod.ts";
import { OptionError } from "../base/errors.ts";
import { type Overlay, readOverlays } from "../overlay/overlay.ts";
import { planSdk } from "../plan/mod.ts";
import type { Method, SdkModel } from "../model/mod.ts";
import { readSource } from "../read/read.ts";
import { statedShape } from "../sdk/stated_shape.ts";
import { additionsOf } from "./additions.ts";
import { type Change, Changes } from "./changes.ts";
import { compareClients } from "./client.ts";
import { compareExports, declarationsOf } from "./exports.ts";
import { compareMethods, methodsOf, pairMethods } from "./methods.ts";
import { comparePageClasses } from "./page_classes.ts";
import { Shapes } from "./shapes.ts";
import { allFindings, newFindings, TypeComparison } from "./types.ts";

/** A document's name, and the files to which it refers: options of `generate`. */
export type DocumentOptions = Pick<GenerateOptions, "file" | "read">;

/**
 * Options of `diff`: those of `generate` that the SDK depends on, and where its documents come from. The
 * options that are left out do not change what callers see.
 */
export interface DiffOptions
  extends Omit<GenerateOptions, "toolkit" | "outputs" | "file" | "read" | "onStep"> {
  /**
   * The text of the names file. The new document is named with it, and with the names that a run
   * with the old document would have added.
   */
  readonly names?: string | undefined;
  /** The text of the names file of the old document. Default: that of `names` */
  readonly oldNames?: string | undefined;
  /**
   * The text of the file of overrides. A list that comes in pages in only one of both SDKs breaks
   * callers.
   */
  readonly overrides?: string | undefined;
  /** The text of the file of overrides of the old document. Default: that of `overrides` */
  readonly oldOverrides?: string | undefined;
  /** The overlays, which change the documents before anything else reads them. */
  readonly overlays?: readonly Overlay[] | undefined;
  /** The overlays of the old document. Default: those of `overlays` */
  readonly oldOverlays?: readonly Overlay[] | undefined;
  /**
   * The text of `stainless.yml`, the configuration of the generator Stainless. The SDKs have the call
   * sites that it states.
   */
  readonly stainless?: string | undefined;
  /** The text of the `stainless.yml` of the old document. Default: that of `stainless` */
  readonly oldStainless?: string | undefined;
  /** The text that `readSdk` returns for the sources of an SDK that Stainless made. */
  readonly sdk?: string | undefined;
  /** The same for the old document. Default: that of `sdk` */
  readonly oldSdk?: string | undefined;
  /**
   * The text of `api.md`, the list of methods of an SDK that Stainless made. It takes the place of the
   * configuration.
   */
  readonly apiMd?: string | undefined;
  /** The text of the `api.md` of the old document. Default: that of `apiMd` */
  readonly oldApiMd?: string | undefined;
  /** The options of the old document. */
  readonly old?: DocumentOptions | undefined;
  /** The options of the new document. */
  readonly new?: DocumentOptions | undefined;
}

/** The result of a comparison, which JSON can hold. */
export interface DiffResult {
  /** The changes that break callers. */
  readonly changes: readonly Change[];
  /** The additions for callers: methods, optional parameters, properties, values and events. */
  readonly added: readonly Change[];
  /** The other changes, which break nobody: a required parameter is optional. */
  readonly changed: readonly Change[];
}

/** The names of the options that both documents share. */
const shared: readonly string[] = linesOf("diff")
  .filter(([, , { isOfDocument }]) => isOfDocument !== true).map(([name]) => name);

/**
 * Compares the SDKs of two documents, and lists what breaks callers of the old one, and what is new for
 * them. It touches neither disk nor network.
 *
 * ```ts
 * import { diff } from "@restwright/generate";
 *
 * const document = (operation: string) => `
 * openapi: 3.1.0
 * info: { title: Pets, version: "1" }
 * paths:
 *   /pets/{id}:
 *     get:
 *       tags: [pets]
 *       operationId: ${operation}
 *       parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
 *       responses: { 204: { description: Found } }
 * `;
 * const { changes } = await diff(document("getPet"), document("findPet"));
 * console.log(changes.map(({ place, message }) => `${place}: ${message}`));
 * ```
 *
 * @param oldDocument The text of the document that callers use
 * @param newDocument The text of the document to compare with it
 * @param options The options
 * @throws {DocumentError} If a document is neither JSON nor YAML, or not OpenAPI
 * @throws {NamesError} If a names file is broken
 * @throws {OverridesError} If a file of overrides is broken, or does not fit its document
 * @throws {OverlayError} If an overlay is broken, or does not fit its document
 * @throws {ShapeError} If a `stainless.yml` or `api.md` is broken
 * @throws {OptionError} If an option is unknown or has a wrong value
 */
export async function diff(
  oldDocument: string,
  newDocument: string,
  options: DiffOptions = {},
): Promise<DiffResult> {
  const { names, overrides, overlays, old: ofOld = {}, new: ofNew = {}, ...rest } = options;
  const { oldNames = names, oldOverrides = overrides, oldOverlays = overlays, ...shapes } = rest;
  const { stainless, sdk, apiMd, oldStainless, oldSdk, oldApiMd, ...others } = shapes;
  checkNames(others, shared);
  for (const each of [ofOld, ofNew]) checkNames(each, ["file", "read"]);
  const ofShape = { stainless, sdk, apiMd };
  const hasOldShape = (oldStainless ?? oldSdk ?? oldApiMd) !== undefined;
  if (hasOldShape && (stainless ?? sdk ?? apiMd) === undefined) {
    throw new OptionError(
      "oldStainless, oldSdk and oldApiMd need stainless, sdk or apiMd, for the new document",
    );
  }
  // The call sites of the old SDK can be stated by the file of the other kind.
  const ofOldShape = hasOldShape
    ? { stainless: oldStainless, sdk: oldSdk, apiMd: oldApiMd }
    : ofShape;
  const ofOldFiles = { overrides: oldOverrides, overlays: oldOverlays };
  const oldOptions = { ...others, ...ofOld, ...ofOldShape, ...ofOldFiles };
  const newOptions = { ...others, ...ofNew, ...ofShape, overrides, overlays };
  checkOptions({ ...oldOptions, names: oldNames });
  checkOptions({ ...newOptions, names });

  // The overlays of both name the new document in `extends`.
  const { file } = rest.oldOverlays === undefined ? newOptions : oldOptions;
  const oldPlan = await planOf(oldDocument, oldOptions, parsed(oldNames), file);
  const pins = names === undefined
    ? new Map<string, string>()
    : new Map([...oldPlan.pins, ...parsed(names)]);
  const newPlan = await planOf(newDocument, newOptions, pins);
  const changes = new Changes();
  const [was, is] = [oldPlan, newPlan].map(({ client }) => client.className) as [string, string];
  if (was !== is) {
    changes.add({ kind: "client-renamed", place: was, message: `the client was renamed: ${is}` });
  }
  // Its name is part of others.
  const sameName = was === is
    ? newPlan
    : await planOf(newDocument, { ...newOptions, name: was }, pins);
  comparePlans(oldPlan, sameName, changes);
  const backwards = new Changes();
  comparePlans(sameName, oldPlan, backwards);
  const breaking = changes.list();
  const { added, changed } = additionsOf(breaking, backwards.list());
  return { changes: breaking, added, changed: [...changed, ...deprecations(oldPlan, sameName)] };
}

/** Refuses options of `generate` that a comparison does not have. */
function checkNames(options: object, names: readonly string[]): void {
  const unknown = Object.keys(options).find((each) => !names.includes(each));
  if (unknown === undefined) return;
  throw new OptionError(
    `there is no option ${JSON.stringify(unknown)}; there are ${names.join(", ")}`,
  );
}

function parsed(names: string | undefined): ReadonlyMap<string, string> {
  return names === undefined ? new Map() : parseNames(names);
}

async function planOf(
  document: string,
  options: GenerateOptions,
  pins: ReadonlyMap<string, string>,
  extended: string | undefined = options.file,
): Promise<SdkModel> {
  const stated = statedShape(options);
  const { changes: overlays } = await readOverlays(options.overlays, extended);
  const source = await readSource(document, { ...options, overlays, changes: stated?.changes });
  const overrides = options.overrides === undefined ? undefined : parseOverrides(options.overrides);
  return planSdk(source, { ...options, pins, overrides, shape: stated?.shape });
}

/** Adds what breaks callers between two plans. */
export function comparePlans(oldPlan: SdkModel, newPlan: SdkModel, changes: Changes): void {
  const plans = { old: oldPlan, new: newPlan };
  const types = new TypeComparison(
    new Shapes(declarationsOf(oldPlan)),
    new Shapes(declarationsOf(newPlan)),
  );
  compareClients(oldPlan, newPlan, changes);
  comparePageClasses(plans, types, changes);
  const pairs = pairMethods(methodsOf(oldPlan), methodsOf(newPlan));
  compareMethods(pairs, plans, types, changes);
  for (const { className, data } of oldPlan.errors) {
    const found = newPlan.errors.find((each) => each.className === className);
    if (found === undefined) continue;
    const findings = newFindings();
    types.compare(data, found.data, "response", `${className}.data`, findings);
    for (const finding of allFindings(findings)) changes.add(finding);
  }
  compareWebhooks(plans, types, changes);
  compareExports(plans, pairs, changes);
}

/** Lists the methods that are deprecated now. */
function deprecations(oldPlan: SdkModel, newPlan: SdkModel): Change[] {
  const reasonOf = ({ comment }: Method) => comment.tags.find(([tag]) => tag === "deprecated")?.[1];
  const changes = new Changes();
  for (const { oldMethod, newMethod } of pairMethods(methodsOf(oldPlan), methodsOf(newPlan))) {
    const reason = newMethod && reasonOf(newMethod.method);
    if (reason === undefined || reasonOf(oldMethod.method) !== undefined) continue;
    const message = reason === "" ? "is deprecated" : `is deprecated: ${reason}`;
    changes.add({ kind: "method-deprecated", place: newMethod!.name, message }, newMethod!.name);
  }
  return changes.list();
}

/** Adds what breaks those who read webhooks. */
function compareWebhooks(
  plans: { readonly old: SdkModel; readonly new: SdkModel },
  types: TypeComparison,
  changes: Changes,
): void {
  const { old: { webhookReader: oldReader }, new: { webhookReader: newReader } } = plans;
  const news = newReader?.field === oldReader?.field ? newReader?.events ?? [] : [];
  for (const method of new Set(oldReader?.events.map((each) => each.method))) {
    if (news.some((each) => each.method === method)) continue;
    const place = `${oldReader!.field}.${method}`;
    changes.add({ kind: "method-removed", place, message: "the method was removed" });
  }
  const events = new Map(plans.new.webhookEvents.map((each) => [each.name, each]));
  for (const { name, data } of plans.old.webhookEvents) {
    const found = events.get(name);
    if (found === undefined) {
      const message = "the event was removed";
      changes.add({ kind: "event-removed", place: `webhook ${name}`, message });
      continue;
    }
    const findings = newFindings();
    types.compare(data, found.data, "response", `webhook ${name}`, findings);
    for (const finding of allFindings(findings)) changes.add(finding);
  }
}
