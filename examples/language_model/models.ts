// The endpoint `models`: the models that a key may use.

import { APIEndpoint, type APIPromise, type CallOptions, path } from "../../mod.ts";
import type { PagePromise } from "../../src/paging/mod.ts";
import type { LanguageModel } from "./language_model.ts";
import { inPages, type ListOptions } from "./lists.ts";

export interface Model {
  readonly id: string;
  readonly owned_by: string;
}

export class Models extends APIEndpoint<LanguageModel> {
  protected override readonly _path: string = "/models";

  retrieve(id: string, options?: CallOptions): APIPromise<Model> {
    return this._get<Model>(path`/${id}`, options);
  }

  list(options?: ListOptions): PagePromise<Model> {
    return this._pages<Model>({ ...options, ...inPages });
  }
}
