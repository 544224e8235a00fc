/** The section on webhooks: the requests that the API sends. */

import type { WebhookEvent, WebhookReader } from "../model/mod.ts";
import { propertyOf, quoted } from "../print/literals.ts";
import { code, firstLine } from "../print/markdown.ts";
import { environmentName, type GuideContext, type SectionOf } from "./context.ts";
import { type Program, ProgramWriter } from "./program.ts";

/** The secret in programs: bytes in Base64, as the API shows it. */
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** The most events that the section lists. */
const MAX_EVENTS = 20;

/** The requests that the API sends, and how they are verified. */
export const webhooks: SectionOf = (context) => {
  const { model } = context;
  const { webhooks: sent, webhookReader: reader } = model;
  if (sent.length === 0) return undefined;
  const lines = reader === undefined
    ? sent.map(({ name, text }) => `- ${code(name)}${about(text)}`)
    : reader.events.map(({ name, text, method, values }) =>
      reader.property === undefined
        ? `- ${code(name)}, read by \`${method}\`${about(text)}`
        : `- ${values.map((each) => code(each)).join(", ") || code(name)}${about(text)}`
    );
  const shown = lines.slice(0, MAX_EVENTS);
  if (shown.length < lines.length) {
    shown.push(`- and ${lines.length - shown.length} more, which have types, too`);
  }
  const list = `The API reports these events:\n\n${shown.join("\n")}`;
  if (reader === undefined) {
    return {
      title: "Webhooks",
      blocks: [
        list,
        "The package has a type for the body of each. Verify a request before you trust it: " +
        `\`verifyWebhook\` of \`${context.toolkit}/webhooks\` checks its signature.`,
      ],
    };
  }
  const own = reader.property === undefined
    ? ""
    : " Events that this version of the package does not know are returned, too, as they are.";
  return {
    title: "Webhooks",
    blocks: [
      "The API sends a request to your server when something happens. Verify it with the secret of your " +
      "endpoint, before anything else reads it:",
      handlerProgram(context, reader),
      "`handler` serves with `Deno.serve(handler)`, `Bun.serve({ fetch: handler })`, and as the handler " +
      "of workers and of most frameworks. Pass the raw body: JSON that was parsed and written again " +
      "has another signature." + own +
      " While one secret replaces another, pass both: `secret: [newSecret, oldSecret]`.",
      list,
    ],
  };
};

function about(text: string): string {
  return text === "" ? "" : `: ${firstLine(text)}`;
}

function handlerProgram({ model }: GuideContext, reader: WebhookReader): Program {
  const { property, events, field } = reader;
  const [first] = events;
  const writer = new ProgramWriter();
  writer.use("toolkit/webhooks", "WebhookError");
  const secret = writer.env(environmentName(model.client.className, "webhookSecret"), SECRET);
  writer.add(
    "async function handler(request: Request): Promise<Response> {",
    "  try {",
    `    const event = await client.${field}.${first!.method}(await request.text(), {`,
    "      headers: request.headers,",
    `      secret: ${secret} ?? "",`,
    "    });",
    ...property === undefined ? ["    console.log(event);"] : branches(first!, property),
    "    return new Response(null, { status: 204 });",
    "  } catch (error) {",
    "    if (!(error instanceof WebhookError)) throw error;",
    "    return new Response(error.message, { status: 400 });",
    "  }",
    "}",
  );
  const check =
    'const forged = new Request("https://example.com/hook", { method: "POST", body: "{}" });\n' +
    "assert.equal((await handler(forged)).status, 400);\n";
  return writer.program("verifies webhooks", { check });
}

function branches({ values }: WebhookEvent, property: string): string[] {
  const value = values[0];
  if (value === undefined) return ["    console.log(event);"];
  return [`    if (${propertyOf("event", property)} === ${quoted(value)}) console.log(event);`];
}
