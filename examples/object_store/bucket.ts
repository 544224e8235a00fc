// The endpoint of a bucket: its list, its objects, and URLs for those who have no credentials.

import {
  APIEndpoint,
  type APIPromise,
  type CallOptions,
  type Content,
  mergeHeaders,
  mergeParams,
  path,
  voidFormat,
} from "../../mod.ts";
import {
  type DownloadProgress,
  type DownloadTarget,
  type SaveOptions,
  saveTo,
} from "../../src/files/mod.ts";
import {
  cursor,
  type ListOptions as PageListOptions,
  type PagePromise,
} from "../../src/paging/mod.ts";
import type { AwsSignature4 } from "../aws_signature4.ts";
import { CopyResult, Listing, type StoredObject } from "./models.ts";
import type { ObjectStore } from "./object_store.ts";
import {
  eTag,
  keyPath,
  type ObjectInfo,
  objectInfo,
  optionsOf,
  type PutOptions,
} from "./objects.ts";
import { uploadInParts, type UploadOptions, Uploads } from "./upload.ts";

/** The filters of a list. */
export interface ListOptions extends PageListOptions {
  /** Lists only keys that begin with this text. Default: all keys */
  readonly prefix?: string | undefined;
  /** Groups keys that are equal after the prefix up to this text, such as `/`. Default: no groups */
  readonly delimiter?: string | undefined;
  /** The maximum number of objects and groups on a page. Default: that of the store, usually 1000 */
  readonly pageSize?: number | undefined;
}

/** The settings of a copy. */
export interface CopyOptions extends CallOptions {
  /** The bucket of the original. Default: the bucket of the copy */
  readonly bucket?: string | undefined;
}

/** The settings of a signed URL. */
export interface SignOptions {
  /** The method of the request. Default: "GET" */
  readonly method?: "GET" | "HEAD" | "PUT" | "DELETE" | undefined;
  /** The seconds until the URL expires, up to seven days. Default: 900 */
  readonly expires?: number | undefined;
  /** Parameters such as `response-content-disposition`. Default: none */
  readonly params?: Readonly<Record<string, string>> | undefined;
}

/** The endpoint of a bucket. */
export class Bucket extends APIEndpoint<ObjectStore> {
  readonly name: string;
  /** The single steps of an upload in parts. */
  readonly uploads: Uploads = new Uploads(this);
  readonly #signature: AwsSignature4;

  constructor(store: ObjectStore, name: string, signature: AwsSignature4) {
    super(store, path`/${name}`);
    this.name = name;
    this.#signature = signature;
  }

  /** Lists the objects. With a delimiter, the body of each page has its `folders`. */
  list(
    { prefix, delimiter, pageSize, params, ...options }: ListOptions = {},
  ): PagePromise<StoredObject, Listing> {
    const own = { "list-type": 2, prefix, delimiter, "max-keys": pageSize };
    return this._pages({
      ...options,
      params: mergeParams(params, own),
      responseModel: Listing,
      items: "contents",
      next: cursor("continuation-token", "nextContinuationToken"),
    });
  }

  /** Returns the response with the content of an object, which is not read yet. */
  get(key: string, options: CallOptions = {}): APIPromise<Response> {
    return this._get(keyPath(key), options);
  }

  /** Returns the properties of an object. */
  head(key: string, options: CallOptions = {}): APIPromise<ObjectInfo> {
    return this._head(keyPath(key), { ...options, format: objectInfo });
  }

  /** Writes an object to a file, and continues after a lost connection. */
  download(
    key: string,
    target: DownloadTarget,
    settings: SaveOptions = {},
    options: CallOptions = {},
  ): APIPromise<DownloadProgress> {
    return this._get(keyPath(key), { ...options, format: saveTo(target, settings) });
  }

  /** Stores text, bytes or a Blob by one request, and returns the ETag. */
  put(
    key: string,
    content: string | ArrayBuffer | ArrayBufferView<ArrayBuffer> | Blob,
    options: PutOptions = {},
  ): APIPromise<string> {
    return this._put(keyPath(key), { ...optionsOf(options), content, format: eTag });
  }

  /** Stores content of any length, such as a stream, in parts, and returns the ETag. */
  upload(key: string, content: Content, options: UploadOptions = {}): Promise<string> {
    return uploadInParts(this, key, content, options);
  }

  /** Copies an object, without a download. */
  copy(
    from: string,
    to: string,
    { bucket = this.name, headers, ...options }: CopyOptions = {},
  ): APIPromise<CopyResult> {
    const source = path`/${bucket}` + keyPath(from);
    return this._put(keyPath(to), {
      ...options,
      headers: mergeHeaders(headers, { "x-amz-copy-source": source }),
      responseModel: CopyResult,
      errorsInSuccess: true,
    });
  }

  /** Deletes an object. If there is none, nothing happens. */
  delete(key: string, options: CallOptions = {}): APIPromise<void> {
    return this._delete(keyPath(key), { ...options, format: voidFormat });
  }

  /** Returns a URL for one kind of request, which anybody can make until it expires. */
  signedUrl(
    key: string,
    { method = "GET", expires = 900, params }: SignOptions = {},
  ): Promise<string> {
    return this.#signature.presign(method, this._urlOf(keyPath(key), { params }), expires);
  }
}
