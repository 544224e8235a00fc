import { assertEquals, describe, it } from "#test";
import { path, type RequestOptions } from "../../mod.ts";
import {
  asJson,
  cookie,
  deepObject,
  form,
  label,
  matrix,
  pipeDelimited,
  simple,
  type StyledValue,
} from "../../src/content/styles/mod.ts";

// The compiler checks the types in this file. The tests only make these checks part of a run.

/** `true` if two types are identical. */
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true
  : false;

/** Compiles only if the type argument is `true`. */
function holds<Fact extends true>(fact?: Fact): void {
  void fact;
}

interface Filter {
  readonly kind?: string | undefined;
}

const filter: Filter = {};
const ids = [1, 2] as readonly number[] | undefined;
const nullable = "a" as string | null;

describe("the types of styles", () => {
  it("name the places that have the style", () => {
    const inQuery = deepObject(filter);
    const inBoth = form([1]);
    holds<Same<typeof inQuery, StyledValue<"query">>>();
    holds<Same<typeof inBoth, StyledValue<"query" | "cookie">>>();
    const options: RequestOptions = {
      headers: { a: simple([1]), b: asJson(filter), c: simple(ids) },
      cookies: { a: cookie([1]), b: form(ids), c: asJson(1), d: undefined },
      data: { a: deepObject(filter), b: pipeDelimited(ids), c: asJson(filter) },
    };
    // @ts-expect-error A header has the style simple only.
    const wrongHeader: RequestOptions = { headers: { a: form([1]) } };
    // @ts-expect-error A cookie has no style of a query.
    const wrongCookie: RequestOptions = { cookies: { a: pipeDelimited([1]) } };
    // @ts-expect-error A form has the styles of a query.
    const wrongForm: RequestOptions = { data: { a: label([1]) } };
    // @ts-expect-error A path has no style of a query.
    const wrongPath = () => path`${deepObject(filter)}`;

    assertEquals([options, wrongHeader, wrongCookie, wrongForm, wrongPath].length, 5);
    assertEquals(path`x/${simple([1])}${label([2])}${matrix("a", 3)}`, "x/1.2;a=3");
  });

  it("are undefined or null only if the value can be", () => {
    const maybe = pipeDelimited(ids);
    const orNull = form(nullable);
    const written = asJson(nullable);
    holds<Same<typeof maybe, StyledValue<"query"> | undefined>>();
    holds<Same<typeof orNull, StyledValue<"query" | "cookie"> | null>>();
    holds<Same<typeof written, StyledValue>>();
    // @ts-expect-error A path needs a value.
    const wrong = () => path`${simple(ids)}`;
    assertEquals(typeof wrong, "function");
  });
});
