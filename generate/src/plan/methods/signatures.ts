/** Plans the signatures of methods: their arguments, and the promises that they return. */

import { unionOf } from "../../algebra/types.ts";
import type {
  Argument,
  Method,
  MethodResult,
  MethodStream,
  NamedType,
  Parameter,
  RequestBody,
  SdkModel,
  Signature,
  SignatureType,
  Type,
} from "../../model/mod.ts";

/** A method without its signature. */
export type Unsigned = Omit<Method, "signature">;

/** The HTTP methods for which the toolkit has a request method with a promise of its own. */
const requestMethods: ReadonlySet<string> = new Set(
  ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
);

/** Reports if the toolkit has a request method for an HTTP method. */
export function hasRequestMethod(verb: string): boolean {
  return requestMethods.has(verb);
}

/** The arguments of a method beside its options, by the parts of the request. */
export interface Positions {
  /** The path parameters that are arguments of their own, in their order. */
  readonly path: readonly Parameter[];
  /** The body, if it is an argument of its own. */
  readonly body: RequestBody | undefined;
}

/** Returns the signature of a method: the path, the body, the object of parameters, and options. */
export function signatureOf(
  form: SdkModel["form"],
  method: Unsigned,
  { path, body }: Positions,
): Signature {
  const { params, pages } = method;
  const args = path.map(({ name, type }) => argument(name, "path", type, true));
  if (body !== undefined) {
    const type = body.kind === "bytes" ? named("Content", "toolkit")() : body.type;
    // An argument before one that is required must be passed, too.
    const isRequired = body.required || params?.isRequired === true;
    const or = body.required
      ? []
      : form === "resources"
      ? ["null", "undefined"] as const
      : isRequired
      ? ["undefined"] as const
      : [];
    args.push(argument("body", "body", type, isRequired, or));
  }
  if (params !== undefined) {
    const { type: name, isRequired } = params;
    const or = form === "resources" && !isRequired ? ["null"] as const : [];
    args.push(argument("params", "params", { kind: "reference", name }, isRequired, or));
  }
  const options = form === "resources"
    ? named("ResourceRequestOptions", "toolkit/resources")()
    : pages === undefined
    ? named("CallOptions", "toolkit")()
    : named("ListOptions", "toolkit/paging")();
  args.push(argument("options", "options", options, false));
  const results = form === "resources" ? resourceResults(method) : endpointResults(method);
  return { arguments: args, ...results };
}

function argument(
  name: string,
  role: Argument["role"],
  type: SignatureType,
  isRequired: boolean,
  or: Argument["or"] = [],
): Argument {
  return { name, role, type, or, isRequired };
}

/** The types that a method returns. */
type Results = Pick<Signature, "returns" | "streamed">;

/** Returns the promises of a method of an endpoint. */
function endpointResults({ pages, stream, result, hasRequestMethod }: Unsigned): Results {
  if (pages !== undefined) {
    const list = named("PagePromise", "toolkit/paging");
    return { returns: list(pages.item, resultType(result)) };
  }
  const item = stream && streamItem(stream);
  const streamed = item &&
    (hasRequestMethod
      ? named("StreamPromise", "toolkit/streams")(item)
      : named("Promise")(named("ItemStream", "toolkit/streams")(item)));
  const promise = hasRequestMethod ? named("APIPromise", "toolkit") : named("Promise");
  return resultsOf(stream, promise(resultType(result)), streamed);
}

/** Returns the promises of a method of a resource. */
function resourceResults({ pages, stream, result }: Unsigned): Results {
  if (pages !== undefined) {
    const { className, item, alias } = pages;
    const page = alias === undefined ? named(className!, "pages")(item) : named(alias)();
    return { returns: named("ResourcePagePromise", "toolkit/resources")(page, item) };
  }
  const promise = named("ResourcePromise", "toolkit/resources");
  const streamed = stream && promise(
    named("Stream", "toolkit/resources")(
      stream.events === undefined || stream.events.length === 0
        ? stream.item
        : unionOf(stream.events.map(({ data }) => data)),
    ),
  );
  return resultsOf(stream, promise(resultType(result)), streamed);
}

/** Returns the results of a method whose stream is its only result, or one that a caller chooses. */
function resultsOf(
  stream: MethodStream | undefined,
  whole: NamedType,
  streamed: NamedType | undefined,
): Results {
  if (streamed === undefined) return { returns: whole };
  return stream?.choice === undefined ? { returns: streamed } : { returns: whole, streamed };
}

/** Returns a function that makes a type of a name, with the arguments that it is given. */
function named(name: string, from?: string): (...args: readonly SignatureType[]) => NamedType {
  return (...args) => ({ kind: "named", name, from, arguments: args });
}

/** Returns the type of the value with which the promise resolves. */
function resultType({ kind, type }: MethodResult): SignatureType {
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
function streamItem({ format, item, isText, events, eventsType }: MethodStream): SignatureType {
  if (format === "lines") return item;
  if (eventsType !== undefined) return named("EventOf", "toolkit/streams")(named(eventsType)());
  const event = named("ServerSentEvent", "toolkit/streams");
  if (events !== undefined && events.length > 0) {
    const names = unionOf(events.map((each): Type => ({ kind: "literal", value: each.name })));
    return event({ kind: "string" }, names);
  }
  return isText ? event() : event(item);
}
