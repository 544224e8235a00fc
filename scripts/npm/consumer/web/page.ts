/**
 * The program in a page. `?url=`, `?http2=` and `?http1=` are the URLs of a {@linkcode BrowserPlace};
 * `?in=worker` plays the scenes in a worker.
 */
import { type BrowserPlace, play, type Played } from "./scene.ts";
import { browserScenes } from "./scenes.ts";

declare const location: { readonly href: string };

function playInWorker(place: BrowserPlace): Promise<Played[]> {
  // Bundlers recognize a worker by exactly this syntax.
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(`the worker failed: ${event.message}`));
    worker.onmessage = ({ data }) => {
      if (data === "ready") worker.postMessage(place);
      else resolve(data);
    };
  });
}

const { searchParams } = new URL(location.href);
const urlOf = (name: string): string => searchParams.get(name) ?? "";
const place = { url: urlOf("url"), http2: urlOf("http2"), http1: urlOf("http1") };
const played = searchParams.get("in") === "worker"
  ? playInWorker(place)
  : play(browserScenes, place);
// The script that drives the browser reads this global.
Object.assign(globalThis, { played });
