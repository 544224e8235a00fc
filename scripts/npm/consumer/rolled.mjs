/** A user's program that is bundled. It makes a call, and reads and writes XML. */
import { APIClient } from "@restwright/restwright";
import { attr, model, string, toXml } from "@restwright/restwright/models";

class Book extends model("book", { title: attr(string) }) {}
class Library extends APIClient {
  static baseUrl = "https://library.example.org";
  static logger = null;
  read = () => this._get("/book", { responseModel: Book });
}
const headers = { "Content-Type": "application/xml" };
const fetch = () => Promise.resolve(new Response('<book title="Indigo"/>', { headers }));
console.log(toXml(await new Library({ fetch }).read(), { declaration: false }));
