import type { Cancellation } from "../http/cancellation.ts";
import { escapeControls, shorten, TEXT_LIMIT } from "../errors/message_text.ts";
import { type RequestSummary, URL_LIMIT } from "../errors/request_summary.ts";
import { readErrorBody } from "../http/error_body.ts";
import { exchange, partsOfExchange, watching } from "../http/exchange.ts";
import type { HttpSession } from "../http/http_session.ts";
import { sourceOf } from "../http/request_body.ts";
import { toTransportError } from "../http/transport_failure.ts";
import { isLevelEnabled } from "../log/logger.ts";
import { allParts, onDemand } from "../on_demand.ts";
import { deliver, receive } from "./delivery.ts";
import type { Face } from "./face.ts";
import {
  errorDecoding,
  type Failure,
  type StatusFailure,
  statusFailure,
  transportFailure,
} from "./failure.ts";
import { pause } from "./pause.ts";
import type { Call, PreparedRequest, Received } from "./prepared_request.ts";
import { prepareRequest, redaction } from "./request.ts";
import type { EngineSettings } from "./settings.ts";
import { traceOf } from "./trace.ts";
import { judge } from "./verdict.ts";

const revision = onDemand(() => import("./revision.ts"));

/** The attempt loop: what every call of a session or client goes through. */
export class Engine {
  readonly #settings: EngineSettings;
  readonly #face: Face;
  /** What carries the requests. */
  readonly http: HttpSession;

  /**
   * @param settings What it works by
   * @param face What it works for
   * @param http What carries the requests
   */
  constructor(settings: EngineSettings, face: Face, http: HttpSession) {
    this.#settings = settings;
    this.#face = face;
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
    const face = this.#face;
    let request = await prepareRequest(call, this.#settings, face);
    const { signals, settings: { deadline, clock } } = request;
    const trace = traceOf(call.options); // a hook that gives keywords gives no trace
    const isEnding = signals.length > 0 || typeof deadline === "number";
    // Nothing is left to load once the time of the call runs and something has been sent.
    const parts = this.#parts(request, isEnding);
    if (parts.some((part) => part instanceof Promise)) await allParts(parts, signals);
    // What can end the call from outside, if anything.
    const cancellation = isEnding
      ? new (await watching()).Cancellation(signals, deadline ?? undefined, clock)
      : undefined;
    const waitFor = <T>(work: Promise<T>): Promise<T> => cancellation?.waitFor(work) ?? work;
    let failed: Error | undefined;
    try {
      if (gate !== undefined) await waitFor(gate);
      for (let retries = 0;; retries++) {
        const { settings, summary } = request;
        const { retries: limit, finalWait, logger = face.logger } = settings;
        cancellation?.throwIfEnded();
        if (isLevelEnabled(logger, "debug")) {
          // Where it is switched on meanwhile, and cannot be loaded, the call goes on without.
          const part = await Promise.resolve(redaction()).catch(() => undefined);
          if (part) logger.debug(escapeControls(part.debugRecord(request, this.http.sslVerify)));
        }
        const outcome = await this.#attempt(request, retries, cancellation);
        if (!("error" in outcome)) return await waitFor(deliver(outcome, request, face, trace));
        const { error, reason, wait, requestId, response } = outcome;
        const attempt = retries + 1;
        if (response === undefined) {
          logger.error(recordOf(summary, { attempt, error: error.message }));
        }
        failed = error;
        if (wait === undefined) throw error;
        if (retries >= limit) {
          // "Before a retry" (rule 7) is not after the last attempt; "every such exception" is.
          if (finalWait ?? response === undefined) await pause(wait, clock, cancellation);
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
        await pause(wait, clock, cancellation);
        const { retryRequest } = face;
        if (response === undefined || retryRequest === undefined) continue;
        // The request for the next attempts, as the hook wants it (rule 8).
        const { revisedOptions } = await revision();
        const options = await waitFor(
          revisedOptions(retryRequest, response, attempt, request.options),
        );
        if (options === undefined) continue;
        request = await prepareRequest({ ...call, options }, this.#settings, face);
      }
    } catch (error) {
      throw cancellation?.explained(error, failed) ?? error;
    } finally {
      cancellation?.settle();
    }
  }

  /** The parts that the attempts need, or promises of them. */
  #parts(request: PreparedRequest, isEnding: boolean): readonly unknown[] {
    const { errorModel, logger = this.#face.logger } = request.settings;
    return [
      isLevelEnabled(logger, "debug") && redaction(),
      this.#face.retryRequest !== undefined && revision(),
      errorModel !== undefined && errorDecoding(errorModel),
      ...partsOfExchange(this.http, request, isEnding),
    ];
  }

  /** Sends a request once, and reads what arrives as far as the toolkit has to. */
  async #attempt(
    request: PreparedRequest,
    retries: number,
    cancellation: Cancellation | undefined,
  ): Promise<Received | Failure> {
    const { summary, settings } = request;
    const source = sourceOf(request.body);
    let arrived: Received | StatusFailure;
    try {
      const arrival = await exchange(this.http, request, {
        source,
        cancellation,
        explain: (error) => toTransportError(error, { request: summary, retries }),
        headers: settings.headersFor?.(settings),
      });
      const verdict = judge(arrival.response.status, settings.errorMap, settings.retryOn);
      arrived = verdict === undefined
        ? await receive(arrival, request, this.#face)
        : { ...verdict, body: await readErrorBody(arrival) };
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
