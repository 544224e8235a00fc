// The endpoint `files`: uploads, lists and downloads.

import { APIEndpoint, type APIPromise, type CallOptions, type FileInput, path } from "../../mod.ts";
import type { PagePromise } from "../../src/paging/mod.ts";
import type { LanguageModel } from "./language_model.ts";
import { inPages, type ListOptions, type ListParams } from "./lists.ts";

export interface StoredFile {
  readonly id: string;
  readonly filename: string;
  readonly bytes: number;
  readonly purpose: FilePurpose;
}

/** The use of a file: the input of a batch, or of completions. */
export type FilePurpose = "batch" | "user_data";

export class Files extends APIEndpoint<LanguageModel> {
  protected override readonly _path: string = "/files";

  /** Uploads a file: a `File`, or a pair of a name and the content. */
  create(file: FileInput, purpose: FilePurpose, options?: CallOptions): APIPromise<StoredFile> {
    return this._post<StoredFile>({ ...options, files: { file }, data: { purpose } });
  }

  retrieve(id: string, options?: CallOptions): APIPromise<StoredFile> {
    return this._get<StoredFile>(path`/${id}`, options);
  }

  list(
    params: ListParams & { readonly purpose?: FilePurpose } = {},
    options?: ListOptions,
  ): PagePromise<StoredFile> {
    return this._pages<StoredFile>({ ...options, ...inPages, params });
  }

  delete(id: string, options?: CallOptions): APIPromise<{ readonly deleted: boolean }> {
    return this._delete<{ readonly deleted: boolean }>(path`/${id}`, options);
  }

  /** Returns the response with the content of a file, unread. */
  content(id: string, options?: CallOptions): APIPromise<Response> {
    return this._get(path`/${id}/content`, { ...options, convJson: false });
  }
}
