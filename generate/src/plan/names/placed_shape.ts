/** The shape of an SDK in its document: resources with their classes, methods with their operations. */

import { pascalCase, type TypeNames } from "../../names/type_names.ts";
import { methodsOf, type PlacedResource, resourcesOf, type ShapedMethod } from "./resources.ts";
import { type StatedTypes, statedTypes } from "./stated_types.ts";
import type { Operation } from "../../read/operations.ts";
import type { Source } from "../../read/source.ts";
import type { SdkShape } from "../../sdk/shape.ts";

/** A shape with its place in a document. */
export interface PlacedShape {
  readonly shape: SdkShape;
  readonly resources: readonly PlacedResource[];
  readonly methods: readonly ShapedMethod[];
  readonly leftOut: readonly string[];
  readonly stated: StatedTypes;
  /** The class names of resources by their fields. */
  readonly classes: ReadonlyMap<string, string>;
}

/** Finds the operations and schemas that a shape names, and names the classes of its resources. */
export function placeShape(
  source: Source,
  operations: readonly Operation[],
  sdk: SdkShape,
  names: TypeNames,
): PlacedShape {
  const resources = resourcesOf(source, sdk);
  const { methods, leftOut } = methodsOf(source, operations, resources);
  const classes = new Map<string, string>();
  // Resources of the client itself have the short names.
  for (
    const { field, path, shape } of resources.toSorted((a, b) => a.path.length - b.path.length)
  ) {
    if (field === "$shared" || path.length === 0) continue;
    const own = shape.className ?? (pascalCase(path.at(-1)!) || "Resource");
    const whole = path.map((each) => pascalCase(each)).join(" ");
    const isStated = own === shape.className && !names.has(own);
    classes.set(field, isStated ? names.takeStated(own) : names.take(names.has(own) ? whole : own));
  }
  return {
    shape: sdk,
    resources,
    methods,
    leftOut,
    stated: statedTypes(source, sdk, resources, methods),
    classes,
  };
}

/** Returns the names of the resources and methods in the client itself. */
export function membersOf({ resources, methods }: PlacedShape): string[] {
  return [
    ...resources.filter(({ path }) => path.length === 1).map(({ field }) => field),
    ...methods.filter(({ resource }) => resource.path.length === 0).map(({ name }) => name),
  ];
}
