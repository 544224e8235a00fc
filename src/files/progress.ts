/** The reports about the progress of uploads and downloads, and the start of a continued one. */
import type { BodyStream } from "../http/request_body.ts";

/**
 * The progress of an upload or a download.
 *
 * @category Files
 */
export interface Progress {
  /**
   * The number of bytes so far: of an upload, those that fetch has taken; of a download, those that
   * were written, counted from the beginning of the file.
   */
  readonly transferred: number;
  /** The number of all bytes; undefined if it is not known. */
  readonly total: number | undefined;
}

/**
 * The progress of a download. Store it as JSON to continue the download later.
 *
 * @category Files
 */
export interface DownloadProgress extends Progress {
  /**
   * The version of the file: its strong ETag, or its Last-Modified date. Undefined if the response has
   * none, or is compressed; such a download cannot be continued.
   */
  readonly validator: string | undefined;
}

/**
 * The state of a download to continue. A stored {@linkcode DownloadProgress} fits.
 *
 * @category Files
 */
export interface DownloadStart {
  /** The number of bytes that the target already has. */
  readonly transferred: number;
  /** The version of the file to which these bytes belong. */
  readonly validator?: string | undefined;
  /** The length of the file in bytes, if it is known. */
  readonly total?: number | undefined;
  /**
   * The bytes that the target already has. They are needed only to check a digest. Without one, or if
   * the call fails, they are not read, and a stream stays open.
   */
  readonly content?: Blob | BodyStream | undefined;
}
