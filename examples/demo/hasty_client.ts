import { TooManyRequestsError } from "../../mod.ts";
import { errorOf, type Scene } from "./scene.ts";

/** Shows a client that is copied with other options. */
export const hastyClient: Scene = {
  title: "The same client with other options, for who is in a hurry",

  async play({ client, stage }) {
    stage.call("const hasty = client.withOptions({ retries: 0 })");
    const hasty = client.withOptions({ retries: 0 });
    stage.result(`on the same HTTP session, with its login: ${hasty.session === client.session}`);
    stage.call("hasty.librarian.tip()");
    const error = await errorOf(hasty.librarian.tip(), TooManyRequestsError);
    stage.error(`${error.name}, at once: ${error.retries} retries`);
    stage.call("client.librarian.tip()");
    const { title } = await client.librarian.tip();
    stage.result(`${title}, after ${stage.elapsed().toFixed(1)} s: that one still waits`);
  },
};
