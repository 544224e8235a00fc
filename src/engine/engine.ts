import { checkedSignal } from "../checks.ts";
import type { Arrival } from "../http/arrival.ts";
import type { Cancellation } from "../http/cancellation.ts";
import { readErrorBody } from "../http/error_body.ts";
import { exchange, type ExchangeContext } from "../http/exchange.ts";
import type { HttpSession } from "../http/http_session.ts";
import { sourceOf } from "../http/request_body.ts";
import { toTransportError } from "../http/transport_failure.ts";
import { isLevelEnabled, type Logger } from "../log/logger.ts";
import { onDemand, withPart } from "../on_demand.ts";
import { deliver, receive } from "./delivery.ts";
import type { Face } from "./face.ts";
import { type Failure, type StatusFailure, statusFailure, transportFailure } from "./failure.ts";
import { pause } from "./pause.ts";
import type { Call, PreparedRequest, Received } from "./prepared_request.ts";
import { prepareRequest } from "./request.ts";
import type { EngineSettings } from "./settings.ts";
import { type Trace, traceOf } from "./trace.ts";
import { judge } from "./verdict.ts";

const cancellations = onDemand(() => import("../http/cancellation.ts"));
const redaction = onDemand(() => import("./redaction.ts"));
const revision = onDemand(() => import("./revision.ts"));

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
    const prepared = this.#prepare(call);
    let request = prepared instanceof Promise ? await prepared : prepared;
    const { retries: limit, finalWait, clock } = request.settings;
    const logger = request.settings.logger ?? this.#face.logger;
    const debugRecord = isLevelEnabled(logger, "debug")
      ? (await redaction()).debugRecord
      : undefined;
    const trace = traceOf(call.options); // a hook that gives keywords gives no trace
    const cancelling = this.#cancellation(request);
    const cancellation = cancelling instanceof Promise ? await cancelling : cancelling;
    let failure: Failure | undefined;
    try {
      for (let retries = 0;; retries++) {
        cancellation?.throwIfEnded();
        if (debugRecord !== undefined) logger.debug(debugRecord(request, this.#verifies(request)));
        const outcome = await this.#attempt(request, { retries, cancellation, logger, trace });
        if (outcome.kind === "succeeded") return outcome.value;
        failure = outcome.failure;
        const { error, reason, wait, requestId, response } = failure;
        if (wait === undefined) throw error;
        const isLast = retries >= limit;
        if (!isLast) {
          const retry = { attempt: retries + 1, of: limit + 1, reason, wait, requestId };
          logger.warn(JSON.stringify({ ...request.summary, ...retry }));
        }
        // The contract waits after the last attempt too, before it raises.
        if (!isLast || finalWait) await pause(wait, clock, cancellation);
        if (isLast) throw error;
        if (response !== undefined) {
          request = await this.#revised(call, request, response, retries + 1);
        }
      }
    } catch (error) {
      throw cancellation?.explained(error, failure?.error) ?? error;
    } finally {
      cancellation?.settle();
    }
  }

  #prepare(call: Call): PreparedRequest | Promise<PreparedRequest> {
    return prepareRequest(call, this.#settings, this.#face);
  }

  /** What can end the call from outside, if anything. */
  #cancellation(
    { options, settings }: PreparedRequest,
  ): Cancellation | undefined | Promise<Cancellation> {
    const signals = [checkedSignal("signal", options.signal), this.#settings.signal]
      .filter((signal) => signal !== undefined);
    const deadline = settings.deadline ?? undefined;
    if (signals.length === 0 && deadline === undefined) return undefined;
    return withPart(
      cancellations(),
      ({ Cancellation }) => new Cancellation(signals, deadline, settings.clock),
    );
  }

  async #attempt(
    request: PreparedRequest,
    { retries, cancellation, logger, trace }: AttemptContext,
  ): Promise<Outcome> {
    const { summary } = request;
    const source = sourceOf(request.body);
    const explain = (error: unknown) => toTransportError(error, { request: summary, retries });
    const context = this.#context(request, { source, cancellation, explain });
    let arrived: Arrived;
    try {
      arrived = await this.#read(await exchange(this.#http, request, context), request);
    } catch (error) {
      cancellation?.throwIfEnded();
      // A mistake in the caller's stream is not a failure of the transport.
      if (source.failure !== undefined) throw source.failure.error;
      const failure = transportFailure(error, request, retries);
      const { message } = failure.error;
      logger.error(JSON.stringify({ ...summary, attempt: retries + 1, error: message }));
      return { kind: "failed", failure };
    }
    // Reading an error's body does not raise when the call is ended meanwhile.
    cancellation?.throwIfEnded();
    if (arrived.kind === "failed") {
      return { kind: "failed", failure: await statusFailure(arrived, request, retries) };
    }
    return {
      kind: "succeeded",
      value: await deliver(arrived.received, request, this.#face, trace),
    };
  }

  #verifies({ settings }: PreparedRequest): boolean {
    return settings.verify ?? this.#face.verify ?? this.#http.sslVerify;
  }

  #context(
    request: PreparedRequest,
    { source, cancellation, explain }: Pick<ExchangeContext, "source" | "cancellation" | "explain">,
  ): ExchangeContext {
    const { clock, credentials, trust, timeout, followRedirects, maxRedirects } = request.settings;
    const { userAgent } = this.#face;
    return {
      source,
      cancellation,
      explain,
      clock,
      credentials,
      trust,
      timeout: timeout === undefined ? this.#http.timeout : timeout ?? undefined,
      maxRedirects: followRedirects ? maxRedirects : undefined,
      verify: this.#verifies(request),
      headers: this.#face.headersFor(request.options),
      userAgent,
    };
  }

  /** Judges what arrived and reads its body, as far as the toolkit has to. */
  async #read(arrival: Arrival, request: PreparedRequest): Promise<Arrived> {
    const { errorMap, retryOn = [] } = request.settings;
    const verdict = judge(arrival.response.status, errorMap, retryOn);
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
    const { revisedOptions } = await revision();
    const options = await revisedOptions(retryRequest, response, retries, request.options);
    return options === undefined ? request : await this.#prepare({ ...call, options });
  }
}
