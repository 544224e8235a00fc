// An object store in memory, for the client in this folder, on Deno, Node and Bun. It answers like the
// REST API of Amazon S3, as far as that client needs it.
//
//   GET    /<bucket>?list-type=2                  ListBucketResult
//   GET    /<bucket>/<key>                        the object, or its end with Range
//   HEAD   /<bucket>/<key>
//   PUT    /<bucket>/<key>                        stores the body, or copies x-amz-copy-source
//   DELETE /<bucket>/<key>
//   POST   /<bucket>/<key>?uploads                InitiateMultipartUploadResult
//   PUT    /<bucket>/<key>?uploadId=&partNumber=  stores a part
//   POST   /<bucket>/<key>?uploadId=              CompleteMultipartUploadResult
//   DELETE /<bucket>/<key>?uploadId=

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** An object in the store, or a part of one. */
export interface KeptObject {
  readonly content: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** Settings of the store. */
export interface StoreApiOptions {
  readonly buckets: readonly string[];
  /** The fewest bytes of a part that is not the last one. Default: 5 MiB */
  readonly minPartSize?: number;
  /** Returns the reason to refuse a request, such as a wrong signature. Default: refuses none */
  readonly refuse?: (
    request: IncomingMessage,
    body: Uint8Array,
  ) => Promise<string | undefined>;
}

/** A request that the store has received. */
export interface ReceivedRequest {
  /** The method and the path with its query, such as `GET /photos/a.jpg`. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The running store. */
export interface StoreApi {
  /** Its base URL, without a trailing slash. */
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** The number of uploads that are neither complete nor aborted. */
  readonly openUploads: number;
  /** Returns an object; undefined if there is none. */
  object(bucket: string, key: string): KeptObject | undefined;
  /** Answers the next requests whose line matches with an error. Its status may be 200. */
  fail(line: RegExp, status: number, code: string, times?: number): void;
  /** Closes the connection of the next download in the middle, as soon as that was read. */
  cutDownload(isRead: Promise<void>): void;
  /** Closes every connection and stops the store. */
  stop(): Promise<void>;
}

/** A request, and the object that it is about. */
interface Call extends ReceivedRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
  readonly objects: Map<string, KeptObject>;
  readonly key: string;
}

interface Answer {
  readonly status: number;
  readonly body?: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Upload {
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Map<number, KeptObject>;
}

const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

/** Starts the store on a loopback port that the system picks. */
export async function startStoreApi(options: StoreApiOptions): Promise<StoreApi> {
  const { buckets: names, minPartSize = 5 * 2 ** 20, refuse } = options;
  const buckets = new Map(names.map((name) => [name, new Map<string, KeptObject>()]));
  const uploads = new Map<string, Upload>();
  const requests: ReceivedRequest[] = [];
  const failures: { line: RegExp; status: number; code: string; times: number }[] = [];
  const cuts: Promise<void>[] = [];
  let created = 0;

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { method = "", url = "" } = request;
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = new Uint8Array(Buffer.concat(chunks));
    const line = `${method} ${url}`;
    const headers = request.headers as Record<string, string>;
    requests.push({ line, headers });
    const reason = await refuse?.(request, body);
    if (reason !== undefined) return problem(403, "SignatureDoesNotMatch", reason);
    const failure = failures.find((each) => each.times > 0 && each.line.test(line));
    if (failure !== undefined) {
      failure.times--;
      return problem(failure.status, failure.code);
    }
    if (headers["transfer-encoding"] !== undefined) return problem(411, "MissingContentLength");
    const { pathname, searchParams: query } = new URL(url, "http://localhost");
    const [, bucket, key] = /^\/([^/]*)\/?(.*)$/.exec(decodeURIComponent(pathname))!;
    const objects = buckets.get(bucket!);
    if (objects === undefined) return problem(404, "NoSuchBucket");
    const call = { line, headers, method, query, body, objects, key: key! };
    if (key === "") return list(call);
    if (query.has("uploads")) return create(call);
    const id = query.get("uploadId");
    if (id === null) return method === "PUT" ? put(call) : existing(call);
    const upload = uploads.get(id);
    return upload === undefined ? problem(404, "NoSuchUpload") : inParts(call, id, upload);
  }

  function put({ headers, body, objects, key }: Call): Answer {
    const source = headers["x-amz-copy-source"];
    if (source === undefined) {
      if (headers["if-none-match"] === "*" && objects.has(key)) {
        return problem(412, "PreconditionFailed");
      }
      objects.set(key, objectOf(body, headers));
      return { status: 200, headers: { etag: objects.get(key)!.headers["etag"]! } };
    }
    const [, bucket, name] = /^\/([^/]*)\/(.*)$/.exec(decodeURIComponent(source))!;
    const original = buckets.get(bucket!)?.get(name!);
    if (original === undefined) return problem(404, "NoSuchKey");
    objects.set(key, original);
    const { etag } = original.headers;
    const date = "2026-11-20T10:00:00.000Z";
    return xml("CopyObjectResult", `<LastModified>${date}</LastModified><ETag>${etag}</ETag>`);
  }

  function create({ headers }: Call): Answer {
    const id = `u-${++created}`;
    uploads.set(id, { headers, parts: new Map() });
    return xml("InitiateMultipartUploadResult", `<UploadId>${id}</UploadId>`);
  }

  function inParts(
    { method, query, body, objects, key }: Call,
    id: string,
    upload: Upload,
  ): Answer {
    if (method === "DELETE") return uploads.delete(id), { status: 204 };
    if (method === "PUT") {
      const part = objectOf(body, {});
      upload.parts.set(Number(query.get("partNumber")), part);
      return { status: 200, headers: { etag: part.headers["etag"]! } };
    }
    const pattern = /<Part><PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag><\/Part>/g;
    const named = [...Buffer.from(body).toString().matchAll(pattern)];
    const parts = named.map(([, number, etag]) => {
      const part = upload.parts.get(Number(number));
      return part?.headers["etag"] === etag!.replaceAll("&quot;", '"') ? part : undefined;
    });
    if (parts.length === 0) return problem(400, "MalformedXML");
    if (parts.includes(undefined)) return problem(400, "InvalidPart");
    const contents = parts.map((part) => part!.content);
    if (contents.slice(0, -1).some(({ length }) => length < minPartSize)) {
      return problem(400, "EntityTooSmall");
    }
    const object = objectOf(new Uint8Array(Buffer.concat(contents)), upload.headers);
    objects.set(key, object);
    uploads.delete(id);
    return xml("CompleteMultipartUploadResult", `<ETag>${object.headers["etag"]}</ETag>`);
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (result) => send(request, response, result, cuts),
      (error) => response.destroy(error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the store has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    get openUploads() {
      return uploads.size;
    },
    object: (bucket, key) => buckets.get(bucket)?.get(key),
    fail: (line, status, code, times = 1) => void failures.push({ line, status, code, times }),
    cutDownload: (isRead) => void cuts.push(isRead),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers a GET, HEAD or DELETE of an object. */
function existing({ method, headers, objects, key }: Call): Answer {
  const object = objects.get(key);
  if (method === "DELETE") return objects.delete(key), { status: 204 };
  if (object === undefined) return problem(404, "NoSuchKey");
  const { length } = object.content;
  const [, from] = /^bytes=(\d+)-$/.exec(headers["range"] ?? "") ?? [];
  const isSame = (headers["if-range"] ?? object.headers["etag"]) === object.headers["etag"];
  if (from === undefined || !isSame) {
    return { status: 200, body: object.content, headers: object.headers };
  }
  const range = { "content-range": `bytes ${from}-${length - 1}/${length}` };
  const body = object.content.subarray(Number(from));
  return { status: 206, body, headers: { ...object.headers, ...range } };
}

/** Answers a list: one page of the keys and common prefixes after the token. */
function list({ query, objects }: Call): Answer {
  const [prefix, delimiter] = [query.get("prefix") ?? "", query.get("delimiter") ?? ""];
  const size = Number(query.get("max-keys") ?? 1000);
  const after = Buffer.from(query.get("continuation-token") ?? "", "base64").toString();
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  const names = new Set(keys.map((key) => {
    const end = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
    return end < 0 ? key : key.slice(0, end + delimiter.length);
  }));
  const rest = [...names].filter((name) => name > after);
  const page = rest.slice(0, size);
  const entries = page.map((name) => {
    const object = objects.get(name);
    if (object === undefined) {
      return `<CommonPrefixes><Prefix>${escaped(name)}</Prefix></CommonPrefixes>`;
    }
    const { content, headers } = object;
    return `<Contents><Key>${escaped(name)}</Key>
      <LastModified>2026-11-20T10:00:00.000Z</LastModified><ETag>${headers["etag"]}</ETag>
      <Size>${content.length}</Size></Contents>`;
  });
  const token = Buffer.from(page.at(-1) ?? "").toString("base64");
  const next = `<NextContinuationToken>${token}</NextContinuationToken>`;
  const isTruncated = rest.length > page.length;
  return xml(
    "ListBucketResult",
    `<IsTruncated>${isTruncated}</IsTruncated>${isTruncated ? next : ""}${entries.join("\n")}`,
  );
}

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, body = "", headers }: Answer,
  cuts: Promise<void>[],
): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    ...headers,
    "x-amz-request-id": "r-1",
    ...(status !== 204 && { "content-length": bytes.length }),
  });
  const cut = method === "GET" && typeof body !== "string" ? cuts.shift() : undefined;
  if (cut === undefined) return void response.end(method === "HEAD" ? undefined : bytes);
  response.write(bytes.subarray(0, bytes.length / 2));
  cut.then(() => response.destroy());
}

function objectOf(content: Uint8Array, headers: Readonly<Record<string, string>>): KeptObject {
  const kept = Object.entries(headers)
    .filter(([name]) => name === "content-type" || name.startsWith("x-amz-meta-"));
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 32);
  return {
    content,
    headers: {
      "content-type": "binary/octet-stream",
      ...Object.fromEntries(kept),
      "etag": `"${hash}"`,
      "last-modified": "Fri, 20 Nov 2026 10:00:00 GMT",
    },
  };
}

/** Returns a document. As S3 does while it works, it sends white space before the root. */
function xml(root: string, content: string): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n  \n` +
    `<${root} xmlns="${NAMESPACE}">${content}</${root}>`;
  return { status: 200, body, headers: { "content-type": "application/xml" } };
}

function problem(status: number, code: string, message = `The store says ${code}.`): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error>`;
  return { status, body, headers: { "content-type": "application/xml" } };
}

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (each) => `&#${each.charCodeAt(0)};`);
