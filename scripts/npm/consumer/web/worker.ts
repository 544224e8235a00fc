/** The program in a module worker. It receives the URL of the API and posts the results. */
import { play } from "./scene.ts";
import { browserScenes } from "./scenes.ts";

addEventListener("message", async (event) => {
  const { data } = event as MessageEvent<string>;
  postMessage(await play(browserScenes, { url: data }));
});
// A message that is posted before the listener exists would be lost, so the page waits for this.
postMessage("ready");

declare function postMessage(message: unknown): void;
