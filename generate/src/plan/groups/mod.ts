/** The groups of methods: classes of endpoints, and resources. This is the room's one way in. */

export { planEndpoints } from "./endpoints.ts";
export { planResources } from "./resources.ts";
