/** The types of boxes in generic classes, whose JSON type is a parameter. */
import { assertEquals, describe, it } from "#test";
import { APIClient, APIEndpoint, type Path } from "../../mod.ts";
import type { Box } from "../../src/box/mod.ts";
import { APIIterator } from "../../src/paging/mod.ts";

const attrs = { camelCase: true, frozen: true } as const;
type Attrs = typeof attrs;

class Shop extends APIClient {
  static override readonly baseUrl: string = "https://shop.example.com";
  override readonly _box = true;
  override readonly _boxAttrs = attrs;
}

interface Page<T> {
  readonly items: readonly T[];
}

/** Reads the boxes of any list of the API. */
class ShopIterator<T> extends APIIterator<Box<T, Attrs>, Shop> {
  readonly #path: Path;

  constructor(shop: Shop, path: Path) {
    super({ client: shop });
    this.#path = path;
  }

  protected override async _getPage(): Promise<void> {
    const params = { page: this.currentPage };
    const page = await this._client["_get"]<Page<T>>(this.#path, { params });
    this.page = page.items;
    this.currentPage++;
  }
}

/** An endpoint with one kind of items. */
class Items<T> extends APIEndpoint<Shop> {
  async first(): Promise<Box<T, Attrs> | undefined> {
    const { items } = await this._get<Page<T>>("/items");
    return items[0];
  }
}

describe("boxes of a type parameter", () => {
  const start = () => {
    const pages = [{ items: [{ first_name: "Ada" }] }, { items: [] }];
    return new Shop({ fetch: () => Promise.resolve(Response.json(pages.shift())) });
  };

  it("are the items of a generic iterator", async () => {
    const names: string[] = [];
    for await (const item of new ShopIterator<{ first_name: string }>(start(), "/items")) {
      names.push(item.firstName);
    }
    assertEquals(names, ["Ada"]);
  });

  it("are what a generic endpoint returns", async () => {
    const first = await new Items<{ first_name: string }>(start()).first();
    assertEquals(first?.firstName, "Ada");
  });
});
