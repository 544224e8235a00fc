import { assertEquals, describe, it } from "#test";
import { APIClient, APIError } from "../../mod.ts";
import {
  AbstractPage,
  APIResource,
  ResourceClient,
  ResourceError,
  ResourceNotFoundError,
  type ResourcePagePromise,
  type ResourcePromise,
  type ResourceRequestOptions,
  type Stream,
} from "../../src/resources/mod.ts";
import { sse } from "../../src/streams/mod.ts";
import { scripted } from "../support/scripted.ts";

// The compiler checks the types in this file. The tests only make these checks part of a run.

/** `true` if two types are identical. */
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true
  : false;

/** Compiles only if the type argument is `true`. */
function holds<Fact extends true>(fact?: Fact): void {
  void fact;
}

interface Pet {
  readonly id: number;
}

class Pets<Item> extends AbstractPage<Item> {
  declare readonly data: Item[];
}

class PetResource extends APIResource<Store> {
  retrieve(id: number, options?: ResourceRequestOptions): ResourcePromise<Pet> {
    holds<Same<typeof this._client, Store>>();
    return this._call("GET", `/pets/${id}`, options);
  }
  list(options?: ResourceRequestOptions): ResourcePagePromise<Pets<Pet>, Pet> {
    const list = this._list("/pets", Pets<Pet>, options);
    holds<Same<typeof list, ResourcePagePromise<Pets<Pet>, Pet>>>();
    return list;
  }
  watch(): ResourcePromise<Stream<Pet>> {
    return this._call("GET", "/pets", undefined, { format: sse<Pet>({ json: true }) });
  }
}

class Store extends ResourceClient {
  readonly pets: PetResource = new PetResource(this);
}

const store = new Store({
  baseURL: "https://api.example.com",
  fetch: scripted(() => Response.json({ id: 1 })),
});

describe("the types of clients with resources", () => {
  it("are those of a client of the toolkit", () => {
    holds<ResourceClient extends APIClient ? true : false>();
    assertEquals(store instanceof APIClient, true);
  });

  it("keep the types of results, responses and pages", async () => {
    const call = () => store.pets.retrieve(1).withResponse();
    holds<Same<Awaited<ReturnType<typeof call>>["data"], Pet>>();
    holds<Same<Awaited<ReturnType<typeof call>>["request_id"], string | null>>();
    const page = () => store.pets.list();
    holds<Same<Awaited<ReturnType<typeof page>>, Pets<Pet>>>();
    holds<Same<ReturnType<Pets<Pet>["getNextPage"]>, Promise<Pets<Pet>>>>();
    const raw = () => store.get<Pet>("/pets/1");
    holds<Same<ReturnType<typeof raw>, ResourcePromise<Pet>>>();
    const list = () => store.getAPIList<Pet, Pets<Pet>>("/pets", Pets);
    holds<Same<ReturnType<typeof list>, ResourcePagePromise<Pets<Pet>, Pet>>>();
    const each = async () => {
      for await (const pet of store.pets.list()) return pet;
      throw new Error("no pet");
    };
    holds<Same<Awaited<ReturnType<typeof each>>, Pet>>();
    assertEquals((await call()).data, { id: 1 });
  });

  it("keep the type of a copy", () => {
    const copy = store.withOptions({ maxRetries: 1 });
    holds<Same<typeof copy, Store>>();
    assertEquals(copy.maxRetries, 1);
  });

  it("have errors that are those of the toolkit, too", () => {
    const error = ResourceError.generate(404, { message: "no" }, undefined, new Headers());
    holds<Same<typeof error, ResourceError>>();
    holds<Same<typeof error.status, number | undefined>>();
    holds<Same<typeof Store.NotFoundError, typeof ResourceNotFoundError>>();
    holds<Same<typeof Store.APIError, typeof ResourceError>>();
    holds<ResourceNotFoundError extends APIError ? true : false>();
    holds<ResourceNotFoundError extends ResourceError ? true : false>();
    const caught: unknown = error;
    if (caught instanceof Store.APIError && caught instanceof Store.NotFoundError) {
      holds<Same<typeof caught.status, number>>();
      holds<Same<typeof caught.headers, Headers>>();
      holds<Same<typeof caught.error, object | undefined>>();
    }
    assertEquals([error instanceof ResourceNotFoundError, error instanceof APIError], [true, true]);
  });

  it("refuse options that are not theirs", () => {
    const mistakes = () => [
      // @ts-expect-error: the option is called baseURL here
      new Store({ baseUrl: "https://api.example.com" }),
      // @ts-expect-error: the option is called maxRetries here
      store.pets.retrieve(1, { retries: 1 }),
      // @ts-expect-error: the path has a number
      store.pets.retrieve("1"),
    ];
    assertEquals(typeof mistakes, "function");
  });
});
