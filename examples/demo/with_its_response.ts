import type { Scene } from "./scene.ts";

/** Shows a result together with its response. */
export const withItsResponse: Scene = {
  title: "The response is there too, for who asks",

  async play({ client, stage }) {
    stage.call('client.books.add({ title: "On Fetch", … }).withResponse()');
    const book = { title: "On Fetch", author: "Ada Moss", year: 2026 };
    const { data, response } = await client.books.add(book).withResponse();
    stage.result(`${data.title}, and what came with it`);
    stage.details({
      status: response.status,
      location: response.headers.get("location"),
      "x-request-id": response.headers.get("x-request-id"),
    });
    stage.call(`client.books.remove(${data.id})`);
    await client.books.remove(data.id);
    stage.result("gone");
  },
};
