/** The options of the generator. */
import type { Output } from "../outputs/output.ts";
import type { Overlay } from "../overlay/overlay.ts";
import type { ReadFile } from "../read/read.ts";

/** A step of a run: the document is read, then planned, then printed. */
export type Step = "read" | "plan" | "print";

/** Options of `generate`. */
export interface GenerateOptions {
  /** The name of the client's class. Made from the document's title by default. */
  readonly name?: string | undefined;
  /** The specifier of the toolkit, which the output imports; `@restwright/restwright` by default. */
  readonly toolkit?: string | undefined;
  /** `"xml"`: schemas with a media type of XML and `xml` hints become model classes. */
  readonly models?: "xml" | undefined;
  /** If true, `date-time` and `date` become `Date`. Strings by default. */
  readonly dates?: boolean | undefined;
  /** If true, `int64` becomes `bigint`. Numbers by default. */
  readonly bigint?: boolean | undefined;
  /** If true, enums in responses accept values that the document does not list. */
  readonly openEnums?: boolean | undefined;
  /**
   * The seconds without data after which an attempt of a call fails, or `"none"` for no limit. By default,
   * that of `stainless.yml`, or else 60; the toolkit's own if there is only an `api.md`.
   */
  readonly timeout?: number | "none" | undefined;
  /**
   * The header for the idempotency key that each POST and PATCH gets. By default, that of `stainless.yml`,
   * or else of the document: only its operations that declare such a header get a key.
   */
  readonly idempotencyHeader?: string | undefined;
  /**
   * The scheme by which the webhooks of the API are signed: `"standard"` for Standard Webhooks, or the
   * specifier of a module that exports a `WebhookScheme` as `webhookScheme`, such as `../scheme.ts`. The
   * client then has an object that verifies webhooks. None by default.
   */
  readonly webhooks?: string | undefined;
  /** The text of a names file of an earlier run. */
  readonly names?: string | undefined;
  /** The text of a file of overrides, which sets the pages of operations or turns them off. */
  readonly overrides?: string | undefined;
  /**
   * The overlays, which change the document before anything else reads it, one after the other. None by
   * default.
   */
  readonly overlays?: readonly Overlay[] | undefined;
  /**
   * The outputs beside the SDK, such as `tests.with({ sdk: "../src/api/mod.ts" })`. None by default.
   */
  readonly outputs?: readonly Output[] | undefined;
  /**
   * The text of `stainless.yml`, the configuration of the generator Stainless. The SDK gets the call
   * sites that it states, and the document is changed by its transforms.
   */
  readonly stainless?: string | undefined;
  /**
   * The text that `readSdk` returns for the sources of an SDK that Stainless made in TypeScript. The SDK gets its call sites, its options and its wire formats. If there is `stainless`, too, what that
   * says wins.
   */
  readonly sdk?: string | undefined;
  /**
   * The text of `api.md`, the list of methods of an SDK that Stainless made, in TypeScript or Python. It
   * takes the place of the configuration.
   */
  readonly apiMd?: string | undefined;
  /** The document's name in problems, such as `specs/api.yaml`. `document` by default. */
  readonly file?: string | undefined;
  /**
   * Returns the text of another file that the document refers to; undefined if there is none. Its
   * path is relative to the folder of the document, and can begin with `../`: read only files that may
   * become part of the output. Without it, such references are problems.
   */
  readonly read?: ReadFile | undefined;
  /** If true, `read` is asked for URLs, too. They are refused by default. */
  readonly allowNet?: boolean | undefined;
  /** Is called before each step, for a progress line. */
  readonly onStep?: ((step: Step) => void) | undefined;
}
