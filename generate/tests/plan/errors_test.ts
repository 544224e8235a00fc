import { STATUS_CODES } from "node:http";
import { assertEquals, assertStringIncludes, describe, it } from "#test";
import { generate } from "../../mod.ts";
import { baseClasses, otherStatuses } from "../../src/names/error_classes.ts";

/** Returns a document with an operation for each list of responses. */
function documentWith(...responses: readonly object[]): string {
  const operations = responses.map((each, index) => [`/${"abcd"[index]}`, {
    get: { tags: ["letters"], operationId: "abcd"[index], responses: each },
  }]);
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Tally", version: "1" },
    servers: [{ url: "https://tally.example.com" }],
    paths: Object.fromEntries(operations),
    components: {
      schemas: {
        Taken: { type: "object", properties: { by: { type: "string" } } },
        Wrong: { type: "object", properties: { field: { type: "string" } } },
      },
    },
  });
}

const json = (schema: object) => ({
  description: "",
  content: { "application/json": { schema } },
});

/** Returns the first lines of the classes of errors. */
async function classesOf(document: string): Promise<string[]> {
  const { files } = await generate(document);
  return files.get("errors.ts")!.match(/^export class .*$/gm)!;
}

describe("the classes of errors", () => {
  it("are one for a status, if all operations state the same data", async () => {
    const taken = { 422: json({ $ref: "#/components/schemas/Taken" }) };
    assertEquals(await classesOf(documentWith(taken, taken)), [
      "export class TallyInvalidContentError extends InvalidContentError {",
    ]);
  });

  it("keep their names if a second operation states the same data", async () => {
    const why = { 422: json({ type: "object", properties: { why: { type: "string" } } }) };
    const line = "export class TallyInvalidContentError extends InvalidContentError {";
    assertEquals(await classesOf(documentWith(why)), [line]);
    assertEquals(await classesOf(documentWith(why, why)), [line]);
  });

  it("are subclasses of one for a status, if operations state different data", async () => {
    const document = documentWith(
      { 422: json({ $ref: "#/components/schemas/Taken" }) },
      { 422: json({ $ref: "#/components/schemas/Wrong" }) },
      { 422: json({ type: "object", properties: { why: { type: "string" } } }) },
    );
    assertEquals(await classesOf(document), [
      "export class TallyInvalidContentError extends InvalidContentError {",
      "export class LettersCInvalidContentError extends TallyInvalidContentError {",
      "export class TakenInvalidContentError extends TallyInvalidContentError {",
      "export class WrongInvalidContentError extends TallyInvalidContentError {",
    ]);
    const { files } = await generate(document);
    const [start = ""] = files.get("errors.ts")!.split("export class LettersCInvalid");
    assertStringIncludes(
      start.replace(/\s+/g, " "),
      "declare readonly data: { why?: string | undefined } | Taken | Wrong | undefined;",
    );
  });

  it("know all types of data for an error that an operation does not state", async () => {
    const taken = { 404: json({ $ref: "#/components/schemas/Taken" }) };
    const wrong = { 404: json({ $ref: "#/components/schemas/Wrong" }) };
    const { files } = await generate(documentWith(taken, taken, wrong, {}));
    const client = files.get("client.ts")!.replace(/\s+/g, " ");
    assertStringIncludes(client, "errorMap: ErrorMap = { 404: TallyNotFoundError };");
    const endpoint = files.get("endpoints/letters.ts")!;
    assertEquals(endpoint.match(/errorMap: .*/g), [
      "errorMap: { 404: TakenNotFoundError },",
      "errorMap: { 404: TakenNotFoundError },",
      "errorMap: { 404: WrongNotFoundError },",
    ]);
  });

  it("are named after the reason of a status without a class in the toolkit", async () => {
    const schema = json({ $ref: "#/components/schemas/Taken" });
    assertEquals(await classesOf(documentWith({ 402: schema, 423: schema, 499: schema })), [
      "export class TallyPaymentRequiredError extends APIError {",
      "export class TallyLockedError extends APIError {",
      "export class TallyStatus499Error extends APIError {",
    ]);
  });

  it("know the reason of each registered status", () => {
    const reasons = Object.fromEntries(
      Object.entries(STATUS_CODES).filter(([status]) =>
        // 509 is not in the registry of IANA.
        Number(status) >= 400 && status !== "509" && !Object.hasOwn(baseClasses, status)
      ),
    );
    assertEquals<object>(reasons, otherStatuses);
  });
});
