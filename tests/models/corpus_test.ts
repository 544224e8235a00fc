import { readFileSync } from "node:fs";
import { assert, assertEquals, assertInstanceOf, describe, it } from "#test";
import {
  attr,
  bigint,
  boolean,
  date,
  element,
  elements,
  type Fields,
  integer,
  list,
  Model,
  model,
  nullable,
  number,
  oneOf,
  record,
  scalar,
  string,
  text,
  toXml,
  unknownContentOf,
} from "../../src/models/mod.ts";
import { decodeTarget } from "../support/decode_target.ts";
import { sourceRoot } from "../support/contract_page.ts";

// Documents in real formats. Each is read, checked, written, and read again as the same value.

const read = (name: string): string =>
  readFileSync(new URL(`tests/corpus/${name}`, sourceRoot()), "utf8");

const optional = { optional: true } as const;

/** Checks that an instance stays the same if it is written in each style and read again. */
async function assertRoundTrip<T extends Model>(
  instance: T,
  Class: { fromXml(xml: string): Promise<T>; fromJson(json: string): T },
): Promise<void> {
  for (const indent of [false, true, "\t"]) {
    const xml = toXml(instance, { indent });
    assertEquals(await Class.fromXml(xml), instance);
    const again = await Class.fromXml(xml);
    assertEquals(toXml(again, { indent }), xml);
    assertEquals(
      xml.match(/xmlns(?=[:=])/g)?.length ?? 0,
      new Set(xml.match(/xmlns[:=][^ >]*/g)).size,
    );
  }
  // Unknown content of XML is not part of the JSON.
  assertEquals({ ...Class.fromJson(instance.toJsonString()) }, fieldsOf(instance));
}

function fieldsOf(instance: Model): object {
  return Object.fromEntries(Object.entries(instance));
}

describe("an RSS 2.0 feed", () => {
  const rfc822 = scalar<Date>({
    expected: "a date as in RFC 822",
    parse: (text) => /^\w{3}, \d/.test(text) ? new Date(text) : undefined,
    format: (value) => value.toUTCString(),
  });
  const ATOM = "http://www.w3.org/2005/Atom";

  class Category extends model("category", {
    name: text(string),
    domain: attr(string, optional),
  }) {}
  class Enclosure extends model("enclosure", {
    url: attr(string),
    length: attr(integer),
    type: attr(string),
  }) {}
  class Guid extends model("guid", {
    value: text(string),
    isPermaLink: attr(boolean, { default: true }),
  }) {}
  class Item extends model("item", {
    title: element(string, optional),
    link: element(string, optional),
    guid: element(Guid, optional),
    published: element(rfc822, { tag: "pubDate", optional: true }),
    creator: element(string, { namespace: "http://purl.org/dc/elements/1.1/", optional: true }),
    categories: elements(Category),
    enclosure: element(Enclosure, optional),
    description: element(string, optional),
    content: element(string, {
      tag: "encoded",
      namespace: "http://purl.org/rss/1.0/modules/content/",
      optional: true,
    }),
  }) {}
  class Rss extends model("rss", {
    version: attr(oneOf("2.0")),
    title: element(string, { within: "channel" }),
    link: element(string, { within: "channel" }),
    description: element(string, { within: "channel" }),
    built: element(rfc822, { within: "channel", tag: "lastBuildDate", optional: true }),
    ttl: element(integer, { within: "channel", optional: true }),
    self: element(model("link", { href: attr(string), rel: attr(string) }), {
      within: "channel",
      namespace: ATOM,
      optional: true,
    }),
    logo: element(string, { within: "channel/image", tag: "url", optional: true }),
    items: elements(Item, { within: "channel" }),
  }, { prefixes: { atom: ATOM, dc: "http://purl.org/dc/elements/1.1/" } }) {}

  it("is the same after it is read, written and read again", async () => {
    const rss = await Rss.fromXml(read("rss.xml"));
    assertEquals([rss.title, rss.ttl, rss.logo, rss.self?.rel], [
      "Loom & Shuttle",
      60,
      "https://loom.example/logo.png",
      "self",
    ]);
    assertEquals(rss.built, new Date("2026-11-20T09:30:00Z"));
    const [first, second] = rss.items;
    assertInstanceOf(first, Item);
    assertEquals(first.guid?.isPermaLink, false);
    assertEquals(first.description, "<p>Seven vats & one <em>winter</em>.</p>");
    assertEquals(first.content?.endsWith("<p>More…</p>"), true);
    assertEquals([first.creator, first.enclosure?.length], ["Ada Weaver", 4718592]);
    assertEquals(first.categories.map(({ name, domain }) => [name, domain]), [
      ["dye", undefined],
      ["blue", "https://loom.example/tags"],
    ]);
    assertEquals([second?.title, second?.categories], [undefined, []]);
    await assertRoundTrip(rss, Rss);
  });

  it("is streamed", async () => {
    const titles = [];
    for await (const { title } of Item.streamXml(read("rss.xml"), { at: "rss/channel/item" })) {
      titles.push(title);
    }
    assertEquals(titles, ["Indigo, the slow way", undefined]);
  });
});

describe("an Atom feed with prefixes", () => {
  const namespace = "http://www.w3.org/2005/Atom";
  const THREAD = "http://purl.org/syndication/thread/1.0";
  class Text extends model("text", {
    value: text(string),
    type: attr(oneOf("text", "html", "xhtml"), { default: "text" }),
  }) {}
  class Link extends model("link", {
    href: attr(string),
    rel: attr(string, { default: "alternate" }),
    type: attr(string, optional),
    count: attr(integer, { namespace: THREAD, optional: true }),
  }) {}
  class Person
    extends model("person", { name: element(string), email: element(string, optional) }) {}
  class Entry extends model("entry", {
    id: element(string),
    title: element(Text, { tag: "title" }),
    published: element(date, optional),
    updated: element(date),
    links: elements(Link),
    authors: elements(Person, { tag: "author" }),
    terms: elements(model("category", { term: attr(string), scheme: attr(string, optional) })),
    summary: element(Text, { tag: "summary", optional: true }),
    total: element(integer, { namespace: THREAD, optional: true }),
  }, { namespace }) {}
  class Feed extends model("feed", {
    lang: attr(string, { namespace: "http://www.w3.org/XML/1998/namespace", optional: true }),
    id: element(string),
    title: element(Text, { tag: "title" }),
    updated: element(date),
    links: elements(Link),
    authors: elements(Person, { tag: "author" }),
    entries: elements(Entry),
  }, { namespace, prefixes: { thr: THREAD } }) {}

  it("is the same after it is read, written and read again", async () => {
    const feed = await Feed.fromXml(read("atom.xml"));
    assertEquals([feed.lang, feed.title.value, feed.links.length], ["de", "Fahrplanänderungen", 2]);
    assertEquals(feed.updated, new Date("2026-11-20T17:30:02.250Z"));
    assertEquals(feed.links.map(({ rel }) => rel), ["self", "alternate"]);
    const [entry] = feed.entries;
    assertInstanceOf(entry, Entry);
    assertEquals([entry.title.value, entry.links[0]?.count, entry.total], [
      "Gleis 7 → Gleis 9",
      2,
      2,
    ]);
    assertEquals([entry.authors[0]?.name, entry.summary?.value], [
      "Ü. Öztürk",
      "<b>Heute</b> anders",
    ]);
    await assertRoundTrip(feed, Feed);
    assert(toXml(feed, { declaration: false }).startsWith(`<feed xmlns="${namespace}" xmlns:thr=`));
  });
});

describe("a Maven POM", () => {
  class Artifact extends model("artifact", {
    groupId: element(string, optional),
    artifactId: element(string),
    version: element(string, optional),
  }) {}
  class Dependency extends model("dependency", {
    groupId: element(string),
    artifactId: element(string),
    version: element(string, optional),
    scope: element(oneOf("compile", "provided", "runtime", "test"), { default: "compile" }),
    optional: element(boolean, { default: false }),
    exclusions: elements(Artifact, { tag: "exclusion", within: "exclusions" }),
  }) {}
  class Project extends model("project", {
    modelVersion: element(string),
    parent: element(Artifact, { tag: "parent", optional: true }),
    artifactId: element(string),
    version: element(string),
    packaging: element(string, { default: "jar" }),
    properties: element(record(string), { default: () => ({}) }),
    modules: elements(string, { tag: "module", within: "modules" }),
    dependencies: elements(Dependency, { within: "dependencies" }),
  }, { namespace: "http://maven.apache.org/POM/4.0.0", unknown: "keep" }) {}

  it("is the same after it is read, written and read again", async () => {
    const project = await Project.fromXml(read("pom.xml"));
    assertEquals([project.version, project.parent?.version], ["1.10.0-SNAPSHOT", "7"]);
    assertEquals(project.properties["java.version"], "21");
    assertEquals(project.properties["argLine"], "-Xmx512m -Dmode=${mode}");
    assertEquals(project.modules, ["core", "cli"]);
    assertEquals(project.dependencies.map(({ scope, optional }) => [scope, optional]), [
      ["compile", false],
      ["test", false],
      ["compile", true],
    ]);
    assertEquals(project.dependencies[1]?.exclusions[0]?.groupId, "*");
    const [build] = unknownContentOf(project).elements;
    assertEquals([build?.tag, unknownContentOf(project).elements.length], ["build", 1]);
    const again = await Project.fromXml(toXml(project, { indent: true }));
    assertEquals(again, project);
    assertEquals(unknownContentOf(again), unknownContentOf(project));
    // Unknown content of the XML is not written to JSON.
    assertEquals({ ...Project.fromJson(project.toJsonString()) }, fieldsOf(project));
  });
});

describe("an S3 ListBucketResult", () => {
  class Entry extends model("Contents", {
    key: element(string, { tag: "Key" }),
    modified: element(date, { tag: "LastModified" }),
    etag: element(string, { tag: "ETag" }),
    size: element(bigint, { tag: "Size" }),
    storageClass: element(string, { tag: "StorageClass" }),
    owner: element(string, { tag: "ID", within: "Owner", optional: true }),
  }) {}
  class ListBucketResult extends model("ListBucketResult", {
    name: element(string, { tag: "Name" }),
    prefix: element(string, { tag: "Prefix" }),
    next: element(string, { tag: "NextContinuationToken", optional: true }),
    count: element(integer, { tag: "KeyCount" }),
    isTruncated: element(boolean, { tag: "IsTruncated" }),
    entries: elements(Entry),
    folders: elements(model("CommonPrefixes", { prefix: element(string, { tag: "Prefix" }) })),
  }, { namespace: "http://s3.amazonaws.com/doc/2006-03-01/" }) {}

  it("is the same after it is read, written and read again", async () => {
    const result = await ListBucketResult.fromXml(read("list_bucket.xml"));
    assertEquals([result.isTruncated, result.entries.length, result.count], [true, 2, 2]);
    assertEquals(result.entries.map(({ key }) => key), [
      "scans/a & b.tif",
      "scans/großes bild.tif",
    ]);
    assertEquals(result.entries[0]?.etag, '"fba9dede5f27731c9771645a39863328"');
    assertEquals(result.entries[1]?.size, 9007199254740993n);
    assertEquals(result.folders.map(({ prefix }) => prefix), ["scans/2025/", "scans/2026/"]);
    await assertRoundTrip(result, ListBucketResult);
  });
});

describe("a SOAP 1.1 fault", () => {
  const SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
  class OrderFault extends model("OrderFault", {
    code: element(integer),
    reason: element(string),
  }, { namespace: "https://orders.example/faults" }) {}
  class Detail extends model("detail", { fault: element(OrderFault, optional) }) {}
  class Fault extends model("Fault", {
    code: element(string, { tag: "faultcode", namespace: "" }),
    message: element(string, { tag: "faultstring", namespace: "" }),
    actor: element(string, { tag: "faultactor", namespace: "", optional: true }),
    detail: element(Detail, { namespace: "", optional: true }),
  }, { namespace: SOAP }) {}
  class Envelope extends model("Envelope", {
    fault: element(Fault, { within: "Body", optional: true }),
  }, { namespace: SOAP, prefixes: { soap: SOAP, e: "https://orders.example/faults" } }) {}

  it("is the same after it is read, written and read again", async () => {
    const envelope = await Envelope.fromXml(read("soap_fault.xml"));
    assertEquals([envelope.fault?.code, envelope.fault?.detail?.fault?.code], [
      "SOAP-ENV:Client",
      1012,
    ]);
    assertEquals(envelope.fault?.detail?.fault?.reason, "It has been <shipped>");
    await assertRoundTrip(envelope, Envelope);
    assert(toXml(envelope).includes("<soap:Body><soap:Fault><faultcode>"), toXml(envelope));
  });
});

describe("a sitemap", () => {
  class Url extends model("url", {
    loc: element(string),
    modified: element(date, { tag: "lastmod", optional: true }),
    frequency: element(oneOf("always", "hourly", "daily", "weekly"), {
      tag: "changefreq",
      optional: true,
    }),
    priority: element(number, { default: 0.5 }),
    images: elements(
      model("image", { loc: element(string) }, {
        namespace: "http://www.google.com/schemas/sitemap-image/1.1",
      }),
    ),
  }) {}
  class UrlSet extends model("urlset", { urls: elements(Url) }, {
    namespace: "http://www.sitemaps.org/schemas/sitemap/0.9",
  }) {}

  it("is the same after it is read, written and read again", async () => {
    const sitemap = await UrlSet.fromXml(read("sitemap.xml"));
    assertEquals(sitemap.urls.map(({ priority, images }) => [priority, images.length]), [
      [1, 2],
      [0.5, 0],
      [0.5, 0],
    ]);
    assertEquals(sitemap.urls[1]?.loc, "https://loom.example/search?q=a&page=2");
    assertEquals(sitemap.urls[0]?.modified, new Date("2026-11-20T00:00:00Z"));
    await assertRoundTrip(sitemap, UrlSet);
  });
});

describe("a CycloneDX bill of materials", () => {
  class Component extends Model {
    declare readonly type: string;
    declare readonly ref?: string;
    declare readonly name: string;
    declare readonly version?: string;
    declare readonly hashes: Hash[];
    declare readonly licenses: string[];
    declare readonly purl?: string;
    declare readonly components: Component[];
    static override readonly tag: string = "component";
    static override readonly fields: Fields<Component> = {
      type: attr(string),
      ref: attr(string, { tag: "bom-ref", json: "bom-ref", optional: true }),
      name: element(string),
      version: element(string, optional),
      hashes: elements(() => Hash, { within: "hashes" }),
      licenses: elements(string, { tag: "id", within: "licenses/license" }),
      purl: element(string, optional),
      components: elements(() => Component, { within: "components" }),
    };
  }
  class Hash extends model("hash", { alg: attr(string), content: text(string) }) {}
  class Dependency extends Model {
    declare readonly ref: string;
    declare readonly dependsOn: Dependency[];
    static override readonly tag: string = "dependency";
    static override readonly fields: Fields<Dependency> = {
      ref: attr(string),
      dependsOn: elements(() => Dependency),
    };
  }
  class Bom extends model("bom", {
    serial: attr(string, { tag: "serialNumber", json: "serialNumber" }),
    version: attr(integer),
    made: element(date, { tag: "timestamp", within: "metadata", json: "timestamp" }),
    tools: elements(model("tool", { vendor: element(string), name: element(string) }), {
      within: "metadata/tools",
    }),
    subject: element(Component, { within: "metadata" }),
    components: elements(Component, { within: "components" }),
    dependencies: elements(Dependency, { within: "dependencies" }),
  }, { namespace: "http://cyclonedx.org/schema/bom/1.5" }) {}

  it("is the same after it is read, written and read again", async () => {
    const bom = await Bom.fromXml(read("bom.xml"));
    assertEquals([bom.version, bom.subject.name, bom.tools[0]?.name], [1, "loom", "scanner"]);
    const [saxes, script] = bom.components;
    assertInstanceOf(saxes, Component);
    assertEquals([saxes.ref, saxes.licenses, saxes.hashes[0]?.alg], [
      "pkg:npm/saxes@6.0.0",
      ["ISC"],
      "SHA-256",
    ]);
    assertEquals([saxes.components[0]?.name, script?.version], ["xmlchars", undefined]);
    assertEquals(bom.dependencies[0]?.dependsOn[0]?.ref, "pkg:npm/saxes@6.0.0");
    await assertRoundTrip(bom, Bom);
  });
});

describe("GitHub's list of issues", () => {
  class User extends model("user", {
    login: attr(string),
    id: attr(integer),
    isAdmin: attr(boolean, { json: "site_admin" }),
  }) {}
  class Label extends model("label", {
    id: attr(integer),
    name: element(string),
    description: element(nullable(string)),
  }) {}
  class Issue extends model("issue", {
    id: attr(integer),
    number: attr(integer),
    title: element(string),
    user: element(nullable(User)),
    labels: elements(Label),
    state: attr(oneOf("open", "closed")),
    reason: attr(nullable(string), { json: "state_reason" }),
    assignees: elements(User, { tag: "assignee" }),
    due: element(date, { within: "milestone", json: "due", optional: true }),
    created: attr(date, { json: "created_at" }),
    closed: element(nullable(date), { json: "closed_at" }),
    body: element(nullable(string)),
    reactions: element(record(integer)),
    merged: element(record(string), { json: "pull_request", optional: true }),
  }) {
    isPullRequest(): boolean {
      return this.merged !== undefined;
    }
  }

  it("is the same after it is read, written and read again", async () => {
    const issues = await decodeTarget([Issue], read("github_issues.json"), "application/json");
    assertEquals(issues.map((issue) => issue.isPullRequest()), [false, true]);
    const [one, other] = issues;
    assertEquals([one?.labels[1]?.description, one?.closed, other?.user], [null, null, null]);
    assertEquals(one?.body, "It looks *fine*,\r\nuntil it does not. 😕");
    assertEquals(one?.reactions, { "+1": 3, "-1": 0, heart: 1 });
    assertEquals([other?.id, other?.title], [9007199254740991, ""]);
    const json = JSON.stringify(issues);
    assertEquals(await decodeTarget([Issue], json, "application/json"), issues);
    assertEquals(await Issue.fromXml(toXml(other!)), other);
  });
});

describe("an OpenAPI document", () => {
  class Schema extends Model {
    declare readonly type: string;
    declare readonly required: string[];
    declare readonly isNullable: boolean;
    declare readonly maximum?: number;
    declare readonly items?: Schema;
    declare readonly properties: Record<string, Schema>;
    static override readonly tag: string = "schema";
    static override readonly fields: Fields<Schema> = {
      type: attr(oneOf("object", "array", "string", "integer")),
      required: attr(list(string), { default: () => [] }),
      isNullable: attr(boolean, { json: "nullable", default: false }),
      maximum: attr(number, optional),
      items: element(() => Schema, { tag: "items", optional: true }),
      properties: element(record(() => Schema), { default: () => ({}) }),
    };
  }
  class Parameter extends model("parameter", {
    name: attr(string),
    where: attr(oneOf("query", "path", "header"), { json: "in", tag: "in" }),
    isRequired: attr(boolean, { json: "required", default: false }),
    schema: element(Schema),
  }) {}
  class Operation extends model("operation", {
    operationId: attr(string),
    tags: attr(list(string), { default: () => [] }),
    parameters: elements(Parameter),
    responses: element(record(model("response", { description: element(string) }))),
    isDeprecated: attr(boolean, { json: "deprecated", default: false }),
  }) {}
  class Document extends model("openapi", {
    openapi: attr(string),
    info: element(model("info", { title: attr(string), version: attr(string) })),
    paths: element(record(record(Operation))),
    components: element(model("components", { schemas: element(record(Schema)) })),
  }, { unknown: "keep" }) {}

  it("is the same after it is read, written and read again", () => {
    const document = Document.fromJson(read("openapi.json"));
    assertEquals(Object.keys(document.paths), ["/looms", "/looms/{id}"]);
    const { get } = document.paths["/looms"]!;
    assertEquals([get?.parameters[0]?.schema.maximum, get?.parameters[0]?.where], [100, "query"]);
    assertEquals(document.paths["/looms/{id}"]?.["get"]?.isDeprecated, true);
    const { Loom } = document.components.schemas;
    assertInstanceOf(Loom, Schema);
    assertEquals(Object.keys(Loom.properties), ["id", "parts", "__proto__", "constructor"]);
    assertEquals(Loom.properties["parts"]?.items?.properties["part"]?.isNullable, true);
    assertEquals([...unknownContentOf(document).json.keys()], ["servers", "x-internal"]);
    const again = Document.fromJson(document.toJsonString({ indent: true }));
    assertEquals(again, document);
    assertEquals([...unknownContentOf(again).json], [...unknownContentOf(document).json]);
  });
});
