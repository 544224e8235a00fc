/** The plan of an SDK: every decision about its names, types and calls, as plain data. */

import { planClient, withOwnServers } from "./client/mod.ts";
import { FileNames } from "../names/file_names.ts";
import { OverridesError } from "../base/errors.ts";
import { partsWithTests, type Unfinished, withParts } from "./parts.ts";
import type { Overrides } from "../names/overrides_file.ts";
import type { PlanOptions } from "./options.ts";
import type { Source } from "../read/source.ts";
import { planErrors } from "./results/mod.ts";
import { compare, objectAt, textAt } from "../read/fields.ts";
import { keyOf, type MethodContext, planMethod, type Planned, planOperation } from "./methods.ts";
import { isListResult } from "./pages/mod.ts";
import { nameOperations, pinKey } from "./names/mod.ts";
import { type Operation, operationsOf } from "../read/operations.ts";
import { tagTexts } from "./requests/mod.ts";
import type { MethodGroup, SdkModel } from "../model/mod.ts";
import { membersOf, placeShape, planResources } from "./resource_methods.ts";
import { TypePlanner } from "./types/mod.ts";
import { TestPlanner } from "./tests/mod.ts";
import { conversionNames, pascalCase, TypeNames } from "../names/type_names.ts";

export type * from "../model/sdk.ts";
export type * from "../model/types.ts";

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
    ...options.reservedNames ?? [],
  ]);
  const className = options.name ?? shape?.className ?? typeNames.take(shortTitle(title), "Client");
  typeNames.reserve(className);
  const optionsType = typeNames.take(`${className}Options`);
  const operations = operationsOf(source);
  const shaped = shape && placeShape(source, operations, shape, typeNames);
  const types = new TypePlanner(
    source,
    typeNames,
    { ...options, uploads: shape !== undefined },
    shaped?.stated.byPlace,
  );

  const { client, security, documentUrl } = planClient(source, operations, {
    ...{ className, optionsType, shape },
    members: shaped === undefined ? [] : membersOf(shaped),
  });
  if (shaped !== undefined) {
    checkOverrides(options.overrides, operations);
    const plan = planResources(source, {
      ...{ shaped, typeNames, types, security, client, documentUrl, options },
    });
    return withParts(source, withOwnServers(plan, documentUrl), operations, options.parts);
  }
  const unnamed = operations.map((operation) =>
    planOperation(source, types, operation, {
      security,
      overrides: options.overrides?.get(pinKey(operation)),
    })
  );
  const named = nameOperations(
    source,
    unnamed.map((each) => ({ operation: each.operation, isList: isListResult(types, each) })),
    options.pins,
  );
  const planned = unnamed.map((each): Planned => ({
    ...each,
    name: named.of.get(each.operation)!,
  }));
  checkOverrides(options.overrides, operations);
  const errors = planErrors(
    new Map(planned.map((each) => [each, each.errors])),
    typeNames,
    { clientName: className, nameOf: ({ name }) => `${name.field} ${name.method}` },
  );
  const fields = [...new Set(planned.map(({ name }) => name.field))];
  const classes = classNames(fields, typeNames);
  const files = fileNames(fields);
  const texts = tagTexts(source);
  const context: MethodContext = {
    source,
    typeNames,
    documentUrl,
    errors: errors.of,
    ofClient: new Map(errors.ofClient.map((each) => [each.status, each.className])),
    security: client.security,
    errorClasses: new Map(errors.classes.map((each) => [each.className, each])),
    tests: !partsWithTests.some((each) => options.parts?.has(each))
      ? undefined
      : new TestPlanner(source, types, client, "classes"),
  };
  const methods = new Map(
    planned.toSorted((a, b) => compare(keyOf(a), keyOf(b)))
      .map((each) => [each, planMethod(each, context)]),
  );
  const groups = fields.map((field): MethodGroup => {
    const own = planned.filter(({ name }) => name.field === field);
    return {
      place: "class",
      path: [field],
      className: classes.get(field)!,
      file: files.get(field)!,
      comment: { text: endpointText(own, texts), tags: [] },
      methods: own.map((each) => methods.get(each)!.method),
      types: own.flatMap((each) => methods.get(each)!.types),
      namespace: [],
    };
  });
  const plan: Unfinished = {
    form: "classes",
    client: { ...client, errors: errors.ofClient },
    groups,
    models: types.declarations(),
    errors: errors.classes,
    pins: named.pins,
    pageClasses: [],
    leftOut: [],
    missingTypes: [],
  };
  return withParts(source, withOwnServers(plan, documentUrl), operations, options.parts);
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

/** Returns the names of the endpoints' classes. */
function classNames(fields: readonly string[], names: TypeNames): ReadonlyMap<string, string> {
  return new Map(
    fields.toSorted(compare).map((field) => {
      const wanted = pascalCase(field) || "Api";
      const name = names.has(wanted) ? names.take(`${wanted} Endpoint`) : names.take(wanted);
      return [field, name];
    }),
  );
}

/** Returns the names of the endpoints' files. */
function fileNames(fields: readonly string[]): ReadonlyMap<string, string> {
  const names = new FileNames();
  return new Map(fields.toSorted(compare).map((field) => [field, names.add(field, "api")]));
}

function endpointText(planned: readonly Planned[], texts: ReadonlyMap<string, string>): string {
  for (const { operation } of planned) {
    const text = texts.get(operation.tag ?? "");
    if (text !== undefined) return text;
  }
  const tag = planned.find(({ operation }) => operation.tag)?.operation.tag;
  return `Calls of ${tag ?? planned[0]!.name.field}.`;
}
