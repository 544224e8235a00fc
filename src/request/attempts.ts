import { followRedirects } from "#redirects";
import { APIError } from "../errors/api_error.ts";
import { addNote } from "../errors/base_error.ts";
import {
  escapeControls,
  type RequestSummary,
  shorten,
  TEXT_LIMIT,
  URL_LIMIT,
} from "../errors/message_text.ts";
import { TransportError } from "../errors/transport_error.ts";
import { AbortScope, delay } from "../http/abort.ts";
import { checkedHeaders } from "../http/headers.ts";
import type { HttpSession } from "../http/http_session.ts";
import { type ErrorBody, IncomingResponse } from "../http/incoming_response.ts";
import { uploadBodyOf } from "../http/request_body.ts";
import { toTransportError } from "../http/transport_failure.ts";
import type { Path } from "../http/url.ts";
import type { Logger, LogLevel } from "../log/logger.ts";
import { mergeSetting, type Settings } from "../options/settings.ts";
import type { RequestOptions } from "../options/request_options.ts";
import { buildCall, withIdempotencyKey } from "./build.ts";
import type { BufferedResponse, Call, CallContext } from "./call.ts";
import { RequestContext } from "./middleware.ts";
import {
  type ConversionDefaults,
  detailsOf,
  parseResponse,
  rawParser,
  type ResponseCheck,
} from "./parse.ts";
import { debugRecord } from "./redact.ts";
import {
  type FailedStatus,
  type Failure,
  planRetry,
  type RetryDecision,
  statusFailure,
  transportFailure,
} from "./retry.ts";
import { retryBudgetOf } from "./retry_budget.ts";
import { longWaitWarning } from "./retry_wait.ts";
import {
  askRetryHooks,
  optionsFromHook,
  type RetryDecisionHooks,
  type RetryHook,
} from "./retry_hooks.ts";
import { attemptThroughMiddleware, compose } from "./run_middleware.ts";
import type { CallAttempt } from "./sent_request.ts";

/** The hooks and defaults of a session or client. They are read at each call. */
export interface CallHooks extends ConversionDefaults, RetryDecisionHooks {
  /** The logger. */
  readonly logger: Logger;
  /** The hook `_respErrorCheck`; undefined if the SDK does not override it. */
  readonly respErrorCheck: ResponseCheck | undefined;
  /** The hook `_retryRequest`; undefined if the SDK does not override it. */
  readonly retryRequest: RetryHook | undefined;
}

/** The session or client that makes a call. */
export interface Caller {
  /** The settings. */
  readonly settings: Settings;
  /** The hooks. */
  readonly hooks: CallHooks;
  /** The HTTP session. */
  readonly http: HttpSession;
}

/** Makes a call through the middleware around it. The parameters are those of `sendWithRetries`. */
export function sendThroughMiddleware(
  caller: Caller,
  method: string,
  path: Path,
  options: RequestOptions,
  login: Promise<void> | undefined,
  callContext: CallContext | undefined,
): Promise<unknown> {
  const context = mergeSetting("context", options.context, new RequestContext());
  let isUndefined = false;
  return compose(
    {
      option: "callMiddleware",
      expected: "a function that returns the result of next(), or another one",
      // A model may convert a body to undefined.
      isOutput: (value): value is unknown => value !== undefined || isUndefined,
    },
    caller.settings.callMiddleware,
    async ({ method, path, options }) => {
      const own = { ...options, context };
      const result = await sendWithRetries(caller, method, path, own, login, callContext);
      isUndefined = result === undefined;
      return result;
    },
    { method, path, options, context },
  );
}

/**
 * Makes a call: sends its request until a response is a success, or no attempt is left (the
 * contract's table "Request attempt loop").
 *
 * @param caller The session or client
 * @param method The HTTP method
 * @param path The path below the base URL, or a full URL
 * @param options The request options
 * @param login Settles when the session has logged in; undefined if it has
 * @param context Receives the response
 * @returns The response, or the converted body
 */
export async function sendWithRetries(
  caller: Caller,
  method: string,
  path: Path,
  options: RequestOptions,
  login: Promise<void> | undefined,
  context: CallContext | undefined,
): Promise<unknown> {
  const { settings: clientSettings, hooks, http } = caller;
  // Always awaited: a scheme or an adapter that makes a call must not run inside of that call.
  let call = await buildCall(method, path, options, clientSettings, hooks, context);
  if (call.settings.idempotencyHeader) call = withIdempotencyKey(call);
  const { clock, deadline } = call.settings;
  const budget = call.settings.retryBudget ? retryBudgetOf(http) : undefined;
  /** The tokens of the budget that the last retry took. */
  let tokens: number | undefined;
  let values: RequestContext | undefined;
  const isAbortable = call.signals.length > 0 || typeof deadline === "number";
  let scope = isAbortable ? new AbortScope(call.signals, deadline ?? undefined, clock) : undefined;
  let lastError: Error | undefined;
  try {
    if (login !== undefined) await (scope?.waitFor(login) ?? login);
    for (let retries = 0;; retries++) {
      const { settings, summary } = call;
      const { retries: limit, logger = hooks.logger, verify = http.sslVerify } = settings;
      const timeout = settings.timeout === undefined ? http.timeout : settings.timeout ?? undefined;
      if (timeout !== undefined) scope ??= new AbortScope([], undefined, clock);
      const signal = scope?.startAttempt(
        timeout,
        (error) => toTransportError(error, { request: summary, retries }),
      );
      if (logger.isLevelEnabled?.("debug") ?? true) {
        write(logger, "debug", () => debugRecord(call, verify));
      }

      // One attempt. A conversion reads the body here, so that a body that breaks off is retried.
      const upload = call.body.kind === "none" ? undefined : uploadBodyOf(call.body);
      let received: BufferedResponse | undefined;
      let failedStatus: FailedStatus | undefined;
      let errorBody: ErrorBody | undefined;
      let failed: Failure | undefined;
      let incoming: IncomingResponse | undefined;
      try {
        const request: CallAttempt = { call, http, upload, verify, scope, signal };
        const work = settings.middleware.length === 0
          ? followRedirects(request)
          : attemptThroughMiddleware(
            request,
            settings.middleware,
            values ??= settings.context ?? new RequestContext(),
            retries,
          );
        const response =
          await (scope === undefined ? work : Promise.race([work, scope.interruption(work)]));
        incoming = new IncomingResponse(response, scope, call);
        failedStatus = classifyStatus(incoming.response.status, settings);
        if (failedStatus !== undefined) errorBody = await incoming.errorBody();
        else {
          const parser = context?.takeResponse === undefined ? call.parser : rawParser;
          received = await parser.receive(incoming, call);
        }
      } catch (error) {
        scope?.release();
        scope?.throwIfAborted();
        // A mistake in the caller's stream is not a failure of the transport.
        if (upload?.failure !== undefined) throw upload.failure.error;
        // Any other error of a middleware is its own, even if it looks like one of the transport.
        const isOwn = incoming === undefined && settings.middleware.length > 0;
        if (isOwn && !(error instanceof TransportError)) throw error;
        failed = transportFailure(error, call, retries);
      }
      if (received !== undefined) {
        budget?.refund(tokens);
        const { respErrorCheck } = hooks;
        const result = parseResponse(received, call, respErrorCheck, context, retries);
        // A hook or a model may wait for something that cannot be aborted.
        const isSlow = respErrorCheck !== undefined || call.options.responseModel !== undefined;
        const value = isSlow && scope !== undefined
          ? await scope.waitFor(Promise.resolve(result))
          : result instanceof Promise
          ? await result
          : result;
        return settings.stream === undefined ? value : await readStream(value as Response, call, {
          retries,
          send: (changed) => sendWithRetries(caller, method, path, changed, undefined, undefined),
        });
      }
      // If the call is aborted, reading the body of an error does not throw.
      scope?.throwIfAborted();
      failed ??= await statusFailure(failedStatus!, errorBody!, call, retries);
      const state = { call, retries, scope, budget };
      const { shouldRetry, retryWait } = hooks;
      let decision: RetryDecision | undefined;
      if (retries < limit && (shouldRetry !== undefined || retryWait !== undefined)) {
        const asked = askRetryHooks(failed, { shouldRetry, retryWait }, state);
        decision = await (scope?.waitFor(asked) ?? asked);
      }

      // The next attempt, or the error.
      const { error, reason, requestId, response, retryAfter } = failed;
      const { wait, note, tokens: taken } = planRetry(failed, state, decision);
      if (note !== undefined) addNote(error, note);
      const attempt = retries + 1;
      if (response === undefined) {
        write(logger, "error", () => recordOf(summary, { attempt, error: error.message }));
      }
      lastError = error;
      if (wait === undefined) throw error;
      const warning = wait === retryAfter
        ? longWaitWarning(wait, settings.maxRetryAfter, http)
        : undefined;
      if (warning !== undefined) write(logger, "warn", () => warning);
      if (retries >= limit) {
        await delay(wait, clock, scope);
        throw error;
      }
      write(logger, "warn", () =>
        recordOf(summary, {
          attempt,
          of: limit + 1,
          reason,
          wait,
          requestId: requestId && shorten(requestId, TEXT_LIMIT),
        }));
      tokens = taken;
      await delay(wait, clock, scope);
      const { retryRequest } = hooks;
      if (response === undefined || retryRequest === undefined) continue;
      // The hook may change the request for the next attempts (rule 8).
      const hook = optionsFromHook(retryRequest, response, attempt, call.options);
      const changed = await (scope?.waitFor(hook) ?? hook);
      if (changed !== undefined) {
        const built = await buildCall(method, path, changed, clientSettings, hooks, context);
        call = withIdempotencyKey(built, call);
      }
    }
  } catch (error) {
    throw scope?.toAbortError(error, lastError) ?? error;
  } finally {
    scope?.settle();
  }
}

/**
 * Reads a response as a stream.
 *
 * @param response The response
 * @param call The call
 * @param attempts The retries of the call so far, and a function that makes the call again
 */
async function readStream(
  response: Response,
  call: Call,
  { retries, send }: {
    readonly retries: number;
    readonly send: (options: RequestOptions) => Promise<unknown>;
  },
): Promise<unknown> {
  const { summary: request, options, settings: { stream, clock }, signals } = call;
  return await stream!.read(response, {
    request,
    toTransportError: (error) =>
      // The reason of an abort may be anything, also an error that looks like a lost connection.
      signals.some(({ aborted, reason }) => aborted && reason === error)
        ? error
        : toTransportError(error, { request, retries }),
    errorDetails: (from, body) => detailsOf(from, body, call),
    reopen: async (headers) => {
      const merged = { ...checkedHeaders(options.headers ?? {}), ...checkedHeaders(headers) };
      const { accept, headers: formatHeaders } = stream!;
      const raw = { accept, headers: formatHeaders, read: (each: Response) => each };
      return await send({ ...options, headers: merged, stream: raw }) as Response;
    },
    async wait(seconds) {
      const scope = new AbortScope(signals, undefined, clock);
      try {
        await delay(seconds, clock, scope);
      } finally {
        scope.settle();
      }
    },
  });
}

/**
 * Returns the error of a status (the contract's table "Request attempt loop"); undefined for a
 * success.
 *
 * @param status The status
 * @param settings The error map, other statuses that are a success, and those that are retried
 */
export function classifyStatus(
  status: number,
  { errorMap, okStatuses, retryOn }: Pick<Settings, "errorMap" | "okStatuses" | "retryOn">,
): FailedStatus | undefined {
  if (okStatuses?.includes(status)) return undefined;
  const errorClass = errorMap[status];
  if (errorClass !== undefined) {
    return { errorClass, retry: errorClass.retryable || (retryOn?.includes(status) ?? false) };
  }
  return status >= 200 && status <= 298 ? undefined : { errorClass: APIError, retry: false };
}

/** Writes a log record. If that fails, writes a warning instead, and does not fail the call. */
function write(logger: Logger, level: LogLevel, record: () => string): void {
  try {
    if (logger.isLevelEnabled?.(level) === false) return;
    logger[level](escapeControls(record()));
  } catch (error) {
    try {
      logger.warn(escapeControls(`a ${level} record could not be written: ${error}`));
    } catch {
      // The logger itself throws.
    }
  }
}

/** Returns the log record of an attempt that failed, as JSON. */
function recordOf({ method, url }: RequestSummary, outcome: object): string {
  return JSON.stringify({ method, url: shorten(url, URL_LIMIT), ...outcome });
}
