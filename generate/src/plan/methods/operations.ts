/** Plans operations: their requests and results, before their methods have names. */

import type {
  Declaration,
  Method,
  MethodResult,
  MethodStream,
  Pages,
  Parameter,
  RequestBody,
  SdkClient,
  SecurityRequirements,
  WholeList,
} from "../../model/mod.ts";
import type { Overrides } from "../../names/overrides_file.ts";
import type { TypeNames } from "../../names/type_names.ts";
import { hasRequestMethod, type Unsigned } from "./signatures.ts";
import { type OperationName, pinKey } from "../names/mod.ts";
import type { PlanOptions } from "../options.ts";
import { planList } from "../pages/mod.ts";
import {
  idempotencyHeaderOf,
  isLongPoll,
  isSameSecurity,
  partHeadersOf,
  planBody,
  planParameters,
  type Security,
  serverOf,
} from "../requests/mod.ts";
import {
  choiceOf,
  choiceParameter,
  planResult,
  responsesOf,
  type StatedError,
  statedErrors,
  withOneBody,
} from "../results/mod.ts";
import type { CallPlanner, TestedMethod, TestPlanner } from "../tests/mod.ts";
import type { TypePlanner } from "../types/mod.ts";
import { isTrueAt, textAt } from "../../read/fields.ts";
import type { Operation } from "../../read/operations.ts";
import type { Source } from "../../read/source.ts";

/** An operation with all that the plan of its method needs. */
export interface Planned {
  readonly operation: Operation;
  readonly name: OperationName;
  /** The header of the operation for an idempotency key; null if its calls must not get one. */
  readonly idempotencyHeader: string | null | undefined;
  readonly path: readonly Parameter[];
  readonly others: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly result: MethodResult;
  readonly pages: Pages | undefined;
  readonly wholeList?: WholeList | undefined;
  readonly stream: MethodStream | undefined;
  readonly errors: readonly StatedError[];
  /** The responses with errors, for the comment. */
  readonly failures: readonly (readonly [status: string, text: string])[];
  readonly security: SecurityRequirements | undefined;
}

/** An operation that has no name yet. */
export type Unnamed = Omit<Planned, "name">;

export function planOperation(
  source: Source,
  types: TypePlanner,
  operation: Operation,
  { security, overrides, hasStatedNames = false, names }: {
    readonly security: Security;
    readonly overrides: Overrides | undefined;
    /** True to read the names that schemas state for parameters in `x-stainless-param`. */
    readonly hasStatedNames?: boolean;
    /** The names of parameters for callers by their place and name. */
    readonly names?: ReadonlyMap<string, string> | undefined;
  },
): Unnamed {
  const body = planBody(source, types, operation.node, operation.verb);
  const headers = body === undefined ? [] : partHeadersOf(source, operation.node, body);
  const { path, others: declared } = planParameters(source, types, operation, {
    headers,
    hasStatedNames,
    names,
  });
  const required = security.of(operation.node) ?? security.of(source.root);
  const own = hasStatedNames
    ? declared.map((each) => setByCredential(each, required, security) ? optional(each) : each)
    : withoutCredentials(source, operation, { parameters: declared, required, security });
  const idempotencyHeader = idempotencyHeaderOf(source, operation);
  // The toolkit makes a key if the caller passes none.
  const stated = own.map((each) =>
    each.wireName === idempotencyHeader && each.place === "header" ? optional(each) : each
  );
  const allResponses = responsesOf(source, operation.node);
  const responses = hasStatedNames ? withOneBody(source, allResponses) : allResponses;
  const { result, stream: streamed } = planResult(source, types, responses, operation.verb);
  // A stream beside another result needs something by which a caller chooses it.
  const isChosen = streamed !== undefined && result.kind !== "stream";
  const requested = isChosen ? choiceOf(types, body, stated) : undefined;
  const added = isChosen && requested === undefined ? choiceParameter(stated) : undefined;
  const choice = requested ?? (added && { place: "params" as const, name: added.name });
  const { pages, wholeList } = planList(source, types, {
    operation,
    key: pinKey(operation),
    parameters: stated,
    body,
    result,
    responses,
    hasStream: isChosen,
    override: overrides?.pages,
  });
  return {
    operation,
    idempotencyHeader,
    path,
    others: added === undefined ? stated : [...stated, added],
    body,
    result,
    pages,
    wholeList,
    stream: streamed && { ...streamed, choice },
    errors: statedErrors(source, types, responses),
    failures: responses.filter(([status]) => /^[45]|^DEFAULT$/.test(status)).map((
      [status, response],
    ) => [status, textAt(response, "description")?.trim() ?? ""]),
    security: required,
  };
}

function optional(parameter: Parameter): Parameter {
  return { ...parameter, required: false };
}

/** Says which alternatives of the security have a credential that is sent as a parameter. */
function setByCredential(
  { place, wireName }: Parameter,
  required: SecurityRequirements | undefined,
  { schemes }: Security,
): "all" | "some" | undefined {
  const keys = schemes.filter(({ scheme }) =>
    scheme.kind === "apiKey" && scheme.place === place &&
    scheme.name.toLowerCase() === wireName.toLowerCase()
  );
  const names = new Set(keys.map(({ option }) => option));
  const sets = (required ?? []).map((options) => options.some((each) => names.has(each)));
  return sets.includes(true) ? sets.includes(false) ? "some" : "all" : undefined;
}

/**
 * Returns parameters without those that a credential always sets. A parameter that some credentials set
 * is optional.
 */
function withoutCredentials(
  source: Source,
  operation: Operation,
  { parameters, required, security }: {
    readonly parameters: readonly Parameter[];
    readonly required: SecurityRequirements | undefined;
    readonly security: Security;
  },
): Parameter[] {
  return parameters.flatMap((each) => {
    const sets = setByCredential(each, required, security);
    if (sets !== "all") return [sets === undefined ? each : optional(each)];
    const stated = operation.parameters.find(({ place, name }) =>
      place === each.place && name === each.wireName
    );
    const message = `the parameter ${JSON.stringify(each.wireName.slice(0, 200))} is a credential`;
    source.problem(
      stated?.node ?? operation.node,
      "parameter",
      message,
      "left out: the client sets it",
    );
    return [];
  });
}

/** The parts of an SDK that are made before its methods. */
export interface SdkParts {
  readonly typeNames: TypeNames;
  readonly types: TypePlanner;
  readonly security: Security;
  readonly client: SdkClient;
  /** The URL of the first server of the document. */
  readonly documentUrl: string | undefined;
  /** The planner of examples, if they are wanted. Tests must not change what it makes. */
  readonly calls: CallPlanner | undefined;
  /** The planner of tests, if they are wanted. */
  readonly tests: TestPlanner | undefined;
  readonly options: PlanOptions;
}

/** Plans the short call of a method and its tests, if they are wanted. */
export function samplesOf(
  method: TestedMethod,
  { calls, tests }: SdkParts,
): Pick<Method, "example" | "tests"> {
  return {
    ...calls === undefined ? {} : { example: calls.exampleOf(method) },
    ...tests === undefined ? {} : { tests: tests.testsOf(method) },
  };
}

/** The method of an operation, and the types that are declared for it alone. */
export interface PlannedMethod {
  readonly method: Method;
  readonly types: readonly Declaration[];
}

/** Returns what methods of endpoints and of resources have in common: where they send their request. */
export function requestOf(
  source: Source,
  { operation, idempotencyHeader, path, security: required }: Planned,
  { documentUrl, client: { security } }: SdkParts,
): Pick<
  Unsigned,
  | "operation"
  | "verb"
  | "hasRequestMethod"
  | "path"
  | "fixedQuery"
  | "server"
  | "pathParameters"
  | "security"
  | "idempotencyHeader"
  | "isLongPoll"
  | "isFirstCall"
> {
  const server = serverOf(source, operation.node, operation.item);
  return {
    operation: pinKey(operation),
    verb: operation.verb,
    hasRequestMethod: hasRequestMethod(operation.verb),
    path: operation.parts.map((part) =>
      typeof part === "string"
        ? part
        : { argument: path.find(({ wireName }) => wireName === part.parameter)!.name }
    ),
    fixedQuery: operation.fixedQuery,
    server: server === documentUrl ? undefined : server,
    pathParameters: path,
    security: isSameSecurity(required, security) ? undefined : required ?? [],
    ...idempotencyHeader === undefined ? {} : { idempotencyHeader },
    ...isLongPoll(operation) ? { isLongPoll: true } : {},
    ...isTrueAt(operation.node, "x-restwright-first-call") ? { isFirstCall: true } : {},
  };
}

/** Returns a text by which operations have the same order, whatever that of the document is. */
export function keyOf({ name }: Planned): string {
  return `${name.field}.${name.method}`;
}
