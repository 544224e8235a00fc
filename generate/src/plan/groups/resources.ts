/** Plans a client with resources, by the shape that states them. */

import type { MethodGroup } from "../../model/mod.ts";
import { FileNames } from "../../names/file_names.ts";
import { planResourceMethod, type ResourceParts, type SdkParts } from "../methods/mod.ts";
import { namespaceOf, type PlacedResource, type PlacedShape } from "../names/mod.ts";
import { PageClasses } from "../pages/mod.ts";
import type { Unfinished } from "../parts.ts";
import { planWebhooks } from "../webhooks/mod.ts";
import type { Operation } from "../../read/operations.ts";
import type { Source } from "../../read/source.ts";

/** Plans a client with resources. */
export function planResources(
  source: Source,
  operations: readonly Operation[],
  shaped: PlacedShape,
  parts: SdkParts,
): Unfinished {
  const { types, typeNames, client, options } = parts;
  const { resources, stated, classes, leftOut } = shaped;
  // The names of models come first: they are what a configuration states.
  const models = new Map(
    resources.map(({ field }) => [
      field,
      (stated.ofResource.get(field) ?? []).flatMap(([name, place]) => {
        const type = types.nameAt(place);
        return type === undefined ? [] : [[name, type] as const];
      }),
    ]),
  );
  const pageClasses = new PageClasses(typeNames, types);
  const byId = new Map(
    shaped.methods.map((
      { operation, resource, name },
    ) => [operation.operationId, [...resource.path, name].join(".")]),
  );
  const context: ResourceParts = {
    ...{ ...parts, shape: shaped.shape, pageClasses },
    methodOf: (operationId) => byId.get(operationId),
  };
  const files = resourceFiles(resources);
  const groups = resources.map((resource): MethodGroup => {
    const { field, path, shape: { className, description, deprecated, otherName } } = resource;
    const methods = shaped.methods.filter((each) => each.resource === resource)
      .map((each) => planResourceMethod(source, each, context));
    const own = methods.flatMap((each) => each.types);
    const ofResource = models.get(field) ?? [];
    const text = description?.trim() || `The methods of \`${["client", ...path].join(".")}\`.`;
    return {
      place: field === "$client" ? "client" : field === "$shared" ? "shared" : "class",
      path,
      className: field === "$client" ? client.className : classes.get(field) ?? "Shared",
      ...{ statedName: className, otherName },
      file: files.get(field) ?? "",
      comment: { text, tags: deprecated === undefined ? [] : [["deprecated", deprecated]] },
      methods: methods.map(({ method }) => method),
      types: own,
      namespace: namespaceOf(path, ofResource, own),
    };
  });
  const fields = [
    ...groups.filter(({ path }) => path.length === 1).map(({ path }) => path[0]!),
    ...client.options.map(({ name }) => name),
    ...groups.filter(({ place }) => place === "client")
      .flatMap(({ methods }) => methods.map(({ name }) => name)),
  ];
  const webhooks = planWebhooks(source, operations, parts, fields);
  const declarations = [...types.declarations(), ...webhooks.declarations];
  const names = new Set([
    ...declarations.map(({ name }) => name),
    ...groups.flatMap((each) => each.types.map(({ name }) => name)),
  ]);
  return {
    form: "resources",
    client,
    groups,
    models: declarations,
    webhookEvents: webhooks.events,
    webhookReader: webhooks.reader,
    errors: [],
    pins: options.pins,
    pageClasses: pageClasses.all(),
    leftOut,
    modules: shaped.shape.modules,
    missingTypes: stated.missing.filter((name) => !names.has(name)),
  };
}

/** Returns the files of resources, without `.ts`: `chat/completions`. */
function resourceFiles(resources: readonly PlacedResource[]): ReadonlyMap<string, string> {
  const folders = new Map<string, FileNames>();
  const files = new Map<string, string>();
  for (const { path, field } of resources) {
    if (path.length === 0 || field === "$shared") continue;
    const folder = path.length === 1 ? "" : `${files.get(path.slice(0, -1).join("."))!}/`;
    const names = folders.get(folder) ?? new FileNames();
    folders.set(folder, names);
    files.set(field, folder + names.add(path.at(-1)!, "resource").replaceAll("_", "-"));
  }
  return files;
}
