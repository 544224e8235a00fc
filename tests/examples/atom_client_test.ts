import { assertEquals, assertStringIncludes, assertThrows, describe, it } from "#test";
import { Blog, Content, Entry, Feed, Link, TextConstruct } from "../../examples/atom_client.ts";
import { ModelError } from "../../src/entries/errors.ts";
import { toXml, unknownContentOf } from "../../src/models/mod.ts";
import { mockTransport, silentLogger } from "../../src/testing/mod.ts";

const headers = { "content-type": "application/atom+xml" };

const entryXml = (id: number) =>
  `<entry xml:lang="en">
    <id>tag:blog.example.com,2026:${id}</id><updated>2026-11-20T10:00:00+01:00</updated>
    <title>Looms &amp; dyes ${id}</title>
    <link rel="edit" href="/entries/${id}"/><link href="/posts/${id}"/>
    <category term="weaving"/>
    <thr:total xmlns:thr="http://purl.org/syndication/thread/1.0">3</thr:total>
    <summary type="html">&lt;b&gt;Indigo&lt;/b&gt; &amp;amp; woad</summary>
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">On <em>indigo</em>.</div></content>
  </entry>`;

const feedXml = (entries: string, next = "") =>
  `<?xml version="1.0" encoding="utf-8"?>
  <feed xmlns="http://www.w3.org/2005/Atom" xmlns:os="http://a9.com/-/spec/opensearch/1.1/">
    <id>tag:blog.example.com,2026:feed</id><title>Threads</title>
    <updated>2026-11-20T10:00:00Z</updated>
    <os:totalResults>2</os:totalResults>${next}
    <author><name>Ada</name><email>ada@example.com</email></author>
    <generator uri="https://press.example.com" version="2">Press</generator>${entries}
  </feed>`;

describe("the Atom client of the examples", () => {
  function start(routes: Parameters<typeof mockTransport>[0]) {
    const fetch = mockTransport(routes);
    return { blog: new Blog({ fetch, logger: silentLogger }), fetch };
  }

  it("reads text constructs, links and people of a feed", async () => {
    const { blog } = start({ "GET /feed": new Response(feedXml(entryXml(1)), { headers }) });
    const { body: feed, items: [entry] } = await blog.entries();
    assertEquals(feed.authors.map(({ name, email }) => [name, email]), [[
      "Ada",
      "ada@example.com",
    ]]);
    assertEquals([feed.generator?.name, feed.generator?.version], ["Press", "2"]);
    assertEquals(entry?.title.html(), "Looms &amp; dyes 1");
    assertEquals(entry?.summary?.html(), "<b>Indigo</b> &amp; woad");
    assertEquals(
      entry?.content?.html(),
      'On <em xmlns="http://www.w3.org/1999/xhtml">indigo</em>.',
    );
    assertEquals(entry?.updated, new Date("2026-11-20T09:00:00Z"));
    assertEquals([entry?.href(), entry?.href("edit")], ["/posts/1", "/entries/1"]);
  });

  it("reads the entries of all pages", async () => {
    const next = '<link rel="next" href="/feed?page=2"/>';
    const { blog } = start({
      "GET /feed": ({ params }) =>
        new Response(
          params["page"] === "2" ? feedXml(entryXml(2)) : feedXml(entryXml(1), next),
          { headers },
        ),
    });
    const entries = await blog.entries().collect();
    assertEquals(entries.map((entry) => entry.href()), ["/posts/1", "/posts/2"]);
  });

  it("writes a feed that reads back equal, with its extensions", async () => {
    const feed = await Feed.fromXml(feedXml(entryXml(1)));
    const again = await Feed.fromXml(toXml(feed));
    assertEquals(again.toJsonString(), feed.toJsonString());
    assertEquals(
      unknownContentOf(again).elements.map(({ tag, children }) => [tag, children]),
      [["totalResults", ["2"]]],
    );
  });

  it("publishes an entry with XHTML", async () => {
    const { blog, fetch } = start({
      "POST /feed": ({ text }) => new Response(text, { status: 201, headers }),
    });
    const entry = Entry.of({
      id: "tag:blog.example.com,2026:3",
      title: TextConstruct.of({ value: "Woad" }),
      updated: new Date("2026-11-22T00:00:00Z"),
      content: Content.of({
        type: "xhtml",
        div: '<p xmlns="http://www.w3.org/1999/xhtml">A <em>blue</em> dye</p>',
      }),
      links: [Link.of({ href: "/posts/3" })],
    });
    const published = await blog.publish(entry);
    assertEquals(published.toJsonString(), entry.toJsonString());
    fetch.assertCalled("POST /feed", {
      headers: { "content-type": "application/atom+xml;type=entry" },
    });
  });

  it("keeps what other programs added when it updates an entry", async () => {
    const { blog, fetch } = start({
      "GET /feed": new Response(feedXml(entryXml(1)), { headers }),
      "PUT /entries/1": 204,
    });
    const { items: [entry] } = await blog.entries();
    await blog.update(Entry.of({ ...entry!, title: TextConstruct.of({ value: "Dyes" }) }));
    const sent = fetch.calls.at(-1)!.text;
    assertStringIncludes(sent, '<title type="text">Dyes</title>');
    assertStringIncludes(sent, '<total xmlns="http://purl.org/syndication/thread/1.0">3</total>');
  });

  it("does not write XHTML without its div", () => {
    const title = TextConstruct.of({ type: "xhtml" });
    const error = assertThrows(() => toXml(title), ModelError);
    assertEquals(error.issues.map(({ message }) => message), ["XHTML needs a div"]);
  });
});
