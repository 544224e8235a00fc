/** Prints the first call of an SDK, for its README. */

import { type Method, type MethodTest, type SdkModel, TEST_BASE } from "../model/mod.ts";
import { emptyArgument, passedArguments } from "../algebra/arguments.ts";
import { baseUrlOption } from "../algebra/servers.ts";
import { nameOf } from "../algebra/groups.ts";
import { call, flat, type Layout, object } from "./layout.ts";
import { quoted } from "./literals.ts";
import { sampleLayout } from "./samples.ts";

/** The longest line with a call. */
const MAX_LENGTH = 98;

/** A call with its method. */
interface Example {
  readonly method: Method;
  readonly test: MethodTest;
  readonly code: string;
}

/**
 * Returns a program that creates a client and calls it: a list if there is one, or else the method that
 * needs the least.
 *
 * @param plan The plan with its tests
 * @param specifier The package of the SDK
 */
export function firstCall(plan: SdkModel, specifier: string): string {
  const { className, servers, credentials, options: own, security } = plan.client;
  const examples = plan.groups.flatMap((group) =>
    group.methods.flatMap((method) => exampleOf(nameOf(group, method), method))
  );
  const rank = ({ method, test, code }: Example) =>
    [
      method.verb === "GET" ? 0 : 2,
      test.outcome.kind === "pages" ? 0 : 1,
      code.length / 1000,
    ].reduce((sum, each) => sum + each);
  const [best] = examples.toSorted((a, b) => rank(a) - rank(b));
  const required = best === undefined ? undefined : best.method.security ?? security;
  const needed = credentials.filter(({ scheme }) => required?.[0]?.includes(scheme))
    .flatMap(({ options }) => options);
  const options = [
    ...servers.length > 0 ? [] : [`${baseUrlOption(plan.form)}: ${quoted(TEST_BASE)}`],
    ...needed.map((name) => {
      const isPair = own.find((each) => each.name === name)?.types[0]?.kind === "pair";
      return `${name}: ${isPair ? '["…", "…"]' : '"…"'}`;
    }),
  ];
  const created = flat(call(`new ${className}`, options.length === 0 ? [] : [object(options)]));
  return `import { ${className} } from ${quoted(specifier)};\n\nconst client = ${created};\n` +
    (best?.code ?? "");
}

function exampleOf(name: string, method: Method): Example[] {
  const test = method.tests?.find(({ outcome }) => outcome.kind === "pages") ??
    method.tests?.find(({ outcome }) => outcome.kind === "json");
  if (test === undefined) return [];
  const args = argumentsOf(method, test);
  if (args === undefined) return [];
  const called = flat(call(`client.${name}`, args));
  const code = test.outcome.kind === "pages"
    ? `for await (const item of ${called}) console.log(item);\n`
    : `console.log(await ${called});\n`;
  return code.length > MAX_LENGTH ? [] : [{ method, test, code }];
}

/** Returns the arguments of a call without what is optional; undefined if bytes are one of them. */
function argumentsOf(method: Method, { path, body, params }: MethodTest): Layout[] | undefined {
  const members =
    params?.members.filter(([name]) =>
      method.parameters.some((each) => each.name === name && each.required)
    ) ?? [];
  const passed = passedArguments(method, {
    path,
    body: method.body?.required === true ? body : undefined,
    params: { kind: "object", members },
  });
  const isBytes = passed.some(({ argument, value }) =>
    argument.role === "body" && value !== undefined && method.body?.kind === "bytes"
  );
  return isBytes
    ? undefined
    : passed.map(({ argument, value }) =>
      value === undefined ? emptyArgument(argument) : sampleLayout(value)
    );
}
