import { BookXml, PageXml } from "./book_xml.ts";
import { firstBooks, type StoredBook } from "./books.ts";
import { type Answer, type Question, refused, type Route, unfit } from "./route.ts";
import { bookProblems, type FieldProblem } from "./rules.ts";

/** Options of the librarian. */
export interface LibrarianOptions {
  /** The number of times that the librarian is busy before each tip. Default: 2 */
  readonly busyTimes?: number;
  /** The Retry-After of a busy librarian, in seconds. Default: 0.3 */
  readonly retryAfter?: number;
}

/** Creates the routes of the books and of the librarian, who recommends one. */
export function bookRoutes({ busyTimes = 2, retryAfter = 0.3 }: LibrarianOptions): Route[] {
  const books = new Map(firstBooks().map((book) => [book.id, book]));
  let lastId = books.size;
  let busyFor = busyTimes;

  const noBook = ({ id }: Question) => refused(404, `there is no book ${id}`);
  const stored = (id: number, body: unknown): StoredBook => {
    const { title, author, year, onLoan = false } = body as StoredBook;
    const book = { id, title, author, year, onLoan };
    books.set(id, book);
    return book;
  };
  const changed = (question: Question, isPartial: boolean): Answer => {
    const book = books.get(question.id);
    if (book === undefined) return noBook(question);
    const sent = withoutId(question);
    const problems = bookProblems(sent, isPartial);
    if (problems.length > 0) return unfit("this is not a book", problems);
    const fields = isPartial ? { ...book, ...(sent as object) } : sent;
    return { status: 200, body: stored(question.id, fields), model: BookXml };
  };

  return [{
    path: /^\/books$/,
    model: BookXml,
    methods: {
      GET: ({ query }) => pageOf([...books.values()], query),
      POST({ body }) {
        const problems = bookProblems(body, false);
        if (problems.length > 0) return unfit("this is not a book", problems);
        const book = stored(++lastId, body);
        const headers = { location: `/books/${book.id}` };
        return { status: 201, body: book, model: BookXml, headers };
      },
    },
  }, {
    path: /^\/books\/(\d+)$/,
    model: BookXml,
    methods: {
      GET(question) {
        const book = books.get(question.id);
        if (book === undefined) return noBook(question);
        return { status: 200, body: book, model: BookXml };
      },
      PUT: (question) => changed(question, false),
      PATCH: (question) => changed(question, true),
      DELETE: (question) => books.delete(question.id) ? { status: 204 } : noBook(question),
    },
  }, {
    path: /^\/librarian\/tip$/,
    methods: {
      GET() {
        if (busyFor-- > 0) {
          const headers = { "retry-after": String(retryAfter) };
          return { ...refused(429, "the librarian is busy"), headers };
        }
        busyFor = busyTimes;
        const [tip] = books.values();
        return tip === undefined
          ? refused(404, "the shelves are empty")
          : { status: 200, body: tip };
      },
    },
  }];
}

/**
 * Returns the body without its id if that is the one in the path: a client that has read a book may
 * send it back with its id.
 */
function withoutId({ body, id }: Question): unknown {
  if (typeof body !== "object" || body === null || !("id" in body) || body.id !== id) return body;
  const { id: _, ...fields } = body;
  return fields;
}

/** Returns the page that a query asks for. Default: page 0 with 100 books */
function pageOf(books: readonly StoredBook[], query: URLSearchParams): Answer {
  const page = Number(query.get("page") ?? 0);
  const size = Number(query.get("size") ?? 100);
  const problems: FieldProblem[] = [];
  if (!(Number.isInteger(page) && page >= 0)) {
    problems.push({ field: "page", expected: "a whole number of at least 0" });
  }
  if (!(Number.isInteger(size) && size >= 1 && size <= 100)) {
    problems.push({ field: "size", expected: "a whole number from 1 to 100" });
  }
  if (problems.length > 0) return unfit("there is no such page", problems);
  const author = query.get("author");
  const onLoan = query.get("onLoan");
  const found = books.filter((book) =>
    (author === null || book.author === author) &&
    (onLoan === null || String(book.onLoan) === onLoan)
  );
  const items = found.slice(page * size, (page + 1) * size);
  return { status: 200, body: { items, total: found.length, page, size }, model: PageXml };
}
