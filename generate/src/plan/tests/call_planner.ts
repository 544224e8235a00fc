/** Plans calls of methods with samples: those of tests, and short ones that show how a method is used. */

import type { Node, Source } from "../../read/source.ts";
import { type MediaKind, mediaOf, preferred } from "../../read/media.ts";
import type { Operation } from "../../read/operations.ts";
import {
  type CallArguments,
  type Parameter,
  type RequestBody,
  type Sample,
  type SdkClient,
  type SdkModel,
  TEST_BASE,
  type Type,
} from "../../model/mod.ts";
import { RequestPlanner, type TestedMethod } from "./requests.ts";
import { isSendableIn, isSpreadable } from "./resource_tests.ts";
import { exampleOf, sampleOf, Sampler } from "../samples/mod.ts";
import { defaultUrl } from "../../algebra/servers.ts";
import { isObjectSample } from "../../algebra/arguments.ts";
import { wireOf, withMember } from "../../algebra/samples.ts";
import type { TypePlanner } from "../types/mod.ts";
import { pathText } from "./sent_parameters.ts";
import type { SampledCall } from "./test_pages.ts";

/** The text of a body that is neither JSON nor a form. */
export const TEXT = "sample";

/** The names of parts that the parsers of all runtimes read as they are. */
const PART_NAME = /^[^\p{C}"%;=\\]+$/u;

/** Samples have the optional properties of the outermost object alone. */
const OPTIONAL_DEPTH = 1;

/** The characters of JSON from which on an example shows the required fields alone, or is left out. */
const [LONG, TOO_LONG] = [300, 2000];

/** The fields that an example shows of an object that is long and requires none. */
const SHOWN_FIELDS = 3;

/** Plans the calls of methods. */
export class CallPlanner {
  /** Plans the requests that the calls send. */
  readonly requests: RequestPlanner;
  /** Makes samples of types. */
  readonly sampler: Sampler;
  readonly #source: Source;
  readonly #types: TypePlanner;
  /** The base URL by default. */
  readonly #baseUrl: string | undefined;
  readonly #client: SdkClient;
  /** True for a client with resources, which sends all calls to another base URL. */
  readonly #hasResources: boolean;
  /** The samples of parameters by their places in the document, because operations share many of them. */
  readonly #ofParameters = new Map<string, Sample | undefined>();

  constructor(source: Source, types: TypePlanner, client: SdkClient, form: SdkModel["form"]) {
    this.#source = source;
    this.#types = types;
    this.sampler = new Sampler(types);
    this.requests = new RequestPlanner(client, form);
    this.#baseUrl = defaultUrl(client);
    this.#client = client;
    this.#hasResources = form === "resources";
  }

  /**
   * Returns the arguments of a short call: the required parameters, and the body. A long body has its
   * required fields alone.
   */
  exampleOf(method: TestedMethod): CallArguments | undefined {
    const call = this.callOf(method, true);
    if (typeof call === "string") return undefined;
    const { path, params, body } = this.withChoice(call, method, false);
    if (method.body === undefined || body === undefined) return { path, params };
    const shown = this.#shortened(method.body, body);
    return shown === undefined ? undefined : { path, params, body: shown };
  }

  /** Returns a body that is short enough for an example; undefined if there is none. */
  #shortened(body: RequestBody, sample: Sample): Sample | undefined {
    if (lengthOf(sample) <= LONG) return sample;
    if (isObjectSample(sample)) {
      const properties = this.#types.propertiesOf(body.type);
      const required = sample.members.filter(([name]) =>
        !properties.some((each) => each.name === name && isLeftOut(each))
      );
      const members = required.length > 0 ? required : sample.members.slice(0, SHOWN_FIELDS);
      const shorter: Sample = { kind: "object", members };
      if (lengthOf(shorter) <= LONG) return shorter;
    }
    // Without the examples of the document, it has nothing that is not required.
    const least = this.sampler.sample(body.type);
    const isForm = body.kind === "form" || body.kind === "multipart";
    const sent = least === undefined || !isForm ? least : this.#sendableForm(body, least);
    return sent !== undefined && lengthOf(sent) <= TOO_LONG ? sent : undefined;
  }

  /**
   * Returns the arguments of a call; or why there are none.
   *
   * @param isShort True to leave out optional parameters
   */
  callOf(method: TestedMethod, isShort: boolean): SampledCall | string {
    const { operation, security, pathParameters, parameters } = method;
    const refused = ({ place, wireName }: Parameter) =>
      `no sample can be sent as the ${place} parameter ${JSON.stringify(wireName.slice(0, 200))}`;
    const path: Sample[] = [];
    const segment = parameters.find(({ place }) => place === "pathChoice")?.segment;
    for (const parameter of pathParameters) {
      const value = parameter.chosen === "segment"
        ? segment
        : this.#parameter(operation, parameter);
      if (value === undefined) return refused(parameter);
      path.push(value);
    }
    if (security !== undefined && security.length > 0 && !this.requests.alternativeOf(security)) {
      return "no options of the client have its credentials";
    }
    const credentials = this.requests.credentialsOf(security);
    const params: [string, Sample][] = [];
    for (const parameter of parameters) {
      if (parameter.place === "choice" || parameter.place === "pathChoice") continue;
      if (isShort && isLeftOut(parameter)) continue;
      const value = this.#parameter(operation, parameter);
      // A credential takes the place of a parameter with its name.
      const isTaken = credentials.some(({ place, name }) =>
        place === parameter.place && name.toLowerCase() === parameter.wireName.toLowerCase()
      );
      if (value !== undefined && !isTaken) params.push([parameter.name, value]);
      else if (parameter.required) return refused(parameter);
    }
    const url = this.#urlOf(method, path);
    if (url === undefined) return "its path is not that of a URL below the base URL";
    const body = this.#bodySample(method);
    if (body === undefined && method.body?.required === true) return "its body has no sample";
    if (!isSpreadable(method, body)) return "its body has no sample";
    const isPassed = parameters.some(({ required }) => required) || params.length > 0;
    return {
      ...{ path, body, url },
      params: isPassed ? { kind: "object", members: params } : undefined,
    };
  }

  #urlOf(
    { path, pathParameters, server }: TestedMethod,
    values: readonly Sample[],
  ): string | undefined {
    const texts = path.map((part) => {
      if (typeof part === "string") return part;
      const index = pathParameters.findIndex(({ name }) => name === part.argument);
      return pathText(pathParameters[index]!, values[index]!);
    });
    const text = texts.join("");
    // The toolkit refuses a path that leads elsewhere.
    if (text.split(/[\\/]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part))) return undefined;
    if (/[\s\\]/.test(text)) return undefined;
    // Resources send every call to a base URL that is not the default.
    const hasServer = !this.#hasResources || this.#baseUrl !== undefined;
    const base = (hasServer ? server : undefined) ?? this.#baseUrl ?? TEST_BASE;
    const url = URL.parse(`${base}${text}`);
    return url === null ? undefined : `${url.origin}${url.pathname}`;
  }

  #parameter(operation: Operation, parameter: Parameter): Sample | undefined {
    const { place, wireName } = parameter;
    const { node } =
      operation.parameters.find((each) => each.place === place && each.name === wireName) ?? {};
    if (node === undefined) return this.#parameterSample(parameter, node);
    const key = `${node.file} ${node.pointer}`;
    if (!this.#ofParameters.has(key)) {
      this.#ofParameters.set(key, this.#parameterSample(parameter, node));
    }
    return this.#ofParameters.get(key);
  }

  #parameterSample(parameter: Parameter, node: Node | undefined): Sample | undefined {
    const { type, shape } = parameter;
    const [media] = mediaOf(this.#source, node);
    const schema = media?.schema ?? (node && this.#source.child(node, "schema"));
    const stated = exampleOf(media?.node) ?? exampleOf(node) ?? this.#schemaSample(schema);
    // The example of a list may be its first item.
    const wish = shape === "array" && !Array.isArray(stated) ? [stated] : stated;
    for (const wanted of [wish, undefined]) {
      const sample = this.sampler.sample(type, wanted);
      if (sample !== undefined && isSendableIn(this.#client.settings.query, parameter, sample)) {
        return sample;
      }
    }
    return undefined;
  }

  #schemaSample(
    schema: Node | undefined,
    direction: "request" | "response" = "request",
    depth = 0,
  ): unknown {
    return sampleOf(this.#source, schema, { direction, optionalDepth: OPTIONAL_DEPTH + depth });
  }

  /** Returns a sample of a type, with the values that a request body or response has as examples. */
  wished(
    type: Type,
    parent: Node | undefined,
    kinds: readonly MediaKind[],
    direction: "request" | "response",
    depth = 0,
  ): Sample | undefined {
    const media = preferred(mediaOf(this.#source, parent), kinds);
    const wish = exampleOf(media?.node) ?? this.#schemaSample(media?.schema, direction, depth);
    return this.sampler.sample(type, wish) ?? this.sampler.sample(type);
  }

  #bodySample({ body, operation }: TestedMethod): Sample | undefined {
    if (body === undefined) return undefined;
    const { kind, type, model } = body;
    if (kind === "text" || kind === "bytes") return TEXT;
    if (kind === "xml" && model === undefined) return "<sample/>";
    const child = this.#source.child(operation.node, "requestBody");
    const node = child && this.#source.resolve(child);
    const sample = this.wished(type, node, [kind], "request");
    if (kind === "json" || kind === "xml" || sample === undefined) return sample;
    for (const each of [sample, this.sampler.sample(type)]) {
      const form = each && this.#sendableForm(body, each);
      if (form !== undefined) return form;
    }
    return undefined;
  }

  /** Returns a form without the optional fields that cannot be sent; undefined if others remain. */
  #sendableForm(body: RequestBody, sample: Sample): Sample | undefined {
    if (typeof sample !== "object" || sample?.kind !== "object") return undefined;
    const properties = this.#types.propertiesOf(body.type);
    const isReadable = (name: string) => body.kind !== "multipart" || PART_NAME.test(name);
    const members = sample.members.filter(([name, value]) =>
      value !== null && isReadable(name) &&
      this.requests.formPairs(body, name, value) !== undefined
    );
    const isLost = sample.members.some((member) =>
      !members.includes(member) &&
      !properties.some(({ name, optional }) => name === member[0] && optional)
    );
    return isLost ? undefined : { kind: "object", members };
  }

  /** Returns a call in which the caller chooses the stream, or the other result. */
  withChoice(call: SampledCall, { stream }: TestedMethod, isStream: boolean): SampledCall {
    const { choice } = stream ?? {};
    if (choice === undefined) return call;
    const { place, name } = choice;
    const value = call[place];
    const isSet = typeof value === "object" && value?.kind === "object" &&
      value.members.some(([key]) => key === name);
    if (!isStream && !isSet) return call;
    const object: Sample = value ?? { kind: "object", members: [] };
    return { ...call, [place]: withMember(object, [name], isStream) ?? object };
  }
}

/**
 * Reports if an example can do without a parameter or a property. An object literal without a property of
 * each object would have the inherited one.
 */
function isLeftOut(
  { name, required, optional = required === false }: {
    readonly name: string;
    readonly required?: boolean;
    readonly optional?: boolean;
  },
): boolean {
  return optional && !(name in {});
}

/** Returns the length of a sample in JSON. */
function lengthOf(sample: Sample): number {
  return JSON.stringify(wireOf(sample)).length;
}
