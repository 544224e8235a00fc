import { Library } from "../library_client.ts";
import type { Scene } from "./scene.ts";

/**
 * Shows a session that logs in, sends a token with each request, and logs out when it is closed.
 */
export const login: Scene = {
  title: "A session logs in by itself, and logs out when it is left",

  async play({ api, stage, clock }) {
    const { logger } = stage;
    stage.call('Library.open({ username: "ada", password })');
    const options = { url: api.url, logger, clock, username: "ada", password: "countess-1815" };
    const library = await Library.open(options);
    stage.result("logged in: from now on each request carries the token");
    stage.call("library.members.me()");
    stage.result(`${(await library.members.me()).username}, says the API`);
    stage.call("library.close()");
    await library.close();
    stage.result("logged out, and the token is gone");
  },
};
