/** The client: its names and texts, servers, credentials, options and settings. This is the room's one way in. */

export {
  planClient,
  type PlannedClient,
  withIdempotencyHeader,
  withOwnServers,
} from "./plan_client.ts";
