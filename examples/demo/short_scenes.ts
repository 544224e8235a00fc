// The scenes of the short demo. The demo prints the body of each function, up to its return.

import { Library as GeneratedLibrary } from "../generated/library/mod.ts";
import { Library, RejectedError } from "../library_client.ts";
import type { LibraryApi } from "../library_api.ts";
import type { ShortProps, ShortScene } from "./short_demo.ts";

async function logIn({ options, ada }: ShortProps): Promise<string> {
  const library = await Library.open({ ...options, ...ada });
  const me = await library.members.me();
  await library.close(); // logs out
  return `Logged in. The API knew the caller: ${me.username}.`;
}

async function readAllPages({ library }: ShortProps): Promise<string> {
  const books = library.books.all({ prefetch: 1 });
  const authors = new Set<string>();
  for await (const book of books) authors.add(book.author);
  return `${books.count} books by ${authors.size} authors, from ${books.pageCount} pages.`;
}

async function askBusyApi({ library, stage, api }: ShortProps): Promise<string> {
  const book = await library.librarian.tip();
  return `${book.title}, in attempt ${attempts(api)}, after ${stage.elapsed().toFixed(1)} s.`;
}

function attempts({ requests }: LibraryApi): number {
  return requests.filter((each) => each === "GET /librarian/tip").length;
}

async function addWrongBook({ library }: ShortProps): Promise<string> {
  const book = { title: "", author: "Ada Moss", year: 2026 };
  const error = await library.books.add(book).catch((reason) => reason);
  if (!(error instanceof RejectedError)) throw error;
  const [problem] = error.problems;
  return `${error.name} ${error.status}: ${problem?.field} must be ${problem?.expected}.`;
}

async function readXml({ library }: ShortProps): Promise<string> {
  const card = await library.cards.get(1);
  const year = card.copies[0]?.bought.getUTCFullYear();
  return `${card.title} (${card.year}), bought in ${year}: the XML became numbers and Dates.`;
}

async function sendSecret({ library, password }: ShortProps): Promise<string> {
  const member = await library.members.join("grace", password);
  return `${member.username} is a member. The password was sent, but not logged.`;
}

async function callGeneratedSdk({ api }: ShortProps): Promise<string> {
  const generated = new GeneratedLibrary({ baseUrl: api.url });
  const book = await generated.books.get(4);
  return `${book.title} (${book.year}). \`deno task generate\` wrote the method.`;
}

/** The scenes in order. */
export const shortScenes: readonly ShortScene[] = [
  {
    title: "A session logs in, and sends its token with each request",
    play: logIn,
    sdk: ["library_client.ts", 'httpSession.headers.set("X-Session-Token", token)'],
  },
  {
    title: "A loop reads all pages of a list, and the items are typed",
    play: readAllPages,
    sdk: ["library_client.ts", "class BookIterator"],
  },
  {
    title: "A request that fails is sent again",
    play: askBusyApi,
    sdk: ["library_client.ts", '_get<Book>("tip")'],
    log: "warn",
  },
  {
    title: "An error has a class of its own, with typed data",
    play: addWrongBook,
    sdk: ["library_client.ts", "static override readonly errorMap"],
    isError: true,
  },
  {
    title: "XML becomes a model, and is checked",
    play: readXml,
    sdk: ["library_models.ts", "elements(Copy"],
  },
  {
    title: "The log shows requests, but no secrets",
    play: sendSecret,
    sdk: ["library_client.ts", 'redactFields: ["password"]'],
    log: "debug",
  },
  {
    title: "An OpenAPI document becomes an SDK in one command",
    play: callGeneratedSdk,
    document: ["generated/library.yaml", "operationId: getBook"],
    sdk: ["generated/library/endpoints/books.ts", "get(bookId: number"],
  },
];
