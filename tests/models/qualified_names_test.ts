import { assert, assertEquals, describe, it } from "#test";
import fc from "fast-check";
import {
  attr,
  element,
  elements,
  innerXml,
  model,
  record,
  string,
  text,
  textContent,
  toXml,
} from "../../src/models/mod.ts";
import type { ModelInstance } from "../../src/models/model_class.ts";
import { assertLinearGrowth } from "../support/linear_time.ts";
import { holds } from "../support/property.ts";
import { qualifiedNames } from "../support/qualified_names.ts";
import { XSI } from "../support/xml_tree.ts";

const none = { declaration: false } as const;
const keep = { unknown: "keep" } as const;
const optional = { optional: true } as const;
const xsi = `xmlns:xsi="${XSI}"`;

const count = (xml: string, part: string) => xml.split(part).length - 1;

class Item extends model("item", { id: attr(string, optional), code: element(string, optional) }, {
  ...keep,
  namespace: "urn:shop",
}) {}
class Shop extends model("shop", {
  kind: attr(string, optional),
  note: element(string, { ...optional, within: "notes" }),
  fault: element(string, optional),
  body: element(innerXml, optional),
  label: element(textContent, optional),
  map: element(record(string), optional),
  items: elements(Item),
}, { ...keep, namespace: "urn:shop" }) {}
class Mixed extends model("mixed", { said: text(string) }, keep) {}
class Markup extends model("markup", { xml: text(innerXml) }, keep) {}

const shop = (content: string, attributes = "") =>
  `<shop xmlns="urn:shop" ${xsi} xmlns:t="urn:t" xmlns:u="urn:u"${attributes}>${content}</shop>`;

describe("a name with a prefix in a value that is kept", () => {
  const documents: readonly (readonly [string, string])[] = [
    ["an attribute of an unknown element", shop('<x xsi:type="t:Point"/>')],
    ["the text of an unknown element", shop("<x>t:NotFound</x>")],
    ["the text between elements", shop("<x>a<y/> t:NotFound</x>")],
    ["a path", shop('<x select="//t:a[@u:b]/t:c"/>')],
    ["an unknown attribute of the model", shop("", ' xsi:type="t:Shop"')],
    ["a declared attribute", shop("", ' kind="t:Shop"')],
    ["a declared element", shop("<fault>t:NotFound</fault>")],
    ["a declared element that declares the prefix", shop('<fault xmlns:v="urn:v">v:A</fault>')],
    ["an attribute of a declared element", shop('<fault z="u:x">a</fault>')],
    ["an element around fields", shop('<notes xmlns:v="urn:v" z="v:x"><note>v:A</note></notes>')],
    ["a record", shop("<map><a>t:A</a><b xmlns:v='urn:v'>v:B</b></map>")],
    ["a value outside of elements", shop("t:NotFound")],
    ["an instance in another", shop('<item xsi:type="t:Item"><code>u:A</code></item>')],
    ["text without its markup", shop("<label>t:A</label>")],
    ["markup", shop('<body>t:A <b xsi:type="u:B">t:C</b></body>')],
    ["markup that declares the prefix", shop('<body><b xmlns:v="urn:v">v:<c z="v:C"/></b></body>')],
    ["two meanings of a prefix", shop('<x>t:A</x><x xmlns:t="urn:other">t:A<y>t:B</y></x>')],
    [
      "two meanings of a prefix in declared elements",
      shop('<fault xmlns:t="urn:a">t:A</fault><notes xmlns:t="urn:b"><note>t:A</note></notes>'),
    ],
    [
      "two prefixes of one namespace",
      shop('<x xmlns:v="urn:t">t:A v:B<y z="v:C">t:D</y></x>', ' kind="t:E"'),
    ],
    ["a prefix that the written document uses", shop('<x xmlns:ns1="urn:a" ns1:z="ns1:A"/>')],
    ["mixed content", '<mixed xmlns:t="urn:t">t:A<x z="t:B"/></mixed>'],
    ["a model of markup", '<markup xmlns:t="urn:t">t:A <b>t:B</b></markup>'],
  ];
  for (const [name, xml] of documents) {
    it(`keeps its namespace: ${name}`, async () => {
      const read = (source: string): Promise<ModelInstance> =>
        source.startsWith("<shop")
          ? Shop.fromXml(source)
          : source.startsWith("<mixed")
          ? Mixed.fromXml(source)
          : Markup.fromXml(source);
      const instance = await read(xml);
      for (const indent of [false, true]) {
        const written = toXml(instance, { ...none, indent });
        assertEquals(qualifiedNames(written), qualifiedNames(xml), written);
        assertEquals(await read(written), instance);
      }
    });
  }

  it("keeps its namespace in a copy", async () => {
    const xml = shop('<fault xmlns:v="urn:v">v:A</fault><x>t:B</x>');
    const instance = await Shop.fromXml(xml);
    const copy = Shop.of({ ...instance, fault: "v:C" });
    assertEquals(qualifiedNames(toXml(copy)), qualifiedNames(xml.replace("v:A", "v:C")));
  });

  it("keeps its namespace in an instance that is written alone or elsewhere", async () => {
    class Other extends model("other", { items: elements(Item) }, { prefixes: { t: "urn:z" } }) {}
    const { items } = await Shop.fromXml(shop('<item z="t:A"><code>u:B</code></item>'));
    const expected = qualifiedNames(
      '<item xmlns="urn:shop" xmlns:t="urn:t" xmlns:u="urn:u" z="t:A"><code>u:B</code></item>',
    );
    assertEquals(qualifiedNames(toXml(items[0]!, none)), expected);
    assertEquals(qualifiedNames(toXml(Other.of({ items }), none)).slice(1), expected);
    assertEquals(qualifiedNames(toXml(items, { ...none, root: "list" })).slice(1), expected);
  });

  it("keeps its namespace in an instance of a stream, which the elements around declare", async () => {
    const xml = shop('<item z="t:A"/><item><code>u:A</code></item>');
    const names: string[][] = [];
    for await (const item of Item.streamXml(xml)) names.push(qualifiedNames(toXml(item, none)));
    assertEquals(names, [
      ["{urn:shop}item", "@{}z={urn:t}A"],
      ["{urn:shop}item", "{urn:shop}code", "{urn:u}A"],
    ]);
  });

  it("keeps its namespace although models name the prefix for another one", async () => {
    class Part extends model("part", { id: attr(string, { namespace: "urn:p" }) }, {
      ...keep,
      namespace: "urn:p",
    }) {}
    class Root extends model("root", {
      parts: elements(Part),
      by: element(string, { ...optional, namespace: "urn:by" }),
    }, {
      ...keep,
      namespace: "urn:root",
      prefixes: { p: "urn:p", by: "urn:by", ns1: "urn:root" },
    }) {}
    const xml = '<a:root xmlns:a="urn:root" xmlns:p="urn:1" xmlns:by="urn:2" xmlns:ns1="urn:3" ' +
      'z="p:A"><b:part xmlns:b="urn:p" b:id="1" y="by:B" c="p:C"><x>ns1:D</x></b:part>' +
      '<c:by xmlns:c="urn:by">x</c:by></a:root>';
    const root = await Root.fromXml(xml);
    const written = toXml(root, none);
    assertEquals(qualifiedNames(written), qualifiedNames(xml), written);
    assertEquals((await Root.fromXml(written)).parts[0]?.id, "1");
  });

  it("keeps the namespace of xsi:type without a prefix", async () => {
    const documents = [
      `<s:shop xmlns:s="urn:shop" ${xsi} xsi:type="Shop"><s:notes><s:note>a</s:note></s:notes></s:shop>`,
      `<s:shop xmlns:s="urn:shop" xmlns="urn:d" ${xsi}><s:x xsi:type="Point"/><s:fault xsi:type="A">b</s:fault></s:shop>`,
      `<s:shop xmlns:s="urn:shop" xmlns="urn:d" ${xsi}><s:item xsi:type="A"><s:code>c</s:code><y/></s:item></s:shop>`,
      shop('<x xsi:type="Point"/><y xmlns="" xsi:type="Point"/><z xmlns="urn:z" xsi:type="P"/>'),
      `<s:shop xmlns:s="urn:shop" xmlns="urn:d" ${xsi}><s:body><s:x xsi:type="A"><y/></s:x></s:body></s:shop>`,
    ];
    for (const xml of documents) {
      const written = toXml(await Shop.fromXml(xml), none);
      assertEquals(qualifiedNames(written), qualifiedNames(xml), written);
    }
    class Free extends model("free", { kid: element(string, optional) }, keep) {}
    class Outer extends model("outer", { free: element(Free) }, { ...keep, namespace: "urn:o" }) {}
    const { free } = await Outer.fromXml(
      `<outer xmlns="urn:o" ${xsi}><free xsi:type="A"><kid>b</kid></free></outer>`,
    );
    assertEquals(
      qualifiedNames(toXml(free, none)),
      ["{urn:o}free", `@{${XSI}}type={urn:o}A`, "{urn:o}kid", "b"],
    );
  });

  it("is no reason to declare a prefix that no value uses", async () => {
    const many = Array.from({ length: 12 }, (_, index) => ` xmlns:p${index}="urn:${index}"`);
    const xml = shop(
      '<x a="p3:A 12:30 http://p4/">no p1, p2 or <p5:y>:p6</p5:y></x>',
      many.join(""),
    );
    assertEquals(
      toXml(await Shop.fromXml(xml), none),
      '<shop xmlns="urn:shop" xmlns:p3="urn:3"><x a="p3:A 12:30 http://p4/">no p1, p2 or ' +
        '<y xmlns="urn:5">:p6</y></x></shop>',
    );
  });

  it("may be a prefix alone in a list in an attribute", async () => {
    const xml = shop('<x ignorable="t  u"/>');
    const written = toXml(await Shop.fromXml(xml), none);
    assert(written.includes('xmlns:t="urn:t" xmlns:u="urn:u"'), written);
  });

  it("is declared once for many values", async () => {
    const items = '<item z="t:A"><x>u:B</x></item>'.repeat(100);
    const written = toXml(await Shop.fromXml(shop(`<y>${"<x>t:C</x>".repeat(100)}</y>${items}`)));
    assertEquals([count(written, "urn:t"), count(written, "urn:u")], [1, 1]);
  });

  it("is not kept unless the model keeps unknown content", async () => {
    class Plain extends model("shop", { fault: element(string) }, { namespace: "urn:shop" }) {}
    const plain = await Plain.fromXml(shop("<fault>t:A</fault><x>t:B</x>"));
    assertEquals(toXml(plain, none), '<shop xmlns="urn:shop"><fault>t:A</fault></shop>');
  });
});

describe("a name with a prefix in a value in markup (innerXml)", () => {
  class Entry extends model("entry", { content: element(innerXml) }) {}

  it("has its declaration in the value, which can stand alone", async () => {
    const xml = `<entry xmlns:t="urn:t" ${xsi}><content><b xsi:type="t:B"><c>t:C</c></b>` +
      "<d>t:D</d><e/></content></entry>";
    const entry = await Entry.fromXml(xml);
    const names = (content: string) => qualifiedNames(content).slice(1);
    assertEquals(
      names(`<alone>${entry.content}</alone>`),
      names(xml.replace(/<.?content>/g, "")),
    );
    assertEquals(count(entry.content, "xmlns:t"), 2);
    assertEquals(qualifiedNames(toXml(entry)), qualifiedNames(xml));
    assertEquals(await Entry.fromXml(toXml(entry)), entry);
  });

  it("is resolved by the declarations in a value that the program writes", () => {
    const content =
      `<b xmlns:t="urn:t" xmlns:u="urn:u" ${xsi} xsi:type="t:B"><c xmlns:t="urn:v">t:C t:D<d/>t:E</c></b>`;
    const written = toXml(Entry.of({ content }), none);
    assertEquals(
      qualifiedNames(written),
      qualifiedNames(`<entry><content>${content}</content></entry>`),
    );
    assert(!written.includes("urn:u"), written);
  });
});

/** A document in which elements declare prefixes, and values use them. */
interface Source {
  readonly declares: readonly (readonly [string, string])[];
  readonly values: readonly string[];
  readonly isDefault: boolean;
  readonly tag: string;
  readonly children: readonly Source[];
}

const sourceOf = (depth: number): fc.Arbitrary<Source> =>
  fc.record({
    declares: fc.uniqueArray(
      fc.tuple(
        fc.constantFrom("t", "u", "ns1", "s", "p"),
        fc.constantFrom("urn:t", "urn:u", "urn:shop", "urn:p"),
      ),
      { maxLength: 2, selector: ([prefix]) => prefix },
    ),
    values: fc.array(fc.constantFrom("t:A", "u:B", "ns1:C", "s:D", "p:E"), { maxLength: 2 }),
    isDefault: fc.boolean(),
    tag: fc.constantFrom("x", "t:x", "p:x", "item", "notes", "body", "code"),
    children: depth === 0 ? fc.constant([]) : fc.array(sourceOf(depth - 1), { maxLength: 3 }),
  });

/** Writes a document. Values only use prefixes that are declared. */
function written(root: Source): string {
  const write = (source: Source, around: ReadonlyMap<string, string>, parent: string): string => {
    const scope = new Map([...around, ...source.declares]);
    let declarations = source.declares.map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`).join("");
    const [prefix, local] = source.tag.includes(":") ? source.tag.split(":") : ["", source.tag];
    const isUsable = prefix === "" || scope.has(prefix!);
    let tag = isUsable ? source.tag : local!;
    if (parent === "") {
      tag = "m:shop";
      declarations += ` xmlns:m="urn:shop" ${xsi}`;
    } else if (tag === "item" || tag === "notes" || tag === "body" || tag === "code") {
      tag = `m:${tag}`;
    }
    if (source.isDefault && !tag.includes(":")) declarations += ' xmlns="urn:d"';
    const values = source.values.filter((each) => scope.has(each.split(":")[0]!));
    const attributes = values.map((value, index) => ` a${index}="${value}"`).join("");
    const type = source.isDefault ? ' xsi:type="Plain"' : "";
    const isLeaf = tag === "m:code";
    const seen = new Set<string>();
    const children = isLeaf ? "" : source.children.map((each) => {
      // An element of the model that does not repeat.
      if (each.tag === "code" || each.tag === "body") {
        if (seen.has(each.tag)) return "";
        seen.add(each.tag);
      }
      return write(each, scope, tag);
    }).join("");
    return `<${tag}${declarations}${attributes}${type}>${values.join(" ")}${children}</${tag}>`;
  };
  return write(root, new Map(), "");
}

describe("the names in the values of generated documents", () => {
  class Named extends model("shop", {
    body: element(innerXml, optional),
    items: elements(Item),
    first: element(string, { ...optional, tag: "first", within: "notes" }),
  }, { ...keep, namespace: "urn:shop", prefixes: { s: "urn:other", p: "urn:p" } }) {}

  const readers: readonly (readonly [string, (xml: string) => Promise<ModelInstance>])[] = [
    ["in a model with prefixes", (xml) => Named.fromXml(xml)],
    ["in a model without prefixes", (xml) => Shop.fromXml(xml)],
  ];
  for (const [name, read] of readers) {
    it(`have their namespaces after the document is read and written: ${name}`, async () => {
      await holds(
        fc.asyncProperty(sourceOf(4), async (tree) => {
          const xml = written(tree);
          const instance = await read(xml);
          const names = qualifiedNames(xml);
          const again = toXml(instance, none);
          assertEquals(qualifiedNames(again), names, `${xml}\n${again}`);
          assertEquals(qualifiedNames(toXml(await read(again))), names);
        }),
        200,
      );
    });
  }
});

describe("the time for names in values", () => {
  const contents: readonly (readonly [string, (count: number) => string])[] = [
    ["values", (count) => '<x a="t:A">u:B</x>'.repeat(count)],
    ["colons", (count) => `<x a="${":t:".repeat(count)}">${":a:".repeat(count)}</x>`],
    ["a long word", (count) => `<x a="${"a".repeat(count)}:">${"é".repeat(count)}</x>`],
    [
      "declarations",
      (count) =>
        Array.from({ length: count }, (_, index) => `<x xmlns:p${index}="u" a="p${index}:A"/>`)
          .join(""),
    ],
    [
      "prefixes in scope",
      (count) => {
        const all = Array.from({ length: count }, (_, index) => `p${index}`);
        const declared = all.map((each) => ` xmlns:${each}="urn:${each}"`).join("");
        const used = all.map((each) => `<x a="${each}:A"/><p0:y/><z xmlns:n="${each}" n:a=""/>`);
        return `<y${declared}>${used.join("")}</y>`;
      },
    ],
  ];
  for (const [name, contentOf] of contents) {
    it(`is linear: ${name}`, async () => {
      const run = async (count: number) => toXml(await Shop.fromXml(shop(contentOf(count))));
      await assertLinearGrowth(async (count) => void await run(count), 500, 5_000);
    });
  }
});
