/** The sections on what a client does by itself if the API is slow or fails: retries, keys and time limits. */

import type { SdkModel } from "../model/mod.ts";
import { object } from "../print/layout.ts";
import { quoted } from "../print/literals.ts";
import { member } from "../print/samples.ts";
import { makeClient, needsClient, pick, schemesIn, type SectionOf } from "./context.ts";
import { RETRIED } from "./errors.ts";
import { callLayout } from "./examples.ts";
import { ProgramWriter } from "./program.ts";
import { replyAs } from "./replies.ts";
import { shortCall } from "./short_call.ts";

/** Retries, and what the server may get twice. */
export const retries: SectionOf = (context) => {
  const { model } = context;
  const { settings } = model.client;
  const { maxRetries = model.form === "classes" ? 3 : 2, backoff = 0.5, maxBackoff = 8 } = settings;
  const option = model.form === "classes" ? "retries" : "maxRetries";
  const statuses = RETRIED[model.form].join(", ").replace(/, (\d+)$/, " and $1");
  const waits = model.form === "classes"
    ? "Before each retry, the client waits as long as the header `Retry-After` asks, up to an hour " +
      "(the option `maxRetryAfter` in seconds); otherwise for a random time of up to 1, 2 and 3 seconds."
    : "Before each retry, the client waits as long as the header `Retry-After` asks, up to 60 seconds; " +
      `otherwise for about ${seconds(backoff)}, doubled each time, up to ${seconds(maxBackoff)}.`;
  const example = shortCall(context);
  const blocks = [
    `A call that fails for a passing reason is tried again, at most ${
      times(maxRetries)
    }: after the ` +
    `statuses ${statuses}, a lost connection, and a timeout. ${waits} The option \`${option}\` of the ` +
    "client or of a call sets another number; 0 turns retries off.",
  ];
  if (example === undefined) return { title: "Retries", blocks: [...blocks, twiceText(model)] };
  const writer = new ProgramWriter();
  makeClient(context, writer, {
    ...{ name: "patient", options: [`${option}: 5`] },
    schemes: schemesIn(context, example),
  });
  const options = object([`${option}: 0`]);
  writer.add("// This call is not tried again.");
  writer.statement("await ", callLayout(example, { options, client: "patient" }));
  replyAs(writer, example);
  const program = writer.program("sets the number of retries", { needsClient: false });
  return { title: "Retries", blocks: [...blocks, program, twiceText(model)] };
};

function times(count: number): string {
  return count === 1 ? "once" : count === 2 ? "twice" : `${count} times`;
}

/** Returns what happens to requests that the server has processed although no response arrived. */
function twiceText(model: SdkModel): string {
  const start =
    "A request whose response was lost may have done its work: after a retry, the server " +
    "gets it twice. Reading, replacing and deleting something twice does no harm.";
  const { idempotencyHeader } = model.client.settings;
  const hasKeys = idempotencyHeader !== undefined || keyed(model).length > 0;
  const option = model.form === "classes" ? "retries" : "maxRetries";
  return hasKeys
    ? `${start} For what does, see [idempotency keys](#idempotency-keys).`
    : `${start} To create something at most once, pass \`${option}: 0\` with the call.`;
}

/** Returns the methods that send a key of their own. */
function keyed({ groups }: SdkModel) {
  return groups.flatMap(({ methods }) =>
    methods.filter((each) => typeof each.idempotencyHeader === "string")
  );
}

/** The keys by which the server recognises a request that arrives twice. */
export const idempotency: SectionOf = (context) => {
  const { model } = context;
  const { idempotencyHeader } = model.client.settings;
  const some = keyed(model);
  if (idempotencyHeader === undefined && some.length === 0) return undefined;
  const header = idempotencyHeader ?? some[0]!.idempotencyHeader!;
  const who = idempotencyHeader === undefined
    ? "Operations that accept a key get one"
    : "Each POST and PATCH gets a key";
  const example = pick(
    context,
    ({ method, test }) =>
      test.outcome.kind !== "pages" && method.idempotencyHeader !== null &&
      (idempotencyHeader === undefined
        ? method.idempotencyHeader === header
        : method.verb === "POST" || method.verb === "PATCH"),
  );
  const blocks = [
    `${who} in the header \`${header}\`: a new one for each call, and the same for all its attempts. ` +
    "So the server does nothing twice if a call is tried again.",
  ];
  if (example === undefined) return { title: "Idempotency keys", blocks };
  const writer = new ProgramWriter();
  const isReady = needsClient(context, writer, example);
  const parameter = example.method.parameters.find(({ wireName, place }) =>
    place === "header" && wireName === header
  );
  const key = "order-1042";
  writer.statement(
    "await ",
    parameter === undefined
      ? callLayout(example, {
        options: object([object([member(header, quoted(key))], "headers: ")]),
      })
      : callLayout(example, { params: [[parameter.name, key]] }),
  );
  replyAs(writer, example);
  return {
    title: "Idempotency keys",
    blocks: [
      ...blocks,
      "To repeat a call after your program was restarted, pass a key of your own, such as the number of " +
      "an order:",
      writer.program("passes an idempotency key", { needsClient: isReady }),
    ],
  };
};

/** Time limits, and how a call is aborted. */
export const timeouts: SectionOf = (context) => {
  const { model } = context;
  const { client: { settings: { timeout } }, form } = model;
  const isClasses = form === "classes";
  const limit = typeof timeout === "number"
    ? timeout / 1000
    : timeout === null || isClasses
    ? undefined
    : 600;
  const waits = model.groups.some(({ methods }) =>
    methods.some(({ stream, isLongPoll }) => stream !== undefined || isLongPoll === true)
  );
  const unit = isClasses ? "seconds" : "milliseconds";
  const text =
    (limit === undefined
      ? "By default, an attempt may take any time."
      : `An attempt fails after ${seconds(limit)} without data, and is tried again.`) +
    (waits && limit !== undefined && isClasses
      ? " Streams and long polls have no limit, unless you set one."
      : "") +
    ` The option \`timeout\`, in ${unit}, sets another limit${
      isClasses ? "; null sets none" : ""
    }. \`deadline\`, in seconds, ` +
    (isClasses
      ? "limits a call with all its attempts and waits."
      : "is an option of the client only: it limits each call with all its attempts and waits.") +
    " A `signal` aborts it at any time.";
  const example = shortCall(context);
  if (example === undefined) return { title: "Timeouts", blocks: [text] };
  const writer = new ProgramWriter();
  const isReady = needsClient(context, writer, example);
  const options = [isClasses ? "timeout: 10" : "timeout: 10_000", "signal: controller.signal"];
  writer.add("const controller = new AbortController(); // controller.abort() ends the call");
  writer.statement("await ", callLayout(example, { options: object(options) }));
  replyAs(writer, example);
  return {
    title: "Timeouts",
    blocks: [text, writer.program("sets a time limit", { needsClient: isReady })],
  };
};

function seconds(count: number): string {
  if (count >= 120 && count % 60 === 0) return `${count / 60} minutes`;
  return count === 1 ? "1 second" : `${count} seconds`;
}
