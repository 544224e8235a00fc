import { TooManyRequestsError } from "../../mod.ts";
import { errorOf, type Scene } from "./scene.ts";

/** Shows a client that is copied with other options. */
export const hastyClient: Scene = {
  title: "A copy of a client can have other options",

  async play({ client, stage }) {
    stage.call("const hasty = client.withOptions({ retries: 0 })");
    const hasty = client.withOptions({ retries: 0 });
    stage.result(
      `shares the HTTP session and the login: ${hasty.httpSession === client.httpSession}`,
    );
    stage.call("hasty.librarian.tip()");
    const error = await errorOf(hasty.librarian.tip(), TooManyRequestsError);
    stage.error(`${error.name}, after ${error.retries} retries`);
    stage.call("client.librarian.tip()");
    const { title } = await client.librarian.tip();
    stage.result(
      `${title}, after ${stage.elapsed().toFixed(1)} s: the original client still retries`,
    );
  },
};
