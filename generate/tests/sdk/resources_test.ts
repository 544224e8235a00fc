import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { ShapeError } from "../../src/base/errors.ts";
import type { MethodShape, ResourceShape } from "../../src/sdk/shape.ts";
import { readStainless } from "../../src/sdk/config.ts";

/** A page class, so that methods without a word about pages may return some. */
const PAGES = "pagination: {type: offset, request: {offset: {}}, response: {data: {type: array}}}";

function resourcesOf(text: string, others = PAGES): readonly ResourceShape[] {
  const lines = text.split("\n").map((line) => `  ${line}`).join("\n");
  return readStainless(`resources:\n${lines}\n${others}`).shape.resources;
}

/** Returns the settings of a method that are not those of a short form. */
function methodOf(settings: string, others = PAGES): Partial<MethodShape> {
  const [resource] = resourcesOf(`boats:\n  methods:\n    sail: ${settings}`, others);
  const { name: _name, ...method } = resource!.methods[0]!;
  return Object.fromEntries(Object.entries(method).filter(([, value]) => value !== undefined));
}

describe("resources of stainless.yml", () => {
  it("have methods, types and resources inside of them", () => {
    const resources = resourcesOf(`
$shared:
  models: {harbour_name: HarbourName}
$client:
  methods: {ping: get /ping}
boats:
  description: Things that float.
  deprecated: {default: Use ships., python: No., typescript: Use client.ships.}
  models:
    boat: '#/components/schemas/Boat'
    boat_list: {openapi_uri: '#/components/schemas/BoatList/properties/data'}
    mast: {type: model, openapi_uri: Tall Mast}
  methods:
    list: get /boats
    retrieve_by_url: GET  /boats/{boat_id}
  subresources:
    crew_members:
      methods: {create: 'post /boats/{boat_id}/crew'}`);
    const bare = {
      models: new Map(),
      resources: [],
      description: undefined,
      deprecated: undefined,
    };
    const names = (list: readonly ResourceShape[]): unknown[] =>
      list.map(({ name, methods, resources }) => [
        name,
        methods.map((method) => `${method.name} ${method.operation} ${method.page}`),
        names(resources),
      ]);
    assertEquals(names(resources), [
      ["$shared", [], []],
      ["$client", ["ping GET /ping auto"], []],
      ["boats", ["list GET /boats auto", "retrieveByURL GET /boats/{boat_id} auto"], [
        ["crewMembers", ["create POST /boats/{boat_id}/crew auto"], []],
      ]],
    ]);
    const [shared, client, boats] = resources;
    assertEquals([...shared!.models], [["HarbourName", "#/components/schemas/HarbourName"]]);
    assertEquals({ ...client, methods: [] }, { name: "$client", methods: [], ...bare });
    assertEquals([boats!.description, boats!.deprecated], [
      "Things that float.",
      "Use client.ships.",
    ]);
    assertEquals([...boats!.models], [
      ["Boat", "#/components/schemas/Boat"],
      ["BoatList", "#/components/schemas/BoatList/properties/data"],
      ["Mast", "#/components/schemas/Tall Mast"],
    ]);
  });

  it("have the settings of a method's long form", () => {
    const endpoint = "endpoint: 'get /boats/{port}/{boat_id}'";
    const short = { operation: "GET /boats/{port}/{boat_id}", page: "auto" };
    const { page: _page, ...single } = short;
    const cases: readonly (readonly [settings: string, method: Partial<MethodShape>])[] = [
      ["{type: http}", short],
      ["{paginated: true}", short],
      ["{paginated: false}", single],
      ["{paginated: boat_page}", { ...single, page: "boat_page" }],
      ["{positional_params: [port, boat_id]}", { ...short, positional: ["port", "boat_id"] }],
      ["{positional_params: []}", { ...short, positional: [] }],
      ["{body_param_name: boats}", { ...short, bodyParameter: "boats" }],
      ["{unwrap_response: false}", { ...short, unwrap: false }],
      ["{unwrap_response: result}", { ...short, unwrap: "result" }],
      ["{streaming: {param_discriminator: stream}}", { ...short, streamParameter: "stream" }],
      ["{streaming: {param_discriminator: null}}", short],
      ["{deprecated: Use fetch.}", { ...short, deprecated: "Use fetch." }],
      ["{deprecated: {default: A, node: B}}", { ...short, deprecated: "B" }],
      ["{skip: [python, go]}", short],
      ["{only: [typescript, ruby]}", short],
    ];
    for (const [settings, method] of cases) {
      assertEquals(methodOf(settings.replace("{", `{${endpoint}, `)), method, settings);
    }
    const none = `settings: {positional_params: false}\n${PAGES}`;
    assertEquals(methodOf(`{${endpoint}}`, none), { ...short, positional: [] });
    assertEquals(methodOf("get /boats/{port}/{boat_id}", none), { ...short, positional: [] });
    assertEquals(methodOf("get /boats/{port}/{boat_id}", ""), single);
    assertEquals(methodOf(`{${endpoint}}`, ""), single);
    assertEquals(methodOf(`{${endpoint}, paginated: true}`, ""), short);
  });

  it("are left out if they are those of other languages", () => {
    const resources = resourcesOf(`
go_only: {only: [go], methods: {list: get /boats}}
skipped: {skip: true, methods: {list: get /boats}}
skipped_here: {skip: [node], methods: {list: get /boats}}
boats:
  models:
    boat: {openapi_uri: Boat, skip: [typescript]}
    mast: {openapi_uri: Mast, only: [java]}
    keel: {openapi_uri: Keel, skip: false}
  methods:
    list: {endpoint: get /boats, skip: true}
    sail: {endpoint: post /sail, only: [python]}
    sink: {endpoint: post /sink, skip: [python]}`);
    assertEquals(resources.map(({ name }) => name), ["boats"]);
    assertEquals([...resources[0]!.models.keys()], ["Keel"]);
    assertEquals(resources[0]!.methods.map(({ name }) => name), ["sink"]);
  });

  it("have second names for methods and types", () => {
    const resources = resourcesOf(`
boats:
  models:
    boat: Boat
    vessel: {type: alias, to: ships.ship}
  methods:
    find: {type: alias, to: retrieve, deprecated: Use retrieve.}
    retrieve: {endpoint: 'get /boats/{id}', paginated: false}
ships:
  models: {ship: Ship}`);
    const [boats] = resources;
    assertEquals([...boats!.models], [
      ["Boat", "#/components/schemas/Boat"],
      ["Vessel", "#/components/schemas/Ship"],
    ]);
    const [retrieve, find] = boats!.methods;
    assertEquals(retrieve?.isAlias, undefined);
    assertEquals(find, { ...retrieve!, name: "find", isAlias: true, deprecated: "Use retrieve." });
  });

  it("report a second name of nothing at its place", () => {
    const config = readStainless(`resources:
  boats:
    models: {vessel: {type: alias, to: ships.ship}}
    methods:
      find: {type: alias, to: retrieve}
`);
    assertEquals(
      config.problems().map(({ line, message, action }) => `${line} ${message}: ${action}`),
      [
        '5 there is no method "retrieve" in this resource: left out',
        '3 there is no model "ships.ship": left out',
      ],
    );
    assertEquals(config.shape.resources[0]!.methods, []);
  });

  it("are named as in the SDKs of that generator", () => {
    const casings = `
custom_casings:
  gps: {initialism: true}
  api: {initialism: false}
  boat_yard: {camel: boatYARD, pascal: BoatYARD}`;
    const cases: readonly (readonly [key: string, property: string, type: string])[] = [
      ["boats", "boats", "Boats"],
      ["fine_tuning", "fineTuning", "FineTuning"],
      ["fine-tuning", "fineTuning", "FineTuning"],
      ["customFields", "customFields", "CustomFields"],
      ["CustomFields", "customFields", "CustomFields"],
      ["getFromURL", "getFromURL", "GetFromURL"],
      ["url", "url", "URL"],
      ["list_by_url", "listByURL", "ListByURL"],
      ["user_ids", "userIDs", "UserIDs"],
      ["ips", "ips", "IPs"],
      ["address", "address", "Address"],
      ["gps_track", "gpsTrack", "GPSTrack"],
      ["find_gps", "findGPS", "FindGPS"],
      ["find_api", "findApi", "FindApi"],
      ["boat_yard_items", "boatYARDItems", "BoatYARDItems"],
      ["_raw_sign", "_rawSign", "RawSign"],
      ["new_boat_yard", "newBoatYARD", "NewBoatYARD"],
    ];
    for (const [key, property, type] of cases) {
      const [resource] = resourcesOf(
        `${key}: {models: {${key}: Boat}, methods: {${key}: get /boats}}`,
        casings,
      );
      const { name, methods, models } = resource!;
      assertEquals([name, methods[0]!.name, ...models.keys()], [property, property, type], key);
    }
  });

  it("are refused with their place if a setting has a wrong form", () => {
    const cases: readonly (readonly [text: string, message: string])[] = [
      ["boats: 7", "resources.boats must be an object, not 7"],
      ["boats: {methods: []}", "resources.boats.methods must be an object, not []"],
      ["boats: {methods: {list: boats}}", "must be an endpoint such as get /pets/{pet_id}"],
      ["boats: {methods: {list: fetch /boats}}", "must be an endpoint"],
      ["boats: {methods: {list: get /bo ats}}", "must be an endpoint"],
      ["boats: {methods: {list: {}}}", "must be a method with an `endpoint`, not {}"],
      ["boats: {methods: {list: {type: soap}}}", "one of http, alias, webhook_unwrap, websocket"],
      ["boats: {methods: {list: {type: alias}}}", "must be an alias with `to`"],
      [
        "boats: {methods: {list: {endpoint: get /b, paginated: 7}}}",
        "must be true, false or the name of a page class",
      ],
      ["boats: {methods: {list: {endpoint: get /b, skip: go}}}", "must be true or false"],
      ["boats: {methods: {list: {endpoint: get /b, only: go}}}", "must be a list"],
      ["boats: {models: {boat: {}}}", "must be a model with `openapi_uri`"],
      ["boats: {models: {boat: 7}}", "must be the name of a schema, or a pointer"],
      ["boats: {models: {boat: {type: alias}}}", "must be an alias with `to`"],
    ];
    for (const [text, message] of cases) {
      const error = assertThrows(() => resourcesOf(text), ShapeError, undefined, text);
      assert(error.message.includes(message), error.message);
      assertEquals([error.line, /^stainless\.yml:2:\d+: /.test(error.message)], [2, true]);
    }
  });
});
