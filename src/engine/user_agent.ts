import { checkedHeaderText } from "../checks.ts";
import { detectRuntime, type Runtime } from "../runtime.ts";
import { TOOLKIT_NAME, TOOLKIT_VERSION } from "../version.ts";

/** What a session tells of itself in its User-Agent. */
export interface UserAgentParts {
  /** The vendor of the integration. */
  readonly vendor: string;
  /** The product of the integration. */
  readonly product: string;
  /** The build of the integration. */
  readonly build: string;
}

/** The SDK that makes it. */
export interface SdkParts {
  /** The SDK's name. */
  readonly libName: string;
  /** The SDK's version. */
  readonly libVersion: string;
}

/** The integration, as the options of a session name it, and the keywords of one call. */
export interface AgentOptions {
  /** The vendor of the integration, for the User-Agent. Default: the session's, which is unknown */
  readonly vendor?: string | undefined;
  /** The product of the integration, for the User-Agent. Default: the session's, which is unknown */
  readonly product?: string | undefined;
  /** The build of the integration, for the User-Agent. Default: the session's, which is unknown */
  readonly build?: string | undefined;
}

/**
 * Writes the User-Agent header (contract, "User-Agent header"): the integration, the SDK, then the
 * toolkit, the runtime and the system it runs on.
 *
 * @param options Who names the integration: each part is that of the first who names it
 * @param usual The parts that none of them names
 * @param runtime What it runs in. Default: what the program does
 * @throws {UnexpectedValueError} Where a part cannot stand in a header
 */
export function userAgent(
  { vendor, product, build }: UserAgentParts,
  sdk: SdkParts,
  runtime: Runtime = detectRuntime(),
): string {
  const { name, version, system, architecture } = runtime;
  const said = (part: keyof SdkParts) => checkedHeaderText(part, sdk[part]);
  return `Integration/1.0 (${vendor}; ${product}; Build/${build}) ` +
    `${said("libName")}/${said("libVersion")} ` +
    `(${TOOLKIT_NAME}/${TOOLKIT_VERSION}; ${name}/${version}; ${system}/${architecture})`;
}
