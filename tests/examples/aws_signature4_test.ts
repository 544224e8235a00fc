/** Compares the signatures of the example with those of aws4fetch, byte by byte. */
import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { AwsV4Signer } from "aws4fetch";
import { createHash } from "node:crypto";
import { inspect } from "node:util";
import { type AwsOptions, AwsSignature4 } from "../../examples/aws_signature4.ts";
import { APISession, type RequestOptions, UnexpectedValueError } from "../../mod.ts";
import { fakeClock, type MockCall, mockTransport, silentLogger } from "../../src/testing/mod.ts";

const account = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  region: "eu-central-1",
};

interface Case {
  readonly what: string;
  readonly options: Pick<AwsOptions, "service" | "sessionToken">;
  readonly method?: string;
  readonly path: string;
  readonly request?: () => RequestOptions;
}

const cases: readonly Case[] = [
  { what: "a GET", options: { service: "iam" }, path: "" },
  {
    what: "a query with characters that are encoded",
    options: { service: "iam" },
    path: "users",
    request: () => ({
      params: { b: ["2", "10", ""], a: "x y+z/~*'()!", "ä": "é%&=", "A-": "1", A: "2" },
    }),
  },
  {
    what: "JSON, with a header that is signed and temporary credentials",
    options: { service: "dynamodb", sessionToken: "token/with+signs==" },
    method: "POST",
    path: "",
    request: () => ({
      json: { TableName: "böoks" },
      headers: { "X-Amz-Target": "DynamoDB.  Scan " },
    }),
  },
  {
    what: "a form",
    options: { service: "sqs" },
    method: "POST",
    path: "queue",
    request: () => ({ data: { Action: "SendMessage", MessageBody: "a b" } }),
  },
  {
    what: "a path with encoded characters and several slashes",
    options: { service: "execute-api" },
    path: "stage//a%20b/ü/(c)",
  },
  {
    what: "bytes for S3",
    options: { service: "s3" },
    method: "PUT",
    path: "bucket//my%20key/ü(1)*.txt",
    request: () => ({ content: new Uint8Array([0, 255, 13, 10]) }),
  },
  {
    what: "a stream that is opened for each attempt",
    options: { service: "lambda" },
    method: "POST",
    path: "functions/f",
    request: () => ({ content: () => new Blob(["streamed"]).stream() }),
  },
  {
    what: "a stream for S3 that can be read once",
    options: { service: "s3" },
    method: "PUT",
    path: "bucket/key",
    request: () => ({ content: new Blob(["once"]).stream() }),
  },
];

/** Sends a request with the example, and returns it. */
async function sent({ options, method = "GET", path, request }: Case): Promise<MockCall> {
  const fetch = mockTransport({ [`${method} /*`]: 200 });
  const url = `https://${options.service}.example.com`;
  const clock = fakeClock({ start: Date.UTC(2026, 1, 3, 4, 5, 6, 789) });
  const api = new APISession({ url, fetch, clock, logger: silentLogger });
  api.httpSession.headers.set("Accept", "application/json");
  api.httpSession.auth = new AwsSignature4({ ...account, ...options, clock });
  await api["_req"](method, path, { finalWait: false, retries: 0, ...request?.() });
  return fetch.calls[0]!;
}

describe("the example of AWS Signature 4", () => {
  for (const each of cases) {
    it(`signs like aws4fetch: ${each.what}`, async () => {
      const { method, url, headers, text } = await sent(each);
      const { authorization, ...others } = headers;
      const signer = new AwsV4Signer({
        ...account,
        ...each.options,
        ...{ method, url, headers: others, body: text, datetime: "20260203T040506Z" },
      });
      const expected = await signer.sign();

      assertEquals(authorization, expected.headers.get("authorization"));
      assertEquals(headers, Object.fromEntries(expected.headers));
    });
  }

  it("signs the hash of the body for S3, or that there is none", async () => {
    const [known, unknown] = await Promise.all([sent(cases[5]!), sent(cases[7]!)]);
    const hash = createHash("sha256").update(new Uint8Array([0, 255, 13, 10])).digest("hex");
    assertEquals(known.headers["x-amz-content-sha256"], hash);
    assertEquals(unknown.headers["x-amz-content-sha256"], "UNSIGNED-PAYLOAD");
  });

  it("refuses a stream that can be read once for other services", async () => {
    const request = () => ({ content: new Blob(["once"]).stream() });
    const call = { what: "", options: { service: "sqs" }, method: "POST", path: "q", request };
    const error = await assertRejects(() => sent(call), UnexpectedValueError);
    assertEquals(error.option, "content");
  });

  it("does not show the secret key", () => {
    const shown = inspect(new AwsSignature4({ ...account, service: "s3" }), { showHidden: true });
    assert(!shown.includes(account.secretAccessKey));
  });
});
