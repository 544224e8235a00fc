/** The program in a page: the address says where the API is, and where to play. */
import { play, type Played } from "./scene.ts";
import { browserScenes } from "./scenes.ts";

declare const location: { readonly href: string };

function playInWorker(url: string): Promise<Played[]> {
  // In these words, by which bundlers know a worker.
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
// Where who drives the browser finds it.
Object.assign(globalThis, { played });
