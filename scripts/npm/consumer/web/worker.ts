/** The program in a module worker. It receives its place and posts the results. */
import { type BrowserPlace, play } from "./scene.ts";
import { browserScenes } from "./scenes.ts";

addEventListener("message", async (event) => {
  const { data } = event as MessageEvent<BrowserPlace>;
  postMessage(await play(browserScenes, data));
});
// A message that is posted before the listener exists would be lost, so the page waits for this.
postMessage("ready");

declare function postMessage(message: unknown): void;
