/**
 * Clients whose methods are grouped in resources, such as `client.pets.list()`: with the options, pages,
 * streams, errors and uploads that callers of SDKs by Stainless and similar generators know.
 *
 * Generated clients extend `ResourceClient`. Times are in milliseconds, and a call is retried twice.
 * Programs that do not import this entry point do not contain its code.
 *
 * @example
 * ```ts
 * import { cursor } from "@restwright/restwright/paging";
 * import {
 *   AbstractPage,
 *   APIResource,
 *   type PageSettings,
 *   ResourceClient,
 *   type ResourcePagePromise,
 *   type ResourceRequestOptions,
 * } from "@restwright/restwright/resources";
 *
 * interface Pet {
 *   readonly name: string;
 * }
 *
 * class PetsPage extends AbstractPage<Pet> {
 *   static override readonly paging: PageSettings = { items: "data", next: cursor("after", "next") };
 *   declare readonly data: Pet[];
 * }
 *
 * class Pets extends APIResource<Store> {
 *   list(query?: { limit?: number }, options?: ResourceRequestOptions): ResourcePagePromise<PetsPage> {
 *     return this._list("/pets", PetsPage, options, { params: query });
 *   }
 * }
 *
 * class Store extends ResourceClient {
 *   static override readonly baseUrl: string = "https://api.example.com";
 *   readonly pets: Pets = new Pets(this);
 * }
 *
 * const pages = [{ data: [{ name: "Rex" }], next: "b" }, { data: [{ name: "Tom" }], next: null }];
 * const fetch = () => Promise.resolve(Response.json(pages.shift()));
 * const store = new Store({ fetch, maxRetries: 0 });
 * const names: string[] = [];
 * for await (const pet of store.pets.list({ limit: 1 })) names.push(pet.name);
 * console.log(names.join(", ")); // Rex, Tom
 * ```
 *
 * @module
 */

export { type OwnValues, ResourceClient, type ResourceClientOptions } from "./client.ts";
export {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIStatusError,
  APIUserAbortError,
  AuthenticationError,
  baseErrorClass,
  ConflictError,
  InternalServerError,
  PermissionDeniedError,
  RateLimitError,
  ResourceBadRequestError,
  ResourceError,
  ResourceNotFoundError,
  UnprocessableEntityError,
} from "./errors.ts";
export { nestedQuery } from "./nested_query.ts";
export { AbstractPage, type PageClass, type PageSettings, ResourcePagePromise } from "./page.ts";
export { type CallParts, ResourcePromise } from "./promise.ts";
export { pathChoice } from "./path_choice.ts";
export { optionsApart, type ResourceRequestOptions } from "./request.ts";
export { APIResource } from "./resource.ts";
export type { ResourceCall } from "./send.ts";
export { Stream } from "./stream.ts";
export { uploadForm } from "./upload_form.ts";
export { type FileContent, type ResponseLike, toFile, type Uploadable } from "./uploads.ts";
