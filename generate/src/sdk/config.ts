/** Reads `stainless.yml`, the configuration of the generator Stainless, as the shape of an SDK. */
import { ShapeError } from "../base/errors.ts";
import type { SdkShape } from "./shape.ts";
import type { Problem } from "../base/problems.ts";
import type { DocumentChanges } from "../read/read.ts";
import { Casing } from "./casing.ts";
import { readClientSettings, readEnvironments, readQuery } from "./client_settings.ts";
import { readPagination } from "./pagination.ts";
import { readResources } from "./resources.ts";
import { readSecurity, writeSecurity } from "./security.ts";
import { Configuration, type IgnoredSetting, type Setting } from "../read/settings.ts";
import { readTransforms } from "./transforms.ts";

/** A configuration that was read. */
export interface StainlessConfig {
  readonly shape: SdkShape;
  /** The transforms, and the security that takes the place of that of the document. */
  readonly changes: DocumentChanges;
  /** The number of values that have an effect. */
  readonly used: number;
  /** The settings that have no effect, each of them once. */
  readonly ignored: readonly IgnoredSetting[];
  /** Returns the problems of the configuration, with those of its transforms. */
  problems(): Problem[];
}

/**
 * Reads a configuration.
 *
 * @param text Its text: YAML or JSON
 * @param file Its name in messages
 * @throws {ShapeError} If it is neither, or a setting has a wrong type or a value that cannot be a name
 */
export function readStainless(text: string, file: string = "stainless.yml"): StainlessConfig {
  const configuration = new Configuration(file, text, ShapeError);
  const { root } = configuration;
  const casing = new Casing(root.child("custom_casings"));
  const settings = root.child("settings");
  const hasPositional = settings?.child("positional_params")?.flag() ?? true;
  // The security of an operation is always respected.
  settings?.child("per_endpoint_security")?.flag();
  const pages = readPagination(root.child("pagination"));
  const context = { casing, hasPositional, hasPages: pages.size > 0 };
  const shape: SdkShape = {
    ...readClientSettings(root, casing),
    resources: readResources(root.child("resources"), context),
    pages,
    environments: readEnvironments(root.child("environments")),
    unwrap: settings?.child("unwrap_response_fields")?.items().map((each) => each.wireName()) ?? [],
    query: readQuery(root.child("query_settings")),
    errorEvent: errorEventOf(root.child("streaming")),
  };
  const security = readSecurity(root);
  const transforms = readTransforms(root.child("openapi"));
  return {
    ...{ shape, used: configuration.used, ignored: configuration.ignored(isOfClient) },
    changes: {
      transform: transforms.length === 0
        ? undefined
        : (document) => transforms.forEach((transform) => transform(document)),
      complete: (document) => writeSecurity(document, security),
      fail(message) {
        throw new ShapeError(file, message);
      },
    },
    problems: () => configuration.problems(),
  };
}

/**
 * Reads the handlers of events in streams: the type of the event that reports an error, and `[DONE]`,
 * which ends all streams.
 */
function errorEventOf(streaming: Setting | undefined): string | undefined {
  let error: string | undefined;
  for (const handler of streaming?.child("on_event")?.items() ?? []) {
    const [kind, handle] = ["kind", "handle"].map((name) => handler.child(name)?.text());
    const type = handler.child("event_type");
    const start = handler.child("data_starts_with");
    const isEnd = (kind ?? "data") === "data" && (handle === "done" || handle === "break") &&
      start?.value === "[DONE]";
    if (isEnd) start!.text();
    else if (handle === "error" && typeof type?.value === "string" && error === undefined) {
      error = type.wireName();
    } else if (handle === "yield") {
      // Events are handed out anyway.
      handler.whole();
    } else handler.lose([kind ?? "any", handle].join(", ").slice(0, 60));
  }
  return error;
}

/** The settings that are not read, although the client of the other generator depends on them. */
const OF_CLIENT: readonly RegExp[] = [
  /^client_settings\.(?:response_headers|opts\.\*\.send_)/,
  // Models of no resource, which the other generator does not have.
  /^models$/,
  /^settings\.unwrap_multiproperty_response_fields$/,
  /^multipart_settings/,
  /\.(?:default_request_options|use_namespace_in_type_names|standalone_api|custom)$/,
  /^resources\..*\.streaming\.(?:method_name|params_type_name|stream_event_model|synthesize_event_and_data_properties)$/,
  /^constants/,
  /^streaming/,
  /^pagination/,
  /\.models\.\*\.(?:param_model|deduplicate)$/,
];

function isOfClient(key: string): boolean {
  return OF_CLIENT.some((pattern) => pattern.test(key));
}
