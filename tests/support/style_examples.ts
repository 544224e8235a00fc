/** The examples of the OpenAPI Specification for the styles of a parameter named `color`. */
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
} from "../../src/content/styles/mod.ts";
import type { ParameterPlace, StyledValue } from "../../src/base/styled_value.ts";

/** A value in a style, and its text. */
export interface StyleExample {
  /** The style, `explode` and the kind of the value. */
  readonly name: string;
  /** The name of the style. */
  readonly style: string;
  readonly explode: boolean;
  /** The place of the parameter. */
  readonly place: ParameterPlace;
  /** The value without its style. */
  readonly plain: string | readonly string[] | object;
  readonly value: StyledValue;
  /** The text that is sent. */
  readonly text: string;
}

const text = "blue";
const array = ["blue", "black", "brown"];
const object = { R: 100, G: 200, B: 150 };

type Style = (value: unknown, options: { readonly explode: boolean }) => unknown;
type Row = readonly [
  name: string,
  place: ParameterPlace,
  style: Style,
  explode: boolean,
  ofText: string | undefined,
  ofArray: string | undefined,
  ofObject: string,
  ofEmpty?: string,
];

/** A style without `explode`. */
const fixed = (style: (value: never) => unknown): Style => (value) => style(value as never);
const inMatrix: Style = (value, options) => matrix("color", value as object, options);
const of = (style: (value: never, options: { readonly explode: boolean }) => unknown): Style =>
  style as Style;

/** OpenAPI 3.2.0, "Style Examples". Undefined stands for its n/a. The last column is its first. */
const rows: readonly Row[] = [
  [
    "matrix",
    "path",
    inMatrix,
    false,
    ";color=blue",
    ";color=blue,black,brown",
    ";color=R,100,G,200,B,150",
    ";color",
  ],
  [
    "matrix",
    "path",
    inMatrix,
    true,
    ";color=blue",
    ";color=blue;color=black;color=brown",
    ";R=100;G=200;B=150",
    ";color",
  ],
  ["label", "path", of(label), false, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"],
  ["label", "path", of(label), true, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"],
  ["simple", "path", of(simple), false, "blue", "blue,black,brown", "R,100,G,200,B,150"],
  ["simple", "path", of(simple), true, "blue", "blue,black,brown", "R=100,G=200,B=150"],
  ["simple", "header", of(simple), false, "blue", "blue,black,brown", "R,100,G,200,B,150", ""],
  ["simple", "header", of(simple), true, "blue", "blue,black,brown", "R=100,G=200,B=150", ""],
  [
    "form",
    "query",
    of(form),
    false,
    "color=blue",
    "color=blue,black,brown",
    "color=R,100,G,200,B,150",
    "color=",
  ],
  [
    "form",
    "query",
    of(form),
    true,
    "color=blue",
    "color=blue&color=black&color=brown",
    "R=100&G=200&B=150",
    "color=",
  ],
  [
    "form",
    "cookie",
    of(form),
    false,
    "color=blue",
    "color=blue,black,brown",
    "color=R,100,G,200,B,150",
    "color=",
  ],
  // The specification calls the delimiter & of its form style wrong for cookies (appendix D).
  [
    "form",
    "cookie",
    of(form),
    true,
    "color=blue",
    "color=blue; color=black; color=brown",
    "R=100; G=200; B=150",
    "color=",
  ],
  [
    "spaceDelimited",
    "query",
    fixed(spaceDelimited),
    false,
    undefined,
    "color=blue%20black%20brown",
    "color=R%20100%20G%20200%20B%20150",
  ],
  [
    "pipeDelimited",
    "query",
    fixed(pipeDelimited),
    false,
    undefined,
    "color=blue%7Cblack%7Cbrown",
    "color=R%7C100%7CG%7C200%7CB%7C150",
  ],
  [
    "deepObject",
    "query",
    fixed(deepObject),
    true,
    undefined,
    undefined,
    "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
  ],
  [
    "cookie",
    "cookie",
    of(cookie),
    false,
    "color=blue",
    "color=blue,black,brown",
    "color=R,100,G,200,B,150",
    "color=",
  ],
  [
    "cookie",
    "cookie",
    of(cookie),
    true,
    "color=blue",
    "color=blue; color=black; color=brown",
    "R=100; G=200; B=150",
    "color=",
  ],
  // Not styles of OpenAPI, but its content application/json.
  [
    "json",
    "query",
    fixed(asJson),
    false,
    "color=%22blue%22",
    "color=%5B%22blue%22%2C%22black%22%2C%22brown%22%5D",
    "color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D",
  ],
  [
    "json",
    "path",
    fixed(asJson),
    false,
    "%22blue%22",
    "%5B%22blue%22%2C%22black%22%2C%22brown%22%5D",
    "%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D",
  ],
  [
    "json",
    "header",
    fixed(asJson),
    false,
    '"blue"',
    '["blue","black","brown"]',
    '{"R":100,"G":200,"B":150}',
  ],
  [
    "json",
    "cookie",
    fixed(asJson),
    false,
    "color=%22blue%22",
    "color=%5B%22blue%22%2C%22black%22%2C%22brown%22%5D",
    "color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D",
  ],
];

/** The examples: each style, place, `explode` and kind of value that the specification defines. */
export const styleExamples: readonly StyleExample[] = rows.flatMap(
  ([style, place, write, explode, ofText, ofArray, ofObject, ofEmpty]) => {
    const given = [
      ["a string", text, ofText],
      ["an array", array, ofArray],
      ["an object", object, ofObject],
      ["an empty string", "", ofEmpty],
    ] as const;
    return given.flatMap(([kind, value, expected]) =>
      expected === undefined ? [] : [{
        style,
        explode,
        plain: value,
        name: `${style} of ${kind} in a ${place}${explode ? ", exploded" : ""}`,
        place,
        value: write(value, { explode }) as StyledValue,
        text: expected,
      }]
    );
  },
);
