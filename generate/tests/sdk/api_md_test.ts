import { assertEquals, assertMatch, assertThrows, describe, it } from "#test";
import { ShapeError } from "../../src/base/errors.ts";
import type { MethodShape, ResourceShape } from "../../src/sdk/shape.ts";
import { linkedLists, readApiMd } from "../../src/sdk/api_md.ts";

const TYPESCRIPT = `# Harbour

Methods:

- <code title="get /ping">client.<a href="./src/index.ts">ping</a>() -> void</code>

# Shared

Types:

- <code><a href="./src/resources/shared.ts">Port</a></code>

# Boats

Types:

- <code><a href="./src/resources/boats/boats.ts">Boat</a></code>
- <code><a href="./src/resources/boats/boats.ts">BoatDeleteResponse</a></code>

Methods:

- <code title="post /boats">client.boats.<a href="./src/resources/boats/boats.ts">create</a>({ ...params }) -> Boat</code>
- <code title="get /boats">client.boats.<a href="./src/resources/boats/boats.ts">list</a>({ ...params }) -> BoatsPage</code>
- <code title="get /boats/{boat_id}/plan">client.boats.<a href="./src/resources/boats/boats.ts">plan</a>(boatID) -> Response</code>
- <code title="delete /boats/{boat_id}">client.boats.<a href="./src/resources/boats/boats.ts">delete</a>(boatID) -> BoatDeleteResponse | null</code>
- <code>client.boats.<a href="./src/lib/boats.ts">awaitArrival</a>(boatID, options?) -> Promise&lt;Boat&gt;</code>

## CrewMembers

Types:

- <code><a href="./src/resources/boats/crew-members.ts">CrewMember</a></code>

Methods:

- <code title="get /boats/{boat_id}/crew/{member_id}">client.boats.crewMembers.<a href="./src/resources/boats/crew-members.ts">retrieve</a>(memberID, { ...params }) -> CrewMember</code>
- <code title="put /boats/{boat_id}/crew">client.boats.crewMembers.<a href="./src/resources/boats/crew-members.ts">replace</a>(boatID, [ ...members ]) -> CrewMembersCrewPage</code>

## IPLists

Types:

- <code><a href="./src/resources/boats/ip-lists.ts">IPList</a></code>
`;

const PYTHON = `# Shared Types

\`\`\`python
from harbour.types import (
    Port,
    Berth,
)
\`\`\`

# Boats

Types:

\`\`\`python
from harbour.types import Boat, BoatDeleteResponse
\`\`\`

Methods:

- <code title="get /boats">client.boats.<a href="./src/harbour/resources/boats.py">list_by_url</a>(\\*\\*<a href="src/harbour/types/boat_list_params.py">params</a>) -> <a href="./src/harbour/types/boat.py">SyncBoatPage[Boat]</a></code>
- <code title="delete /boats/{boat_id}">client.boats.<a href="./src/harbour/resources/boats.py">delete</a>(boat_id) -> <a href="./src/harbour/types/boat.py">Optional[Boat]</a></code>

## CrewMembers

Methods:

- <code title="get /boats/{boat_id}/crew/{member_id}">client.boats.crew_members.<a href="./src/harbour/resources/crew.py">retrieve</a>(member_id, \\*, boat_id) -> <a href="./src/harbour/types/boat.py">Boat</a></code>
- <code title="get /boats/{boat_id}/photo">client.boats.crew_members.<a href="./src/harbour/resources/crew.py">photo</a>(boat_id) -> BinaryAPIResponse</code>
`;

/** Returns the lines of a shape: each method with its settings, and each resource with its types. */
function linesOf(resources: readonly ResourceShape[], path = ""): string[] {
  const settings = ({ positional, page, bodyParameter, resultType }: MethodShape) =>
    [positional?.join(",") || "-", page ?? "-", bodyParameter ?? "-", resultType ?? "-"].join(" ");
  return resources.flatMap(({ name, methods, models, resources }) => [
    ...models.size === 0 ? [] : [`${path}${name}: ${[...models.keys()].join(" ")}`],
    ...methods.map((each) => `${path}${name}.${each.name} ${each.operation} ${settings(each)}`),
    ...linesOf(resources, `${path}${name}.`),
  ]);
}

/** Returns the one method of a list. */
function methodOf(title: string, args: string, result = "void"): MethodShape {
  const line =
    `- <code title="${title}">client.boats.<a href="x">do</a>(${args}) -> ${result}</code>`;
  return readApiMd(line).shape.resources[0]!.methods[0]!;
}

describe("an api.md", () => {
  it("of TypeScript has resources, methods and types", () => {
    const { shape, ignored } = readApiMd(TYPESCRIPT);
    assertEquals(linesOf(shape.resources), [
      "$client.ping GET /ping - - - -",
      "boats: Boat BoatDeleteResponse",
      "boats.create POST /boats - - - Boat",
      "boats.list GET /boats - auto - BoatsPage",
      "boats.plan GET /boats/{boat_id}/plan boat_id - - -",
      "boats.delete DELETE /boats/{boat_id} boat_id - - BoatDeleteResponse",
      "boats.crewMembers: CrewMember",
      "boats.crewMembers.retrieve GET /boats/{boat_id}/crew/{member_id} member_id - - CrewMember",
      "boats.crewMembers.replace PUT /boats/{boat_id}/crew boat_id auto members CrewMembersCrewPage",
      "boats.ipLists: IPList",
      "$shared: Port",
    ]);
    assertEquals(ignored, [
      ...[{
        key: "client.boats.awaitArrival (calls no operation)",
        ...{ count: 1, line: 26, lost: "client" as const },
      }],
    ]);
    const { pages, options, environments, unwrap, headers, query } = shape;
    assertEquals([pages.size, options, environments.size, unwrap, headers.size, query], [
      ...[0, [], 0, [], 0, undefined],
    ]);
  });

  it("of Python has the same names in snake case, and the classes of pages", () => {
    const { shape } = readApiMd(PYTHON);
    assertEquals(linesOf(shape.resources), [
      "boats: Boat BoatDeleteResponse",
      "boats.listByURL GET /boats - BoatPage - -",
      "boats.delete DELETE /boats/{boat_id} boat_id - - -",
      "boats.crewMembers.retrieve GET /boats/{boat_id}/crew/{member_id} member_id - - Boat",
      "boats.crewMembers.photo GET /boats/{boat_id}/photo boat_id - - -",
      "$shared: Port Berth",
    ]);
  });

  it("has pages whose names look like pages or begin with a type, and no others", () => {
    const line = (result: string) =>
      `- <code title="get /boats">client.boats.<a href="x">list</a>() -> ${result}</code>\n`;
    const types = "# Boats\n\nTypes:\n\n- <code><a href='x'>Boat</a></code>\n\n";
    const pageOf = (result: string) =>
      readApiMd(`${types}Methods:\n\n${line(result)}`).shape.resources[0]!.methods[0]!.page;
    const cases: readonly (readonly [result: string, page: string | undefined])[] = [
      ["BoatsCursorPage", "auto"],
      ["VesselsPagination", "auto"],
      ["BoatsSkipLimit", "auto"],
      // These lack a line below the heading of types.
      ["BoatRetrieveResponse", undefined],
      ["Harbour", undefined],
    ];
    for (const [result, page] of cases) assertEquals(pageOf(result), page, result);
  });

  it("has arguments that are parameters of the path, whatever their casing is", () => {
    const cases: readonly (readonly [path: string, args: string, positional: string[]])[] = [
      ["/boats", "", []],
      ["/boats/{boat_id}", "boatID", ["boat_id"]],
      ["/boats/{boatId}", "boatID, { ...params }", ["boatId"]],
      ["/boats/{port}/{boat-id}", "boatID, { ...params }", ["boat-id"]],
      ["/boats/{port}/{boat_id}", "boatID, port", ["boat_id", "port"]],
      ["/boats/{port}/{boat_id}", "{ ...params }", []],
      ["/boats/{id}", "boatName", ["id"]],
      ["/boats/{id}", "id, options?", ["id"]],
    ];
    for (const [path, args, positional] of cases) {
      assertEquals(methodOf(`get ${path}`, args).positional, positional, `${path} ${args}`);
    }
  });

  it("names lists in other files, whose texts can follow it", () => {
    const method =
      '- <code title="get /boats">client.boats.<a href="x">list</a>() -> BoatsPage</code>\n';
    const links = "# [Docks](src/resources/docks/api.md)\n\n# [Crew](./src/crew/api.md)\n";
    const { ignored } = readApiMd(method + links);
    assertEquals(ignored.map(({ key, line }) => `${line} ${key}`), [
      "2 src/resources/docks/api.md (another file)",
      "4 ./src/crew/api.md (another file)",
    ]);
    assertEquals(linkedLists(links), ["src/resources/docks/api.md", "./src/crew/api.md"]);
    const docks =
      '# Docks\n\n- <code title="get /docks">client.docks.<a href="x">get</a>() -> Dock</code>\n';
    const all = readApiMd([method + links, docks, "# Crew\n"].join("\n"));
    assertEquals([all.shape.resources.map(({ name }) => name), all.ignored], [
      ["boats", "docks"],
      [],
    ]);
  });

  it("has no links out of its folder", () => {
    const paths = [
      ...[
        "../api.md",
        "src/../../api.md",
        "/etc/api.md",
        "https://harbour.example/api.md",
        "a//b.md",
      ],
      ...["C:\\api.md", "src/.env", "file:///etc/passwd", ".git/api.md", "src/api.md?a"],
    ];
    assertEquals(linkedLists(paths.map((path) => `# [Boats](${path})\n`).join("\n")), []);
  });

  it("is refused if it lists no methods, or those of a language with other names", () => {
    const go =
      '- <code title="get /boats">client.Boats.<a href="x">List</a>(ctx <a>C</a>) (res, error)</code>';
    const cases: readonly (readonly [text: string, message: string])[] = [
      ["", "must have lines such as"],
      ["# Boats\n", "must have lines such as"],
      ['{"a": 1}', "must have lines such as"],
      [go, "take the api.md of the SDK in TypeScript or Python"],
    ];
    for (const [text, message] of cases) {
      const error = assertThrows(() => readApiMd(text), ShapeError);
      assertMatch(error.message, new RegExp(`^api\\.md: .*${message}`));
    }
  });
});
