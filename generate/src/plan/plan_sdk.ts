/** The plan of an SDK: every decision about its names, types and calls, as plain data. */

import { OverridesError } from "../base/errors.ts";
import type { SdkModel } from "../model/mod.ts";
import type { Overrides } from "../names/overrides_file.ts";
import { conversionNames, TypeNames, webhookNames } from "../names/type_names.ts";
import { planClient, withIdempotencyHeader, withOwnServers } from "./client/mod.ts";
import { planEndpoints, planResources } from "./groups/mod.ts";
import { membersOf, pinKey, placeShape } from "./names/mod.ts";
import type { PlanOptions } from "./options.ts";
import { partsWithTests, withParts } from "./parts.ts";
import { CallPlanner, TestPlanner } from "./tests/mod.ts";
import { TypePlanner } from "./types/mod.ts";
import { objectAt, textAt } from "../read/fields.ts";
import { type Operation, operationsOf } from "../read/operations.ts";
import type { Source } from "../read/source.ts";

/**
 * Plans an SDK.
 *
 * @param source The document. Its problems are noted in it
 * @param options The options of the output, and the names of earlier runs
 */
export function planSdk(source: Source, options: PlanOptions): SdkModel {
  const info = objectAt(source, source.root, "info");
  const title = textAt(info, "title") ?? "";
  const { shape } = options;
  const converts = options.dates || options.bigint || options.models !== undefined;
  const typeNames = new TypeNames([
    ...converts ? conversionNames : [],
    ...options.webhooks === undefined ? [] : webhookNames,
    ...options.reservedNames ?? [],
  ]);
  const className = options.name ?? shape?.className ?? typeNames.take(shortTitle(title), "Client");
  typeNames.reserve(className);
  const optionsType = typeNames.take(`${className}Options`);
  const baseError = shape && typeNames.take(shape.baseError ?? `${className}Error`);
  const operations = operationsOf(source);
  const shaped = shape && placeShape(source, operations, shape, typeNames);
  const types = new TypePlanner(
    source,
    typeNames,
    { ...options, uploads: shape !== undefined },
    shaped?.stated.byPlace,
  );

  const { client, security, documentUrl } = planClient(source, operations, {
    ...{ className, optionsType, shape, timeout: options.timeout, baseError },
    members: shaped === undefined ? [] : membersOf(shaped),
  });
  checkOverrides(options.overrides, operations);
  const form = shaped === undefined ? "classes" : "resources";
  const hasTests = partsWithTests.some((each) => options.parts?.has(each));
  const tests = hasTests ? new TestPlanner(source, types, client, form) : undefined;
  const hasExamples = options.parts?.has("examples") === true;
  const calls = hasExamples ? new CallPlanner(source, types, client, form) : undefined;
  const parts = { typeNames, types, security, client, documentUrl, calls, tests, options };
  const model = shaped === undefined
    ? planEndpoints(source, operations, parts)
    : planResources(source, operations, shaped, parts);
  const safe = withIdempotencyHeader(model, options.idempotencyHeader);
  return withParts(source, withOwnServers(safe, documentUrl), operations, options.parts);
}

/** Words of titles that the name of a client does not need. */
const noise =
  /^(?:the|apis?|rest|restful|http|json|openapi|spec|specification|official|public|v?\d[\d.]*)$/i;

/** Returns the first words of a title that say which API it is: `Train Travel API` loses its last one. */
function shortTitle(title: string): string {
  const [start = ""] = title.replace(/['’]s\b/g, "").split(/\s[-–—|+]\s|[(:,]/);
  const words = start.split(/\s+/).filter((word) => word !== "" && !noise.test(word));
  return words.length === 0 ? title : words.slice(0, 3).join(" ");
}

/** @throws {OverridesError} If there are overrides of an operation that the document does not have */
function checkOverrides(
  overrides: ReadonlyMap<string, Overrides> | undefined,
  operations: readonly Operation[],
): void {
  const known = new Set(operations.map(pinKey));
  for (const key of overrides?.keys() ?? []) {
    if (known.has(key)) continue;
    throw new OverridesError(
      `the overrides file has ${JSON.stringify(key)}, which the document does not have`,
    );
  }
}
