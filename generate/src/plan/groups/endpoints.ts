/** Plans a client with a class of endpoints for each tag. */

import type { MethodGroup } from "../../model/mod.ts";
import { FileNames } from "../../names/file_names.ts";
import { pascalCase, type TypeNames } from "../../names/type_names.ts";
import {
  type EndpointParts,
  keyOf,
  planEndpointMethod,
  type Planned,
  planOperation,
  type SdkParts,
} from "../methods/mod.ts";
import { nameOperations, pinKey } from "../names/mod.ts";
import { isListResult } from "../pages/mod.ts";
import type { Unfinished } from "../parts.ts";
import { tagTexts } from "../requests/mod.ts";
import { planErrors } from "../results/mod.ts";
import { planWebhooks } from "../webhooks/mod.ts";
import { compare } from "../../read/fields.ts";
import type { Operation } from "../../read/operations.ts";
import type { Source } from "../../read/source.ts";

/** Plans a client with endpoints. */
export function planEndpoints(
  source: Source,
  operations: readonly Operation[],
  parts: SdkParts,
): Unfinished {
  const { typeNames, types, security, client, options } = parts;
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
  const errors = planErrors(
    new Map(planned.map((each) => [each, each.errors])),
    typeNames,
    {
      clientName: client.className,
      nameOf: ({ name }) => `${name.field} ${name.method}`,
      conversionOf: (type) => types.conversionOf(type),
    },
  );
  const fields = [...new Set(planned.map(({ name }) => name.field))];
  const classes = classNames(fields, typeNames);
  const files = fileNames(fields);
  const texts = tagTexts(source);
  const byId = new Map(planned.map((each) => [each.operation.operationId, keyOf(each)]));
  const context: EndpointParts = {
    ...parts,
    methodOf: (operationId) => byId.get(operationId),
    errors: errors.of,
    ofClient: new Map(errors.ofClient.map((each) => [each.status, each.className])),
    errorClasses: new Map(errors.classes.map((each) => [each.className, each])),
  };
  const methods = new Map(
    planned.toSorted((a, b) => compare(keyOf(a), keyOf(b)))
      .map((each) => [each, planEndpointMethod(source, each, context)]),
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
  const webhooks = planWebhooks(source, operations, parts, fields);
  return {
    form: "classes",
    client: { ...client, errors: errors.ofClient },
    groups,
    models: [...types.declarations(), ...webhooks.declarations],
    webhookEvents: webhooks.events,
    webhookReader: webhooks.reader,
    errors: errors.classes,
    pins: named.pins,
    pageClasses: [],
    leftOut: [],
    missingTypes: [],
  };
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
