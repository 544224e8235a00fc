/** The events of webhooks that a test can send. */

import type { Sample, WebhookEvent, WebhookReader } from "../model/mod.ts";

/** An event with a sample. */
export type SampledEvent = WebhookEvent & { readonly sample: Sample };

/** Returns the events that a test can sign: those of Standard Webhooks, because other schemes only verify. */
export function sampledEvents({ scheme, events }: WebhookReader): SampledEvent[] {
  if (scheme !== "standard") return [];
  return events.filter((event): event is SampledEvent => event.sample !== undefined);
}
