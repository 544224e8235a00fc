import { assert, assertEquals, describe, it } from "#test";
import { CookieJar } from "../../../src/http/cookies/mod.ts";
import { assertLinearGrowth } from "../../support/linear_time.ts";

const home = "https://api.example.com/v1/login";

async function jarOf(url: string, ...setCookies: readonly string[]): Promise<CookieJar> {
  const jar = new CookieJar();
  await jar.keep(setCookies, url);
  return jar;
}

describe("very many cookies", () => {
  /** Counts the cookies of each domain that are kept. */
  function counts(jar: CookieJar): Map<string, number> {
    const { cookies } = jar.toJSON() as { cookies: readonly { domain: string }[] };
    const counted = new Map<string, number>();
    for (const { domain } of cookies) counted.set(domain, (counted.get(domain) ?? 0) + 1);
    return counted;
  }

  // contract: http-16
  it("stay within the limit, and are stored quickly: 40,000 of one domain", async () => {
    let jar = new CookieJar();
    await assertLinearGrowth(
      async (length) => {
        jar = await jarOf(home, ...Array.from({ length }, (_, index) => `c${index}=1`));
      },
      4_000,
      40_000,
    );
    const stored = [...counts(jar).values()].reduce((sum, count) => sum + count, 0);
    assert(stored > 0 && stored <= 280, `${stored} stored`);
  });

  // contract: http-16
  it("stay within the limit, and are stored quickly: 40,000 of as many domains", async () => {
    let jar = new CookieJar();
    await assertLinearGrowth(
      async (length) => {
        jar = new CookieJar();
        for (let index = 0; index < length; index++) {
          await jar.keep(["a=1"], `https://h${index}.example.com/`);
        }
      },
      4_000,
      40_000,
    );
    const stored = counts(jar).size;
    assert(stored > 0 && stored <= 3100, `${stored} stored`);
  });

  it("do not replace those of another domain", async () => {
    const jar = await jarOf("https://quiet.example.net/", "sid=1");
    await jar.keep(Array.from({ length: 5000 }, (_, index) => `c${index}=1`), home);
    assertEquals(await jar.cookieHeader("https://quiet.example.net/"), "sid=1");
  });

  it("replace the oldest ones of the same domain", async () => {
    const jar = await jarOf(home, ...Array.from({ length: 1000 }, (_, i) => `c${i}=1; Path=/`));
    const h = await jar.cookieHeader(home);
    assert(h.includes("c999="), h.slice(0, 100) + " ... " + h.slice(-60));
  });

  it("replace the oldest ones even if all are set in one millisecond", async () => {
    const { Date: Original } = globalThis;
    const moment = Original.now();
    class Still extends Original {
      constructor(...args: unknown[]) {
        super(...(args.length === 0 ? [moment] : args) as [number]);
      }
      static override now(): number {
        return moment;
      }
    }
    globalThis.Date = Still as DateConstructor;
    try {
      const jar = await jarOf(home, ...Array.from({ length: 1000 }, (_, i) => `c${i}=1; Path=/`));
      const header = await jar.cookieHeader(home);
      assertEquals([header.includes("c999="), header.includes("c100=")], [true, false]);
    } finally {
      globalThis.Date = Original;
    }
  });
});
