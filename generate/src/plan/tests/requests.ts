/** The requests of tests: the query, headers, credentials and the body to expect. */

import type {
  ExpectedBody,
  ExpectedRequest,
  Method,
  Outcome,
  Pair,
  RequestBody,
  Sample,
  SdkClient,
  SdkModel,
  SecurityRequirements,
  SecurityScheme,
  StatusError,
  Type,
} from "../../model/mod.ts";
import { TEST_CREDENTIALS } from "../../model/mod.ts";
import { wireOf } from "../../algebra/samples.ts";
import type { Operation } from "../../read/operations.ts";
import { shapedPairs, uploadPairs } from "./resource_tests.ts";
import { asQuery, cookieText, headerText, isSendable, queryPairs } from "./sent_parameters.ts";
import type { SampledCall } from "./test_pages.ts";

/** A method with all that its tests depend on. */
export interface TestedMethod extends
  Pick<
    Method,
    | "body"
    | "fixedQuery"
    | "pages"
    | "params"
    | "pathParameters"
    | "parameters"
    | "result"
    | "stream"
  > {
  readonly operation: Operation;
  /** The parts of the path, and the arguments in it. */
  readonly path: Method["path"];
  readonly server: string | undefined;
  readonly security: SecurityRequirements | undefined;
  /** The classes of errors that it can throw. */
  readonly errors: readonly (StatusError & { readonly data: Type })[];
}

/** A credential that a request has. */
interface SentCredential {
  readonly place: "header" | "query" | "cookie";
  readonly name: string;
  /** The value; undefined if it is not known before. */
  readonly value: string | undefined;
}

/** The query, headers and cookies of a request. */
interface SentParts {
  readonly query: Pair[];
  readonly headers: Map<string, string | null>;
  readonly cookies: string[];
}

/** Plans the requests of calls. */
export class RequestPlanner {
  readonly #client: SdkClient;
  readonly #schemes: ReadonlyMap<string, SecurityScheme>;
  readonly #hasResources: boolean;

  constructor(client: SdkClient, form: SdkModel["form"]) {
    this.#client = client;
    this.#schemes = new Map(client.schemes.map((each) => [each.option, each]));
    this.#hasResources = form === "resources";
  }

  /** Returns the request that a call sends. */
  requestOf(method: TestedMethod, call: SampledCall, outcome: Outcome): ExpectedRequest {
    const content = this.#contentOf(method.body, call.body, method.pages !== undefined);
    const headers = this.#mediaTypes(method, content, outcome);
    const sent: SentParts = { query: [], headers, cookies: [] };
    const names = this.#addParameters(sent, method, call);
    this.#addCredentials(sent, method.security);
    const fixed = method.fixedQuery.filter(([name]) => !names.has(name));
    // UTF-8 has no lone surrogates.
    const query = [...fixed, ...sent.query].map(([name, value]) =>
      [name.toWellFormed(), value.toWellFormed()] as const
    );
    return { query, headers: [...headers], content };
  }

  /** Returns the headers with the media types of the request and of the response. */
  #mediaTypes(
    { body, result, stream }: TestedMethod,
    content: ExpectedBody,
    outcome: Outcome,
  ): SentParts["headers"] {
    const headers: SentParts["headers"] = new Map();
    // A resource states its own type beside a stream, and for text.
    const isOwn = this.#hasResources && (stream !== undefined || result.kind === "text");
    if (outcome.kind !== "stream" && !isOwn && result.accept !== undefined) {
      headers.set("accept", result.accept);
    }
    if (content.kind === "json") headers.set("content-type", body?.contentType ?? JSON_TYPE);
    else if (content.kind === "text" && body?.contentType !== undefined) {
      headers.set("content-type", sentType(body.contentType, body.kind === "text"));
    }
    return headers;
  }

  /** Adds the parameters that are passed, and returns the names of those in the query. */
  #addParameters(
    { query, headers, cookies }: SentParts,
    { parameters }: TestedMethod,
    { params }: SampledCall,
  ): ReadonlySet<string> {
    const form = this.#client.settings.query;
    const passed = new Map(params?.members);
    const names = new Set<string>();
    for (const parameter of parameters) {
      const value = passed.get(parameter.name);
      if (value === undefined) continue;
      const { place, wireName } = parameter;
      if (place === "query") {
        names.add(wireName);
        query.push(
          ...form === undefined ? queryPairs(parameter, value) : shapedPairs(form, wireName, value),
        );
      } else if (place === "header") headers.set(wireName, headerText(parameter, value));
      else if (place === "cookie") cookies.push(cookieText(parameter, value));
    }
    return names;
  }

  /** Adds the credentials that are required. */
  #addCredentials(
    { query, headers, cookies }: SentParts,
    security: SecurityRequirements | undefined,
  ): void {
    const credentials = this.credentialsOf(security);
    for (const { place, name, value } of credentials) {
      if (value === undefined) continue;
      if (place === "query") query.push([name, value]);
      else if (place === "header") headers.set(name.toLowerCase(), value);
      else cookies.push(`${name}=${value}`);
    }
    if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
    // Of the schemes that are not required, nothing is sent.
    for (const option of this.#schemes.keys()) {
      for (const { place, name } of this.credentialsOf([[option]])) {
        const header = place === "header" ? name.toLowerCase() : "cookie";
        const isSent = headers.has(header) || credentials.some((each) => each.name === name);
        if (place !== "query" && !isSent) headers.set(header, null);
      }
    }
  }

  /** Returns the body that a request has. */
  #contentOf(
    body: RequestBody | undefined,
    sample: Sample | undefined,
    isList: boolean,
  ): ExpectedBody {
    if (body === undefined) return { kind: "none" };
    const { kind, model } = body;
    if (sample === undefined) {
      return (body.isSentEmpty === true || isList) && kind === "json"
        ? { kind: "json", value: { kind: "object", members: [] } }
        : { kind: "none" };
    }
    if (kind === "json") return { kind, value: sample };
    if (kind === "xml" && model !== undefined) return { kind, model, value: sample };
    if (kind === "form" || kind === "multipart") {
      const members = typeof sample === "object" && sample?.kind === "object" ? sample.members : [];
      const fields = members.flatMap(([name, value]) => this.formPairs(body, name, value) ?? []);
      return { kind, fields };
    }
    return { kind: "text", text: String(sample) };
  }

  /** Returns the pairs of a field of a form; undefined if it cannot be sent. */
  formPairs(body: RequestBody, name: string, sample: Sample): Pair[] | undefined {
    const { kind, fields } = body;
    if (this.#hasResources && kind === "multipart") return uploadPairs(name, sample);
    // A field that the document does not name is sent as it is.
    const style = kind === "multipart" ? "json" : "form";
    const field = fields.find((each) => each.name === name) ??
      { name, shape: "scalar", style, explode: true, allowReserved: false } as const;
    if (kind === "multipart") {
      const isList = typeof sample === "object" && sample?.kind === "list";
      const isObject = typeof sample === "object" && sample?.kind === "object";
      const isAsIs = field.style === "form" && field.explode && !field.allowReserved && !isObject;
      if (isAsIs || field.style === "json" && !isList) {
        const items = isList ? sample.items : [sample];
        const texts = items.map(partText);
        return texts.includes(undefined) ? undefined : texts.map((text) => [name, text!]);
      }
    }
    const parameter = asQuery(field);
    return isSendable(parameter, sample) ? queryPairs(parameter, sample) : undefined;
  }

  /** Returns the first alternative for which the client has options. */
  alternativeOf(security: SecurityRequirements): readonly string[] | undefined {
    return security.find((each) => each.every((scheme) => this.#hasCredential(scheme)));
  }

  /** Reports if the options of the client have all of a scheme's value. */
  #hasCredential(scheme: string): boolean {
    const { credentials, options } = this.#client;
    const { options: names = [] } = credentials.find((each) => each.scheme === scheme) ?? {};
    const kinds = options.filter(({ name }) => names.includes(name))
      .flatMap(({ types }) => types.map(({ kind }) => kind));
    switch (this.#schemes.get(scheme)?.scheme.kind) {
      case "basic":
      case "digest":
        return kinds.includes("pair") || names.length === 2;
      case "other":
        return kinds.includes("scheme");
      default:
        return names.length === 1;
    }
  }

  /** Returns the credentials of the first alternative. A test has values for all. */
  credentialsOf(security: SecurityRequirements = []): SentCredential[] {
    const all = (this.alternativeOf(security) ?? []).flatMap((option): SentCredential[] => {
      const { scheme } = this.#schemes.get(option) ?? {};
      const { user, password, token, key } = TEST_CREDENTIALS;
      const authorization = { place: "header", name: "authorization" } as const;
      switch (scheme?.kind) {
        case "basic":
          return [{ ...authorization, value: `Basic ${btoa(`${user}:${password}`)}` }];
        case "bearer":
        case "oauth2":
        case "openId":
          return [{ ...authorization, value: `Bearer ${token}` }];
        case "apiKey":
          return [{ place: scheme.place, name: scheme.name, value: key }];
        default:
          // Digest answers a challenge, and other schemes are the caller's.
          return [{ ...authorization, value: undefined }];
      }
    });
    // Two schemes with one header: the second one is sent.
    return all.map((each) =>
      all.some((other) => other !== each && other.place === each.place && other.name === each.name)
        ? { ...each, value: undefined }
        : each
    );
  }
}

const JSON_TYPE = "application/json";

/** Returns the media type with which the toolkit sends text or bytes, if the document states a range. */
function sentType(contentType: string, isText: boolean): string {
  if (!contentType.includes("*")) return contentType;
  return isText && contentType.startsWith("text/*")
    ? "text/plain;charset=UTF-8"
    : "application/octet-stream";
}

/** Returns the text of a part: that of a file, or JSON of an object. */
function partText(sample: Sample): string | undefined {
  if (sample === null) return undefined;
  if (typeof sample !== "object") {
    const text = String(sample);
    // Line breaks are written in one form.
    return /[\r\n]/.test(text) ? undefined : text;
  }
  switch (sample.kind) {
    case "file":
      return sample.text;
    case "bigint":
      return String(sample.value);
    case "object":
      return JSON.stringify(wireOf(sample));
    default:
      return undefined;
  }
}
