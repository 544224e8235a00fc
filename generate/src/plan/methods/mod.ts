/** The methods of endpoints and of resources. This is the room's one way in. */

export { sentence } from "./comments.ts";
export { declared, typedConversion } from "./declared_types.ts";
export { type EndpointParts, planEndpointMethod } from "./endpoint_methods.ts";
export {
  keyOf,
  type Planned,
  type PlannedMethod,
  planOperation,
  type SdkParts,
} from "./operations.ts";
export { planResourceMethod, type ResourceParts } from "./resource_methods.ts";
