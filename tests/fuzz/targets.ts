import { bodyTargets } from "./bodies.ts";
import type { FuzzTarget } from "./fuzz_target.ts";
import { headerTargets } from "./headers.ts";
import { modelTargets } from "./models.ts";

/** All targets. */
export const targets: readonly FuzzTarget[] = [...bodyTargets, ...modelTargets, ...headerTargets];
