import { MissingError, RejectedError } from "../library_api_client.ts";
import { errorOf, type Scene } from "./scene.ts";

/** Shows errors whose data is read by a model. */
export const typedErrorData: Scene = {
  title: "An error has typed data and the id of the request",

  async play({ client, stage }) {
    stage.call("client.books.get(999)");
    const missing = await errorOf(client.books.get(999), MissingError);
    stage.error(`${missing.name}: ${missing.status}`);
    stage.details({ ".data.error": missing.data?.error, ".requestId": missing.requestId });

    stage.call('client.books.update(1, { title: "", year: 1.5 })');
    const changes = { title: "", year: 1.5 };
    const rejected = await errorOf(client.books.update(1, changes), RejectedError);
    stage.error(`${rejected.name}: ${rejected.status}`);
    const problems = rejected.data?.problems ?? [];
    stage.details(Object.fromEntries(
      problems.map(({ field, expected }, at) => [`.data.problems[${at}]`, `${field}: ${expected}`]),
    ));
  },
};
