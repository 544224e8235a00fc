/**
 * A client of a pet shop, as a generator prints it from an OpenAPI document. It has no helpers of its
 * own: parameters, headers, cookies, forms, credentials, pages, events and errors are imports.
 */
import {
  APIClient,
  APIEndpoint,
  bytesFormat,
  type CallOptions,
  type ClientOptions,
  mergeHeaders,
  path,
  readEnv,
  textFormat,
} from "../mod.ts";
import { type ErrorFrom, errorsBy } from "../src/entries/errors.ts";
import { ApiKeyAuth, AuthSchemes, BearerAuth } from "../src/auth/mod.ts";
import { multipart } from "../src/files/mod.ts";
import { element, integer, model, string } from "../src/models/mod.ts";
import { cursor, type ListOptions, type PagePromise } from "../src/paging/mod.ts";
import { type ItemStream, type ServerSentEvent, sse } from "../src/streams/mod.ts";
import {
  asJson,
  cookie,
  deepObject,
  form,
  label,
  matrix,
  pipeDelimited,
  simple,
  spaceDelimited,
} from "../src/content/styles/mod.ts";

/** An error of the API. */
export class Problem extends model("problem", {
  code: element(string),
  field: element(string, { optional: true }),
}) {}

/** A message of an adviser. */
export class Advice extends model("advice", { text: element(string) }) {}

export class Pet extends model("pet", { id: element(integer), name: element(string) }) {}

export interface PetFilter {
  readonly kind?: string | undefined;
  readonly age?: { readonly min?: number | undefined; readonly max?: number | undefined };
}

/** The parameters of `list`, each in the style that the document names. */
export interface ListPetsParams {
  readonly tags?: readonly string[] | undefined; // form, explode: false
  readonly words?: readonly string[] | undefined; // spaceDelimited
  readonly ids?: readonly number[] | undefined; // pipeDelimited
  readonly filter?: PetFilter | undefined; // deepObject
  readonly near?: { readonly lat: number; readonly long: number } | undefined; // content: JSON
  readonly page?: { readonly size?: number } | undefined; // form, explode: true
  readonly regions?: readonly string[] | undefined; // in: header
  readonly seen?: readonly number[] | undefined; // in: cookie
}

/** The body of `add`. */
export interface NewPet {
  readonly name: string;
  readonly tags?: readonly string[] | undefined;
  readonly owner?: { readonly name: string; readonly city?: string | undefined } | undefined;
  readonly photos?: readonly File[] | undefined;
}

class Pets extends APIEndpoint<PetShop> {
  list(params: ListPetsParams = {}, options?: ListOptions): PagePromise<Pet> {
    const { tags, words, ids, filter, near, page, regions, seen } = params;
    return this._pages("/pets", {
      ...options,
      params: {
        tags: form(tags, { explode: false }),
        words: spaceDelimited(words),
        ids: pipeDelimited(ids),
        filter: deepObject(filter),
        near: asJson(near),
        page: form(page),
      },
      headers: mergeHeaders({ "X-Regions": simple(regions) }, options?.headers),
      cookies: { seen: cookie(seen) },
      auth: this._client.schemes.use(["token"], ["key"], []),
      itemModel: Pet,
      items: "pets",
      next: cursor("after", "next"),
    });
  }

  /** Returns several pets, whose ids the document writes in the style `label`. */
  several(ids: readonly number[], options?: CallOptions): Promise<Pet[]> {
    const url = path`/pets/several${label(ids)}`;
    return this._get(url, { ...options, responseModel: [Pet] });
  }

  /** Returns a drawing of a pet with these colors, which the document writes in the style `matrix`. */
  drawing(
    id: number,
    colors: Readonly<Record<string, number>>,
    options?: CallOptions,
  ): Promise<Uint8Array> {
    const url = path`/pets/${id}/drawing${matrix("colors", colors, { explode: true })}`;
    return this._get(url, { ...options, format: bytesFormat });
  }

  add(body: NewPet, options?: CallOptions): Promise<Pet> {
    const content = multipart(body, {
      arrays: "brackets",
      parts: { photos: { headers: { "X-Source": "camera" } } },
    });
    return this._post("/pets", {
      ...options,
      content: content.toBlob(),
      auth: this._client.schemes.use(["token"]),
      responseModel: Pet,
    });
  }

  name(id: number, options?: CallOptions): Promise<string> {
    return this._get(path`/pets/${id}/name`, { ...options, format: textFormat });
  }

  /** Reads the messages of an adviser while they arrive. */
  advice(
    id: number,
    options?: CallOptions,
  ): Promise<ItemStream<ServerSentEvent<Advice>>> {
    const format = sse(Advice, { until: "[DONE]" });
    return this._get(path`/pets/${id}/advice`, { ...options, format });
  }
}

export interface PetShopOptions extends ClientOptions {
  /** The token. Default: the environment variable `PET_SHOP_TOKEN` */
  readonly token?: string | undefined;
  /** The API key. Default: the environment variable `PET_SHOP_KEY` */
  readonly key?: string | undefined;
}

export class PetShop extends APIClient {
  static override readonly baseUrl: string = "https://pets.example.com";
  static override readonly errorFrom: ErrorFrom = errorsBy({ model: Problem });

  /** The schemes of the document, of which each method names those that it accepts. */
  readonly schemes: AuthSchemes<"token" | "key">;
  readonly pets: Pets = new Pets(this);

  constructor(
    { token = readEnv("PET_SHOP_TOKEN"), key = readEnv("PET_SHOP_KEY"), ...options }:
      PetShopOptions = {},
  ) {
    const schemes = new AuthSchemes({
      token: token === undefined ? undefined : new BearerAuth(token),
      key: key === undefined ? undefined : new ApiKeyAuth(key, { query: "key" }),
    });
    super({ ...options, auth: schemes });
    this.schemes = schemes;
  }
}
