import { DeadlineExceededError } from "../errors/deadline_exceeded_error.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { Cancellation } from "../http/cancellation.ts";
import type { Arrival } from "../http/arrival.ts";
import { readErrorBody } from "../http/error_body.ts";
import { exchange, type ExchangeContext } from "../http/exchange.ts";
import type { HttpSession } from "../http/http_session.ts";
import { BodySource } from "../http/request_body.ts";
import { toTransportError } from "../http/transport_failure.ts";
import { isLevelEnabled, type Logger } from "../log/logger.ts";
import { checkedBound, checkedLogger, checkedSignal } from "../checks.ts";
import { deliver, receive, type Received } from "./delivery.ts";
import type { Face } from "./face.ts";
import { errorData } from "./error_data.ts";
import { type Failure, type StatusFailure, statusFailure, transportFailure } from "./failure.ts";
import { pause } from "./pause.ts";
import {
  type Call,
  debugRecord,
  type PreparedRequest,
  prepareRequest,
  retryRecord,
  summaryOf,
  transportErrorRecord,
} from "./request.ts";
import { copyOptions, nextOptions, type RequestOptions } from "./request_options.ts";
import type { EngineSettings } from "./settings.ts";
import { type Trace, traceOf } from "./trace.ts";
import { judge } from "./verdict.ts";

/** How an attempt ended. */
type Outcome =
  | { readonly kind: "succeeded"; readonly value: unknown }
  | { readonly kind: "failed"; readonly failure: Failure };

/** What surrounds an attempt. */
interface AttemptContext {
  readonly retries: number;
  readonly cancellation: Cancellation | undefined;
  readonly logger: Logger;
  readonly trace: Trace | undefined;
}

/** A response that arrived, as far as the toolkit reads it. */
type Arrived =
  | StatusFailure
  | { readonly kind: "succeeded"; readonly received: Received };

/** The attempt loop: what every call of a session or client goes through. */
export class Engine {
  readonly #settings: EngineSettings;
  readonly #face: Face;
  readonly #http: HttpSession;

  /**
   * @param settings What it works by
   * @param face What it works for
   * @param http What carries the requests
   */
  constructor(settings: EngineSettings, face: Face, http: HttpSession) {
    this.#settings = settings;
    this.#face = face;
    this.#http = http;
  }

  /**
   * Makes one call: attempts, waits and retries until a response is a success or the attempts run
   * out (the contract's table "Request attempt loop").
   *
   * @param call The call
   * @returns The response, or what it is converted to
   */
  async send(call: Call): Promise<unknown> {
    const { clock } = this.#settings;
    let request = this.#prepare(call);
    const { retries: limit, finalWait } = request.settings;
    const logger = checkedLogger("logger", call.options.logger) ?? this.#face.logger;
    const trace = traceOf(call.options); // a hook that gives keywords gives no trace
    const cancellation = this.#cancellation(call.options);
    let failure: Failure | undefined;
    try {
      for (let retries = 0;; retries++) {
        cancellation?.throwIfEnded();
        const outcome = await this.#attempt(request, { retries, cancellation, logger, trace });
        if (outcome.kind === "succeeded") return outcome.value;
        failure = outcome.failure;
        const { error, wait, response } = failure;
        if (wait === undefined) throw error;
        const isLast = retries >= limit;
        if (!isLast) {
          const { reason, requestId } = failure;
          const retry = { attempt: retries + 1, of: limit + 1, reason, wait, requestId };
          logger.warn(retryRecord(request, retry));
        }
        // The contract waits after the last attempt too, before it raises.
        if (!isLast || finalWait) await pause(wait, clock, cancellation);
        if (isLast) throw error;
        if (response !== undefined) {
          request = await this.#revised(call, request, response, retries + 1);
        }
      }
    } catch (error) {
      if (error instanceof DeadlineExceededError && cancellation?.isReason(error)) {
        throw new DeadlineExceededError(error.deadline, failure?.error);
      }
      throw error;
    } finally {
      cancellation?.settle();
    }
  }

  #prepare(call: Call): PreparedRequest {
    const { results: { box, boxAttrs, convJson }, overlay } = this.#face;
    const { timeout, sslVerify } = this.#http;
    const verify = this.#face.verify ?? sslVerify;
    const usual = { timeout, verify, box, boxAttrs, convJson, overlay };
    return prepareRequest(call, this.#settings, usual);
  }

  #cancellation({ signal, deadline }: RequestOptions): Cancellation | undefined {
    const { clock, deadline: usual, signal: common } = this.#settings;
    const bound = deadline === undefined ? usual : checkedBound("deadline", deadline);
    if (signal === undefined && common === undefined && bound === undefined) return undefined;
    const signals = [checkedSignal(signal), common].filter((each) => each !== undefined);
    return new Cancellation(signals, bound, clock);
  }

  async #attempt(
    request: PreparedRequest,
    { retries, cancellation, logger, trace }: AttemptContext,
  ): Promise<Outcome> {
    const { settings } = request;
    if (isLevelEnabled(logger, "debug")) logger.debug(debugRecord(request));
    const source = new BodySource(request.body);
    const explain = (error: unknown) =>
      toTransportError(error, { request: summaryOf(request), retries });
    const context = this.#context(request, { source, cancellation, explain });
    let arrived: Arrived;
    try {
      arrived = await this.#read(await exchange(this.#http, request, context), request);
    } catch (error) {
      cancellation?.throwIfEnded();
      // A mistake in the caller's stream is not a failure of the transport.
      if (source.failure !== undefined) throw source.failure.error;
      const failure = transportFailure(error, request, retries, settings);
      logger.error(transportErrorRecord(request, retries + 1, failure.error));
      return { kind: "failed", failure };
    }
    // Reading an error's body does not raise when the call is ended meanwhile.
    cancellation?.throwIfEnded();
    if (arrived.kind === "failed") {
      const said = await errorData(arrived, request);
      return { kind: "failed", failure: statusFailure(arrived, request, retries, settings, said) };
    }
    return {
      kind: "succeeded",
      value: await deliver(arrived.received, request, this.#face, trace),
    };
  }

  #context(
    { options }: PreparedRequest,
    { source, cancellation, explain }: Pick<ExchangeContext, "source" | "cancellation" | "explain">,
  ): ExchangeContext {
    const { clock, credentials, trust } = this.#settings;
    const { userAgent } = this.#face;
    const headers = this.#face.headersFor(options);
    return { source, cancellation, explain, clock, credentials, trust, headers, userAgent };
  }

  /** Judges what arrived and reads its body, as far as the toolkit has to. */
  async #read(arrival: Arrival, request: PreparedRequest): Promise<Arrived> {
    const verdict = judge(arrival.response.status, request.settings.errorMap, request.retryOn);
    return verdict.kind === "failed"
      ? { ...verdict, body: await readErrorBody(arrival) }
      : { ...verdict, received: await receive(arrival, request, this.#face) };
  }

  /** The request for the next attempts, as the hook wants it (rule 8). */
  async #revised(
    call: Call,
    request: PreparedRequest,
    response: Response,
    retries: number,
  ): Promise<PreparedRequest> {
    const { retryRequest } = this.#face;
    if (retryRequest === undefined) return request;
    const returned: unknown = await retryRequest(response, retries, copyOptions(request.options));
    if (returned === undefined) return request;
    if (typeof returned !== "object" || returned === null) {
      const expected = "a hook that returns the keywords for the next attempt, or undefined";
      throw new UnexpectedValueError("_retryRequest", expected, returned);
    }
    const options = nextOptions(request.options, returned);
    return this.#prepare({ ...call, options });
  }
}
