/** The attempt loop: makes a call, and repeats it while it fails and may be retried. */
import { followRedirects } from "../http/follow_redirects.ts";
import { isPromise } from "../base/checks.ts";
import type { APIError } from "../errors/api_error.ts";
import { addNote } from "../errors/base_error.ts";
import { shorten, TEXT_LIMIT } from "../errors/message_text.ts";
import { TransportError } from "../errors/transport_error.ts";
import { AbortScope, delay } from "../http/abort.ts";
import type { HttpSession } from "../http/http_session.ts";
import { type ErrorBody, IncomingResponse } from "../http/incoming_response.ts";
import { type RequestBody, type UploadBody, uploadBodyOf } from "../http/request_body.ts";
import { toTransportError } from "../http/transport_failure.ts";
import type { Logger } from "../log/logger.ts";
import { likelyMilliseconds } from "../options/likely_mistakes.ts";
import type { RequestOptions } from "../options/request_options.ts";
import type { Settings } from "../options/settings.ts";
import { buildCall, type CallInput, withIdempotencyKey } from "./build.ts";
import type { BufferedResponse, Call, Format, RunningCall } from "./call.ts";
import type { ConversionDefaults } from "./formats/choose.ts";
import { takenBy } from "./formats/raw.ts";
import { attemptRecord, writeRecord } from "./log_record.ts";
import { RequestContext } from "../options/middleware.ts";
import { checkResponse, convertResponse, receiveReadable, type ResponseCheck } from "./result.ts";
import { lostProgressWarning } from "./lost_progress.ts";
import { debugRecord } from "./redact.ts";
import { type RetryBudget, retryBudgetOf } from "./retry/budget.ts";
import {
  type Failure,
  itemFailure,
  statusFailure,
  successFailure,
  transportFailure,
} from "./retry/failure.ts";
import {
  askRetryHooks,
  optionsFromHook,
  type RetryDecisionHooks,
  type RetryHook,
} from "./retry/hooks.ts";
import { planRetry, type RetryDecision } from "./retry/plan.ts";
import { classifyStatus, type FailedStatus } from "./retry/statuses.ts";
import { longWaitWarning } from "./retry/wait.ts";
import { attemptThroughMiddleware } from "./run_middleware.ts";
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

/**
 * Makes a call: sends its request until a response is a success, or no attempt is left (the
 * contract's table "Request attempt loop").
 *
 * @param caller The session or client
 * @param input The method, path and options of the call
 * @param login Settles when the session has logged in; undefined if it has
 * @returns The response, or the converted body
 */
export async function makeCall(
  caller: Caller,
  input: CallInput,
  login: Promise<void> | undefined,
): Promise<unknown> {
  // Always awaited: a scheme or an adapter that makes a call must not run inside of that call.
  const run = new CallRun(caller, input, withIdempotencyKey(await buildCall(input, caller)));
  try {
    if (login !== undefined) await run.waitFor(login);
    let outcome = await run.attempt();
    while ("error" in outcome) {
      if (!await run.waitForRetry(outcome)) throw outcome.error;
      await run.askRequestHook(outcome);
      outcome = await run.attempt();
    }
    const result = run.result(outcome);
    // Each await takes time, also that of a value.
    return isPromise(result) ? await result : result;
  } catch (error) {
    throw run.errorOf(error);
  } finally {
    run.settle();
  }
}

/** A call while it is made: its request, and what its attempts share. */
class CallRun implements RunningCall {
  readonly budget: RetryBudget | undefined;
  /** The request, which a hook may change for the next attempts. */
  call: Call;
  retries = 0;
  scope: AbortScope | undefined;
  readonly #caller: Caller;
  readonly #input: CallInput;
  /** The error of the last attempt. */
  #lastError: Error | undefined;
  /** True if an attempt got no response, except after a timeout. */
  #hasFailed = false;
  /** The tokens of the budget that the last retry took. */
  #tokens: number | undefined;
  /** The values that middleware shares. */
  #values: RequestContext | undefined;

  /**
   * @param caller The session or client
   * @param input The method, path and options of the call
   * @param call The request
   */
  constructor(caller: Caller, input: CallInput, call: Call) {
    const { signals, settings: { clock, deadline, retryBudget } } = call;
    this.#caller = caller;
    this.#input = input;
    this.call = call;
    this.budget = retryBudget ? retryBudgetOf(caller.http) : undefined;
    if (signals.length > 0 || typeof deadline === "number") {
      this.scope = new AbortScope(signals, deadline ?? undefined, clock);
    }
  }

  /** Sends the request once, and reads the response as far as the conversion needs it. */
  async attempt(): Promise<BufferedResponse | Failure> {
    const call = this.call;
    const { settings: { middleware }, body } = call;
    const upload = body.kind === "none" ? undefined : uploadBodyOf(body);
    let incoming: IncomingResponse | undefined;
    let failed: { readonly status: FailedStatus; readonly body: ErrorBody } | undefined;
    let received: BufferedResponse | undefined;
    try {
      const request = this.#beginAttempt(upload);
      const work = middleware.length === 0
        ? followRedirects(request)
        : attemptThroughMiddleware(request, middleware, this.#contextValues(), this.retries);
      const { scope } = request;
      const response =
        await (scope === undefined ? work : Promise.race([work, scope.interruption(work)]));
      incoming = new IncomingResponse(response, scope, call);
      const status = classifyStatus(response.status, call.settings);
      // A conversion reads the body here, so that a body that breaks off is retried.
      if (status !== undefined) failed = { status, body: await incoming.errorBody() };
      else if (!this.#mayBeError(response)) return await this.format.receive(incoming, call);
      else received = await receiveReadable(incoming, this);
    } catch (error) {
      this.scope?.release();
      this.scope?.throwIfAborted();
      // A mistake in the caller's stream is not a failure of the transport.
      if (upload?.failure !== undefined) throw upload.failure.error;
      // Any other error of a middleware is its own, even if it looks like one of the transport.
      const isOwn = incoming === undefined && middleware.length > 0;
      if (isOwn && !(error instanceof TransportError)) throw error;
      const failure = transportFailure(error, this);
      const isTimeout = failure.error instanceof TransportError && failure.error.kind === "timeout";
      this.#hasFailed ||= incoming === undefined && !isTimeout;
      return failure;
    } finally {
      if (upload?.isWhole) this.#warnOfLostProgress(body);
    }
    // If the call is aborted, reading the body of an error does not throw.
    this.scope?.throwIfAborted();
    if (failed !== undefined) {
      return await this.waitFor(statusFailure(failed.status, failed.body, this));
    }
    return await this.waitFor(successFailure(received!, this)) ?? received!;
  }

  /** Reports if the body of a success is searched for an error. */
  #mayBeError({ status }: Response): boolean {
    const { errorsInSuccess, okStatuses } = this.call.settings;
    return errorsInSuccess && !this.format.isUnread && !okStatuses?.includes(status);
  }

  /** Starts the time limits of an attempt and logs it, and returns its request. */
  #beginAttempt(upload: UploadBody | undefined): CallAttempt {
    const call = this.call;
    const retries = this.retries;
    const { http } = this.#caller;
    const { settings, summary: request } = call;
    const { verify = http.sslVerify } = settings;
    const timeout = settings.timeout === undefined ? http.timeout : settings.timeout ?? undefined;
    if (timeout !== undefined) this.scope ??= new AbortScope([], undefined, settings.clock);
    const scope = this.scope;
    const signal = scope?.startAttempt(
      timeout,
      (error) => toTransportError(error, { request, retries }),
    );
    const logger = this.logger;
    if (logger.isLevelEnabled?.("debug") ?? true) {
      writeRecord(logger, "debug", () => debugRecord(call, verify));
    }
    return { call, http, upload, verify, scope, signal, logger, hasFailed: this.#hasFailed };
  }

  /** Checks and converts the response of a successful attempt. Returns the result or a promise of it. */
  result(received: BufferedResponse): unknown {
    const { context } = this.#input;
    const checked = this.#checked(received);
    return isPromise(checked)
      ? checked.then((each) => convertResponse(each, this, context))
      : convertResponse(checked, this, context);
  }

  /** Ends the attempts with a success, which the hook `_respErrorCheck` looks at. */
  #checked(received: BufferedResponse): BufferedResponse | Promise<BufferedResponse> {
    const { respErrorCheck } = this.#caller.hooks;
    this.budget?.refund(this.#tokens);
    return respErrorCheck === undefined
      ? received
      : this.waitFor(checkResponse(received, this, respErrorCheck));
  }

  async repeatAfter(error: APIError, signal: AbortSignal): Promise<Response> {
    const { signals, settings: { clock } } = this.call;
    // The deadline ended when the call returned its stream.
    this.scope = new AbortScope([...signals, signal], undefined, clock);
    try {
      let outcome: BufferedResponse | Failure = itemFailure(error, this);
      while ("error" in outcome) {
        if (!await this.waitForRetry(outcome)) throw outcome.error;
        await this.askRequestHook(outcome);
        outcome = await this.attempt();
      }
      return (await this.#checked(outcome)).response;
    } catch (error) {
      throw this.errorOf(error);
    } finally {
      this.settle();
    }
  }

  async callAgain(options: RequestOptions): Promise<unknown> {
    const { method, path } = this.#input;
    return await makeCall(this.#caller, { method, path, options, context: undefined }, undefined);
  }

  /**
   * Waits for the next attempt. Returns false if no attempt is left. The caller throws the error then:
   * thrown here, it would pass through one more promise, which takes time.
   */
  async waitForRetry(failure: Failure): Promise<boolean> {
    const { settings, summary } = this.call;
    const { error, reason, requestId, response, retryAfter } = failure;
    const logger = this.logger;
    const decision = await this.#askDecisionHooks(failure);
    const { wait, note, tokens } = planRetry(failure, this, decision);
    if (note !== undefined) addNote(error, note);
    const attempt = ++this.retries;
    if (response === undefined) {
      const outcome = { attempt, error: error.message };
      writeRecord(logger, "error", () => attemptRecord(summary, outcome));
    }
    this.#lastError = error;
    if (wait === undefined) return false;
    if (wait === retryAfter) this.#warnOfLongWait(wait);
    else if (attempt === 1) this.#warnOfMilliseconds(wait, decision?.wait !== undefined);
    const isLast = attempt > settings.retries;
    if (!isLast) {
      const id = requestId && shorten(requestId, TEXT_LIMIT);
      const outcome = { attempt, of: settings.retries + 1, reason, wait, requestId: id };
      writeRecord(logger, "warn", () => attemptRecord(summary, outcome));
      this.#tokens = tokens;
    }
    await delay(wait, settings.clock, this.scope);
    return !isLast;
  }

  /** Asks the hooks that decide on a retry, if another attempt is left. */
  #askDecisionHooks(failure: Failure): Promise<RetryDecision> | undefined {
    const { shouldRetry, retryWait } = this.#caller.hooks;
    const isLast = this.retries >= this.call.settings.retries;
    if (isLast || shouldRetry === undefined && retryWait === undefined) return undefined;
    return this.waitFor(askRetryHooks(failure, { shouldRetry, retryWait }, this));
  }

  /** Warns if a function of the program has returned milliseconds. */
  #warnOfMilliseconds(wait: number, isOfHook: boolean): void {
    if (!isOfHook && typeof this.call.settings.backoff === "number") return;
    const option = isOfHook ? "_retryWait" : "backoff";
    for (const text of likelyMilliseconds({ [option]: wait }, [option])) {
      writeRecord(this.logger, "warn", () => text);
    }
  }

  #warnOfLostProgress(body: RequestBody): void {
    const warning = lostProgressWarning(body, this.#caller.http);
    if (warning !== undefined) writeRecord(this.logger, "warn", () => warning);
  }

  #warnOfLongWait(wait: number): void {
    const warning = longWaitWarning(wait, this.call.settings.maxRetryAfter, this.#caller.http);
    if (warning !== undefined) writeRecord(this.logger, "warn", () => warning);
  }

  /** Lets the hook `_retryRequest` change the request for the next attempts (rule 8). */
  async askRequestHook({ response }: Failure): Promise<void> {
    const { retryRequest } = this.#caller.hooks;
    if (response === undefined || retryRequest === undefined) return;
    const { options } = this.call;
    const hook = optionsFromHook(retryRequest, response, this.retries, options);
    const changed: RequestOptions | undefined = await this.waitFor(hook);
    if (changed === undefined) return;
    const built = await buildCall({ ...this.#input, options: changed }, this.#caller);
    this.call = withIdempotencyKey(built, this.call);
  }

  waitFor<T>(work: Promise<T>): Promise<T> {
    return this.scope?.waitFor(work) ?? work;
  }

  /** Returns the error that the call throws. */
  errorOf(error: unknown): unknown {
    return this.scope?.toAbortError(error, this.#lastError) ?? error;
  }

  /** Ends the call. */
  settle(): void {
    this.scope?.settle();
  }

  get format(): Format {
    const take = this.#input.context?.takeResponse;
    return take === undefined ? this.call.format : takenBy(take);
  }

  get logger(): Logger {
    return this.call.settings.logger ?? this.#caller.hooks.logger;
  }

  #contextValues(): RequestContext {
    return this.#values ??= this.call.settings.context ?? new RequestContext();
  }
}
