/** The program in a page. `?api=` is the API's URL; `?in=worker` plays the scenes in a worker. */
import { play, type Played } from "./scene.ts";
import { browserScenes } from "./scenes.ts";

declare const location: { readonly href: string };

function playInWorker(url: string): Promise<Played[]> {
  // Bundlers recognize a worker by exactly this syntax.
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(`the worker failed: ${event.message}`));
    worker.onmessage = ({ data }) => {
      if (data === "ready") worker.postMessage(url);
      else resolve(data);
    };
  });
}

const { searchParams } = new URL(location.href);
const url = searchParams.get("api") ?? "";
const played = searchParams.get("in") === "worker"
  ? playInWorker(url)
  : play(browserScenes, { url });
// The script that drives the browser reads this global.
Object.assign(globalThis, { played });
