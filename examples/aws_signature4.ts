/** AWS Signature Version 4 for AWS and for stores with the interface of S3: a scheme, and signed URLs. */

import { type Clock, systemClock, UnexpectedValueError } from "../mod.ts";
import type { Auth, AuthRequest, AuthSend } from "../src/auth/mod.ts";

/** The key of an account. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The token of temporary credentials. Default: none */
  readonly sessionToken?: string;
}

/** Options of {@linkcode AwsSignature4}. */
export interface AwsOptions extends AwsCredentials {
  /** The region, such as `eu-central-1`. */
  readonly region: string;
  /** The service, such as `s3` or `dynamodb`. */
  readonly service: string;
  /** The clock, whose time is a part of the signature. Default: the runtime's own clock */
  readonly clock?: Clock | undefined;
}

/** A name and a value. */
type Pair = readonly [string, string];

const ALGORITHM = "AWS4-HMAC-SHA256";

/** Stands for the hash of a body that is not signed. */
const UNSIGNED = "UNSIGNED-PAYLOAD";

const SEVEN_DAYS = 604_800;

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
    const { sessionToken, service } = this.#options;
    const isS3 = service === "s3";
    const url = new URL(request.url);
    const time = this.#time();
    const payload = await hashOfBody(request, isS3);
    const headers = {
      "x-amz-date": time,
      ...(isS3 && { "x-amz-content-sha256": payload }),
      ...(sessionToken !== undefined && { "x-amz-security-token": sessionToken }),
    };
    const signed = Object.entries({ ...request.headers, ...headers, host: url.host })
      .filter(([name]) => !unsigned.has(name))
      .sort(byText);
    const signature = await this.#signatureOf(request.method, url, signed, payload, time);
    const authorization = `${ALGORITHM} Credential=${this.#credential(time)}, ` +
      `SignedHeaders=${namesOf(signed)}, Signature=${signature}`;
    return await send({ headers: { ...headers, authorization } });
  }

  /**
   * Returns a URL that S3 accepts without other credentials. Who has it can make one kind of request.
   *
   * @param method The method of the request
   * @param address The URL, whose query becomes a part of the signature
   * @param seconds The seconds until the URL expires, up to seven days
   * @throws {UnexpectedValueError} If the seconds are out of range
   */
  async presign(method: string, address: string, seconds: number): Promise<string> {
    if (!Number.isSafeInteger(seconds) || seconds < 1 || seconds > SEVEN_DAYS) {
      const expected = `a whole number of seconds from 1 to ${SEVEN_DAYS}, which is seven days`;
      throw new UnexpectedValueError("seconds", expected, seconds);
    }
    const { sessionToken } = this.#options;
    const url = new URL(address);
    const time = this.#time();
    const signed = [["host", url.host]] as const;
    url.search = canonicalQuery([
      ...url.searchParams,
      ["X-Amz-Algorithm", ALGORITHM],
      ["X-Amz-Credential", this.#credential(time)],
      ["X-Amz-Date", time],
      ["X-Amz-Expires", `${seconds}`],
      ["X-Amz-SignedHeaders", namesOf(signed)],
      ...(sessionToken === undefined ? [] : [["X-Amz-Security-Token", sessionToken] as const]),
    ]);
    const signature = await this.#signatureOf(method, url, signed, UNSIGNED, time);
    return `${url.href}&X-Amz-Signature=${signature}`;
  }

  /** Returns the time in the form `20260203T040506Z`. */
  #time(): string {
    const { clock = systemClock } = this.#options;
    return new Date(clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, "");
  }

  #scope(time: string): string {
    const { region, service } = this.#options;
    return `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  }

  #credential(time: string): string {
    return `${this.#options.accessKeyId}/${this.#scope(time)}`;
  }

  async #signatureOf(
    method: string,
    url: URL,
    headers: readonly Pair[],
    payload: string,
    time: string,
  ): Promise<string> {
    const canonical = [
      method,
      canonicalPath(url.pathname, this.#options.service === "s3"),
      canonicalQuery([...url.searchParams]),
      ...headers.map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, " ")}`),
      "",
      namesOf(headers),
      payload,
    ].join("\n");
    const scope = this.#scope(time);
    const text = [ALGORITHM, time, scope, hex(await sha256(bytes(canonical)))].join("\n");
    let key: BufferSource = bytes(`AWS4${this.#options.secretAccessKey}`);
    for (const part of scope.split("/")) key = await hmac(key, part);
    return hex(await hmac(key, text));
  }
}

/** Hashes the body. S3 also takes a body without a hash, such as a stream that is read once. */
async function hashOfBody({ readBody }: AuthRequest, isS3: boolean): Promise<string> {
  const chunks = readBody();
  if (chunks === undefined) {
    if (isS3) return UNSIGNED;
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

function canonicalQuery(params: readonly Pair[]): string {
  const pairs = params.map(([name, value]): Pair => [encoded(name), encoded(value)]);
  return pairs.sort(byText).map((pair) => pair.join("=")).join("&");
}

const namesOf = (headers: readonly Pair[]): string => headers.map(([name]) => name).join(";");

const byText = (one: Pair, other: Pair): number => one.join("\0") < other.join("\0") ? -1 : 1;

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
