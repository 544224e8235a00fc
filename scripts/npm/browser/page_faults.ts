/** Finds faults of a page, in its own results and in the requests that the API received. */
import type { Played } from "../consumer/web/scene.ts";
import type { OpenedPage } from "./drive.ts";
import type { ArrivedRequest } from "./front_routes.ts";

/** The messages that Chromium logs for error responses and for responses that CORS blocks. */
const USUAL = /^error: (?:Failed to load resource: |Access to fetch at .* blocked by CORS policy)/;

/**
 * Returns a text for each fault of a page: a scene that failed or was not played, an uncaught
 * error, a message on the console that is not about the network.
 *
 * @param page The result of the page
 * @param scenes The names of the scenes that it should have played
 */
export function faultsOfPage(page: OpenedPage, scenes: readonly string[]): string[] {
  const played = (page.played ?? []) as readonly Played[];
  const missing = scenes.filter((name) => !played.some(({ scene }) => scene === name));
  return [
    ...page.errors,
    ...page.console.filter((message) => !USUAL.test(message))
      .map((message) => `the console shows ${message}`),
    ...played.filter(({ fault }) => fault !== "").map(({ scene, fault }) => `${scene}: ${fault}`),
    ...missing.map((name) => `${name}: the scene was not played`),
  ];
}

/**
 * Returns a text for each fault in the requests of a browser: a User-Agent that is not the
 * browser's, a cookie outside of `/visits`, a preflight request that asks to send one of these
 * headers.
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
      ...(/\b(?:user-agent|cookie)\b/.test(tried)
        ? [`${what} asks for permission to send ${tried}`]
        : []),
    ];
  });
}
