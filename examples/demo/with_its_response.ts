import type { Scene } from "./scene.ts";

/** Shows a result together with its response. */
export const withItsResponse: Scene = {
  title: "A call can return the data together with the response",

  async play({ client, stage }) {
    stage.call('client.books.add({ title: "On Fetch", … }).withResponse()');
    const book = { title: "On Fetch", author: "Ada Moss", year: 2026 };
    const { data, response } = await client.books.add(book).withResponse();
    stage.result(`${data.title}, with its response:`);
    stage.details({
      status: response.status,
      location: response.headers.get("location"),
      "x-request-id": response.headers.get("x-request-id"),
    });
    stage.call(`client.books.remove(${data.id})`);
    await client.books.remove(data.id);
    stage.result("removed");
  },
};
