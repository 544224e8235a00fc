/** The section on errors: their classes, and the table of statuses. */

import type { ErrorClass, Outcome, SdkModel, Type } from "../model/mod.ts";
import { baseClasses, errorClassOf } from "../names/error_classes.ts";
import { propertyOf } from "../print/literals.ts";
import { code, table } from "../print/markdown.ts";
import { printType } from "../print/types.ts";
import { type GuideContext, needsClient, type SectionOf } from "./context.ts";
import { callLayout, type Example, propertiesOf } from "./examples.ts";
import { type Program, ProgramWriter } from "./program.ts";
import { replyAs } from "./replies.ts";
import { shortCall } from "./short_call.ts";

/** The statuses that most APIs send. */
const USUAL: readonly number[] = [400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504];

/** The statuses that are tried again, by the form of the client. */
export const RETRIED: Readonly<Record<SdkModel["form"], readonly number[]>> = {
  classes: [420, 429, 501, 502, 503, 504],
  resources: [408, 409, 429, 500, 501, 502, 503, 504],
};

/** The classes of errors, with the statuses that have them. */
export const errors: SectionOf = (context) => {
  const { model, toolkit } = context;
  const isClasses = model.form === "classes";
  const connection = isClasses ? "TransportError" : "APIConnectionError";
  const fields = isClasses
    ? [
      "- `status`, `headers` and `requestId`: those of the response",
      "- `data`: the body, parsed from JSON, with the type in the table",
      "- `retryAfter`: the seconds for which the server asks you to wait",
      "- `message`: the status, the method, the URL without secrets, and the server's own words",
    ]
    : [
      "- `status`, `headers` and `requestID`: those of the response",
      "- `error`: the body, parsed from JSON",
      "- `code`: the code in the body, if there is one",
    ];
  return {
    title: "Errors",
    blocks: [
      "A call throws if the API answers with an error status. Each status has a class:",
      ...errorProgram(context),
      statusTable(model),
      `All of them extend \`APIError\`, and have these fields:\n\n${fields.join("\n")}`,
      `If no complete response arrives, a call throws \`${connection}\`: the network failed, or the ` +
      "timeout has passed." +
      (isClasses
        ? ` The classes without the name of the client are in \`${toolkit}/errors\`.`
        : " The classes are exported by this package."),
    ],
  };
};

/** A call with the error that its test has. */
interface FailingExample extends Example {
  readonly outcome: Outcome & { readonly kind: "error" };
}

function failing({ examples }: GuideContext): FailingExample | undefined {
  const all = examples.flatMap((each) =>
    (each.method.tests ?? []).flatMap(({ outcome }) =>
      outcome.kind === "error" ? [{ ...each, outcome }] : []
    )
  );
  // The 404 of a read is the one that users meet first.
  const own = all.filter(({ outcome }) => outcome.className !== "APIError");
  const rank = ({ method, outcome: { status } }: FailingExample) =>
    (status === 404 ? 0 : status < 500 ? 1 : 2) + (method.verb === "GET" ? 0 : 0.5);
  return own.toSorted((a, b) => rank(a) - rank(b))[0];
}

function errorProgram(context: GuideContext): Program[] {
  const { model } = context;
  const writer = new ProgramWriter();
  const found = failing(context);
  const example = found ?? shortCall(context);
  if (example === undefined) return [];
  const isReady = needsClient(context, writer, example);
  const isClasses = model.form === "classes";
  const generic = writer.use(isClasses ? "toolkit/errors" : "sdk", "APIError");
  const connection = isClasses
    ? writer.use("toolkit/errors", "TransportError")
    : writer.use("sdk", "APIConnectionError");
  if (found === undefined) {
    replyAs(writer, example, {
      ...{ kind: "error", status: 404, className: "", property: "data" },
      data: { kind: "object", members: [] },
    });
  } else replyAs(writer, example, found.outcome);
  writer.add("try {").statement("await ", callLayout(example), ";", 2).add("} catch (error) {");
  const id = isClasses ? "requestId" : "requestID";
  const branches = [
    ...found === undefined ? [] : [ownBranch(model, writer, found)],
    // A lost connection is an error of the API's client, too, in the form of resources.
    ...isClasses ? [] : [[connection, '"no connection", error.message'] as const],
    [generic, `error.status, error.${id}`] as const,
    ...isClasses ? [[connection, "error.kind, error.message"] as const] : [],
  ];
  for (const [index, [className, shown]] of branches.entries()) {
    writer.add(
      `  ${index === 0 ? "" : "} else "}if (error instanceof ${className}) {`,
      `    console.log(${shown});`,
    );
  }
  writer.add("  } else throw error;", "}");
  return [writer.program("catches an error", { needsClient: isReady })];
}

/** Returns the class of an error that a method has, and what a program shows of it. */
function ownBranch(
  model: SdkModel,
  writer: ProgramWriter,
  { outcome: { className, property } }: FailingExample,
): readonly [className: string, shown: string] {
  writer.use("sdk", className);
  const own = model.errors.find((each) => each.className === className);
  const name = own && messageOf(model, own);
  const data = `error.${property}`;
  return [className, name === undefined ? data : propertyOf(`${data}?`, name)];
}

/** Returns the property with the text of an error. */
function messageOf(model: SdkModel, { data }: ErrorClass): string | undefined {
  const properties = propertiesOf(model, data);
  return ["message", "detail", "error", "title", "code"].find((name) => properties.has(name));
}

/** Returns the table of statuses: those that the document states, and those that most APIs send. */
function statusTable(model: SdkModel): string {
  const classes = classesByStatus(model);
  const statuses = [...new Set([...USUAL, ...classes.keys()])].toSorted((a, b) => a - b);
  const rows = statuses.map((status) => {
    const name = classes.get(status) ??
      (model.form === "classes" ? baseClasses[status] ?? "APIError" : errorClassOf(status));
    const retried = RETRIED[model.form].includes(status) ? "yes" : "";
    const data = model.errors.find(({ className }) => className === name)?.data;
    return [String(status), `\`${name}\``, data === undefined ? "" : inTable(data), retried];
  });
  const head = ["status", "class", "`data`", "tried again"];
  const hasData = rows.some(([, , data]) => data !== "");
  const columns = (row: readonly string[]) => row.filter((_, index) => hasData || index !== 2);
  return table(columns(head), rows.map(columns));
}

function inTable(type: Type): string {
  const text = printType(type);
  return text.includes("\n") || text.length > 60 ? "an object" : code(text);
}

/** Returns the class of each status that the document states: the one that all others of it extend. */
function classesByStatus({ client, groups, errors }: SdkModel): Map<number, string> {
  const classes = new Map(client.errors.map(({ status, className }) => [status, className]));
  const bases = new Map(errors.map(({ className, base }) => [className, base]));
  for (const { methods } of groups) {
    for (const { status, className } of methods.flatMap((method) => method.errors)) {
      const base = bases.get(className) ?? "";
      if (!classes.has(status)) classes.set(status, bases.has(base) ? base : className);
    }
  }
  return classes;
}
