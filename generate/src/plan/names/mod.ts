/** The names of methods and resources, and of the types that a shape states. This is the room's one way in. */

export { nameOperations, type OperationName, pinKey } from "./operation_names.ts";
export {
  methodsOf,
  namespaceOf,
  type PlacedResource,
  resourceClientMembers,
  resourcesOf,
  type ShapedMethod,
  typePrefix,
} from "./resources.ts";
export { membersOf, type PlacedShape, placeShape } from "./placed_shape.ts";
export { type StatedTypes, statedTypes } from "./stated_types.ts";
