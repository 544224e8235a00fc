/** Opens a cassette: a transport that replays recorded responses, or records new ones. */
import { plainFetch } from "#transport";
import { checkedFlag, checkedFunction, checkedOptions, checkedTexts } from "../../base/checks.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { type SchemeChanges, schemeChanges } from "../../http/scheme_changes.ts";
import type { Transport, TransportInit } from "../../http/transport.ts";
import { abortable } from "../mock_transport.ts";
import { readBytes } from "./body_format.ts";
import {
  type CassetteData,
  cassetteText,
  describeRequest,
  type Interaction,
  type RecordedRequest,
} from "./cassette_data.ts";
import { CassetteError } from "./cassette_error.ts";
import { type CassetteFile, cassetteFile } from "./cassette_file.ts";
import {
  type Bindings,
  comparable,
  type ComparableRequest,
  describeDifferences,
  distance,
  matchRequest,
  type MatchRules,
} from "./match_request.ts";
import {
  copiedBody,
  type CopiedResponse,
  copiedResponse,
  recordedRequest,
  recordedResponse,
} from "./record_message.ts";
import {
  checkedRedaction,
  redact,
  type Redaction,
  type RedactionOptions,
  redactionOptions,
} from "./redact_cassette.ts";
import { checkedCassette, parseCassette } from "./parse_cassette.ts";
import { replayResponse } from "./replay_response.ts";

/**
 * The options of {@linkcode openCassette}.
 *
 * @category Cassettes
 */
export interface CassetteOptions extends RedactionOptions {
  /**
   * Determines if requests are sent and recorded:
   *
   * - `replay`: never. All responses come from the recording.
   * - `record`: always. What is saved replaces an earlier recording.
   * - `replay-or-record`: only if there is no recording yet.
   *
   * @default {"replay"}
   */
  readonly mode?: "replay" | "record" | "replay-or-record" | undefined;
  /** The transport that sends the requests to record. Default: fetch */
  readonly fetch?: Transport | undefined;
  /** The parts of a request that must be as recorded. Default: method, URL and body */
  readonly match?: MatchRules | undefined;
  /**
   * True if the last recording of a request is replayed again when all were used. Default: false, so
   * that one more request fails
   */
  readonly allowRepeats?: boolean | undefined;
}

/**
 * A transport that replays recorded responses, or sends requests and records them. Pass it as the
 * option `fetch` of a session.
 *
 * @category Cassettes
 */
export interface Cassette extends Transport {
  /** True if requests are sent and recorded, false if they are replayed. */
  readonly isRecording: boolean;
  /** The recorded requests that were not replayed so far. While recording, there are none. */
  readonly unused: readonly Interaction["request"][];

  /**
   * Checks that each recorded request was replayed, and that each request had a recording.
   *
   * @throws {CassetteError} If not
   */
  assertDone(): void;

  /**
   * Writes what was recorded, without secrets. Call it at the end of a test: a test that fails before
   * leaves the earlier recording as it is. While requests are replayed, it writes nothing.
   *
   * @returns The content of the cassette
   */
  save(): Promise<CassetteData>;
}

/** A value of the option `mode`. */
type Mode = NonNullable<CassetteOptions["mode"]>;

const modes: readonly string[] = ["replay", "record", "replay-or-record"];

/**
 * Opens a cassette: a file with recorded requests and responses.
 *
 * By default, it replays. Requests may come in any order; equal ones are replayed in the order in
 * which they were recorded. A request without a recording fails with a {@linkcode CassetteError},
 * and is not retried.
 *
 * When it records, each request goes through fetch, also each attempt and each redirect. `save()`
 * then writes a file of readable JSON, without secrets.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { openCassette } from "@restwright/restwright/testing";
 *
 * const cassette = await openCassette({
 *   version: 1,
 *   interactions: [{
 *     request: { method: "GET", url: "https://api.example.com/books/7", headers: {} },
 *     response: { status: 200, headers: {}, json: { title: "Indigo" } },
 *   }],
 * }); // or the path of a file
 * const session = new APISession({ url: "https://api.example.com", fetch: cassette });
 *
 * console.log(await session.get("books/7", { convJson: true })); // { title: "Indigo" }
 * cassette.assertDone();
 * ```
 *
 * @param source The path of the file, its URL, or the content of a cassette. With content, `save()`
 * returns the new content, and writes no file
 * @param options The mode, the secrets, and the parts of requests to compare
 * @throws {CassetteError} If there is no recording to replay, or if it is not a cassette
 * @throws {UnexpectedValueError} If an option is not valid
 *
 * @category Cassettes
 */
export async function openCassette(
  source: string | URL | CassetteData,
  options: CassetteOptions = {},
): Promise<Cassette> {
  const settings = checkedSettings(options);
  const { mode } = settings;
  const file = typeof source === "string" || source instanceof URL
    ? cassetteFile(source)
    : undefined;
  const name = file?.name ?? "the value";
  const recording = await readRecording(source, file, mode);
  if (recording !== undefined) return replaying(recording, settings, name);
  if (mode !== "replay") return recorder(file, settings);
  throw new CassetteError(
    `there is no cassette ${name}: record it with mode: "record", and call save() at the end`,
    { reason: "missing" },
  );
}

interface Settings {
  readonly mode: Mode;
  readonly send: Transport;
  readonly match: MatchRules;
  readonly allowRepeats: boolean;
  readonly redaction: Redaction;
}

function checkedSettings(options: CassetteOptions): Settings {
  const { mode = "replay", match = {}, allowRepeats = false } = options;
  checkedOptions(options, ["allowRepeats", "fetch", "match", "mode", ...redactionOptions]);
  checkedOptions(match, ["body", "headers", "ignore", "origin"], "match.");
  if (!modes.includes(mode)) {
    throw new UnexpectedValueError("mode", `one of ${modes.join(", ")}`, mode);
  }
  const send = checkedFunction<Transport | undefined>("fetch", options.fetch) ?? plainFetch;
  checkedFlag("allowRepeats", allowRepeats);
  checkedFlag("match.body", match.body ?? true);
  checkedFlag("match.origin", match.origin ?? true);
  checkedTexts("match.headers", match.headers ?? []);
  checkedTexts("match.ignore", match.ignore ?? []);
  return { mode, send, match, allowRepeats, redaction: checkedRedaction(options) };
}

async function readRecording(
  source: string | URL | CassetteData,
  file: CassetteFile | undefined,
  mode: Mode,
): Promise<CassetteData | undefined> {
  if (mode === "record") return undefined;
  if (file !== undefined) {
    const text = await file.read();
    return text === undefined ? undefined : parseCassette(text, file.name);
  }
  const data = checkedCassette(source, "the value");
  const isEmpty = data.interactions.length === 0;
  return isEmpty && mode === "replay-or-record" ? undefined : data;
}

/** Returns a cassette that replays. */
function replaying(
  recording: CassetteData,
  { match, allowRepeats, redaction }: Settings,
  name: string,
): Cassette {
  // A recording of another tool may have secrets. Its requests are compared without them, so that a
  // test needs none, but its responses are replayed as they are.
  const data = redact(recording, redaction);
  const recordings = recording.interactions.map(({ request, response }, index) => ({
    ...comparable(data.interactions[index]!.request, match),
    exact: comparable(request, match),
    response,
    isUsed: false,
  }));
  const failed: string[] = [];
  const bindings: Bindings = new Map();

  function fail(
    sent: RecordedRequest,
    added: SchemeChanges | undefined,
    matching: readonly ComparableRequest[],
  ): never {
    const shown = comparable(shownRequest(sent, redaction, added), match);
    const text = describeRequest(shown.request);
    failed.push(text);
    if (matching.length > 0) {
      throw new CassetteError(
        `all recordings of ${text} in ${name} are used (${matching.length}): ` +
          "record again, or set allowRepeats: true",
        { reason: "used", closest: matching.at(-1)!.request },
      );
    }
    const [found] = recordings
      .map((each, index) => ({ each, index, distance: distance(each, shown) }))
      .sort((one, other) => one.distance - other.distance);
    if (found === undefined) {
      throw new CassetteError(`no recording in ${name} matches ${text}: there are none`, {
        reason: "unmatched",
      });
    }
    // The recording of another tool has the parameters of the scheme, too.
    const closest = comparable(shownRequest(found.each.request, redaction, added), match);
    throw new CassetteError(
      `no recording in ${name} matches ${text}. ` +
        `The closest is interactions[${found.index}] (- recorded, + sent):\n` +
        describeDifferences(closest, shown).join("\n"),
      { reason: "unmatched", closest: closest.request },
    );
  }

  async function replay(url: string, init: TransportInit): Promise<Response> {
    const sent = comparable(await requestOf(url, init), match);
    const matching = recordings.flatMap((recording) => {
      const found = matchRequest(recording, sent);
      return found === undefined ? [] : [{ recording, found }];
    });
    // Requests that differ only in their secrets may have different responses.
    const exact = matching.filter(({ recording }) => matchRequest(recording.exact, sent));
    const isUnused = ({ recording }: typeof matching[number]) => !recording.isUsed;
    const next = exact.find(isUnused) ?? matching.find(isUnused) ??
      (allowRepeats ? exact.at(-1) ?? matching.at(-1) : undefined);
    if (next === undefined) {
      const added = schemeChanges(url, init);
      return fail(sent.request, added, matching.map(({ recording }) => recording));
    }
    next.recording.isUsed = true;
    next.found.forEach((value, placeholder) => bindings.set(placeholder, value));
    const values = { secrets: redaction.secrets, bindings };
    return replayResponse(next.recording.response, sent.request.url, init.method, values);
  }

  const unused = () => recordings.filter(({ isUsed }) => !isUsed).map(({ request }) => request);
  const transport: Transport = (url, init) => abortable(() => replay(url, init), init.signal);
  return Object.defineProperty(
    Object.assign(transport, {
      isRecording: false,
      assertDone() {
        const problems = [
          ...unused().map((request) => `${describeRequest(request)}: was not replayed`),
          ...failed.map((request) => `${request}: has no recording`),
        ];
        if (problems.length === 0) return;
        throw new CassetteError(`${name} is not done:\n  ${problems.join("\n  ")}`, {
          reason: "unused",
        });
      },
      save: () => Promise.resolve(data),
      unused: [],
    }),
    "unused",
    { get: unused },
  );
}

/** Returns a request as messages show it, without its secrets. */
function shownRequest(
  request: RecordedRequest,
  redaction: Redaction,
  added: SchemeChanges | undefined,
): RecordedRequest {
  const interaction = { request, response: { status: 200, headers: {} } };
  const data = { version: 1, interactions: [interaction] } as const;
  const { interactions } = redact(data, redaction, [added], true);
  return interactions[0]!.request;
}

async function requestOf(url: string, init: TransportInit): Promise<RecordedRequest> {
  if (init.body instanceof ReadableStream) {
    return await recordedRequest(
      init.method,
      url,
      sentParts(init, undefined, await readBytes(init.body)),
    );
  }
  const { type, bytes } = copiedBody(init);
  return await recordedRequest(init.method, url, sentParts(init, type, await bytes()));
}

function sentParts({ headers }: TransportInit, type: string | undefined, bytes: Uint8Array) {
  const fields = { ...headers, ...(type !== undefined && { "content-type": type }) };
  return { headers: Object.entries(fields), bytes, isFetched: true };
}

/** A request that is sent, with its response if that has arrived. */
interface Exchange {
  readonly url: string;
  readonly init: TransportInit;
  readonly sent: ReturnType<typeof copiedBody>;
  received?: { readonly original: Response; readonly copy: CopiedResponse };
}

/** Returns a cassette that records. */
function recorder(file: CassetteFile | undefined, { send, redaction }: Settings): Cassette {
  const exchanges: Exchange[] = [];

  async function record(url: string, init: TransportInit): Promise<Response> {
    const sent = copiedBody(init);
    const exchange: Exchange = { url, init, sent };
    // In the order in which they are sent, which does not depend on the server.
    exchanges.push(exchange);
    // A form may be sent with the copied bytes only if both have the same boundary.
    const { body: _, ...rest } = init;
    const original = await send(url, {
      ...rest,
      ...(sent.body !== undefined && { body: sent.body }),
    });
    const copy = copiedResponse(original);
    exchange.received = { original, copy };
    return copy.response;
  }

  async function interactionOf(
    { url, init, sent, received }: Exchange,
  ): Promise<{ readonly interaction: Interaction; readonly added: SchemeChanges | undefined }[]> {
    await received?.copy.finish();
    const bytes = received?.copy.bytes();
    // A connection that failed is not recorded.
    if (received === undefined || bytes === undefined) return [];
    const { original } = received;
    const { status, statusText, headers, redirected } = original;
    const known = { status, statusText, ...(redirected && { url: original.url }) };
    const interaction = {
      request: await recordedRequest(
        init.method,
        url,
        sentParts(init, sent.type, await sent.bytes()),
      ),
      response: await recordedResponse(known, { headers, bytes, isFetched: true }),
    };
    return [{ interaction, added: schemeChanges(url, init) }];
  }

  return Object.assign(record, {
    isRecording: true,
    unused: [],
    assertDone() {},
    async save() {
      const recorded = (await Promise.all(exchanges.map(interactionOf))).flat();
      const interactions = recorded.map(({ interaction }) => interaction);
      const added = recorded.map((each) => each.added);
      const data = redact({ version: 1, interactions }, redaction, added);
      await file?.write(cassetteText(data));
      return data;
    },
  });
}
