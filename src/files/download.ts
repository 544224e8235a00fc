/** Downloads a file, and asks for the rest of it after a lost connection if it has not changed. */
import { readerOf } from "#transport";
import { APIError } from "../errors/api_error.ts";
import { addNote } from "../errors/base_error.ts";
import { TransportError } from "../errors/transport_error.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { discardBody } from "../http/response.ts";
import type { StreamCall } from "../content/stream_format.ts";
import { byteChunks } from "./chunks.ts";
import type { FileDigest } from "./digest.ts";
import type { DigestCheck } from "./digest_check.ts";
import { DownloadError } from "./download_error.ts";
import { type FilePart, isEncoded, isStrongTag, partOf, validatorOf } from "./file_part.ts";
import type { DownloadProgress, DownloadStart } from "./progress.ts";

/** The seconds before a download is continued. */
const RESUME_WAIT = 1;

/**
 * The number of new bytes after which a shorter part than asked for is not a failure: 64 KiB. A server
 * that sends a byte at a time would otherwise get thousands of requests a second.
 */
const ENOUGH = 2 ** 16;

/** The settings of a download. */
export interface DownloadSettings {
  /** The number of times that the download is continued after a lost connection. */
  readonly maxResumes: number;
  /** The digest to check. */
  readonly digest: FileDigest | undefined;
  /** The state of an earlier download to continue. */
  readonly from: DownloadStart | undefined;
  /** True if the target is neither closed nor aborted. */
  readonly keepOpen: boolean;
  /** Called for each chunk. */
  readonly onProgress: ((progress: DownloadProgress) => void) | undefined;
}

/**
 * Returns the headers that ask for the rest of a file.
 *
 * The range begins one byte earlier. So it also has a byte if only the end of the body was missing,
 * and the byte can be compared.
 *
 * @param position The number of bytes that were received
 * @param validator The version of the file; undefined only at position 0
 */
export function rangeFrom(position: number, validator: string | undefined): Record<string, string> {
  return position === 0 ? {} : { range: `bytes=${position - 1}-`, "if-range": validator! };
}

/** The headers that ask for the whole file, merged over those that ask for the rest. */
const wholeFile = { range: null, "if-range": null };

/** A download, which may take several responses. */
export class Download {
  readonly #call: StreamCall;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #settings: DownloadSettings;
  #transferred: number;
  /** The last byte that was written, if it is known. */
  #lastByte: number | undefined;
  /** False if the server sends parts without a proof of their version. */
  #usesParts = true;
  #validator: string | undefined;
  /** The length of the file, as far as it is reliable. */
  #length: number | undefined;
  /** The length of the file for the progress. */
  #total: number | undefined;
  #check: DigestCheck | undefined;

  /**
   * @param call The call
   * @param writer Writes the file
   * @param settings The settings
   */
  constructor(
    call: StreamCall,
    writer: WritableStreamDefaultWriter<Uint8Array>,
    settings: DownloadSettings,
  ) {
    this.#call = call;
    this.#writer = writer;
    this.#settings = settings;
    this.#transferred = settings.from?.transferred ?? 0;
    this.#validator = settings.from?.validator;
    this.#length = this.#total = settings.from?.total;
  }

  /** Writes the file, beginning with the first response. */
  async run(first: Response): Promise<DownloadProgress> {
    const { keepOpen } = this.#settings;
    const writer = this.#writer;
    let response = first;
    try {
      await this.#startCheck(first);
      for (let resumes = 0;;) {
        if (this.#isUnproven(response)) {
          // At most once, so it needs no wait.
          this.#usesParts = false;
          discardBody(response);
          response = await this.#reopen();
        }
        const part = this.#accept(response);
        this.#report();
        const before = this.#transferred;
        const lost = await this.#copy(response, part);
        if (lost === undefined && this.#isComplete) break;
        if (lost !== undefined || this.#transferred - before < ENOUGH) {
          await this.#waitToResume(lost ?? this.#tooShort(), resumes++);
        }
        response = await this.#reopen();
      }
      const difference = this.#check?.finish();
      if (difference !== undefined) throw this.#error("digest", difference);
      if (keepOpen) writer.releaseLock();
      else await writer.close();
      return this.#progress;
    } catch (error) {
      discardBody(response);
      if (keepOpen) writer.releaseLock();
      else await writer.abort(error).catch(() => {});
      throw error;
    }
  }

  get #progress(): DownloadProgress {
    const transferred = this.#transferred;
    return { transferred, total: this.#total, validator: this.#validator };
  }

  #report(): void {
    this.#settings.onProgress?.(this.#progress);
  }

  /** True at the end of a body, if no part of the file is missing. */
  get #isComplete(): boolean {
    return this.#transferred === (this.#length ?? this.#transferred);
  }

  /** Begins to check the digest, with the bytes of an earlier download. */
  async #startCheck(response: Response): Promise<void> {
    const { digest, from } = this.#settings;
    if (digest === undefined) return;
    const check = this.#check = await digest.start(response);
    if (check === undefined) {
      const problem = "the response has no Repr-Digest by sha-256 or sha-512 that can be checked";
      throw this.#error("digest", problem);
    }
    if (from === undefined || from.transferred === 0) return;
    const { content, transferred } = from;
    const known = content instanceof Blob ? content.stream() : content;
    let length = 0;
    for await (const chunk of byteChunks(known, "from.content")) {
      length += chunk.length;
      check.update(chunk);
      this.#lastByte = chunk.at(-1) ?? this.#lastByte;
    }
    if (length === transferred) return;
    const expected = `${transferred} bytes, which is from.transferred`;
    throw new UnexpectedValueError("from.content", expected, length);
  }

  /**
   * Checks that a response has the file that the download began with, from the next byte or an earlier
   * one.
   */
  #accept(response: Response): FilePart {
    const part = partOf(response);
    if (this.#transferred > 0) this.#checkSame(response);
    if (part === undefined || part.start > this.#transferred) {
      const range = response.headers.get("content-range") ?? "no Content-Range that can be read";
      throw this.#error("range", `the 206 has ${range}, without byte ${this.#transferred}`);
    }
    const length = response.status === 206 ? part.total : part.end;
    if (this.#transferred === 0) {
      this.#validator = validatorOf(response);
      this.#length = length;
    } else if (length !== undefined) {
      if (length !== (this.#length ?? length)) {
        throw this.#error("changed", `the file had ${this.#length} bytes, and has ${length} now`);
      }
      this.#length = length;
    }
    this.#total = part.total ?? this.#length;
    return part;
  }

  /** The name of the header with the validator. */
  get #validatorName(): string {
    return isStrongTag(this.#validator!) ? "etag" : "last-modified";
  }

  /**
   * Reports if a response is a part that may be of another version. The server must repeat an entity
   * tag, but not a date (RFC 9110 §15.3.7). Without either, it may have ignored If-Range, as another
   * server to which a redirect leads may do.
   */
  #isUnproven({ status, headers }: Response): boolean {
    return this.#usesParts && this.#transferred > 0 && status === 206 &&
      !headers.has(this.#validatorName);
  }

  /** Checks that a response has the version of the file that the download began with. */
  #checkSame(response: Response): void {
    const validator = this.#validator!;
    const name = this.#validatorName;
    const found = response.headers.get(name);
    if (found !== null && found !== validator) {
      throw this.#error("changed", `the ${name} was ${validator}, and is ${found} now`);
    }
    if (isEncoded(response)) {
      throw this.#error("range", "the server has compressed the rest of the file");
    }
    if (found === null) {
      const problem = this.#usesParts
        ? "it ignores Range, or the file has changed"
        : "nothing proves that it is the same file";
      throw this.#error("range", `the server sent the file again, without ${name}; ${problem}`);
    }
  }

  /** Writes the body of a response. Returns the error of a lost connection. */
  async #copy(response: Response, { start, end }: FilePart): Promise<TransportError | undefined> {
    if (response.body === null) return undefined;
    const limit = end ?? this.#length;
    const reader = readerOf(response, response.body);
    let skip = this.#transferred - start;
    let isDone = false;
    try {
      for (;;) {
        let chunk: Uint8Array | undefined;
        try {
          const { done, value } = await reader.read();
          if (!done) chunk = value;
        } catch (error) {
          const lost = this.#call.toTransportError(error);
          if (lost instanceof TransportError) return lost;
          throw lost;
        }
        if (chunk === undefined) break;
        const again = chunk[skip - 1];
        if (again !== undefined && again !== (this.#lastByte ?? again)) {
          const position = this.#transferred - 1;
          throw this.#error("changed", `byte ${position} of the file is another one than before`);
        }
        if (skip >= chunk.length) {
          skip -= chunk.length;
          continue;
        }
        const bytes = skip === 0 ? chunk : chunk.subarray(skip);
        skip = 0;
        if (this.#transferred + bytes.length > (limit ?? Infinity)) {
          throw this.#error("range", `the server sent more bytes than the ${limit} it announced`);
        }
        // Waits, so that the progress has no byte that the target may refuse.
        await this.#writer.write(bytes);
        this.#transferred += bytes.length;
        this.#lastByte = bytes.at(-1);
        this.#check?.update(bytes);
        this.#report();
      }
      isDone = true;
      if (limit !== undefined && this.#transferred < limit) return this.#tooShort();
      if (skip > 0) throw this.#error("changed", "the file is shorter than before");
      return undefined;
    } finally {
      if (!isDone) reader.cancel().catch(() => {});
    }
  }

  #tooShort(): TransportError {
    const { request } = this.#call;
    const message = `the body ended after ${this.#transferred} of ${this.#length ?? "more"} bytes`;
    return new TransportError(message, { kind: "reset", request });
  }

  /** Waits before the download is continued. Throws the error if it cannot be continued. */
  async #waitToResume(lost: TransportError, resumes: number): Promise<void> {
    if (resumes >= this.#settings.maxResumes) throw lost;
    const { request } = this.#call;
    const note = request.method !== "GET"
      ? "only a download by GET can be continued"
      : this.#transferred > 0 && this.#validator === undefined
      ? "the response has no strong ETag or Last-Modified date, or is compressed"
      : undefined;
    if (note !== undefined) {
      const { message, kind, cause } = lost;
      const final = new TransportError(message, { kind, cause, retries: resumes, request });
      addNote(final, note);
      throw final;
    }
    await this.#call.wait(RESUME_WAIT);
  }

  async #reopen(): Promise<Response> {
    try {
      return await this.#call.reopen(
        this.#usesParts ? rangeFrom(this.#transferred, this.#validator) : wholeFile,
      );
    } catch (error) {
      if (!(error instanceof APIError && error.status === 416)) throw error;
      throw this.#error("changed", "the file has become shorter", error);
    }
  }

  #error(reason: DownloadError["reason"], problem: string, cause?: unknown): DownloadError {
    return new DownloadError(reason, problem, this.#call.request, this.#transferred, cause);
  }
}
