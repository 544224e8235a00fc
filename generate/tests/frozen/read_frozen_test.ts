import { assertEquals, assertRejects, describe, it } from "#test";
import { ShapeError } from "../../mod.ts";
import { type FrozenSdk, readFrozen } from "../../src/frozen/mod.ts";
import { newSdk, oldSdk } from "../support/frozen_sdk.ts";

const layouts = [["new", newSdk], ["old", oldSdk]] as const;

/** Returns a method of an SDK, without its place. */
function methodOf({ resources }: FrozenSdk, name: string) {
  const { file: _, line: __, ...method } = resources[0]!.methods.find((each) =>
    each.name === name
  )!;
  return method;
}

/** The settings of a method that has none. */
const plain = {
  ...{ bodyArgument: undefined, bodyKind: undefined, bodyParameter: undefined, choice: undefined },
  ...{
    defaultBaseURL: undefined,
    headers: [],
    isAlias: false,
    isBinary: false,
    isDeprecated: false,
  },
  ...{ page: undefined, parameters: [], params: undefined, rest: undefined },
  ...{ security: undefined, stream: undefined, unwrap: undefined, positional: [] },
};

describe("the sources of a frozen SDK", () => {
  for (const [layout, files] of layouts) {
    it(`say what the client is in the ${layout} layout`, async () => {
      const { client, layout: found, sharedTypes } = await readFrozen(files);
      assertEquals([found, sharedTypes], [layout, ["Colour"]]);
      const { options, auth, ...others } = client;
      assertEquals(others, {
        className: "Lamps",
        baseName: undefined,
        errorName: "LampsError",
        baseURL: "https://api.lamps.example/v1",
        baseURLEnv: "LAMPS_SDK_BASE_URL",
        environments: [],
        requiresAuth: false,
        headers: [
          { name: "Lamps-Version", value: { option: "apiVersion" } },
          { name: "Lamps-Edition", value: "pro" },
        ],
        query: [],
        timeout: 60_000,
        maxRetries: 3,
        backoff: 0.5,
        maxBackoff: 8,
        idempotencyHeader: "Idempotency-Key",
        arrayFormat: "comma",
        nestedFormat: "dots",
        logEnv: "LAMPS_LOG",
        headersEnv: "LAMPS_CUSTOM_HEADERS",
      });
      const string = { type: "string", isFunction: false } as const;
      assertEquals(options, [
        {
          ...{ ...string, name: "apiKey", isNullable: false, env: "LAMPS_API_KEY" },
          missing: "The LAMPS_API_KEY environment variable is missing or empty",
          description: "The key of the workshop.",
        },
        {
          ...{ ...string, name: "organizationID", isNullable: true, env: "LAMPS_ORG" },
          ...{ missing: undefined, description: undefined },
        },
        {
          ...{ ...string, name: "apiVersion", isNullable: false, default: "2024-05-01" },
          ...{ missing: undefined, description: undefined },
        },
      ]);
      assertEquals(auth, [{
        ...{ scheme: undefined, place: "header", name: "Authorization" },
        ...{ kind: "bearer", options: ["apiKey"] },
      }]);
    });

    it(`say what each method sends in the ${layout} layout`, async () => {
      const sdk = await readFrozen(files);
      assertEquals(methodOf(sdk, "create"), {
        ...{ ...plain, name: "create", verb: "POST", path: "/lamps", rest: "body" },
        params: { name: "params", type: "LampCreateParams", isRequired: true },
        parameters: [
          { property: "dry_run", place: "query", wireName: "dry_run", option: undefined },
          { property: "trace", place: "header", wireName: "X-Trace", option: undefined },
        ],
        headers: [["X-Fixed", "1"]],
        ...{ unwrap: "result", resultType: "Lamp" },
      });
      assertEquals(methodOf(sdk, "retrieve"), {
        ...{ ...plain, name: "retrieve", verb: "GET", path: "/lamps/{lampID}" },
        ...{ positional: ["lampID"], resultType: "Lamp" },
      });
      assertEquals(methodOf(sdk, "list"), {
        ...{ ...plain, name: "list", verb: "GET", path: "/lamps", rest: "query" },
        params: { name: "query", type: "LampListParams", isRequired: false },
        ...{ page: "CursorPage", resultType: "LampsCursorPage" },
      });
      assertEquals(methodOf(sdk, "delete"), {
        ...{ ...plain, name: "delete", verb: "DELETE", path: "/lamps/{lampID}" },
        ...{ positional: ["lampID"], headers: [["Accept", "*/*"]], security: ["bearerAuth"] },
        ...{ defaultBaseURL: "https://api.lamps.example/v2", resultType: undefined },
      });
      assertEquals(methodOf(sdk, "upload"), {
        ...{ ...plain, name: "upload", verb: "POST", path: "/lamps/upload", rest: "body" },
        params: { name: "params", type: "LampUploadParams", isRequired: true },
        ...{ bodyKind: "multipart", resultType: "Lamp" },
      });
      assertEquals(methodOf(sdk, "picture"), {
        ...{ ...plain, name: "picture", verb: "GET", path: "/lamps/{lampID}/picture" },
        ...{ positional: ["lampID"], headers: [["Accept", "image/png"]], isBinary: true },
        resultType: "Response",
      });
      assertEquals(methodOf(sdk, "fetch"), {
        ...methodOf(sdk, "retrieve"),
        ...{ name: "fetch", isAlias: true },
      });
      const [lamps, bulbs] = sdk.resources;
      const [events] = lamps!.resources;
      assertEquals([events!.name, events!.className, events!.types], [
        ...["events", "Events", ["EventListResponse"]],
      ]);
      const { path, positional, parameters } = events!.methods[0]!;
      assertEquals([path, positional], ["/lamps/{lamp_id}/events/{eventID}", ["eventID"]]);
      assertEquals(parameters, [
        { property: "lamp_id", place: "path", wireName: "lamp_id", option: undefined },
      ]);
      assertEquals([bulbs!.name, bulbs!.className], ["bulbIdsForRoom", "BulbIDsForRoom"]);
      assertEquals(bulbs!.methods[0]!.choice, {
        ...{ segment: "accountOrZone", value: "accountOrZoneId" },
        options: [
          { property: "account_id", segment: "accounts" },
          { property: "zone_id", segment: "zones" },
        ],
      });
    });

    it(`say how pages follow each other in the ${layout} layout`, async () => {
      const { pages } = await readFrozen(files);
      assertEquals(
        pages.map(({ className, rule, items, isRead }) => [className, rule, items, isRead]),
        [
          [
            "CursorPage",
            { kind: "cursor", param: "cursor", field: "paging.next" },
            ...["data", true],
          ],
          ["NumberPage", { kind: "pageNumber", param: "page" }, "", true],
          ["OddPage", undefined, "data", false],
        ],
      );
      assertEquals(pages[0]!.parameters, ["cursor", "limit"]);
      assertEquals(pages[0]!.fields, ["data", "paging"]);
    });

    it(`list the code that people wrote in the ${layout} layout`, async () => {
      const { handwritten } = await readFrozen(files);
      const found = handwritten.map(({ file, line, ...each }) => ({
        ...each,
        ...{ file: file.replace("/core/", "/"), hasLine: line !== undefined },
      }));
      assertEquals(found.toSorted((a, b) => a.what < b.what ? -1 : 1), [
        {
          what: `OddPage.${layout === "new" ? "nextPageRequestOptions" : "nextPageInfo"}`,
          reason: "the rule of the next page has no form of the generator",
          ...{ file: "src/pagination.ts", hasLine: true },
        },
        {
          ...{ what: "client.lamps.blink", reason: "it calls no operation" },
          ...{ file: "src/resources/lamps/lamps.ts", hasLine: true },
        },
        {
          ...{ what: "src/lib/blinking.ts", reason: "the file is not generated" },
          ...{ file: "src/lib/blinking.ts", hasLine: false },
        },
      ]);
    });

    it(`say what programs import in the ${layout} layout`, async () => {
      const { exports: { packageName, version, names, modules } } = await readFrozen(files);
      assertEquals([packageName, version], ["lamps", "1.4.0"]);
      assertEquals(
        ["LampsError", "toFile", "ClientOptions"].every((each) => names.includes(each)),
        true,
      );
      assertEquals(modules.includes("resources/lamps/lamps"), true);
      assertEquals(modules.some((each) => each.startsWith("internal")), false);
    });
  }

  it("must have the class of a client", async () => {
    const error = await assertRejects(
      () => readFrozen([{ file: "src/index.ts", text: "export const one = 1;" }], "../toys"),
      ShapeError,
    );
    assertEquals(
      error.message.startsWith("../toys: must be the folder of an SDK in TypeScript"),
      true,
    );
    await assertRejects(
      () => readFrozen([{ file: "src/client.ts", text: "class {{" }]),
      ShapeError,
    );
  });

  it("are read although a path is made by code, which is listed", async () => {
    const files = newSdk.map((each) =>
      each.file.endsWith("/lamps.ts")
        ? {
          ...each,
          text: each.text.replace("path`/lamps/${lampID}/picture`", "this.pathOf(lampID)"),
        }
        : each
    );
    const { handwritten, resources } = await readFrozen(files);
    assertEquals(resources[0]!.methods.some(({ name }) => name === "picture"), false);
    assertEquals(
      handwritten.find(({ what }) => what === "client.lamps.picture")?.reason,
      "its path is made by code",
    );
  });
});
