/** The program as a Cloudflare worker. It responds with the results of its scenes. */
import { play } from "./scene.ts";
import { workerScenes } from "./scenes.ts";

export default {
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url).searchParams.get("api") ?? "";
    return Response.json(await play(workerScenes, { url }));
  },
};
