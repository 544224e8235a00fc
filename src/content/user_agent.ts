/** Builds the User-Agent header from the integration, the SDK, the toolkit and the runtime. */
import { checkedHeaderText } from "../base/checks.ts";
import { detectRuntime, type Runtime } from "../base/runtime.ts";
import { TOOLKIT_NAME, TOOLKIT_VERSION } from "../base/version.ts";

/** The parts of the User-Agent header that name the integration and the SDK. */
export interface UserAgentParts {
  /** The vendor of the integration. */
  readonly vendor: string;
  /** The product of the integration. */
  readonly product: string;
  /** The build of the integration. */
  readonly build: string;
  /** The SDK's name. */
  readonly libName: string;
  /** The SDK's version. */
  readonly libVersion: string;
}

/**
 * Returns the User-Agent header (contract, "User-Agent header"): the integration, the SDK, then the
 * toolkit, the runtime and the system.
 *
 * @param parts The integration and the SDK
 * @param runtime The runtime. Default: the current one
 * @throws {UnexpectedValueError} If a part cannot be sent in a header
 */
export function userAgent(
  { vendor, product, build, libName, libVersion }: UserAgentParts,
  { name, version, system, architecture }: Runtime = detectRuntime(),
): string {
  checkedHeaderText("libName", libName);
  checkedHeaderText("libVersion", libVersion);
  return `Integration/1.0 (${vendor}; ${product}; Build/${build}) ${libName}/${libVersion} ` +
    `(${TOOLKIT_NAME}/${TOOLKIT_VERSION}; ${name}/${version}; ${system}/${architecture})`;
}
