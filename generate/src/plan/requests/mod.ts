/** The requests of operations: parameters, bodies, servers and credentials. This is the room's one way in. */

export { partHeadersOf, planBody } from "./bodies.ts";
export { idempotencyHeaderOf, isLongPoll } from "./repetition.ts";
export { hiddenHeaders, planParameters, tagTexts } from "./parameters.ts";
export { isSameSecurity, planSecurity, schemeFor, type Security } from "./security.ts";
export { nameOwnServers, planServers, serverOf, type Servers } from "./servers.ts";
