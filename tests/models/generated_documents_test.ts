/** Reads and writes generated documents, with unknown content everywhere. */
import { assertEquals, describe, it } from "#test";
import fc from "fast-check";
import {
  attr,
  boolean,
  element,
  elements,
  innerXml,
  integer,
  list,
  literal,
  model,
  nullable,
  record,
  string,
  text,
  toXml,
  union,
} from "../../src/models/mod.ts";
import { holds } from "../support/property.ts";
import {
  anyText,
  attribute,
  canonical,
  filledText,
  parseTree,
  spelling,
  type Tree,
  type TreeAttribute,
  type TreeNode,
  unknownAttributes,
  unknownElement,
  writeTree,
  XSI,
} from "../support/xml_tree.ts";

/** The number of documents of each property. */
const RUNS = 40;

const MAIN = "urn:main";
const OTHER = "urn:other";
const keep = { unknown: "keep" } as const;
const optional = { optional: true } as const;

class Person extends model("person", {
  id: attr(integer),
  name: element(string, optional),
  nick: element(nullable(string), optional),
  friends: elements(string, { tag: "friend", within: "friends" }),
}, keep) {}

class Mixed extends model("mixed", {
  id: attr(integer, optional),
  said: text(string),
  bold: elements(string, { tag: "bold" }),
}, { ...keep, namespace: OTHER, prefixes: { m: "urn:unused", dc: OTHER } }) {}

class Circle extends model("circle", { radius: attr(integer) }, keep) {}
class Square extends model("square", { side: element(integer) }, { ...keep, namespace: OTHER }) {}
class Cat extends model("pet", { kind: attr(literal("cat")) }, keep) {}
class Dog
  extends model("pet", { kind: attr(literal("dog")), bark: text(string, optional) }, keep) {}
class Markup extends model("markup", { id: attr(string, optional), xml: text(innerXml) }, keep) {}

class Amount extends model("amount", { unit: attr(string), value: text(integer) }, keep) {}

class Root extends model("root", {
  id: attr(string),
  code: attr(string, { tag: "x", namespace: "urn:attr", optional: true }),
  title: element(string),
  nick: element(nullable(string), optional),
  flag: element(boolean, { tag: "x", namespace: "urn:flag", optional: true }),
  numbers: element(list(integer), optional),
  count: element(integer, { optional: true, emptyAsAbsent: true }),
  amounts: elements(Amount, { within: "amounts" }),
  tags: elements(string, { tag: "tag" }),
  marks: elements(nullable(integer), { tag: "mark" }),
  texts: element(record(string), optional),
  deep: element(record(record(integer)), optional),
  people: element(record(Person), optional),
  total: element(integer, { within: "meta" }),
  unit: attr(string, { within: "size", optional: true }),
  items: elements(string, { tag: "item", within: "meta/items" }),
  foreign: element(string, { within: `{${OTHER}}box/inner`, optional: true }),
  label: text(string, { within: "label", optional: true }),
  shapes: elements(union([Circle, Square])),
  pets: elements(union("kind", Cat, Dog)),
  mixed: elements(Mixed, { within: "notes" }),
  author: element(Person, { tag: "author", optional: true }),
  boss: element(nullable(Person), { tag: "boss", optional: true }),
  body: element(innerXml, optional),
  markups: elements(Markup),
}, { ...keep, namespace: MAIN, prefixes: { a: "urn:x", ns1: "urn:y" } }) {}

/** Parts of the content of an element. */
type Nodes = readonly TreeNode[];
type Arb<T> = fc.Arbitrary<T>;

const number = fc.integer({ min: -99, max: 99 }).map(String);

function element_(
  tag: string,
  attributes: Arb<readonly TreeAttribute[]>[],
  children: Arb<Nodes>,
  uri: string = MAIN,
): Arb<Tree> {
  return fc.tuple(fc.tuple(...attributes, unknownAttributes), children).map(
    ([attributes, children]) => ({ uri, tag, attributes: attributes.flat(), children }),
  );
}

const nil = fc.constant([{ uri: XSI, name: "nil", value: "true" }]);
const notNil = attribute("nil", fc.constantFrom("false", "0"), XSI);
/** Generates an element with a text, and unknown attributes. */
const leaf = (tag: string, value: Arb<string> = anyText, uri: string = MAIN): Arb<Tree> =>
  element_(tag, [notNil], value.map((each) => [each]), uri);

const nilOr = (tag: string, other: Arb<Tree>): Arb<Tree> =>
  fc.oneof(other, element_(tag, [nil], fc.constant([])));

const maybe = (node: Arb<TreeNode>): Arb<Nodes> =>
  fc.option(node, { nil: undefined }).map((each) => each === undefined ? [] : [each]);
const many = (node: Arb<TreeNode>): Arb<Nodes> => fc.array(node, { maxLength: 3 });
const once = (node: Arb<TreeNode>): Arb<Nodes> => node.map((each) => [each]);

const required = (name: string, value: Arb<string>) =>
  value.map((each) => [{ uri: "", name, value: each }]);

const unknownNodes: Arb<Nodes> = fc.array(unknownElement, { maxLength: 2 });
const strayNodes: Arb<Nodes> = fc.array(fc.oneof(unknownElement, filledText), { maxLength: 3 });

/** Generates content: the parts in any order, with unknown content between them. */
function mixed(unknown: Arb<Nodes>, ...parts: readonly Arb<Nodes>[]): Arb<Nodes> {
  const order = fc.array(fc.nat(999), { minLength: 9, maxLength: 9 });
  return fc.tuple(fc.tuple(...parts, unknown), order).map(([parts, order]) => {
    const keyed = parts.flat().map((node, at) => ({ node, key: order[at % order.length]! }));
    return keyed.toSorted((one, other) => one.key - other.key).map(({ node }) => node);
  });
}

const content = (...parts: readonly Arb<Nodes>[]) => mixed(strayNodes, ...parts);

/** Generates one or two elements around content. */
function wrapper(tag: string, inside: Arb<Nodes>, uri: string = MAIN): Arb<Nodes> {
  const attributes = fc.tuple(unknownAttributes, unknownAttributes);
  return fc.tuple(inside, fc.nat(4), attributes, fc.boolean()).map(
    ([nodes, at, [one, other], isOnce]) => {
      if (isOnce) return [{ uri, tag, attributes: one, children: nodes }];
      return [
        { uri, tag, attributes: one, children: nodes.slice(0, at) },
        { uri, tag, attributes: other, children: nodes.slice(at) },
      ];
    },
  );
}

const names = fc.uniqueArray(fc.constantFrom("en", "de", "x", "title", "a.b"), { maxLength: 3 });
const recordOf = (tag: string, member: (name: string) => Arb<Tree>): Arb<Tree> =>
  names.chain((all) => element_(tag, [], fc.tuple(...all.map(member)).map((each): Nodes => each)));

const person = (tag: string, uri: string = MAIN): Arb<Tree> =>
  element_(
    tag,
    [required("id", number)],
    content(
      maybe(leaf("name", anyText, uri)),
      maybe(nilOr("nick", leaf("nick", anyText, uri))),
      wrapper("friends", content(many(leaf("friend", anyText, uri))), uri),
    ),
    uri,
  );

const note: Arb<Tree> = element_(
  "mixed",
  [attribute("id", number)],
  mixed(
    fc.array(fc.oneof(unknownElement, anyText), { maxLength: 4 }),
    many(leaf("bold", anyText, OTHER)),
  ),
  OTHER,
);

const amount: Arb<Tree> = element_(
  "amount",
  [required("unit", anyText)],
  mixed(unknownNodes, once(number)),
);

const root: Arb<Tree> = element_(
  "root",
  [required("id", anyText), attribute("x", anyText, "urn:attr")],
  content(
    once(leaf("title")),
    maybe(nilOr("nick", leaf("nick"))),
    maybe(leaf("x", fc.constantFrom("true", "false"), "urn:flag")),
    maybe(leaf("numbers", fc.array(number, { maxLength: 3 }).map((all) => all.join(" ")))),
    maybe(leaf("count", fc.oneof(fc.constant(""), number))),
    wrapper("amounts", content(many(amount))),
    many(leaf("tag")),
    many(nilOr("mark", leaf("mark", number))),
    maybe(recordOf("texts", (name) => leaf(name))),
    maybe(recordOf("deep", (name) => recordOf(name, (inner) => leaf(inner, number)))),
    maybe(recordOf("people", (name) => person(name))),
    wrapper(
      "meta",
      content(once(leaf("total", number)), wrapper("items", content(many(leaf("item"))))),
    ),
    maybe(element_("size", [attribute("unit")], content())),
    wrapper("box", content(wrapper("inner", content(maybe(leaf("foreign"))))), OTHER),
    maybe(element_("label", [], mixed(unknownNodes, once(filledText)))),
    many(element_("circle", [required("radius", number)], content())),
    many(element_("square", [], content(once(leaf("side", number, OTHER))), OTHER)),
    many(element_("pet", [required("kind", fc.constant("cat"))], content())),
    many(element_("pet", [required("kind", fc.constant("dog"))], mixed(strayNodes))),
    wrapper("notes", content(many(note))),
    maybe(person("author")),
    maybe(nilOr("boss", person("boss"))),
    maybe(element_("body", [], strayNodes)),
    many(element_("markup", [attribute("id")], strayNodes)),
  ),
);

/** Returns a tree in which some elements are replaced, by their depth below the root and their tag. */
const replaced = (tree: Tree, replace: (child: Tree) => Nodes): Tree => ({
  ...tree,
  children: tree.children.flatMap((child) => typeof child === "string" ? [child] : replace(child)),
});

const isTag = ({ uri, tag }: Tree) => uri === MAIN && tag === "tag";

describe("a generated document with unknown content everywhere", () => {
  it("is the same after it is read and written, also with indentation", async () => {
    await holds(
      fc.asyncProperty(root, spelling, async (tree, choices) => {
        const once = await Root.fromXml(writeTree(tree, choices));
        for (const indent of [false, true]) {
          const xml = toXml(once, { indent });
          assertEquals(canonical(await parseTree(xml)), canonical(tree));
          const twice = await Root.fromXml(xml);
          assertEquals(twice, once);
          assertEquals(toXml(twice, { indent }), xml);
        }
      }),
      RUNS,
    );
  });

  it("keeps everything else in a copy with another value", async () => {
    await holds(
      fc.asyncProperty(root, spelling, filledText, async (tree, choices, title) => {
        const instance = await Root.fromXml(writeTree(tree, choices));
        const copy = Root.of({ ...instance, title });
        const expected = replaced(tree, (child) => [
          child.uri === MAIN && child.tag === "title" ? { ...child, children: [title] } : child,
        ]);
        assertEquals(canonical(await parseTree(toXml(copy))), canonical(expected));
        assertEquals(Root.of({ ...copy, title: instance.title }), instance);
      }),
      RUNS,
    );
  });

  it("keeps unknown attributes with their values in a longer or shorter array", async () => {
    const tags = fc.shuffledSubarray(["a", "b", "c", "d", "e"]);
    await holds(
      fc.asyncProperty(root, spelling, tags, tags, async (tree, choices, before, after) => {
        let next = 0;
        const source = replaced(tree, (child) => {
          if (!isTag(child)) return [child];
          return next < before.length ? [{ ...child, children: [before[next++]!] }] : [];
        });
        const instance = await Root.fromXml(writeTree(source, choices));
        const written = await parseTree(toXml(Root.of({ ...instance, tags: after })));
        const others = (each: Tree) => canonical(replaced(each, (at) => isTag(at) ? [] : [at]));
        assertEquals(others(written), others(source));
        const attributesOf = (each: Tree, value: string) =>
          canonical(each).children.filter((at): at is Tree =>
            typeof at !== "string" && isTag(at) && at.children[0] === value
          ).map(({ attributes }) => attributes);
        for (const value of after) {
          const [known = []] = attributesOf(source, value);
          const [found, ...more] = attributesOf(written, value);
          assertEquals(more, []);
          // If the number is the same, an element may get the attributes of the one that it replaced.
          if (known.length > 0 || after.length !== next) assertEquals(found, known);
        }
        assertEquals(
          (await Root.fromXml(toXml(Root.of({ ...instance, tags: after })))).tags,
          after,
        );
      }),
      RUNS,
    );
  });
});
