import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { NamesError } from "../../src/base/errors.ts";
import { FileNames, isSafePath } from "../../src/names/file_names.ts";
import { parseNames, printNames } from "../../src/names/names_file.ts";

describe("the name of a file", () => {
  it("is made of the words of a tag", () => {
    const cases: readonly (readonly [tag: string, name: string])[] = [
      ["pets", "pets"],
      ["Pet Store", "pet_store"],
      ["petStore", "pet_store_2"],
      ["PETS", "pets_2"],
      ["pets/v2", "pets_v2"],
      ["../../etc/passwd", "etc_passwd"],
      ["C:\\Windows\\x.ts", "c_windows_x_ts"],
      ["Größe", "gro_e"],
      ["Café", "cafe"],
      ["ペット", "endpoint"],
      ["", "endpoint_2"],
      [".", "endpoint_3"],
      ["__proto__", "proto"],
    ];
    const names = new FileNames();
    assertEquals(cases.map(([tag]) => names.add(tag, "endpoint")), cases.map(([, name]) => name));
  });

  it("is not that of a device of Windows, nor of a file that a test runner would run", () => {
    const names = new FileNames();
    for (const tag of ["con", "PRN", "aux", "Nul", "COM1", "lpt9", "load test", "test", "bench"]) {
      const name = names.add(tag, "endpoint");
      assert(name.endsWith("_"), name);
      assert(isSafePath(`endpoints/${name}.ts`), name);
    }
  });

  it("has at most 120 characters, and stays unique", () => {
    const names = new FileNames();
    const made = Array.from({ length: 20 }, (_, index) => {
      return names.add(`${"long words ".repeat(30)}${index}`, "endpoint");
    });
    assertEquals(new Set(made).size, 20);
    for (const name of made) assert(`${name}.ts`.length <= 120, name);
  });
});

describe("a path of the output", () => {
  it("is safe if each part is a name that every system can have", () => {
    const safe = ["client.ts", "endpoints/pets.ts", "endpoints/_1.ts"];
    const unsafe = [
      ...["", "../a.ts", "a/../b.ts", "/a.ts", "a//b.ts", "a\\b.ts", ".a.ts", "-a.ts", "a:b.ts"],
      ...["con.ts", "NUL.ts", "endpoints/aux.ts", "a\u202eb.ts", "a\n.ts", `${"a".repeat(121)}.ts`],
      ...["a.", "é.ts"],
    ];
    assertEquals(safe.filter((path) => !isSafePath(path)), []);
    assertEquals(unsafe.filter(isSafePath), []);
  });
});

describe("the names file", () => {
  const names = new Map([["POST /pets", "pets.create"], ["GET /pets", "pets.list"]]);

  it("is created with sorted operations", () => {
    assertEquals(
      printNames(names),
      '{\n  "GET /pets": "pets.list",\n  "POST /pets": "pets.create"\n}\n',
    );
    assertEquals(printNames(new Map()), "{}\n");
  });

  it("keeps its bytes if nothing is new", () => {
    const text = '\ufeff{"POST /pets":"pets.add",\r\n"GET /pets":"pets.all"}';
    assertEquals(printNames(names, text), text);
  });

  it("keeps its names and their order, and gets new ones at the end", () => {
    const text = '{"GET /zoos": "zoos.list", "GET /pets": "pets.all"}';
    assertEquals(
      printNames(names, text),
      '{\n  "GET /zoos": "zoos.list",\n  "GET /pets": "pets.all",\n  "POST /pets": "pets.create"\n}\n',
    );
  });

  it("may have any path", () => {
    const odd = new Map([['GET /__proto__/"\\\n\u2028', "a.b"]]);
    assertEquals(parseNames(printNames(odd)), odd);
  });

  it("is refused if it is not an object of names", () => {
    const texts = [
      ...["", "{", "[]", "null", "3", '{"pets": "a.b"}', '{"GET /": 1}', '{"GET /": "a"}'],
      ...['{"GET /": "a.b.c"}', '{"GET /": "a.b-c"}', '{"GET /": "a.;"}', '{"GET pets": "a.b"}'],
    ];
    for (const text of texts) {
      const error = assertThrows(() => parseNames(text), NamesError);
      assert(error.message.startsWith("the names file "), error.message);
    }
  });
});
