/** AWS Signature Version 4 as a scheme, for AWS and for stores with the interface of S3. */

import {
  type Auth,
  type AuthRequest,
  type AuthSend,
  type Clock,
  systemClock,
  UnexpectedValueError,
} from "../mod.ts";

/** Options of {@linkcode AwsSignature4}. */
export interface AwsOptions {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The token of temporary credentials. Default: none */
  readonly sessionToken?: string;
  /** The region, such as `eu-central-1`. */
  readonly region: string;
  /** The service, such as `s3` or `dynamodb`. */
  readonly service: string;
  /** The clock, whose time is a part of the signature. Default: the runtime's own clock */
  readonly clock?: Clock;
}

/**
 * Headers that are not signed, because fetch or a proxy may change them. Beside `Range`, fetch adds
 * `identity` to `Accept-Encoding` (Fetch Standard §4.6), on Node even to a value that was set.
 */
const unsigned: ReadonlySet<string> = new Set([
  ...["accept-encoding", "authorization", "connection", "content-length", "content-type", "expect"],
  ...["presigned-expires", "range", "user-agent", "x-amzn-trace-id"],
]);

/** A scheme that signs each request, also each retry, with the secret key of an AWS account. */
export class AwsSignature4 implements Auth {
  readonly #options: AwsOptions;

  constructor(options: AwsOptions) {
    this.#options = options;
  }

  async authenticate(request: AuthRequest, send: AuthSend): Promise<Response> {
    const { secretAccessKey, sessionToken, region, service, clock = systemClock } = this.#options;
    const isS3 = service === "s3";
    const url = new URL(request.url);
    const time = new Date(clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, "");
    const payload = await hashOfBody(request, isS3);
    const headers = {
      "x-amz-date": time,
      ...(isS3 && { "x-amz-content-sha256": payload }),
      ...(sessionToken !== undefined && { "x-amz-security-token": sessionToken }),
    };
    const signed = Object.entries({ ...request.headers, ...headers, host: url.host })
      .filter(([name]) => !unsigned.has(name))
      .sort(byText);
    const names = signed.map(([name]) => name).join(";");
    const canonical = [
      request.method,
      canonicalPath(url.pathname, isS3),
      canonicalQuery(url.searchParams),
      ...signed.map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, " ")}`),
      "",
      names,
      payload,
    ].join("\n");
    const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
    const text = ["AWS4-HMAC-SHA256", time, scope, hex(await sha256(bytes(canonical)))].join("\n");
    let key: BufferSource = bytes(`AWS4${secretAccessKey}`);
    for (const part of scope.split("/")) key = await hmac(key, part);
    const signature = hex(await hmac(key, text));
    const authorization = `AWS4-HMAC-SHA256 Credential=${this.#options.accessKeyId}/${scope}, ` +
      `SignedHeaders=${names}, Signature=${signature}`;
    return await send({ headers: { ...headers, authorization } });
  }
}

/** Hashes the body. S3 also takes a body without a hash, such as a stream that is read once. */
async function hashOfBody({ readBody }: AuthRequest, isS3: boolean): Promise<string> {
  const chunks = readBody();
  if (chunks === undefined) {
    if (isS3) return "UNSIGNED-PAYLOAD";
    const expected = "a body that can be read twice, because the signature has its hash";
    throw new UnexpectedValueError("content", expected, chunks);
  }
  const parts: BlobPart[] = [];
  for await (const chunk of chunks) parts.push(new Uint8Array(chunk));
  return hex(await sha256(await new Blob(parts).arrayBuffer()));
}

/** Encodes a path once more, except for S3, whose keys are encoded once. */
function canonicalPath(path: string, isS3: boolean): string {
  const segments = (isS3 ? path : path.replace(/\/+/g, "/")).split("/");
  return segments.map((each) => encoded(isS3 ? decodeURIComponent(each) : each)).join("/");
}

function canonicalQuery(params: URLSearchParams): string {
  const pairs = [...params].map(([name, value]) => [encoded(name), encoded(value)] as const);
  return pairs.sort(byText).map((pair) => pair.join("=")).join("&");
}

const byText = (one: readonly string[], other: readonly string[]): number =>
  one.join("\0") < other.join("\0") ? -1 : 1;

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${hex(bytes(each)).toUpperCase()}`);

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const sha256 = (content: BufferSource): Promise<ArrayBuffer> =>
  crypto.subtle.digest("SHA-256", content);

const importKey = (key: BufferSource): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

const hmac = async (key: BufferSource, text: string): Promise<ArrayBuffer> =>
  await crypto.subtle.sign("HMAC", await importKey(key), bytes(text));

const hex = (content: ArrayBuffer | Uint8Array): string =>
  Array.from(new Uint8Array(content), (byte) => byte.toString(16).padStart(2, "0")).join("");
