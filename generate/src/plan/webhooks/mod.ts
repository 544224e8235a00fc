/** Webhooks and callbacks: the types of the requests that the API sends. This is the room's one way in. */

export { type PlannedWebhooks, planWebhooks, webhookItems } from "./webhooks.ts";
