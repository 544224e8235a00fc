/**
 * A user's program with Vue and Pinia. It keeps a client and what belongs to it in each kind of state,
 * uses them through the state, and prints a line for each. Vue renders to text, so it needs no DOM.
 */
import { createPinia, defineStore } from "pinia";
import { createSSRApp, h, isReactive, reactive, ref } from "vue";
import { renderToString } from "vue/server-renderer";
import { APIClient, APIEndpoint, APISession } from "@restwright/restwright";
import { attr, model, string, toXml } from "@restwright/restwright/models";
import { cursor } from "@restwright/restwright/paging";
import { mockTransport } from "@restwright/restwright/testing";

const fetch = mockTransport({ "GET /books": { items: [{ title: "Indigo" }], next: null } });

class Book extends model("book", { title: attr(string) }) {}
class Books extends APIEndpoint {
  _path = "/books";
  read = () => this._get({ convJson: true });
  pages = () => this._pages({ itemModel: Book, items: "items", next: cursor("after", "next") });
}
class Library extends APIClient {
  static baseUrl = "https://library.example.org";
  static logger = null;
  books = new Books(this);
}

async function newState() {
  const library = new Library({ fetch });
  const session = new APISession({ url: Library.baseUrl, fetch, logger: null });
  const page = await library.books.pages();
  return { library, endpoint: library.books, session, page, book: page.items[0], filter: {} };
}

/** Uses all objects of a state, and throws if a result is wrong. */
async function use(kind, { library, endpoint, session, page, book, filter }) {
  const bodies = [
    await library.books.read(),
    await endpoint.read(),
    await session.get("books", { convJson: true }),
  ];
  const [first, ...others] = [
    ...bodies.map(({ items }) => items),
    page.items,
    [book],
  ].map((books) => JSON.stringify(books));
  const isRight = first === '[{"title":"Indigo"}]' && others.every((each) => each === first) &&
    !page.hasNextPage() && toXml(book).includes('<book title="Indigo"/>');
  // Vue must still observe the plain objects beside them.
  console.log(`${kind}: ${isRight && isReactive(filter) ? "works" : "fails"}`);
}

await use("ref", ref(await newState()).value);
await use("reactive", reactive(await newState()));

const pinia = createPinia();
const useOptionsStore = defineStore("options", {
  state: () => ({ kept: {} }),
  actions: {
    async fill() {
      this.kept = await newState();
    },
  },
});
const optionsStore = useOptionsStore(pinia);
// A subscription visits all of the state.
optionsStore.$subscribe(() => {}, { flush: "sync" });
await optionsStore.fill();
optionsStore.$patch({ kept: await newState() });
await use("a store with options", optionsStore.$state.kept);

const useSetupStore = defineStore("setup", () => {
  const kept = ref({});
  return { kept, fill: async () => void (kept.value = await newState()) };
});
const setupStore = useSetupStore(pinia);
await setupStore.fill();
await use("a store with a setup function", setupStore.kept);

const state = await newState();
const app = createSSRApp({
  data: () => state,
  async serverPrefetch() {
    await use("a component", this);
  },
  render() {
    return h("p", this.page.items[0].title);
  },
});
console.log(await renderToString(app.use(pinia)));
