// Uploads in parts: the endpoint with their calls, and the upload of a stream that makes them.

import {
  APIEndpoint,
  type APIPromise,
  type CallOptions,
  type Content,
  mergeParams,
  UnexpectedValueError,
  voidFormat,
} from "../../mod.ts";
import { type ContentPart, inParts, type Progress } from "../../src/files/mod.ts";
import type { Bucket } from "./bucket.ts";
import { CompletedUpload, CreatedUpload, UploadedPart, UploadedParts } from "./models.ts";
import type { ObjectStore } from "./object_store.ts";
import { eTag, keyPath, optionsOf, type PutOptions } from "./objects.ts";

/** The settings of an upload in parts. Its headers are those of the request that begins it. */
export interface UploadOptions extends PutOptions {
  /** The bytes of a part, at least 5 MiB. S3 takes 10,000 parts. Default: 8 MiB, for up to 78 GiB */
  readonly partSize?: number | undefined;
  /** The number of parts that are sent at a time, and kept in memory. Default: 4 */
  readonly concurrency?: number | undefined;
  /** Called after each part. Default: none */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** The endpoint of uploads in parts. */
export class Uploads extends APIEndpoint<ObjectStore, Bucket> {
  /** Begins an upload, and returns its id. */
  create(key: string, options: PutOptions = {}): APIPromise<string> {
    return this._post(keyPath(key), {
      ...optionsOf(options),
      params: mergeParams(options.params, { uploads: "" }),
      responseModel: CreatedUpload,
    }).map(({ uploadId }) => uploadId);
  }

  /** Sends a part, and returns its ETag. */
  part(
    key: string,
    uploadId: string,
    partNumber: number,
    content: Content,
    options: CallOptions = {},
  ): APIPromise<string> {
    const params = mergeParams(options.params, { uploadId, partNumber });
    return this._put(keyPath(key), { ...options, params, content, format: eTag });
  }

  /** Makes an object of the parts, and returns its ETag. */
  complete(
    key: string,
    uploadId: string,
    parts: UploadedPart[],
    options: CallOptions = {},
  ): APIPromise<string> {
    return this._post(keyPath(key), {
      ...options,
      params: mergeParams(options.params, { uploadId }),
      xml: UploadedParts.of({ parts }),
      responseModel: CompletedUpload,
      errorsInSuccess: true,
    }).map(({ eTag }) => eTag);
  }

  /** Deletes the parts of an upload. */
  abort(key: string, uploadId: string, options: CallOptions = {}): APIPromise<void> {
    const params = mergeParams(options.params, { uploadId });
    return this._delete(keyPath(key), { ...options, params, format: voidFormat });
  }
}

/**
 * Uploads content in parts, several at a time, and returns the ETag of the object. Content of one part
 * is uploaded by one request. If the upload fails, its parts are deleted.
 */
export async function uploadInParts(
  bucket: Bucket,
  key: string,
  content: Content,
  { partSize = 8 * 2 ** 20, concurrency = 4, onProgress, ...options }: UploadOptions,
): Promise<string> {
  if (!(concurrency >= 1)) {
    throw new UnexpectedValueError("concurrency", "a number of parts from 1", concurrency);
  }
  const { uploads } = bucket;
  // Only the first request is about the properties of the object.
  const { contentType: _type, metadata: _metadata, headers: _headers, ...call } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any(call.signal ? [stop.signal, call.signal] : [stop.signal]);
  const total = content instanceof Blob ? content.size : undefined;
  const uploaded: UploadedPart[] = [];
  const sending = new Set<Promise<void>>();
  let transferred = 0;
  let uploadId: string | undefined;

  /** Sends a part. If that fails, it stops the whole upload. */
  async function send(id: string, { index, bytes }: ContentPart): Promise<void> {
    const partNumber = index + 1;
    try {
      const eTag = await uploads.part(key, id, partNumber, bytes, { ...call, signal });
      uploaded[index] = UploadedPart.of({ partNumber, eTag });
      onProgress?.({ transferred: transferred += bytes.length, total });
    } catch (error) {
      stop.abort(error);
    }
  }

  try {
    for await (const part of inParts(content, partSize, { signal })) {
      if (part.isLast && part.index === 0) return await bucket.put(key, part.bytes, options);
      uploadId ??= await uploads.create(key, options);
      const sent = send(uploadId, part).then(() => void sending.delete(sent));
      sending.add(sent);
      if (sending.size >= concurrency) await Promise.race(sending);
    }
    await Promise.all(sending);
    signal.throwIfAborted();
    return await uploads.complete(key, uploadId!, uploaded, call);
  } catch (error) {
    stop.abort(error);
    await Promise.all(sending);
    // If this fails, the log has the reason. Stores delete such parts by a rule for their age.
    if (uploadId !== undefined) await uploads.abort(key, uploadId).catch(() => {});
    throw error;
  }
}
