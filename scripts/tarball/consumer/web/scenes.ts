/** All scenes of a user's program on the web. */
import { failing } from "./failing.ts";
import { reading } from "./reading.ts";
import type { Scene } from "./scene.ts";
import { sending } from "./sending.ts";

/** The scenes, in their order. */
export const scenes: Readonly<Record<string, Scene>> = { ...reading, ...failing, ...sending };
