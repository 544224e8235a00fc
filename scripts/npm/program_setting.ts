/** Defines what the judges of programs need. */
import type { DenoManifest } from "../shared/manifest.ts";
import type { Runtime } from "../shared/runtimes.ts";
import type { Project } from "../shared/package/project.ts";

/** The values that the judges of programs need. */
export interface ProgramSetting {
  /** The root of the repository. */
  readonly root: string;
  readonly deno: DenoManifest;
  readonly project: Project;
  /** The URL of the example API. */
  readonly apiUrl: string;
  readonly runtimes: readonly Runtime[];
}
