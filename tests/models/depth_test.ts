import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertThrows,
  describe,
  it,
} from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import { XmlError } from "../../src/errors/xml_error.ts";
import {
  attr,
  document,
  element,
  elements,
  type Fields,
  innerXml,
  integer,
  list,
  Model,
  model,
  string,
  text,
  textContent,
  toXml,
} from "../../src/models/mod.ts";
import { decodeTarget } from "../support/decode_target.ts";

const none = { declaration: false } as const;
const optional = { optional: true } as const;

class Chain extends Model {
  declare readonly id: number;
  declare readonly next?: Chain;
  declare readonly others: Chain[];
  static override readonly tag: string = "chain";
  static override readonly fields: Fields<Chain> = {
    id: attr(integer, { default: 0 }),
    next: element(() => Chain, { optional: true, within: "next" }),
    others: elements(() => Chain, { tag: "other" }),
  };
}
class Keeping extends model("keeping", { a: element(string, optional) }, { unknown: "keep" }) {}

/** Returns an instance of `levels` nested instances. */
function chainOf(levels: number): Chain {
  let chain = Chain.of({ id: levels, others: [] });
  for (let level = levels - 1; level > 0; level--) {
    chain = Chain.of({ id: level, next: chain, others: [] });
  }
  return chain;
}

const nested = (levels: number, open: string, close: string) =>
  open.repeat(levels) + close.repeat(levels);

describe("the maximum depth", () => {
  it("is the same for known and for unknown content in JSON", () => {
    for (const maxDepth of [1, 2, 3, 500]) {
      const arrays = (levels: number, inside = "") =>
        `{"x":${nested(levels, "[", "]").replace("[]", `[${inside}]`)}}`;
      for (const inside of ["", "1", "1e400"]) {
        if (maxDepth > 1) Keeping.fromJson(arrays(maxDepth - 1, inside), { maxDepth });
        const read = () => Keeping.fromJson(arrays(maxDepth, inside), { maxDepth });
        const { issues } = assertThrows(read, ModelError);
        assertEquals(issues.map(({ code, where, message }) => [code, where, message]), [
          [
            "depth",
            "x",
            `expected at most ${maxDepth} levels (set maxDepth to allow more), but it is nested deeper`,
          ],
        ]);
      }
      const chain = JSON.stringify(chainOf(maxDepth));
      Chain.fromJson(chain, { maxDepth: maxDepth + 1 });
      assertThrows(
        () => Chain.fromJson(chain, { maxDepth }),
        ModelError,
        "set maxDepth to allow more",
      );
    }
  });

  it("is the same for known and for unknown content in XML", async () => {
    for (const maxDepth of [2, 3, 500]) {
      const keeping = await Keeping.fromXml(
        `<keeping>${nested(maxDepth - 1, "<x>", "</x>")}</keeping>`,
        { maxDepth },
      );
      assertEquals(await Keeping.fromXml(toXml(keeping), { maxDepth }), keeping);
      const read = () =>
        Keeping.fromXml(`<keeping>${nested(maxDepth, "<x>", "</x>")}</keeping>`, { maxDepth });
      await assertRejects(read, XmlError, "set maxDepth to allow more");
    }
  });

  it("of a model is that of its responses, too, and of lists and unions of it", async () => {
    class Deep extends model("keeping", {}, { unknown: "keep", maxDepth: 1000 }) {}
    const xml = `<keeping>${nested(900, "<x>", "</x>")}</keeping>`;
    const json = `{"x":${nested(900, "[", "]")}}`;
    for (const type of ["application/json", "application/xml"]) {
      const body = type === "application/json" ? json : xml;
      assertInstanceOf(await decodeTarget(Deep, body, type), Deep);
      const error = await assertRejects(() => decodeTarget(Keeping, body, type));
      assert(String(error).includes("set maxDepth to allow more"), String(error));
    }
    const all = await decodeTarget([Deep], `<all>${xml}</all>`, "application/xml");
    assertInstanceOf(all[0], Deep);
    assertInstanceOf(document(list(Deep)).fromJson(`[${json}]`)[0], Deep);
  });

  it("does not limit what is written", async () => {
    const chain = chainOf(400);
    const xml = toXml(chain);
    assertEquals(await Chain.fromXml(xml, { maxDepth: Infinity }), chain);
    assertEquals(Chain.fromJson(chain.toJsonString(), { maxDepth: Infinity }), chain);
    const deep = `<keeping>${nested(2000, "<x>", "</x>")}</keeping>`;
    assertEquals(
      toXml(await Keeping.fromXml(deep, { maxDepth: 3000 }), none),
      deep.replace("<x></x>", "<x/>"),
    );
  });
});

describe("a document that is nested too deeply for the stack of the runtime", () => {
  // More than any of the runtimes can read or write with their default stack.
  const LEVELS = 100_000;

  /** Checks that a function returns, or throws a ModelError with the reason. */
  async function endsWell(run: () => unknown): Promise<void> {
    try {
      await run();
    } catch (error) {
      assertInstanceOf(error, ModelError);
      const [issue] = error.issues;
      assertEquals([issue?.code, issue?.expected], [
        "depth",
        "fewer nested levels, because the stack of the runtime is too small",
      ]);
      assert(error.message.length < 1000, error.message);
    }
  }

  it("is a ModelError when JSON is read", async () => {
    const json = `${'{"next":'.repeat(LEVELS)}{}${"}".repeat(LEVELS)}`;
    await endsWell(() => Chain.fromJson(json, { maxDepth: Infinity }));
    const array = `{"x":${nested(LEVELS, "[", "]")}}`;
    await endsWell(() => Keeping.fromJson(array, { maxDepth: Infinity }));
    await endsWell(() => document(list(Keeping)).fromJson(`[${array}]`, { maxDepth: Infinity }));
  });

  it("is a ModelError when an instance is written", async () => {
    const chain = chainOf(LEVELS);
    for (const part of [{}, { omitDefaults: true }, { only: ["next"] }]) {
      await endsWell(() => toXml(chain, part));
      await endsWell(() => chain.toJsonString(part));
    }
    await endsWell(() => toXml([chain], { root: "all" }));
    await endsWell(() => document(list(Chain)).toJsonString([chain]));
  });

  it("is a ModelError when unknown members of JSON are written", async () => {
    let x: unknown[] = [];
    for (let level = 0; level < LEVELS; level++) x = [x];
    const keeping = Keeping.fromJson({ x }, { maxDepth: Infinity });
    await endsWell(() => keeping.toJsonString());
  });

  it("may have unknown content and markup in XML at any depth", async () => {
    const options = { maxDepth: Infinity };
    const markup = nested(LEVELS, "<x>", "</x>").replace("<x></x>", "<x/>");
    const xml = `<keeping>${markup}</keeping>`;
    assertEquals(toXml(await Keeping.fromXml(xml, options), none) === xml, true);
    class Entry extends model("keeping", { content: text(innerXml) }) {}
    const entry = await Entry.fromXml(xml, options);
    assertEquals([entry.content === markup, toXml(entry, none) === xml], [true, true]);
    class Title extends model("keeping", { content: text(textContent) }) {}
    const title = await Title.fromXml(xml.replace("<x/>", "<x>deep</x>"), options);
    assertEquals(title.content, "deep");
  });

  it("is read from XML as deeply as maxDepth allows", async () => {
    const xml = `${"<chain><next>".repeat(LEVELS)}<chain id='7'/>${
      "</next></chain>".repeat(LEVELS)
    }`;
    let chain: Chain | undefined = await Chain.fromXml(xml, { maxDepth: Infinity });
    let levels = 0;
    for (; chain.next !== undefined; chain = chain.next) levels++;
    assertEquals([levels, chain.id], [LEVELS, 7]);
  });

  it("is not confused with a RangeError of the program", () => {
    class Ranged extends model("ranged", {
      size: element(string, {
        default: () => {
          throw new RangeError("out of range");
        },
      }),
    }) {}
    assertThrows(() => Ranged.fromJson({}), RangeError, "out of range");
    class Odd extends Keeping {
      override get a(): string {
        throw new RangeError("Invalid time value");
      }
    }
    const odd = Object.create(Odd.prototype) as Odd;
    assertThrows(() => odd.toJsonString(), RangeError, "Invalid time value");
    assertThrows(() => toXml(odd), RangeError, "Invalid time value");
  });
});

describe("an instance that contains itself", () => {
  for (const length of [1, 2, 50, 150]) {
    it(`is refused with its path when it is written, after ${length} instances`, () => {
      const last = Chain.of({ id: 1, others: [] });
      let first = last;
      for (let count = 1; count < length; count++) {
        first = Chain.of({ id: 1, next: first, others: [] });
      }
      (last.others as Chain[]).push(first);
      const message =
        "expected a value that does not contain itself, but it is an instance of Chain";
      for (
        const write of [
          () => toXml(first),
          () => first.toJsonString(),
          () => toXml(first, { indent: true }),
        ]
      ) {
        const { issues } = assertThrows(write, ModelError, message);
        assertEquals(issues.length, 1);
        assert(issues[0]!.path.length >= 100, `${issues[0]!.path.length}`);
      }
    });
  }

  it("may occur twice, if it does not contain itself", async () => {
    const chain = chainOf(120);
    const twice = Chain.of({ id: 1, next: chain, others: [chain, chain] });
    assertEquals(await Chain.fromXml(toXml(twice)), twice);
    assertEquals(Chain.fromJson(twice.toJsonString()), twice);
  });
});
