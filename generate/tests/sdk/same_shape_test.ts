import { assert, assertEquals, describe, it } from "#test";
import { holds } from "../../../tests/support/property.ts";
import type { ResourceShape } from "../../src/sdk/shape.ts";
import { readApiMd } from "../../src/sdk/api_md.ts";
import { readStainless } from "../../src/sdk/config.ts";
import fc from "fast-check";

/** A name in the three forms that it has. */
type Name = readonly [key: string, property: string, type: string];

const RESOURCES: readonly Name[] = [
  ["boats", "boats", "Boats"],
  ["crew_members", "crewMembers", "CrewMembers"],
  ["dock_urls", "dockURLs", "DockURLs"],
  ["fine_tuning", "fineTuning", "FineTuning"],
];
const METHODS: readonly Name[] = [
  ["list", "list", "List"],
  ["retrieve", "retrieve", "Retrieve"],
  ["create_by_id", "createByID", "CreateByID"],
  ["delete", "delete", "Delete"],
];
const MODELS: readonly Name[] = [
  ["boat", "boat", "Boat"],
  ["crew_member", "crewMember", "CrewMember"],
  ["api_key", "apiKey", "APIKey"],
];
const PARAMETERS: readonly Name[] = [
  ["boat_id", "boatID", "BoatID"],
  ["port", "port", "Port"],
  ["crew_url", "crewURL", "CrewURL"],
];

/** A method of an invented API. */
interface Method {
  readonly name: Name;
  readonly verb: string;
  /** The parameters of the path, in its order. */
  readonly path: readonly Name[];
  /** The arguments; undefined for the usual one. */
  readonly positional: readonly Name[] | undefined;
  readonly isPaged: boolean;
  readonly hasBodyParameter: boolean;
}

interface Resource {
  readonly name: Name;
  readonly methods: readonly Method[];
  readonly models: readonly Name[];
  readonly children: readonly Resource[];
}

const someOf = (names: readonly Name[]) =>
  fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 });

const methodsOf: fc.Arbitrary<readonly Method[]> = someOf(METHODS).chain((names) =>
  fc.tuple(...names.map((name) =>
    someOf(PARAMETERS).chain((path) =>
      fc.record({
        name: fc.constant(name),
        verb: fc.constantFrom("get", "post", "delete"),
        path: fc.constant(path),
        positional: fc.option(fc.shuffledSubarray([...path]), { nil: undefined }),
        isPaged: fc.boolean(),
        hasBodyParameter: fc.boolean(),
      })
    )
  ))
);

const resourcesOf = (levels: number): fc.Arbitrary<readonly Resource[]> =>
  someOf(RESOURCES).chain((names) =>
    fc.tuple(...names.map((name) =>
      fc.record({
        name: fc.constant(name),
        methods: methodsOf,
        models: someOf(MODELS),
        children: levels === 0 ? fc.constant([]) : resourcesOf(levels - 1),
      })
    ))
  );

const endpointOf = ({ verb, path }: Method): string =>
  `${verb} /v1${path.map(([key]) => `/{${key}}`).join("/x")}`;

/** Returns resources as `stainless.yml` has them. */
function configOf(resources: readonly Resource[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(resources.map(({ name, methods, models, children }) => [name[0], {
    models: Object.fromEntries(models.map(([key, , type]) => [key, type])),
    methods: Object.fromEntries(methods.map((method) => {
      const { positional, isPaged, hasBodyParameter } = method;
      return [method.name[0], {
        endpoint: endpointOf(method),
        paginated: isPaged,
        ...positional && { positional_params: positional.map(([key]) => key) },
        ...hasBodyParameter && { body_param_name: "items" },
      }];
    })),
    subresources: configOf(children),
  }]));
}

/** Returns resources as `api.md` has them. */
function listOf(resources: readonly Resource[], path: readonly Name[] = []): string {
  return resources.map(({ name, methods, models, children }) => {
    const all = [...path, name];
    const types = [...models.map(([, , type]) => type), "Result"];
    const lines = methods.map((method) => {
      const { positional = method.path.slice(-1), isPaged, hasBodyParameter } = method;
      const args = [
        ...positional.map(([, property]) => property),
        hasBodyParameter ? "[ ...items ]" : "{ ...params }",
      ];
      const access = all.map(([, property]) => `${property}.`).join("");
      return `- <code title="${endpointOf(method)}">client.${access}<a href="./src/a.ts">` +
        `${method.name[1]}</a>(${args.join(", ")}) -> ${isPaged ? "ResultsPage" : "Result"}</code>`;
    });
    return [
      `${"#".repeat(all.length)} ${name[2]}`,
      ...["", "Types:", ""],
      ...types.map((type) => `- <code><a href="./src/a.ts">${type}</a></code>`),
      ...["", "Methods:", ""],
      ...lines,
      "",
      listOf(children, all),
    ].join("\n");
  }).join("\n");
}

/** Returns what both files say about each method and type, in one order. */
function linesOf(resources: readonly ResourceShape[], path = ""): string[] {
  return resources.flatMap(({ name, methods, models, resources }) => [
    ...methods.map(({ name: method, operation, positional, page, bodyParameter }) => {
      const parameters = [...operation.matchAll(/\{(\w+)\}/g)].map(([, each]) => each!);
      const args = (positional ?? parameters.slice(-1)).join(",");
      const isPaged = page !== undefined;
      return `${path}${name}.${method}: ${operation} (${args}) ${isPaged} ${bodyParameter ?? ""}`;
    }),
    ...[...models.keys()].filter((each) => each !== "Result").map((each) =>
      `${path}${name}: ${each}`
    ),
    ...linesOf(resources, `${path}${name}.`),
  ]).toSorted();
}

describe("stainless.yml and api.md of the same API", () => {
  it("state the same shape", async () => {
    let methods = 0;
    await holds(fc.property(resourcesOf(2), (resources) => {
      const list = listOf(resources);
      if (!list.includes("<code title=")) return;
      const config = JSON.stringify({ resources: configOf(resources) });
      const stated = linesOf(readStainless(config).shape.resources);
      methods += stated.length;
      assertEquals(linesOf(readApiMd(list).shape.resources), stated);
    }));
    assert(methods > 500, String(methods));
  });
});
