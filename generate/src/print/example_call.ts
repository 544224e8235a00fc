/** Prints a short call of a method: for its doc comment, the README and the reference. */

import { emptyArgument, passedArguments } from "../algebra/arguments.ts";
import type { Method, Sample, Type } from "../model/mod.ts";
import { camelCase, freeName, singularOf, wordsOf } from "../names/words.ts";
import { call, type Layout, render } from "./layout.ts";
import { sampleLayout } from "./samples.ts";

/** A call of a method. */
export interface ExampleCall {
  /** The statements. The client is `client`, and the result has a variable. */
  readonly code: string;
  /** The model classes of the SDK that the code names. */
  readonly models: readonly string[];
}

/** The names that examples use, and that no variable of a result may hide. */
const taken: ReadonlySet<string> = new Set(
  "client console error fetch process response".split(" "),
);

/** The longest name of a variable. */
const MAX_NAME = 24;

/**
 * Returns a short call of a method: with its required parameters, and with its body.
 *
 * @param name The name of the method on the client, such as `books.get`
 * @param margin The columns that are taken before each line
 * @returns The call; undefined if no sample can be passed
 */
export function exampleCall(
  name: string,
  method: Method,
  margin: number = 0,
): ExampleCall | undefined {
  if (method.example === undefined) return undefined;
  const passed = passedArguments(method, method.example);
  const args = passed.map(({ argument, value }): Layout => {
    if (value === undefined) return emptyArgument(argument);
    const isBytes = argument.role === "body" && method.body?.kind === "bytes";
    return isBytes ? 'new Blob(["…"])' : sampleLayout(value);
  });
  const models = new Set<string>();
  for (const { value } of passed) addModels(value, models);
  const called = call(`client.${name}`, args);
  const statement = (start: string, end: string) =>
    `${start}${render(called, 0, margin + start.length + end.length)}${end}`;
  const { pages, stream, result } = method;
  const loop = (item: string, list: string) =>
    `for await (const ${item} of ${list}) {\n  console.log(${item});\n}\n`;
  if (pages !== undefined) {
    const start = "for await (const item of ";
    const code = `${statement(start, ") {")}\n  console.log(item);\n}\n`;
    return { code, models: [...models] };
  }
  if (stream !== undefined && stream.choice === undefined) {
    const item = stream.format === "lines" ? "item" : "event";
    const code = `${statement("const stream = await ", ";")}\n${loop(item, "stream")}`;
    return { code, models: [...models] };
  }
  const variable = resultVariable(result);
  const start = variable === undefined ? "await " : `const ${variable} = await `;
  return { code: `${statement(start, ";")}\n`, models: [...models] };
}

/** Returns the variable of a result; undefined if there is none. */
function resultVariable({ kind, type }: Method["result"]): string | undefined {
  switch (kind) {
    case "void":
      return undefined;
    case "text":
      return "text";
    case "json":
      return variableOf(type, "result");
    default:
      return "response";
  }
}

/** Returns a variable for a value of a type, such as `book` for `Book`, and `books` for a list of them. */
export function variableOf(type: Type, fallback: string): string {
  const named = type.kind === "array" ? type.items : type;
  // Such a name says where the type comes from, not what it is.
  if (named.kind !== "reference" || /(?:Result|Response|Body|Item)s?$/.test(named.name)) {
    return fallback;
  }
  const name = camelCase(wordsOf(named.name));
  const variable = type.kind === "array" && singularOf(name) === name ? `${name}s` : name;
  const isFit = /^[a-z]/.test(variable) && variable.length <= MAX_NAME;
  return isFit ? freeName(variable, taken) : fallback;
}

/** Adds the model classes of a sample. */
function addModels(sample: Sample | undefined, models: Set<string>): void {
  if (typeof sample !== "object" || sample === null) return;
  if (sample.kind === "model") models.add(sample.name);
  if (sample.kind === "list") sample.items.forEach((each) => addModels(each, models));
  if (sample.kind === "object") sample.members.forEach(([, each]) => addModels(each, models));
}
