/** The tests of an SDK: a call of each method with samples, and the request and result to expect. */

import type { Node, Source } from "../../read/source.ts";
import { responsesOf } from "../results/mod.ts";
import { type MediaKind, mediaOf, preferred } from "../../read/media.ts";
import type {
  ExpectedRequest,
  MethodResult,
  MethodStream,
  MethodTest,
  Outcome,
  Pages,
  Parameter,
  Sample,
  SdkClient,
  SdkModel,
  Type,
} from "../../model/mod.ts";
import { CallPlanner, TEXT } from "./call_planner.ts";
import type { TestedMethod } from "./requests.ts";
import { memberOf, wireOf, withMember } from "../../algebra/samples.ts";
import type { TypePlanner } from "../types/mod.ts";
import { planPageReplies, type SampledCall } from "./test_pages.ts";

/** The responses of an operation, by their statuses. */
type Responses = readonly (readonly [status: string, response: Node])[];

/** The most events that a test reads. */
const MAX_EVENTS = 5;

/** Plans the tests of methods. */
export class TestPlanner {
  readonly #source: Source;
  readonly #types: TypePlanner;
  readonly #calls: CallPlanner;
  /** The names of the classes of errors that a test has thrown: one test of each is enough. */
  readonly #thrown = new Set<string>();
  /** True for a client with resources, which reads some results in another way. */
  readonly #hasResources: boolean;

  constructor(
    source: Source,
    types: TypePlanner,
    client: SdkClient,
    form: SdkModel["form"],
  ) {
    this.#source = source;
    this.#types = types;
    this.#calls = new CallPlanner(source, types, client, form);
    this.#hasResources = form === "resources";
  }

  /** Plans the tests of a method. A method without a test is a problem of the document. */
  testsOf(method: TestedMethod): MethodTest[] {
    const { operation, pages, stream, result } = method;
    const call = this.#calls.callOf(method, false);
    if (typeof call === "string") {
      this.#source.problem(operation.node, "unsupported", call, "its method has no test");
      return [];
    }
    const responses = responsesOf(this.#source, operation.node);
    const plain = this.#calls.withChoice(call, method, false);
    const tests: MethodTest[] = [];
    if (pages?.rule !== undefined || result.kind !== "stream") {
      const test = pages?.rule === undefined
        ? this.#resultTest(method, plain, responses)
        : this.#pagesTest(method, plain, responses);
      if (test !== undefined) tests.push(test);
      else {
        const [message, action] = pages?.rule === undefined
          ? ["its result has no sample", "its method has no test"]
          : ["a test has no two pages that follow each other", "its pages have no test"];
        this.#source.problem(operation.node, "unsupported", message!, action!);
      }
    }
    if (stream !== undefined) {
      const chosen = this.#calls.withChoice(call, method, true);
      tests.push(this.#test(method, chosen, this.#streamOutcome(stream)));
    }
    const required = withRequired(plain, method.parameters);
    for (const error of new Map(method.errors.map((each) => [each.className, each])).values()) {
      if (this.#thrown.has(error.className)) continue;
      const outcome = this.#errorOutcome(error, responses);
      if (outcome === undefined) continue;
      this.#thrown.add(error.className);
      tests.push(this.#test(method, required, outcome));
    }
    return tests;
  }

  /** Returns a sample of the body of a webhook. */
  eventOf(type: Type, requestBody: Node): Sample | undefined {
    return this.#calls.wished(type, requestBody, ["json"], "response");
  }

  /** Plans the test of a result that is read as a whole, or of the only page of a list. */
  #resultTest(
    method: TestedMethod,
    call: SampledCall,
    responses: Responses,
  ): MethodTest | undefined {
    const outcome = method.pages === undefined
      ? this.#outcomeOf(method, responses)
      : this.#onlyPageOf(method.pages, method.result, responses);
    return outcome && this.#test(method, call, outcome);
  }

  /** Returns the error that a status throws; undefined if its data has no sample. */
  #errorOutcome(
    { status, className, data: type }: TestedMethod["errors"][number],
    responses: Responses,
  ): Outcome | undefined {
    const response = responses.find(([key]) => key === String(status)) ??
      responses.find(([key]) => key === `${String(status)[0]}XX`) ??
      responses.find(([key]) => key === "DEFAULT");
    const sample = this.#calls.wished(type, response?.[1], ["json"], "response");
    if (sample === undefined) return undefined;
    if (!this.#hasResources) {
      return { kind: "error", status, className, data: sample, property: "data" };
    }
    // Errors of resources have objects only.
    const isObject = typeof sample === "object" && sample?.kind === "object";
    const data: Sample = isObject ? sample : { kind: "object", members: [] };
    return { kind: "error", status, className, data, property: "error" };
  }

  #test(method: TestedMethod, call: SampledCall, outcome: Outcome): MethodTest {
    return { ...call, outcome, requests: [this.#calls.requests.requestOf(method, call, outcome)] };
  }

  #pagesTest(
    method: TestedMethod,
    call: SampledCall,
    responses: Responses,
  ): MethodTest | undefined {
    const { pages, result, operation, body } = method;
    const { items: steps, item: itemType } = pages!;
    // The items have their optional properties, too.
    const data = this.#resultSample(result, responses, steps.length + 1);
    const listed = data === undefined ? undefined : itemsOf(data, steps.map(({ name }) => name));
    const item = listed?.[0] ?? this.#calls.sampler.sample(itemType);
    if (data === undefined || item === undefined) return undefined;
    const planned = planPageReplies(this.#types, {
      ...{ pages: pages!, type: result.type, data, item, call },
      ...{ parameters: method.parameters, body: operation.verb === "GET" ? undefined : body },
    });
    if (planned === undefined) return undefined;
    const outcome = { kind: "pages", pages: planned.pages, items: planned.items } as const;
    const first = this.#calls.requests.requestOf(method, planned.call, outcome);
    const { next } = planned;
    if ("link" in next) {
      const credentials = this.#calls.requests.credentialsOf(method.security);
      const keys = credentials.filter(({ place }) => place === "query");
      const query = [...next.link, ...keys.map(({ name, value = "" }) => [name, value] as const)];
      return { ...planned.call, outcome, requests: [first, { ...first, query }] };
    }
    const { name, value } = next;
    const { content } = first;
    const second: ExpectedRequest = content.kind === "json"
      ? { ...first, content: { kind: "json", value: withMember(content.value, [name], value)! } }
      : {
        ...first,
        query: [...first.query.filter(([key]) => key !== name), [name, String(wireOf(value))]],
      };
    return { ...planned.call, outcome, requests: [first, second] };
  }

  #onlyPageOf(
    { items: steps }: Pages,
    result: MethodResult,
    responses: Responses,
  ): Outcome | undefined {
    const data = this.#resultSample(result, responses, steps.length + 1);
    if (data === undefined) return undefined;
    const items = itemsOf(data, steps.map(({ name }) => name));
    return items && { kind: "pages", pages: [{ body: data, headers: [] }], items };
  }

  #resultSample(
    { type, accept }: MethodResult,
    responses: Responses,
    depth = this.#types.resolve(type).kind === "array" ? 1 : 0,
  ): Sample | undefined {
    const kinds: readonly MediaKind[] = [isXml(accept) ? "xml" : "json"];
    const [, response] =
      successes(responses).find(([, each]) =>
        preferred(mediaOf(this.#source, each), kinds) !== undefined
      ) ?? [];
    return this.#calls.wished(type, response, kinds, "response", depth);
  }

  /** Returns the JSON of a result whose kind depends on the status, or else its text. */
  #mixedOutcomeOf(result: MethodResult, responses: Responses): Outcome | undefined {
    const isJson = Object.values(result.kinds ?? {}).includes("json");
    const wanted = isJson ? "json" : "text";
    const stated = Object.entries(result.kinds ?? {}).find(([, kind]) => kind === wanted);
    if (stated === undefined) return undefined;
    const status = Number(stated[0]);
    if (!isJson) return { kind: "text", status, text: TEXT, contentType: "text/plain" };
    const own = responses.filter(([key]) => key === stated[0]);
    const data = this.#resultSample({ ...result, accept: undefined }, own);
    return data === undefined ? undefined : { kind: "json", status, data };
  }

  #outcomeOf({ result }: TestedMethod, responses: Responses): Outcome | undefined {
    if (result.kinds !== undefined) return this.#mixedOutcomeOf(result, responses);
    const status = this.#statusOf(result, responses);
    const { kind, accept } = result;
    switch (kind) {
      case "json":
        return this.#jsonOutcome(result, status, responses);
      case "text":
        return {
          ...{ kind, status, text: isXml(accept) ? "<sample/>" : TEXT },
          contentType: replyType(accept, "text/plain"),
        };
      case "bytes":
        return {
          ...{ kind, status, text: TEXT },
          contentType: replyType(accept, "application/octet-stream"),
        };
      case "redirect":
        return { kind, status: 303 };
      case "void":
      case "response":
        return { kind, status };
      default:
        return undefined;
    }
  }

  /** Returns the status of a success, which fits a reply with or without a body. */
  #statusOf({ kind }: MethodResult, responses: Responses): number {
    const hasBody = kind !== "void" && kind !== "response";
    const all = successes(responses);
    const found = all.find(([, each]) => (mediaOf(this.#source, each).length > 0) === hasBody) ??
      all[0];
    const stated = Number(/^2\d\d$/.exec(found?.[0] ?? "")?.[0] ?? (hasBody ? 200 : 204));
    return hasBody && (stated === 204 || stated === 205) ? 200 : stated;
  }

  #jsonOutcome(
    result: MethodResult,
    status: number,
    responses: Responses,
  ): Outcome | undefined {
    const { accept, unwrap } = result;
    const data = this.#resultSample(result, responses);
    if (data === undefined) return undefined;
    if (unwrap === undefined) return { kind: isXml(accept) ? "xml" : "json", status, data };
    const inner = isXml(accept) ? undefined : memberOf(data, unwrap);
    return inner === undefined ? undefined : { kind: "json", status, data: inner, reply: data };
  }

  #streamOutcome(stream: MethodStream): Outcome {
    const { format, item, isText, events = [], accept, errorEvent } = stream;
    const sampleOfData = (type: Type): Sample =>
      isText ? TEXT : this.#calls.sampler.sample(type) ?? null;
    if (format === "lines") {
      const data = sampleOfData(item);
      const line = `${JSON.stringify(wireOf(data))}\n`;
      const items: Sample = { kind: "list", items: [data, data] };
      const contentType = accept ?? "application/x-ndjson";
      return { kind: "stream", text: line + line, contentType, items, form: "items" };
    }
    const named = events
      .filter(({ name }) => /^[^\r\n\0]+$/.test(name) && name.isWellFormed() && name !== errorEvent)
      .slice(0, MAX_EVENTS).map(({ name, data }) => [name, sampleOfData(data)] as const);
    const textOf = (data: Sample) => isText ? TEXT : JSON.stringify(wireOf(data));
    const end = "data: [DONE]\n\n";
    const contentType = "text/event-stream";
    if (named.length === 0) {
      const data = sampleOfData(item);
      const text = `data: ${textOf(data)}\n\n`;
      const items: Sample = { kind: "list", items: [data] };
      const form = this.#hasResources ? "items" : "data";
      return { kind: "stream", text: text + end, contentType, items, form };
    }
    const texts = named.map(([name, data]) => `event: ${name}\ndata: ${textOf(data)}\n\n`);
    const items = named.map(([name, data]): Sample =>
      this.#hasResources ? data : { kind: "object", members: [["event", name], ["data", data]] }
    );
    return {
      ...{ kind: "stream", text: [...texts, end].join(""), contentType },
      form: this.#hasResources ? "items" : "events",
      items: { kind: "list", items },
    };
  }
}

/** Returns the media type of a response to a request with an Accept header. */
function replyType(accept: string | undefined, usual: string): string {
  return accept === undefined || accept.includes("*") ? usual : accept;
}

function isXml(accept: string | undefined): boolean {
  return accept !== undefined && /[/+]xml\s*(?:;|$)/.test(accept);
}

/** Returns a call without optional parameters. */
function withRequired(call: SampledCall, parameters: readonly Parameter[]): SampledCall {
  const members =
    call.params?.members.filter(([key]) =>
      parameters.some(({ name, required }) => name === key && required)
    ) ?? [];
  return { ...call, params: members.length === 0 ? undefined : { kind: "object", members } };
}

/** Returns the responses with success; those with a status of their own come first. */
function successes(responses: Responses): Responses {
  const found = responses.filter(([status]) => /^2/.test(status));
  if (found.length === 0) return responses.filter(([status]) => status === "DEFAULT");
  return found.toSorted(([a], [b]) => Number(a.endsWith("XX")) - Number(b.endsWith("XX")));
}

/** Returns the items of a list in a sample. */
function itemsOf(
  sample: Sample,
  [name, ...rest]: readonly string[],
): readonly Sample[] | undefined {
  if (typeof sample !== "object" || sample === null) return undefined;
  if (name === undefined) return sample.kind === "list" ? sample.items : undefined;
  if (sample.kind === "model") return itemsOf(sample.json, [name, ...rest]);
  const inner = sample.kind === "object"
    ? sample.members.find(([key]) => key === name)?.[1]
    : undefined;
  return inner === undefined ? undefined : itemsOf(inner, rest);
}
