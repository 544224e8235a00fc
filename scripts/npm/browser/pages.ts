/** Serves the files of a bundle. */
import { readFile } from "node:fs/promises";
import { startServer, type TestServer } from "../../../tests/support/server.ts";

const TYPES: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript" };

/** Serves a folder on a loopback port that the system picks. */
export async function servePages(folder: string): Promise<TestServer> {
  return await startServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://pages");
    const type = TYPES[pathname.split(".").at(-1) ?? ""];
    // A missing file, such as the favicon that the browser requests, is not a fault.
    const body = type === undefined || pathname.includes("..")
      ? undefined
      : await readFile(`${folder}${pathname}`).catch(() => undefined);
    response.writeHead(body === undefined ? 204 : 200, { "content-type": type ?? "text/plain" });
    response.end(body);
  });
}
