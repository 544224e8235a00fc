/** Models of Atom feeds (RFC 4287), and a client that reads a feed and publishes entries. */
import { APIClient, type APIPromise } from "../mod.ts";
import {
  attr,
  date,
  element,
  elements,
  innerXml,
  integer,
  model,
  oneOf,
  openEnum,
  string,
  text,
} from "../src/models/mod.ts";
import { nextUrl, type PagePromise } from "../src/paging/mod.ts";

const XHTML = "http://www.w3.org/1999/xhtml";
const XML = "http://www.w3.org/XML/1998/namespace";

/** Elements and attributes of other vocabularies are kept, and written back where they were. */
const atom = {
  namespace: "http://www.w3.org/2005/Atom",
  unknown: "keep",
  prefixes: { xhtml: XHTML },
} as const;

/** The attributes that every element can have. */
const common = {
  base: attr(string, { namespace: XML, optional: true }),
  lang: attr(string, { namespace: XML, optional: true }),
};

/** The content of an element: text or escaped HTML in `value`, or XHTML in `div`. */
const markup = {
  value: text(string, { default: "" }),
  div: element(innerXml, { namespace: XHTML, optional: true }),
};

function htmlOf({ type, value, div }: TextConstruct | Content): string {
  if (type === "xhtml") return div ?? "";
  return type === "html" ? value : value.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** A title, subtitle, summary or notice. */
export class TextConstruct extends model("text", {
  type: attr(oneOf("text", "html", "xhtml"), { default: "text" }),
  ...common,
  ...markup,
}, {
  ...atom,
  check: ({ type, div }) => type === "xhtml" && div === undefined ? "XHTML needs a div" : undefined,
}) {
  /** Returns the text as HTML. Sanitize it before you show it. */
  html(): string {
    return htmlOf(this);
  }
}

/** The content of an entry, or a link to it. */
export class Content extends model("content", {
  type: attr(openEnum("text", "html", "xhtml"), { default: "text" }), // or a media type
  src: attr(string, { optional: true }),
  ...common,
  ...markup,
}, atom) {
  html(): string {
    return htmlOf(this);
  }
}

export class Link extends model("link", {
  href: attr(string),
  rel: attr(string, { default: "alternate" }),
  type: attr(string, { optional: true }),
  hreflang: attr(string, { optional: true }),
  title: attr(string, { optional: true }),
  length: attr(integer, { optional: true }),
}, atom) {}

export class Category extends model("category", {
  term: attr(string),
  scheme: attr(string, { optional: true }),
  label: attr(string, { optional: true }),
}, atom) {}

export class Person extends model("person", {
  name: element(string),
  uri: element(string, { optional: true }),
  email: element(string, { optional: true }),
}, atom) {}

export class Generator extends model("generator", {
  name: text(string),
  uri: attr(string, { optional: true }),
  version: attr(string, { optional: true }),
}, atom) {}

/** The fields that feeds and entries share. */
const described = {
  ...common,
  id: element(string),
  title: element(TextConstruct, { tag: "title" }),
  updated: element(date),
  authors: elements(Person, { tag: "author" }),
  contributors: elements(Person, { tag: "contributor" }),
  categories: elements(Category),
  links: elements(Link),
  rights: element(TextConstruct, { tag: "rights", optional: true }),
};

export class Entry extends model("entry", {
  ...described,
  published: element(date, { optional: true }),
  summary: element(TextConstruct, { tag: "summary", optional: true }),
  content: element(Content, { optional: true }),
}, atom) {
  /** Returns the address of the first link with a relation. */
  href(rel: string = "alternate"): string | undefined {
    return this.links.find((link) => link.rel === rel)?.href;
  }
}

export class Feed extends model("feed", {
  ...described,
  subtitle: element(TextConstruct, { tag: "subtitle", optional: true }),
  generator: element(Generator, { optional: true }),
  icon: element(string, { optional: true }),
  logo: element(string, { optional: true }),
  entries: elements(Entry),
}, atom) {
  href(rel: string = "alternate"): string | undefined {
    return this.links.find((link) => link.rel === rel)?.href;
  }
}

export class Blog extends APIClient {
  static override readonly baseUrl: string = "https://blog.example.com";
  static override readonly absoluteUrls = "trusted"; // a link must not choose the host

  /** Returns the newest page of the feed; as a list, the entries of all pages (RFC 5005). */
  entries(): PagePromise<Entry, Feed> {
    const next = nextUrl((feed: Feed) => feed.href("next"));
    return this._pages("/feed", { responseModel: Feed, items: ({ entries }) => entries, next });
  }

  /** Publishes an entry, and returns it with the additions of the server (RFC 5023). */
  publish(entry: Entry): APIPromise<Entry> {
    const headers = { "content-type": "application/atom+xml;type=entry" };
    return this._post("/feed", { xml: entry, headers, responseModel: Entry });
  }

  /** Replaces an entry. What other programs have added to it is kept. */
  async update(entry: Entry): Promise<void> {
    const headers = { "content-type": "application/atom+xml;type=entry" };
    await this._put(entry.href("edit")!, { xml: entry, headers });
  }
}
