import { Cancellation } from "../http/cancellation.ts";
import { escapeControls, shorten, TEXT_LIMIT } from "../errors/message_text.ts";
import { type RequestSummary, URL_LIMIT } from "../errors/request_summary.ts";
import { readErrorBody } from "../http/error_body.ts";
import { exchange } from "../http/exchange.ts";
import type { HttpSession } from "../http/http_session.ts";
import { uploadBodyOf } from "../http/request_body.ts";
import { toTransportError } from "../http/transport_failure.ts";
import { isLevelEnabled } from "../log/logger.ts";
import { finish, receive } from "./finish.ts";
import type { ClientHooks } from "./client_hooks.ts";
import { type Failure, type StatusFailure, statusFailure, transportFailure } from "./failure.ts";
import { delay } from "./delay.ts";
import type { BufferedResponse, Call, PreparedRequest } from "./prepared_request.ts";
import { debugRecord } from "./redaction.ts";
import { prepareRequest } from "./request.ts";
import { optionsFromHook } from "./retry_hook.ts";
import type { EngineSettings } from "./settings.ts";
import { contextOf } from "./call_context.ts";
import { classifyStatus } from "./classify_status.ts";

/** The attempt loop: what every call of a session or client goes through. */
export class Engine {
  readonly #settings: EngineSettings;
  readonly #hooks: ClientHooks;
  /** What carries the requests. */
  readonly http: HttpSession;

  /**
   * @param settings What it works by
   * @param hooks What it works for
   * @param http What carries the requests
   */
  constructor(settings: EngineSettings, hooks: ClientHooks, http: HttpSession) {
    this.#settings = settings;
    this.#hooks = hooks;
    this.http = http;
  }

  /**
   * Makes one call: attempts, waits and retries until a response is a success or the attempts run
   * out (the contract's table "Request attempt loop").
   *
   * @param call The call
   * @param gate What it waits for before anything is sent: the login
   * @returns The response, or what it is converted to
   */
  async send(call: Call, gate?: Promise<void>): Promise<unknown> {
    const hooks = this.#hooks;
    let request = await prepareRequest(call, this.#settings, hooks);
    const { signals, settings: { deadline, clock } } = request;
    const context = contextOf(call.options); // a hook that gives keywords gives no context
    const isEnding = signals.length > 0 || typeof deadline === "number";
    // What can end the call from outside, if anything.
    const cancellation = isEnding
      ? new Cancellation(signals, deadline ?? undefined, clock)
      : undefined;
    const waitFor = <T>(work: Promise<T>): Promise<T> => cancellation?.waitFor(work) ?? work;
    let failed: Error | undefined;
    try {
      if (gate !== undefined) await waitFor(gate);
      for (let retries = 0;; retries++) {
        const { settings, summary } = request;
        const { retries: limit, finalWait, logger = hooks.logger } = settings;
        cancellation?.throwIfEnded();
        if (isLevelEnabled(logger, "debug")) {
          logger.debug(escapeControls(debugRecord(request, this.http.sslVerify)));
        }
        const outcome = await this.#attempt(request, retries, cancellation);
        if (!("error" in outcome)) return await waitFor(finish(outcome, request, hooks, context));
        const { error, reason, wait, requestId, response } = outcome;
        const attempt = retries + 1;
        if (response === undefined) {
          logger.error(recordOf(summary, { attempt, error: error.message }));
        }
        failed = error;
        if (wait === undefined) throw error;
        if (retries >= limit) {
          // "Before a retry" (rule 7) is not after the last attempt; "every such exception" is.
          if (finalWait ?? response === undefined) await delay(wait, clock, cancellation);
          throw error;
        }
        logger.warn(
          recordOf(summary, {
            attempt,
            of: limit + 1,
            reason,
            wait,
            requestId: requestId && shorten(requestId, TEXT_LIMIT),
          }),
        );
        await delay(wait, clock, cancellation);
        const { retryRequest } = hooks;
        if (response === undefined || retryRequest === undefined) continue;
        // The request for the next attempts, as the hook wants it (rule 8).
        const options = await waitFor(
          optionsFromHook(retryRequest, response, attempt, request.options),
        );
        if (options === undefined) continue;
        request = await prepareRequest({ ...call, options }, this.#settings, hooks);
      }
    } catch (error) {
      throw cancellation?.toAbortError(error, failed) ?? error;
    } finally {
      cancellation?.settle();
    }
  }

  /** Sends a request once, and reads what arrives as far as the toolkit has to. */
  async #attempt(
    request: PreparedRequest,
    retries: number,
    cancellation: Cancellation | undefined,
  ): Promise<BufferedResponse | Failure> {
    const { summary, settings } = request;
    const source = uploadBodyOf(request.body);
    let arrived: BufferedResponse | StatusFailure;
    try {
      const incoming = await exchange(this.http, request, {
        source,
        cancellation,
        explain: (error) => toTransportError(error, { request: summary, retries }),
        headers: settings.headersFor?.(settings),
      });
      const failedStatus = classifyStatus(
        incoming.response.status,
        settings.errorMap,
        settings.retryOn,
      );
      arrived = failedStatus === undefined
        ? await receive(incoming, request, this.#hooks)
        : { ...failedStatus, body: await readErrorBody(incoming) };
    } catch (error) {
      cancellation?.throwIfEnded();
      // A mistake in the caller's stream is not a failure of the transport.
      if (source.failure !== undefined) throw source.failure.error;
      return transportFailure(error, request, retries, cancellation);
    }
    // Reading an error's body does not raise when the call is ended meanwhile.
    cancellation?.throwIfEnded();
    return "errorClass" in arrived
      ? await statusFailure(arrived, request, retries, cancellation)
      : arrived;
  }
}

/** Returns the log record of an attempt that failed: JSON, without control characters. */
function recordOf({ method, url }: RequestSummary, outcome: object): string {
  return escapeControls(JSON.stringify({ method, url: shorten(url, URL_LIMIT), ...outcome }));
}
