/** Builds the error of a response: by the option `errorFrom`, or else by the class of its status. */
import { checkedSeconds, isPromise } from "../base/checks.ts";
import { APIError, type APIErrorClass, keepDataModel } from "../errors/api_error.ts";
import type { ErrorFrom, ErrorFromDetails } from "../errors/error_from.ts";
import { defaultErrorFunction, type ErrorFunction, jsonOf } from "../errors/error_function.ts";
import type { RequestSummary } from "../errors/message_text.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { BodyFormat } from "../models/model_class.ts";
import type { Settings } from "../options/settings.ts";
import {
  type BodyOfError,
  checkedModel,
  decodeErrorBody,
  errorJsonDecoder,
  type ResponseModel,
} from "../content/decode.ts";
import type { Call } from "./call.ts";
import { answeredUrl, redactorOf } from "./redact.ts";
import { askedWait } from "./retry/wait.ts";

/** A response, or an item of a stream, that may be an error. */
export interface FailedResponse {
  /** The call. */
  readonly call: Call;
  /** The number of retries so far. */
  readonly retries: number;
  /** The class of the error; undefined if it is an error only if the hook returns one. */
  readonly errorClass: APIErrorClass | undefined;
  /** The place of the error in a success, for its message. Default: the status is the error */
  readonly place?: string;
  /** The format of the body, if it is not that of the content type. */
  readonly format?: BodyFormat | undefined;
  /** The result of {@linkcode sharedDetails}, if it is used for several items. */
  readonly shared?: SharedDetails | undefined;
}

/** The error of a response. */
export interface ResponseError {
  /** The error. */
  readonly error: APIError;
  /** Seconds that the server asked to wait. */
  readonly retryAfter: number | undefined;
}

/**
 * Returns the error of a response.
 *
 * @param body The response with its body
 * @param failed The call, and the class of the status
 */
export async function responseError(
  body: BodyOfError,
  failed: FailedResponse & { readonly errorClass: APIErrorClass },
): Promise<ResponseError>;
/** Returns the error of a success; undefined if the hook finds none. */
export async function responseError(
  body: BodyOfError,
  failed: FailedResponse,
): Promise<ResponseError | undefined>;
export async function responseError(
  body: BodyOfError,
  failed: FailedResponse,
): Promise<ResponseError | undefined> {
  const { response, text } = body;
  const { errorClass, shared = sharedDetails(response, failed), call: { settings } } = failed;
  const { errorFrom } = settings;
  const model = (errorClass && modelOf(errorClass)) ??
    checkedModel("errorFrom.model", errorFrom?.model);
  const reading = errorData(model, body, failed.format);
  // Most items of a stream are not errors: each wait would add to their time.
  const data = isPromise(reading) ? await reading : reading;
  const chosen = errorFrom && await askHook(errorFrom, body, shared, data, failed.format);
  if (chosen === undefined && errorClass === undefined) return undefined;
  // Without a model, the error itself parses the body when its data is read.
  const error = chosen ??
    new errorClass!(response, { ...shared, body: text, ...(model && { data: data.value }) });
  // A class with its own constructor may set other data, or none.
  if (model && data.isDecoded && Object.is(error.data, data.value)) keepDataModel(error, model);
  return { error, retryAfter: chosen === undefined ? shared.retryAfter : chosen.retryAfter };
}

/** Details of an error that do not depend on its body. */
export type SharedDetails = Omit<ErrorFromDetails, "body" | "data">;

/** Returns the details that all errors in a response have in common. */
export function sharedDetails(
  response: Response,
  { call, retries, place }: FailedResponse,
): SharedDetails {
  const { settings, summary } = call;
  const redact = redactorOf(call);
  return {
    retries,
    func: place === undefined ? settings.errorFunc : placeFunction(place, settings.errorFunc),
    request: summary,
    url: answeredUrl(response, call, redact),
    redact,
    requestId: requestIdOf(response, settings),
    retryAfter: askedWait(response, settings),
  };
}

/** Returns the function for the message of an error in a success: its default names the place. */
function placeFunction(place: string, func: ErrorFunction | undefined): ErrorFunction {
  return (response, details) =>
    func?.(response, details) ?? `${defaultErrorFunction(response, details)}: ${place}`;
}

/** Returns the model of an error class, if it has one. */
function modelOf({ name, errorModel }: APIErrorClass): ResponseModel | undefined {
  return checkedModel(`${name}.errorModel`, errorModel);
}

/** Decodes a body. A body that does not match, or a schema that throws, must not hide the error. */
async function decode(
  model: ResponseModel,
  body: BodyOfError,
  format: BodyFormat | undefined,
): Promise<Decoded> {
  return await decodeErrorBody(model, body, format).catch(() => undefined);
}

/** The data of an error, which is decoded at most once. */
class ErrorData {
  readonly #decode: () => Decoded;
  #decoded: { readonly result: Decoded } | undefined;

  constructor(decode: () => Decoded) {
    this.#decode = decode;
  }

  /** The data; undefined if the body does not match. */
  get value(): unknown {
    return this.#result?.value;
  }

  /** True if the body has been read as data. */
  get isDecoded(): boolean {
    return this.#result !== undefined;
  }

  get #result(): Decoded {
    return (this.#decoded ??= { result: this.#decode() }).result;
  }
}

/** The decoded body; undefined if it does not match. */
type Decoded = { readonly value: unknown } | undefined;

/**
 * Returns the data of an error. It is decoded when it is first read, if that is possible at once: most
 * items of a stream do not report errors.
 */
function errorData(
  model: ResponseModel | undefined,
  body: BodyOfError,
  format: BodyFormat | undefined,
): ErrorData | Promise<ErrorData> {
  const { response, text, bytes } = body;
  if (model === undefined) return new ErrorData(() => ({ value: jsonOf(response, text) }));
  const isJsonText = format === "json" && typeof bytes === "string";
  const decodeNow = isJsonText ? errorJsonDecoder(model) : undefined;
  if (decodeNow !== undefined) return new ErrorData(() => decodeNow(text));
  return decode(model, body, format).then((decoded) => new ErrorData(() => decoded));
}

/**
 * The details for the hook. The object has `data` as a property of its own, so that `{ ...details }` has
 * it, too.
 */
class HookDetails implements ErrorFromDetails {
  // A getter in an object literal would be another function each time, which takes three times as long.
  static readonly #dataProperty: PropertyDescriptor = {
    configurable: true,
    enumerable: true,
    get(this: HookDetails): unknown {
      return this.#data.value;
    },
  };

  readonly retries: number;
  readonly func: ErrorFunction | undefined;
  readonly request: RequestSummary;
  readonly url: string | undefined;
  readonly redact: (text: string) => string;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly body: string;
  declare readonly data: unknown;
  readonly #data: ErrorData;

  constructor(shared: SharedDetails, body: string, data: ErrorData) {
    this.retries = shared.retries;
    this.func = shared.func;
    this.request = shared.request;
    this.url = shared.url;
    this.redact = shared.redact;
    this.requestId = shared.requestId;
    this.retryAfter = shared.retryAfter;
    this.body = body;
    this.#data = data;
    Object.defineProperty(this, "data", HookDetails.#dataProperty);
  }
}

/** Calls the hook `errorFrom`, and returns the error that it chooses. */
async function askHook(
  errorFrom: ErrorFrom,
  body: BodyOfError,
  shared: SharedDetails,
  data: ErrorData,
  format: BodyFormat | undefined,
): Promise<APIError | undefined> {
  const { response, text } = body;
  const details = new HookDetails(shared, text, data);
  // The hook may read the response, as other hooks and the caller may do later.
  const error: unknown = await errorFrom(response.clone(), details);
  if (error === undefined) return undefined;
  if (!(error instanceof APIError)) {
    const expected = "a function that returns an APIError, or undefined";
    throw new UnexpectedValueError("errorFrom", expected, error);
  }
  if (error.retryAfter !== undefined) checkedSeconds("errorFrom().retryAfter", error.retryAfter);
  const model = modelOf(error.constructor as APIErrorClass);
  if (model === undefined || !Object.is(error.data, details.data)) return error;
  const decoded = await decode(model, body, format);
  Reflect.defineProperty(error, "data", { value: decoded?.value, configurable: true });
  if (decoded !== undefined) keepDataModel(error, model);
  return error;
}

/** Returns the request id of a response. */
export function requestIdOf(
  { headers }: Response,
  { requestIdHeader }: Settings,
): string | undefined {
  return (requestIdHeader && headers.get(requestIdHeader)) ?? undefined;
}
