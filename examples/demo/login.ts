import { Library } from "../library_client.ts";
import type { Scene } from "./scene.ts";

/**
 * Shows a session that logs in, sends a token with each request, and logs out when it is closed.
 */
export const login: Scene = {
  title: "A session logs in when it opens, and logs out when it closes",

  async play({ api, stage, clock }) {
    const { logger } = stage;
    stage.call('Library.open({ username: "ada", password })');
    const options = { url: api.url, logger, clock, username: "ada", password: "countess-1815" };
    const library = await Library.open(options);
    stage.result("logged in: every request now sends the token");
    stage.call("library.members.me()");
    stage.result(`the API knows the user: ${(await library.members.me()).username}`);
    stage.call("library.close()");
    await library.close();
    stage.result("logged out, and the token was removed");
  },
};
