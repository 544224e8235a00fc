/** Prints `webhooks.ts`: the class that verifies webhooks and returns their events. */

import { addReferences } from "../algebra/references.ts";
import type { WebhookEvent, WebhookReader } from "../model/mod.ts";
import { printComment } from "./comments.ts";
import { documentOf } from "./conversion_code.ts";
import { Imports } from "./imports.ts";
import { propertyOf, quoted } from "./literals.ts";
import { printType } from "./types.ts";

/** The name that a file with a scheme exports. */
const SCHEME = "webhookScheme";

/** Returns the text of `webhooks.ts`. */
export function printWebhooks(reader: WebhookReader, toolkit: string): string {
  const { scheme, className, optionsType, property, events } = reader;
  const imports = new Imports("./");
  const module = `${toolkit}/webhooks`;
  imports.value(module, "verifyWebhook");
  for (const name of ["VerifyWebhookOptions", "WebhookMessage", "WebhookSecret"]) {
    imports.type(module, name);
  }
  const context = { imports, toolkit };
  const methods = property === undefined
    ? events.map((each) => methodOfOne(each, reader, context))
    : [methodOfAll(reader, property, context)];
  const options = "/** The options with which a webhook is read. */\n" +
    `export interface ${optionsType} extends Omit<VerifyWebhookOptions, "scheme"> {\n` +
    "  /** The headers of the request: `Headers`, or an object such as `request.headers` of Node. */\n" +
    '  readonly headers: WebhookMessage["headers"];\n' +
    "  /** The secret of the endpoint, or several while one replaces another. */\n" +
    "  readonly secret: WebhookSecret | readonly WebhookSecret[];\n}\n";
  // The module is relative to this file, unlike those of the output.
  const ofScheme = scheme === "standard" ? "" : `import { ${SCHEME} } from ${quoted(scheme)};\n`;
  return `${imports.print().trimEnd()}\n${ofScheme}\n/** Reads the webhooks of the API. */\n` +
    `export class ${className} {\n${methods.join("\n")}}\n\n${options}`;
}

/** Returns the field of the client with the object that reads webhooks; empty if there is none. */
export function webhookField(reader: WebhookReader | undefined, imports: Imports): string {
  if (reader === undefined) return "";
  const { field, className } = reader;
  imports.value("./webhooks.ts", className);
  return `  /** Reads the webhooks of the API. */\n  readonly ${field}: ${className} = new ${className}();\n`;
}

/** The file of the class. */
interface Context {
  readonly imports: Imports;
  readonly toolkit: string;
}

const tags = [
  ["param", "body The raw body, as text or bytes: a body that was parsed has another signature"],
  ["throws", "{WebhookHeaderError} If a header is missing, or cannot be read"],
  ["throws", "{WebhookSignatureError} If no secret made the signature"],
  ["throws", "{WebhookTimestampError} If the webhook was sent too long ago"],
  ["throws", "{WebhookTooLargeError} If its body is longer than `maxBodyBytes`"],
] as const;

/** Returns the method that reads all events, which a property tells apart. */
function methodOfAll(
  { events, eventType, optionsType, scheme }: WebhookReader,
  property: string,
  context: Context,
): string {
  context.imports.type("../models.ts", eventType);
  const cases = events.flatMap(({ values, conversion }) =>
    conversion === undefined ? [] : [
      ...values.map((value) => `      case ${quoted(value)}:\n`),
      `        return ${documentOf(conversion, context)}.fromJson(event);\n`,
    ]
  );
  const text =
    `Verifies a webhook, and returns its event. \`${property}\` tells the events apart. ` +
    "Events that the document does not list are returned, too, as they are.";
  const converted = cases.length === 0 ? [`    return webhook.json<${eventType}>();\n`] : [
    `    const event = webhook.json<${eventType}>();\n`,
    `    switch (${propertyOf("event?", property)}) {\n${cases.join("")}    }\n`,
    "    return event;\n",
  ];
  return method({ name: "unwrap", text, result: eventType, lines: converted, optionsType, scheme });
}

/** Returns the method that reads one event. */
function methodOfOne(
  { name, method: own, text, data, conversion }: WebhookEvent,
  { optionsType, scheme }: WebhookReader,
  context: Context,
): string {
  addReferences(data, (each) => context.imports.type("../models.ts", each));
  const result = printType(data, { indent: 4 });
  const start = `Verifies the webhook \`${name}\`, and returns its body.`;
  const line = conversion === undefined
    ? `    return webhook.json<${result}>();\n`
    : `    return ${documentOf(conversion, context)}.fromJson(webhook.json());\n`;
  return method({
    ...{ name: own, result, lines: [line], optionsType, scheme },
    text: text === "" ? start : `${start}\n\n${text}`,
  });
}

function method(
  { name, text, result, lines, optionsType, scheme }: {
    readonly name: string;
    readonly text: string;
    readonly result: string;
    readonly lines: readonly string[];
    readonly optionsType: string;
    readonly scheme: string;
  },
): string {
  const own = scheme === "standard" ? "options" : `{ ...options, scheme: ${SCHEME} }`;
  return printComment({ text, tags }, 2) +
    `  async ${name}(\n    body: WebhookMessage["body"],\n` +
    `    { headers, secret, ...options }: ${optionsType},\n  ): Promise<${result}> {\n` +
    `    const webhook = await verifyWebhook({ headers, body }, secret, ${own});\n` +
    `${lines.join("")}  }\n`;
}
