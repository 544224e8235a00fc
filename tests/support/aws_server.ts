/** A server that checks AWS Signature 4 with the signer of AWS's own SDK, and answers 403 otherwise. */
import { SignatureV4 } from "@smithy/signature-v4";
import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { startServer, type TestServer } from "./server.ts";

/** The account whose requests are accepted. */
export interface AwsAccount {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly region: string;
  readonly service: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts a server that passes requests with a valid signature on. The caller has to stop it. */
export async function startAwsServer(
  account: () => AwsAccount,
  answer: Answer,
): Promise<TestServer> {
  return await startServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const problem = await signatureProblem(request, Buffer.concat(chunks), account());
    if (problem === undefined) return answer(request, response);
    response.writeHead(403).end(problem);
  });
}

/** Returns the reason why a request is refused; undefined if its signature is valid. */
export async function signatureProblem(
  { method, url, headers }: Pick<IncomingMessage, "method" | "url" | "headers">,
  body: Uint8Array,
  { region, service, ...credentials }: AwsAccount,
): Promise<string | undefined> {
  const isS3 = service === "s3";
  const { pathname, searchParams } = new URL(url!, "http://localhost");
  const { "X-Amz-Signature": claimed, "X-Amz-Expires": expires, ...query } = queryOf(searchParams);
  const request = {
    method: method!,
    protocol: "http:",
    hostname: "localhost",
    path: isS3 ? encodedOnce(pathname) : pathname,
  };
  const signer = new SignatureV4({
    credentials,
    region,
    service,
    sha256: Sha256,
    applyChecksum: false,
    uriEscapePath: !isS3,
  });
  if (claimed !== undefined) {
    const unsignedBody = { "x-amz-content-sha256": "UNSIGNED-PAYLOAD" };
    const names = new Set(Object.keys(unsignedBody));
    const { query: { "X-Amz-Signature": expected } = {} } = await signer.presign({
      ...request,
      query: Object.fromEntries(Object.entries(query).filter(([name]) => !/^X-Amz-/.test(name))),
      headers: { host: headers.host!, ...unsignedBody },
    }, {
      signingDate: dateOf(`${query["X-Amz-Date"]}`),
      expiresIn: Number(expires),
      unhoistableHeaders: names,
      unsignableHeaders: names,
    });
    return `${claimed}` === expected ? undefined : `expected ${expected}, but got ${claimed}`;
  }
  const { authorization = "" } = headers;
  const names = /SignedHeaders=([^,]*)/.exec(authorization)?.[1]?.split(";") ?? [];
  const missing = Object.keys(headers).find((name) =>
    /^(?:host$|x-amz-)/.test(name) && !names.includes(name)
  );
  if (missing !== undefined) return `${missing} is not signed`;
  const hash = headers["x-amz-content-sha256"];
  const isHashTrue = hash === "UNSIGNED-PAYLOAD" ||
    hash === createHash("sha256").update(body).digest("hex");
  if (isS3 && !isHashTrue) return `x-amz-content-sha256 is ${hash}`;
  const { headers: { authorization: expected } } = await signer.sign({
    ...request,
    query,
    headers: Object.fromEntries(names.map((name) => [name, `${headers[name] ?? ""}`])),
    body,
  }, { signingDate: dateOf(`${headers["x-amz-date"]}`) });
  return authorization === expected ? undefined : `expected ${expected}, but got ${authorization}`;
}

/** Returns the values of each parameter. */
function queryOf(params: URLSearchParams): Record<string, string[]> {
  const query: Record<string, string[]> = {};
  for (const [name, value] of params) (query[name] ??= []).push(value);
  return query;
}

/** Returns a path as S3 signs it: each character that is not unreserved is encoded once. */
function encodedOnce(path: string): string {
  return decodeURIComponent(path).replace(
    /[^\w.~/-]/gu,
    (each) => Buffer.from(each).toString("hex").toUpperCase().replace(/../g, "%$&"),
  );
}

/** Parses a date such as `20260203T040506Z`. */
function dateOf(text: string): Date {
  return new Date(text.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}

/** SHA-256, or HMAC with SHA-256 if there is a secret, as the signer takes them. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined
      ? createHash("sha256")
      : createHmac("sha256", secret as string | Uint8Array);
  }

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(this.#hash.digest()));
  }

  reset(): void {
    throw new Error("not needed");
  }
}
