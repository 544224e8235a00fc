/** Checks the signatures of the example with the signer of AWS's own SDK. */
import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import { createHash } from "node:crypto";
import { inspect } from "node:util";
import { type AwsOptions, AwsSignature4 } from "../../examples/aws_signature4.ts";
import {
  APISession,
  type RequestOptions,
  type SessionOptions,
  UnexpectedValueError,
} from "../../mod.ts";
import { ForbiddenError } from "../../src/entries/errors.ts";
import { type Progress, saveTo } from "../../src/files/mod.ts";
import { fakeClock, type MockCall, mockTransport, silentLogger } from "../../src/testing/mod.ts";
import { type AwsAccount, signatureProblem, startAwsServer } from "../support/aws_server.ts";
import type { TestServer } from "../support/server.ts";

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

/** Returns a session that signs its requests. */
function sessionFor(
  options: Case["options"],
  settings: Pick<SessionOptions, "url" | "fetch">,
): APISession {
  const clock = fakeClock({ start: Date.UTC(2026, 1, 3, 4, 5, 6, 789), autoAdvance: true });
  const auth = new AwsSignature4({ ...account, ...options, clock });
  const api = new APISession({
    ...{ clock, auth, logger: silentLogger, finalWait: false, retries: 0 },
    ...settings,
  });
  api.httpSession.headers.set("Accept", "application/json");
  return api;
}

/** Sends a request of the example to a mock, and returns it. */
async function sent({ options, method = "GET", path, request }: Case): Promise<MockCall> {
  const fetch = mockTransport({ [`${method} /*`]: 200 });
  const api = sessionFor(options, { url: `https://${options.service}.example.com`, fetch });
  await api["_req"](method, path, request?.());
  return fetch.calls[0]!;
}

describe("a request that the example of AWS Signature 4 signs", () => {
  let server: TestServer;
  let expected: AwsAccount;
  let answered = 0;
  const arrived = Promise.withResolvers<void>();
  const file = "0123456789".repeat(10_000);

  before(async () => {
    server = await startAwsServer(() => expected, (request, response) => {
      answered++;
      const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
      const part = file.slice(start);
      response.writeHead(request.headers.range === undefined ? 200 : 206, {
        etag: '"v1"',
        "content-length": part.length,
        "content-range": `bytes ${start}-${file.length - 1}/${file.length}`,
      });
      if (request.url !== "/bucket/lost" || start > 0) return void response.end(part);
      response.write(part.slice(0, 50_000));
      arrived.promise.then(() => response.destroy());
    });
  });
  after(() => server.stop());

  for (const { what, options, method = "GET", path, request } of cases) {
    it(`is accepted: ${what}`, async () => {
      expected = { ...account, ...options };
      const api = sessionFor(options, { url: server.url });
      const response = await api["_req"](method, path, request?.()) as Response;
      await response.body?.cancel();
      assertEquals(response.status, 200);
    });
  }

  it("is accepted if it continues a download, to which fetch adds Accept-Encoding", async () => {
    expected = { ...account, service: "s3" };
    answered = 0;
    const api = sessionFor({ service: "s3" }, { url: server.url });
    let copy = "";
    const decoder = new TextDecoder();
    const target = new WritableStream<Uint8Array>({
      write: (chunk) => void (copy += decoder.decode(chunk, { stream: true })),
    });
    const onProgress = ({ transferred }: Progress) => {
      if (transferred > 0) arrived.resolve();
    };
    await api.get("bucket/lost", { format: saveTo(target, { onProgress }) });
    assert(copy === file, "the file");
    assertEquals(answered, 2);
  });

  it("is refused with another key", async () => {
    expected = { ...account, service: "s3", secretAccessKey: "other" };
    const api = sessionFor({ service: "s3" }, { url: server.url });
    await assertRejects(() => api.get("bucket/key"), ForbiddenError);
  });
});

describe("a URL that the example of AWS Signature 4 signs", () => {
  const url = "https://s3.example.com/bucket//a%20b/(c).txt?response-content-type=text/plain&b=x+y";

  for (const sessionToken of [undefined, "token/with+signs=="]) {
    const kind = sessionToken === undefined ? "" : " with temporary credentials";
    it(`is accepted${kind}, for its method alone`, async () => {
      const options = { ...account, service: "s3", ...(sessionToken && { sessionToken }) };
      const clock = fakeClock({ start: Date.UTC(2026, 1, 3, 4, 5, 6) });
      const signed = await new AwsSignature4({ ...options, clock }).presign("GET", url, 60);
      assert(signed.startsWith("https://s3.example.com/bucket//a%20b/(c).txt?"), signed);
      const params = new URL(signed).searchParams;
      assertEquals([params.get("b"), params.get("X-Amz-Expires")], ["x y", "60"]);

      const request = { url: signed, headers: { host: "s3.example.com" } };
      const problem = (method: string) =>
        signatureProblem({ ...request, method }, new Uint8Array(), options);
      assertEquals(await problem("GET"), undefined);
      assert((await problem("PUT"))?.startsWith("expected "), "a PUT is accepted");
    });
  }

  it("has to expire within seven days", async () => {
    const scheme = new AwsSignature4({ ...account, service: "s3" });
    for (const seconds of [0, 1.5, NaN, 604_801]) {
      const error = await assertRejects(
        () => scheme.presign("GET", url, seconds),
        UnexpectedValueError,
      );
      assertEquals(error.option, "seconds");
    }
  });
});

describe("the example of AWS Signature 4", () => {
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
