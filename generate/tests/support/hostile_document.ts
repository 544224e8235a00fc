/** A document that tries to run code, to leave the folder and to control a terminal. */

/** The name of the global variable that code of the document would set. */
export const MARKER = "restwrightMarker";

const set = `globalThis.${MARKER}=1`;

/** Ends of every context of TypeScript in which a text can stand, each with code after it. */
export const POISON: string = [
  `*/ ${set}; /*`,
  `"; ${set}; "`,
  `'; ${set}; '`,
  "`; " + set + "; `",
  "${" + set + "}",
  `\\"; ${set}; //`,
  `\n${set};\n`,
  `\r${set};\r`,
  `\u2028${set};\u2029${set};`,
  `}}}); ${set}; ({{{`,
  `</script><script>${set}</script>`,
  `\u202e\u2066\u200b\u001b[31m\u0000\u0007\ud800`,
  `@deprecated {@link ${set}}`,
].join(" ");

const text = { type: "string", description: POISON, default: POISON, example: POISON };

/** Names that objects have, that classes reserve, that files must not have, and long ones. */
export const ODD_NAMES: readonly string[] = [
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then", "valueOf"],
  ...["../../../escaped", "..\\..\\escaped", "/etc/passwd", "C:\\escaped", "con", "NUL", ".", ".."],
  ...["class", "await", "eval", "arguments", "this", "1st", "$ref", "", " ", "é", "ペット", "😀"],
  ...["x".repeat(300), `y${"/../".repeat(100)}`, POISON, "a\u0000b", "Promise", "Error", "String"],
  ...["Client", "APIClient", "fetch", "options", "baseUrl", "body", "params", "path", "query"],
];

/** Makes a document of which every text is hostile. */
export function hostileDocument(): string {
  const schemas: [string, unknown][] = ODD_NAMES.map((name, index) => [name, {
    description: POISON,
    type: "object",
    required: [name, POISON],
    properties: fromEntries([
      [name, { $ref: pointerTo(ODD_NAMES[(index + 1) % ODD_NAMES.length]!) }],
      [POISON, text],
      // All of them once: with all in each schema, the document would have 13 MB.
      ...(index === 0 ? ODD_NAMES : []).map((each) => [each, { ...text, readOnly: true }] as const),
    ]),
  }]);
  schemas.push(["Union", {
    oneOf: ODD_NAMES.map((name) => ({ $ref: pointerTo(name) })),
    discriminator: {
      propertyName: POISON,
      mapping: fromEntries(ODD_NAMES.map((name) => [name, pointerTo(name)])),
    },
  }]);
  schemas.push(["Values", {
    anyOf: [
      { type: "string", enum: [POISON, ...ODD_NAMES], default: POISON },
      { const: POISON },
      { type: "object", additionalProperties: { const: { [POISON]: [POISON] } } },
      { type: POISON, format: POISON, pattern: POISON },
    ],
  }]);
  const paths = ODD_NAMES.map((name, index) =>
    [
      `/${index}/${name}/{${name}}/${POISON}?${POISON}=${POISON}`,
      {
        summary: POISON,
        parameters: [{ $ref: `#/components/parameters/${index}` }],
        post: operation(name, index),
        get: { ...operation(`${name} get`, index), requestBody: undefined },
        trace: operation(`${name} trace`, index),
        additionalOperations: { [POISON]: operation(name, index), COPY: operation(name, index) },
      },
    ] as const
  );
  return JSON.stringify({
    openapi: "3.2.0",
    info: { title: POISON, version: POISON, description: POISON, summary: POISON },
    externalDocs: { url: `javascript:${POISON}`, description: POISON },
    servers: [
      {
        url: `https://{${POISON}}.example.com/\`\${${set}}/${POISON}`,
        description: POISON,
        variables: {
          [POISON]: { default: POISON, enum: [POISON], description: POISON },
          constructor: { default: "x" },
        },
      },
      { url: POISON },
      { url: "javascript:alert(1)" },
    ],
    tags: ODD_NAMES.map((name) => ({ name, description: POISON, summary: POISON })),
    security: [fromEntries([[POISON, [POISON]]])],
    paths: fromEntries(paths),
    webhooks: { [POISON]: { post: operation("hook", 0) } },
    components: {
      schemas: fromEntries(schemas),
      parameters: fromEntries(ODD_NAMES.map((name, index) => [
        String(index),
        { name, in: "path", required: true, description: POISON, schema: text },
      ])),
      securitySchemes: fromEntries([
        [POISON, { type: "apiKey", in: "header", name: POISON, description: POISON }],
        ["constructor", { type: "http", scheme: POISON }],
        ["__proto__", { type: "http", scheme: "bearer" }],
        ["flow", {
          type: "oauth2",
          flows: { clientCredentials: { tokenUrl: POISON, scopes: { [POISON]: POISON } } },
        }],
        ["open", { type: "openIdConnect", openIdConnectUrl: POISON }],
        ["cookie", { type: "apiKey", in: "cookie", name: POISON }],
        [POISON.repeat(2), { type: POISON }],
      ]),
    },
  });
}

/** Makes a document as hostile, but with paths and servers that the toolkit sends requests to. */
export function plainHostileDocument(): string {
  const document = JSON.parse(hostileDocument()) as {
    servers: unknown;
    paths: Record<string, Record<string, { servers?: unknown }>>;
  };
  document.servers = [{ url: "https://hostile.example.com/v1" }];
  const items = Object.values(document.paths).map((item, index) => {
    for (const each of Object.values(item)) delete each.servers;
    const name = ODD_NAMES[index]!;
    return [/[{}/?#]/.test(name) || name === "" ? `/${index}/plain` : `/${index}/{${name}}`, item];
  });
  return JSON.stringify({ ...document, paths: Object.fromEntries(items) });
}

function operation(name: string, index: number): object {
  const content = {
    "application/json": {
      schema: { $ref: "#/components/schemas/Values" },
      example: POISON,
      examples: { [POISON]: { value: POISON, summary: POISON } },
    },
    [POISON]: { schema: text },
  };
  const other = ODD_NAMES[(index + 3) % ODD_NAMES.length]!;
  return {
    tags: [name, other],
    operationId: index % 3 === 0 ? POISON : name,
    summary: POISON,
    description: POISON,
    deprecated: true,
    externalDocs: { url: POISON, description: POISON },
    servers: [{ url: `https://example.com/${POISON}` }],
    parameters: [
      ...["query", "header", "cookie"].flatMap((place) => [
        { name: POISON, in: place, description: POISON, schema: text, example: POISON },
        { name: other, in: place, schema: { enum: [POISON] }, style: POISON },
      ]),
      { name: POISON, in: POISON, schema: text },
    ],
    requestBody: { description: POISON, content, required: true },
    responses: {
      200: {
        description: POISON,
        content,
        headers: { [POISON]: { schema: text } },
        links: { [POISON]: { operationId: POISON, description: POISON } },
      },
      404: { description: POISON, content },
      "4XX": { description: POISON, content },
      default: { $ref: POISON },
      [POISON]: { description: POISON },
    },
    callbacks: { [POISON]: { [POISON]: {} } },
    security: [fromEntries([[POISON, [POISON]], ["__proto__", []]]), {}],
  };
}

function pointerTo(name: string): string {
  const key = name.replaceAll("~", "~0").replaceAll("/", "~1");
  // A lone surrogate cannot be percent-encoded.
  return `#/components/schemas/${encodeURIComponent(key.toWellFormed())}`;
}

/** Returns an object that can have any key, `__proto__` included. */
function fromEntries(entries: Iterable<readonly [string, unknown]>): object {
  return Object.fromEntries(entries);
}

/** Makes a document with odd names in each place of a request, and of security schemes. */
export function oddNamesDocument(): string {
  const names = [
    ...["__proto__", "constructor", "toString", "then", "options", "", " ", "a[]", "a;b", 'a"b'],
    ...["a\nb", "a\u0000b", "%", "é", "😀", "expect", "trailer", "cookie", "content-type"],
  ];
  const string = { type: "string" };
  const body = (type: string) => (name: string) => ({
    requestBody: {
      required: true,
      content: {
        [type]: {
          schema: { type: "object", required: [name], properties: fromEntries([[name, string]]) },
        },
      },
    },
  });
  const parameter = (place: string) => (name: string) => ({
    parameters: [{ name, in: place, required: true, schema: string }],
  });
  const places: Readonly<Record<string, (name: string) => object>> = {
    query: parameter("query"),
    header: parameter("header"),
    cookie: parameter("cookie"),
    json: body("application/json"),
    form: body("application/x-www-form-urlencoded"),
    multipart: body("multipart/form-data"),
    scheme: (name) => ({ security: [fromEntries([[name, []]])] }),
  };
  const responses = { 200: { description: "" } };
  const paths = Object.entries(places).flatMap(([place, partOf]) =>
    names.map((name, index) => [
      `/${place}${index}`,
      { post: { operationId: `${place}${index}`, tags: [place], responses, ...partOf(name) } },
    ])
  );
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Odd", version: "1" },
    servers: [{ url: "https://odd.example.com" }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: fromEntries(names.map((name) => [name, { type: "http", scheme: "bearer" }])),
    },
  });
}
