/** Collects the scenes of a user's program on the web. */
import { failing } from "./failing.ts";
import { generated } from "./generated.ts";
import { ofBrowsers } from "./of_browsers.ts";
import { ofWorkers } from "./of_workers.ts";
import { reading } from "./reading.ts";
import type { BrowserPlace, Scene } from "./scene.ts";
import { sending } from "./sending.ts";

const everywhere: Readonly<Record<string, Scene>> = {
  ...reading,
  ...failing,
  ...sending,
  ...generated,
};

/** The scenes for browsers, in the order they are played. Pages and web workers play the same. */
export const browserScenes: Readonly<Record<string, Scene<BrowserPlace>>> = {
  ...everywhere,
  ...ofBrowsers,
};

/** The scenes for worker runtimes. */
export const workerScenes: Readonly<Record<string, Scene>> = { ...everywhere, ...ofWorkers };
