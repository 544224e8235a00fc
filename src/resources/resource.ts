/** Groups of methods of a client. */
import type { Path } from "../http/url.ts";
import type { ResourceClient } from "./client.ts";
import type { AbstractPage, PageClass, ResourcePagePromise } from "./page.ts";
import type { ResourcePromise } from "./promise.ts";
import type { ResourceRequestOptions } from "./request.ts";
import { type ResourceCall, sendCall, sendList } from "./send.ts";

/**
 * A group of methods of a client, such as `client.pets`. Resources extend it.
 *
 * @example
 * ```ts
 * import { path } from "@restwright/restwright";
 * import {
 *   type ResourcePromise,
 *   APIResource,
 *   type ResourceRequestOptions,
 *   ResourceClient,
 * } from "@restwright/restwright/resources";
 *
 * interface Pet {
 *   readonly name: string;
 * }
 * class Pets extends APIResource<Store> {
 *   retrieve(id: string, options?: ResourceRequestOptions): ResourcePromise<Pet> {
 *     return this._call("GET", path`/pets/${id}`, options);
 *   }
 * }
 * class Store extends ResourceClient {
 *   static override readonly baseUrl: string = "https://api.example.com";
 *   readonly pets: Pets = new Pets(this);
 * }
 *
 * const client = new Store({ fetch: () => Promise.resolve(Response.json({ name: "Rex" })) });
 * console.log((await client.pets.retrieve("7", { maxRetries: 0 })).name); // Rex
 * ```
 *
 * @category Resources
 */
export abstract class APIResource<C extends ResourceClient = ResourceClient> {
  /** The client. */
  protected readonly _client: C;

  /**
   * Builds the resource.
   *
   * @param client The client
   */
  constructor(client: C) {
    this._client = client;
  }

  /**
   * Sends a request.
   *
   * @param method The HTTP method
   * @param path The path below the base URL
   * @param options The options of the caller
   * @param call The query, headers and body, and the format of the result, which is JSON by default
   */
  protected _call<T>(
    method: string,
    path: Path,
    options?: ResourceRequestOptions | null,
    call: ResourceCall = {},
  ): ResourcePromise<T> {
    return sendCall<T>(this._client, { method, path, given: options, call });
  }

  /**
   * Requests a list.
   *
   * @param path The path below the base URL
   * @param pageClass The class of its pages
   * @param options The options of the caller
   * @param call The query, headers and body. With `json`, the list is requested by POST
   */
  protected _list<P extends AbstractPage<Item>, Item = ReturnType<P["getPaginatedItems"]>[number]>(
    path: Path,
    pageClass: PageClass<Item, P>,
    options?: ResourceRequestOptions | null,
    call: ResourceCall = {},
  ): ResourcePagePromise<P, Item> {
    return sendList(this._client, { path, pageClass, given: options, call });
  }
}
