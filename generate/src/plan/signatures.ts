/** Plans the signatures of methods, in the forms of endpoints and of resources. */

import { unionOf } from "../algebra/types.ts";
import type {
  ArgumentModel,
  MethodPlan,
  NamedType,
  ResultPlan,
  SignatureModel,
  SignatureType,
  StreamPlan,
  Type,
} from "../model/mod.ts";

/** A method without its signature. */
export type Unsigned = Omit<MethodPlan, "signature">;

/** The HTTP methods for which the toolkit has a request method with a promise of its own. */
const requestMethods: ReadonlySet<string> = new Set(
  ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
);

/** Reports if the toolkit has a request method for an HTTP method. */
export function hasRequestMethod(verb: string): boolean {
  return requestMethods.has(verb);
}

/** Returns the signature of a method of an endpoint: the path, the body, the parameters, options. */
export function endpointSignature(method: Unsigned): SignatureModel {
  const { pages, stream, result } = method;
  const promise = method.hasRequestMethod ? named("APIPromise", "toolkit") : named("Promise");
  const whole = promise(resultType(result));
  const item = stream && streamItem(stream);
  const streamed = item &&
    (method.hasRequestMethod
      ? named("StreamPromise", "toolkit/streams")(item)
      : named("Promise")(named("ItemStream", "toolkit/streams")(item)));
  const paged = pages && named("PagePromise", "toolkit/paging")(pages.item, resultType(result));
  return {
    arguments: endpointArguments(method),
    returns: paged ?? (stream !== undefined && stream.choice === undefined ? streamed! : whole),
    streamed: paged === undefined && stream?.choice !== undefined ? streamed : undefined,
  };
}

function endpointArguments(
  { pathParameters, parameters, parametersType, body, pages }: Unsigned,
): ArgumentModel[] {
  const args: ArgumentModel[] = pathParameters.map(({ name, type }) => ({
    ...{ name, role: "path", type, or: [], isRequired: true },
  }));
  const needsParams = parameters.some(({ required }) => required);
  if (body !== undefined) {
    const type = body.kind === "bytes" ? named("Content", "toolkit")() : body.type;
    // An argument before one that is required must be passed, too.
    const or = !body.required && needsParams ? ["undefined"] as const : [];
    args.push({ name: "body", role: "body", type, or, isRequired: body.required || needsParams });
  }
  if (parametersType !== undefined) {
    const type: Type = { kind: "reference", name: parametersType };
    args.push({ name: "params", role: "params", type, or: [], isRequired: needsParams });
  }
  const options = pages === undefined
    ? named("CallOptions", "toolkit")()
    : named("ListOptions", "toolkit/paging")();
  return [...args, optionsOf(options)];
}

/** Returns the signature of a method of a resource: positional arguments, one object, options. */
export function resourceSignature(method: Unsigned): SignatureModel {
  const { stream, result, call } = method;
  const promise = named("ResourcePromise", "toolkit/resources");
  const streamed = stream && promise(
    named("Stream", "toolkit/resources")(
      stream.events === undefined || stream.events.length === 0
        ? stream.item
        : unionOf(stream.events.map(({ data }) => data)),
    ),
  );
  const args = resourceArguments(method);
  if (call?.page !== undefined) {
    const { className, item, alias } = call.page;
    const page = alias === undefined ? named(className, "pages")(item) : named(alias)();
    return {
      arguments: args,
      returns: named("ResourcePagePromise", "toolkit/resources")(page, item),
    };
  }
  const isChosen = stream?.choice !== undefined && call?.params !== undefined;
  return {
    arguments: args,
    returns: streamed === undefined || isChosen ? promise(resultType(result)) : streamed,
    streamed: isChosen ? streamed : undefined,
  };
}

function resourceArguments({ pathParameters, body, call }: Unsigned): ArgumentModel[] {
  const { positional, isBodyPositional, params } = call!;
  const args: ArgumentModel[] = positional.map((name) => {
    const { type } = pathParameters.find((each) => each.name === name)!;
    return { name, role: "path", type, or: [], isRequired: true };
  });
  if (isBodyPositional) {
    const { kind, required } = body!;
    const type: SignatureType = kind === "text"
      ? { kind: "string" }
      : named("Content", "toolkit")();
    const isRequired = required || params?.isRequired === true;
    const or = required ? [] : ["null", "undefined"] as const;
    args.push({ name: "body", role: "body", type, or, isRequired });
  }
  if (params !== undefined) {
    const { type: name, isRequired } = params;
    const or = isRequired ? [] : ["null"] as const;
    args.push({
      ...{ name: "params", role: "params", type: { kind: "reference", name }, or, isRequired },
    });
  }
  return [...args, optionsOf(named("ResourceRequestOptions", "toolkit/resources")())];
}

function optionsOf(type: NamedType): ArgumentModel {
  return { name: "options", role: "options", type, or: [], isRequired: false };
}

/** Returns a function that makes a type of a name, with the arguments that it is given. */
function named(name: string, from?: string): (...args: readonly SignatureType[]) => NamedType {
  return (...args) => ({ kind: "named", name, from, arguments: args });
}

/** Returns the type of the value with which the promise resolves. */
function resultType({ kind, type }: ResultPlan): SignatureType {
  switch (kind) {
    case "json":
      return type;
    case "void":
      return named("void")();
    case "text":
      return { kind: "string" };
    default:
      return named("Response")();
  }
}

/** Returns the type of an item of a stream. */
function streamItem({ format, item, isText, events, eventsType }: StreamPlan): SignatureType {
  if (format === "lines") return item;
  if (eventsType !== undefined) return named("EventOf", "toolkit/streams")(named(eventsType)());
  const event = named("ServerSentEvent", "toolkit/streams");
  if (events !== undefined && events.length > 0) {
    const names = unionOf(events.map((each): Type => ({ kind: "literal", value: each.name })));
    return event({ kind: "string" }, names);
  }
  return isText ? event() : event(item);
}
