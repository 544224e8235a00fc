import type { EngineSettings } from "./settings.ts";

/** The id that a response gives its request. */
export function requestIdOf(
  { headers }: Response,
  { requestIdHeader }: EngineSettings,
): string | undefined {
  return (requestIdHeader && headers.get(requestIdHeader)) ?? undefined;
}
