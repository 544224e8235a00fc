import { bodyTargets } from "./bodies.ts";
import { credentialTargets } from "./credentials.ts";
import type { FuzzTarget } from "./fuzz_target.ts";
import { headerTargets } from "./headers.ts";
import { jsonModels } from "./model_json.ts";
import { xmlTargets } from "./model_xml.ts";

/** All targets. */
export const targets: readonly FuzzTarget[] = [
  ...bodyTargets,
  jsonModels,
  ...xmlTargets,
  ...headerTargets,
  ...credentialTargets,
];
