/** What is wrong with what became of a page, seen from the page and from the API. */
import type { Played } from "../consumer/web/scene.ts";
import type { OpenedPage } from "./drive.ts";
import type { ArrivedRequest } from "./front_routes.ts";

/** What Chromium tells of each response that is an error, and of what CORS keeps from a page. */
const USUAL = /^error: (?:Failed to load resource: |Access to fetch at .* blocked by CORS policy)/;

/**
 * What is wrong with a page, a text each: a scene that failed or was not played, an error that
 * nobody caught, a word on the console beside those of the browser's network.
 *
 * @param page The page
 * @param scenes The names of the scenes that it was to play
 */
export function faultsOfPage(page: OpenedPage, scenes: readonly string[]): string[] {
  const played = (page.played ?? []) as readonly Played[];
  const missing = scenes.filter((name) => !played.some(({ scene }) => scene === name));
  return [
    ...page.errors,
    ...page.console.filter((message) => !USUAL.test(message))
      .map((message) => `the console shows ${message}`),
    ...played.filter(({ fault }) => fault !== "").map(({ scene, fault }) => `${scene}: ${fault}`),
    ...missing.map((name) => `${name}: it was not played`),
  ];
}

/**
 * What is wrong with the requests of a browser, a text each: a User-Agent that is not its own, a
 * cookie where it keeps none, and that somebody tried.
 */
export function faultsOfRequests(requests: readonly ArrivedRequest[]): string[] {
  if (requests.length === 0) return ["no request arrived"];
  return requests.flatMap(({ method, path, headers }) => {
    const what = `${method} ${path}`;
    const agent = headers["user-agent"] ?? "";
    const tried = headers["access-control-request-headers"] ?? "";
    const cookie = path === "/visits" ? undefined : headers["cookie"];
    return [
      ...(agent.startsWith("Mozilla/") ? [] : [`${what} came with the User-Agent ${agent}`]),
      ...(cookie === undefined ? [] : [`${what} came with the Cookie ${cookie}`]),
      ...(/\b(?:user-agent|cookie)\b/.test(tried) ? [`${what} asks to send ${tried}`] : []),
    ];
  });
}
