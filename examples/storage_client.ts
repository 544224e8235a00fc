/** A client that lists a bucket of a storage service, in the XML of Amazon S3. */
import { APIClient } from "../mod.ts";
import { type ErrorFrom, errorsBy } from "../src/entries/errors.ts";
import {
  boolean,
  date,
  element,
  elements,
  integer,
  model,
  openEnum,
  string,
} from "../src/models/mod.ts";
import { cursor, type PagePromise } from "../src/paging/mod.ts";

/** Fields that a service may leave out, or send as an empty element. */
const maybe = { optional: true, emptyAsAbsent: true } as const;

export class StoredObject extends model("Contents", {
  key: element(string),
  lastModified: element(date),
  eTag: element(string),
  size: element(integer),
  storageClass: element(openEnum("STANDARD", "STANDARD_IA", "GLACIER"), { default: "STANDARD" }),
}, { rename: "PascalCase" }) {}

/** The common beginning of some keys, up to the delimiter: a folder. */
export class CommonPrefix extends model("CommonPrefixes", {
  prefix: element(string),
}, { rename: "PascalCase" }) {}

/** A page of a bucket (ListObjectsV2). */
export class Listing extends model("ListBucketResult", {
  name: element(string),
  prefix: element(string, { default: "" }),
  delimiter: element(string, maybe),
  keyCount: element(integer, maybe),
  maxKeys: element(integer, maybe),
  isTruncated: element(boolean),
  nextContinuationToken: element(string, maybe),
  contents: elements(StoredObject),
  commonPrefixes: elements(CommonPrefix),
}, {
  namespace: "http://s3.amazonaws.com/doc/2006-03-01/",
  assumeNamespace: true, // some compatible services leave it out
  rename: "PascalCase",
}) {
  folders(): string[] {
    return this.commonPrefixes.map(({ prefix }) => prefix);
  }
}

/** The body of an error response. It has no namespace. */
export class StorageProblem extends model("Error", {
  code: element(string),
  message: element(string, { default: "" }),
  resource: element(string, { optional: true }),
  requestId: element(string, { optional: true }),
}, { rename: "PascalCase" }) {}

export interface ListOptions {
  /** Lists only keys that begin with this text. */
  readonly prefix?: string;
  /** Groups the keys that are equal up to this text into folders. */
  readonly delimiter?: string;
  /** The maximum number of objects and folders on a page. Default: the service's, usually 1000 */
  readonly pageSize?: number;
}

export class Bucket extends APIClient {
  static override readonly baseUrl: string = "https://bucket.example.com";
  static override readonly errorFrom: ErrorFrom = errorsBy({ model: StorageProblem });

  /** Returns the first page; as a list, the objects of all pages. */
  list({ prefix, delimiter, pageSize }: ListOptions = {}): PagePromise<StoredObject, Listing> {
    return this._pages("/", {
      params: { "list-type": 2, prefix, delimiter, "max-keys": pageSize },
      responseModel: Listing,
      items: ({ contents }) => contents,
      next: cursor("continuation-token", "nextContinuationToken"),
    });
  }
}
