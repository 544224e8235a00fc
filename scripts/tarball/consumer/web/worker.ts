/** The program in a module worker: it is told where the API is, and tells what became of it. */
import { play } from "./scene.ts";
import { browserScenes } from "./scenes.ts";

addEventListener("message", async (event) => {
  const { data } = event as MessageEvent<string>;
  postMessage(await play(browserScenes, { url: data }));
});
// Whatever was sent before this is listened to was lost.
postMessage("ready");

declare function postMessage(message: unknown): void;
