/** The scheme of the webhooks of an API, as a project has it. */
import { HmacWebhooks, type WebhookScheme } from "../../../src/webhooks/mod.ts";

export const webhookScheme: WebhookScheme = new HmacWebhooks({ signatureHeader: "X-Sum" });
