// The path and the headers of an object: its key, its properties and its metadata.

import {
  type CallOptions,
  mergeHeaders,
  path,
  type ResponseFormat,
  RestwrightError,
} from "../../mod.ts";

/** The properties of an object. */
export interface ObjectInfo {
  /** The number of bytes. */
  readonly size: number;
  /** The version of the content, in quotes. */
  readonly eTag: string;
  readonly lastModified: Date;
  readonly contentType: string | undefined;
  /** The values that were stored with the object, by their names in lower case. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** The properties of a new object. */
export interface PutOptions extends CallOptions {
  /** The content type. Default: that of a Blob, or else `binary/octet-stream` */
  readonly contentType?: string | undefined;
  /** Names and values to store with the object. Default: none */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

const METADATA = "x-amz-meta-";

/** Returns the path of an object below its bucket. A key may have any slashes. */
export const keyPath = (key: string): string => path`/${key.split("/")}`;

/** Returns the options of the request that makes a new object. */
export function optionsOf(
  { contentType, metadata = {}, headers, ...options }: PutOptions,
): CallOptions {
  const named = Object.entries(metadata).map(([name, value]) => [METADATA + name, value]);
  const own = { "content-type": contentType, ...Object.fromEntries(named) };
  return { ...options, headers: mergeHeaders(own, headers) };
}

/** Reads the properties of an object from the headers of a response. */
export const objectInfo: ResponseFormat<ObjectInfo> = {
  read: ({ headers }) => ({
    size: Number(header(headers, "content-length")),
    eTag: header(headers, "etag"),
    lastModified: new Date(header(headers, "last-modified")),
    contentType: headers.get("content-type") ?? undefined,
    metadata: Object.fromEntries(
      [...headers].filter(([name]) => name.startsWith(METADATA))
        .map(([name, value]) => [name.slice(METADATA.length), value]),
    ),
  }),
};

/** Reads the version of an object from the headers of a response. */
export const eTag: ResponseFormat<string> = { read: ({ headers }) => header(headers, "etag") };

function header(headers: Headers, name: string): string {
  const value = headers.get(name);
  if (value !== null) return value;
  throw new RestwrightError(
    `no header ${name}: a browser needs it in Access-Control-Expose-Headers`,
  );
}
