/** The program on a worker runtime of the Cloudflare kind: it answers with what became of it. */
import { play } from "./scene.ts";
import { workerScenes } from "./scenes.ts";

export default {
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url).searchParams.get("api") ?? "";
    return Response.json(await play(workerScenes, { url }));
  },
};
