/** The sections of a guide, in their order. Each is there only if the SDK has something for it. */

import type { SdkModel } from "../model/mod.ts";
import {
  guideContext,
  type GuideOptions,
  makeClient,
  type Section,
  type SectionOf,
} from "./context.ts";
import { authentication, servers } from "./connection.ts";
import { errors } from "./errors.ts";
import { firstCall, install } from "./first_steps.ts";
import { type Program, ProgramWriter } from "./program.ts";
import { idempotency, retries, timeouts } from "./repetition.ts";
import { downloads, pages, streams, uploads } from "./results.ts";
import { logging, otherCalls, response, runtimes, tests } from "./tools.ts";
import { webhooks } from "./webhooks.ts";

/** The guide of an SDK. */
export interface Guide {
  /** The sections, in their order. */
  readonly sections: readonly Section[];
  /** The name of the package on npm, which programs import. */
  readonly npm: string;
  /** The specifier of the toolkit. */
  readonly toolkit: string;
  /** The client that programs call if they make none. */
  readonly client: Program;
}

/** The sections after the first one, on the installation. */
const all: readonly SectionOf[] = [
  ...[firstCall, authentication, servers],
  ...[errors, retries, idempotency, timeouts],
  ...[pages, uploads, downloads, streams, webhooks],
  ...[logging, response, otherCalls, tests, runtimes],
];

/**
 * Returns the guide of an SDK.
 *
 * @param toolkit The specifier of the toolkit
 */
export function guideOf(model: SdkModel, toolkit: string, options: GuideOptions): Guide {
  const context = guideContext(model, toolkit, options);
  const others = all.flatMap((section) => section(context) ?? []);
  const importsToolkit = others.some(({ blocks }) =>
    blocks.some((block) =>
      typeof block !== "string" && block.imports.some(({ from }) => from !== "sdk")
    )
  );
  const sections = [install(context, importsToolkit), ...others];
  const writer = new ProgramWriter();
  makeClient(context, writer);
  const client = writer.program("", { needsClient: false });
  return { sections, npm: context.npm, toolkit, client };
}
