import { assertEquals, assertRejects, describe, it } from "#test";
import { readSdk, ShapeError } from "../../mod.ts";
import { type FrozenSdk, frozenShape, readFrozen, type SdkFile } from "../../src/frozen/mod.ts";
import { newSdk, oldSdk } from "../support/frozen_sdk.ts";

const layouts = [["new", newSdk], ["old", oldSdk]] as const;

/** Returns a method of an SDK, without its place. */
function methodOf({ resources }: FrozenSdk, name: string) {
  const { file: _, line: __, ...method } = resources[0]!.methods.find((each) =>
    each.name === name
  )!;
  return method;
}

/** Returns the files of an SDK with other text in the file whose path ends in a certain way. */
function changed(
  files: readonly SdkFile[],
  end: string,
  changes: readonly (readonly [from: string, to: string])[],
): SdkFile[] {
  return files.map(({ file, text }) => {
    if (!file.endsWith(end)) return { file, text };
    return changes.reduce(({ text }, [from, to]) => {
      assertEquals(text.includes(from), true, from);
      return { file, text: text.replace(from, to.replace("$&", () => from)) };
    }, { file, text });
  });
}

/** The settings of a method that has none. */
const plain = {
  ...{ bodyKind: undefined, bodyParameter: undefined },
  ...{
    defaultBaseURL: undefined,
    headers: [],
    isAlias: false,
    isBinary: false,
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
        headers: [
          { name: "Lamps-Version", value: { option: "apiVersion" } },
          { name: "Lamps-Edition", value: "pro" },
        ],
        timeout: 60_000,
        maxRetries: 3,
        backoff: 0.5,
        maxBackoff: 8,
        idempotencyHeader: "Idempotency-Key",
        arrayFormat: "comma",
        nestedFormat: "dots",
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
      assertEquals(
        bulbs!.methods[0]!.path,
        "/{accountOrZone}/{accountOrZoneId}/rooms/{roomId}/bulbs",
      );
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
        {
          what: "the variable LAMPS_CUSTOM_HEADERS",
          reason: "the client reads no headers from the environment",
          ...{ file: layout === "new" ? "src/client.ts" : "src/index.ts", hasLine: true },
        },
        {
          what: "the variable LAMPS_LOG",
          reason: "the client does not read its log level from it",
          ...{ file: layout === "new" ? "src/client.ts" : "src/index.ts", hasLine: true },
        },
      ]);
    });

    it(`say what programs import in the ${layout} layout`, async () => {
      const { exports: { version, modules } } = await readFrozen(files);
      assertEquals(version, "1.4.0");
      assertEquals(modules.includes("resources/lamps/lamps"), true);
      assertEquals(modules.some((each) => each.startsWith("internal")), false);
    });
  }

  it("send an option only where it is the whole value, and list code that makes a value of it", async () => {
    const headers = [
      "'X-Plain': this.apiVersion",
      "'X-Text': this.organizationID?.toString()",
      "'X-String': String(this.apiVersion)",
      "...(this.organizationID != null ? { 'X-If-Set': this.organizationID } : undefined)",
      "'X-Signature': hmac(this.apiKey, { inner: this.apiKey })",
      "'X-Template': `v${this.apiVersion}`",
      "...(this.organizationID ? { 'X-Beta': 'on' } : {})",
      "...(this.apiVersion != null ? { 'X-Other': this.apiKey } : undefined)",
    ];
    const { client, handwritten } = await readFrozen(changed(newSdk, "src/client.ts", [
      ["'Lamps-Version': this.apiVersion,", `${headers.join(",\n")},`],
      ["    const headers = buildHeaders([", "    sign({ 'X-Local': this.apiKey });\n$&"],
      [
        "    return this._options.defaultQuery;",
        "    return { sum: sha(this.apiKey), fixed: '1', ...this._options.defaultQuery };",
      ],
    ]));
    assertEquals(client.headers, [
      { name: "X-Plain", value: { option: "apiVersion" } },
      { name: "X-Text", value: { option: "organizationID" } },
      { name: "X-String", value: { option: "apiVersion" } },
      { name: "X-If-Set", value: { option: "organizationID" } },
      { name: "Lamps-Edition", value: "pro" },
    ]);
    assertEquals(client.auth.map(({ name }) => name), ["Authorization"]);
    const listed = handwritten.filter(({ what }) => what.endsWith("of each request"));
    assertEquals(listed.map(({ what, reason }) => `${what}: ${reason}`), [
      "the parameter sum of each request: it is made by code",
      "the parameter fixed of each request: the client has no fixed parameters",
      "the header X-Signature of each request: it is made by code",
      "the header X-Template of each request: it is made by code",
      "a header of each request: it is made by code",
      "a header of each request: it is made by code",
    ]);
  });

  it("send a credential only where it is the whole value", async () => {
    const { client, handwritten } = await readFrozen(changed(newSdk, "src/client.ts", [[
      "buildHeaders([{ Authorization: `Bearer ${this.apiKey}` }])",
      "buildHeaders([{ 'X-Sum': sha({ inner: this.apiKey }), 'X-Pair': `Basic ${sha(`${this.apiKey}:${this.apiVersion}`)}` }])",
    ]]));
    assertEquals(client.auth, []);
    assertEquals(
      handwritten.filter(({ what }) => what.includes("authHeaders")).map(({ what }) => what),
      ["the header X-Sum of authHeaders", "the header X-Pair of authHeaders"],
    );
  });

  it("list methods that change a parameter before they send it", async () => {
    const changes = [
      ["query: { dry_run }", "query: { dry_run: !dry_run }", "its query is made by code in part"],
      ["'X-Trace': trace", "'X-Trace': btoa(trace)", "its headers are made by code in part"],
      ["'X-Fixed': '1'", "'X-Fixed': sign({ inner: '1' })", "its header X-Fixed is made by code"],
      ["{ dry_run, trace", "{ dry_run = true, trace", "its parameter dry_run has a default"],
      ["...body } = params;", "...body } = clean(params);", "its parameters are made by code"],
      [
        "'X-Fixed': '1'",
        "'X-Fixed': [...(trace ?? []), 'x-2024'].toString()",
        "its header X-Fixed has values of its own beside those of callers",
      ],
    ] as const;
    for (const [from, to, reason] of changes) {
      const sdk = await readFrozen(changed(newSdk, "/lamps.ts", [[from, to]]));
      const found = sdk.handwritten.find(({ what }) => what === "client.lamps.create");
      assertEquals(found?.reason, reason, to);
      const { parameters, headers } = methodOf(sdk, "create");
      assertEquals(headers.some(([name]) => name === "inner"), false);
      const isSent = (name: string) => parameters.some(({ wireName }) => wireName === name);
      if (to.includes("!dry_run")) assertEquals(isSent("dry_run"), false);
      if (to.includes("btoa")) assertEquals(isSent("X-Trace"), false);
    }
  });

  it("give an operation that the document lost the form of its body", async () => {
    const form = "'Content-Type': 'application/x-www-form-urlencoded'";
    const sdk = await readSdk(changed(newSdk, "/lamps.ts", [["'X-Fixed': '1'", form]]));
    const document: { paths: Record<string, { post?: { requestBody: { content: object } } }> } = {
      paths: {},
    };
    frozenShape(sdk).changes.complete(document);
    assertEquals(
      Object.keys(document.paths["/lamps"]!.post!.requestBody.content),
      ["application/x-www-form-urlencoded"],
    );
  });

  it("are read in little time although modules export each other", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `m${index}`);
    const text = names.map((each) => `export * from './${each}';`).join("\n");
    const cycle = names.map((each) => ({ file: `src/resources/${each}.ts`, text }));
    const files = changed(newSdk, "src/resources/index.ts", [["export {", `${text}\nexport {`]]);
    const { resources } = await readFrozen([...files, ...cycle]);
    assertEquals(resources.map(({ name }) => name), ["lamps", "bulbIdsForRoom"]);
  });

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
